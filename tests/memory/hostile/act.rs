//! What people and clusters do. A new act is one function and one line of the table.

use super::world::World;
use super::{editing, failing, meddling, replacing, scaling};

/// An act: makes itself, and tells what it came to.
pub type Act = fn(&mut World) -> String;

pub const ACTS: &[(&str, Act)] = &[
    ("scale-by-hand", scaling::scale_by_hand),
    ("scale-several-times", scaling::scale_several_times),
    ("scale-and-back", scaling::scale_and_back),
    ("scale-after-rescale", scaling::scale_after_rescale),
    ("reset-target", scaling::reset_target),
    ("argo-applies-target", scaling::argo_applies_target),
    ("rollout", scaling::rollout),
    ("edit-min", editing::edit_min),
    ("edit-max", editing::edit_max),
    ("edit-metric", editing::edit_metric),
    ("edit-metrics", editing::edit_metrics),
    ("edit-behavior", editing::edit_behavior),
    ("remove-behavior", editing::remove_behavior),
    ("edit-after-rescale", editing::edit_after_rescale),
    ("edit-and-back", editing::edit_and_back),
    ("annotate", editing::annotate),
    ("apply-again", editing::apply_again),
    ("recreate-hpa", editing::recreate_hpa),
    ("delete-hpa", editing::delete_hpa),
    ("pause", scaling::pause),
    ("restart", failing::restart),
    ("new-leader", failing::new_leader),
    ("api-outage", failing::api_outage),
    ("late-sync", failing::late_sync),
    ("scale-write-fails", failing::scale_write_fails),
    ("scale-conflict", failing::scale_conflict),
    ("scale-read-fails", failing::scale_read_fails),
    ("status-conflict", failing::status_conflict),
    ("refused-events", failing::refused_events),
    ("pods-unready", failing::pods_unready),
    ("pods-replaced", failing::pods_replaced),
    ("edit-max-and-back", editing::edit_max_and_back),
    ("status-write-fails", failing::status_write_fails),
    ("replace-target", replacing::replace_target),
    ("reinstall", replacing::reinstall),
    ("other-target", replacing::other_target),
    ("wrong-target", replacing::wrong_target),
    ("quota", replacing::quota),
    ("foreign-event", meddling::foreign_event),
    ("delete-events", meddling::delete_events),
    ("edit-status", meddling::edit_status),
    ("slow-syncs", failing::slow_syncs),
    ("rival", failing::rival),
    ("cap-writes", failing::cap_writes),
];
