//! Directions that are off, and stabilization windows that are very long or not there.

use serde_json::json;

use super::behavior::{Way, words};
use super::{Finding, Rule};
use crate::engine::allowed;
use crate::model::{Duration, Replicas, SelectPolicy};
use crate::trace::Direction;

/// What the load does in less time than this is over before the replicas follow.
const LATE_SECONDS: i32 = 900;

impl Way<'_> {
    pub(super) fn scale_up_off(&self) -> Option<Finding> {
        let (min, max) = self.bounds();
        // At zero it is the same as policies that allow no pod.
        (self.behavior.up.select == SelectPolicy::Disabled && min > 0 && min < max).then(|| {
            let message = "selectPolicy Disabled: whatever the load, the replicas never rise".to_owned();
            let help = "unless this is intended, remove selectPolicy";
            self.finding(Rule::ScaleUpOff, "scaleUp.selectPolicy", message, help)
                .patch(json!({"spec": {"behavior": {"scaleUp": {"selectPolicy": null}}}}))
        })
    }

    /// Of the recommendations in the window the lowest counts.
    pub(super) fn slow_scale_up(&self) -> Option<Finding> {
        let up = self.rules(Direction::Up);
        let is_on = up.select != SelectPolicy::Disabled;
        let window = up.window_seconds.filter(|it| is_on && *it >= LATE_SECONDS)?;
        let time = Duration::from_seconds(i64::from(window));
        let message = format!(
            "with a scaleUp window of {window}s the replicas rise only when the load has been high for {} without a break",
            words(time)
        );
        let path = "scaleUp.stabilizationWindowSeconds";
        Some(self.finding(Rule::SlowScaleUp, path, message, "remove the window: the default is 0"))
    }

    /// Only where the policies let the replicas fall at once, too.
    pub(super) fn no_window(&self) -> Option<Finding> {
        let down = self.rules(Direction::Down);
        let is_off = down.select == SelectPolicy::Disabled || down.window_seconds != Some(0);
        let (min, max) = self.bounds();
        if is_off || min >= max || !self.falls_at_once() {
            return None;
        }
        let message = format!(
            "with a scaleDown window of 0 one low sample takes the replicas from {max} to {min} at once, and the next high one back"
        );
        let path = "scaleDown.stabilizationWindowSeconds";
        let help = "remove the window (the default is 5 minutes), or add a policy that slows it down";
        Some(self.finding(Rule::NoScaleDownWindow, path, message, help))
    }

    /// Whether the policies take the replicas from one bound to the other in one sync.
    fn falls_at_once(&self) -> bool {
        let down = self.rules(Direction::Down);
        let (min, max) = self.bounds();
        let reached = down.policies.iter().map(|it| allowed(*it, Direction::Down, Replicas(max)).0);
        let reached = if down.select == SelectPolicy::Min { reached.max() } else { reached.min() };
        reached.is_some_and(|reached| reached <= min)
    }
}
