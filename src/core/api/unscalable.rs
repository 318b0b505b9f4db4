//! Kinds of the built-in groups of which no object can be scaled.

use thiserror::Error;

use crate::model::GroupVersion;

/// The kinds of the group `apps` that have a scale.
pub const SCALABLE: [&str; 3] = ["Deployment", "StatefulSet", "ReplicaSet"];

/// The kinds without a scale, by group.
const WITHOUT_SCALE: [(&str, &[&str]); 3] = [
    (
        "",
        &[
            "Binding",
            "ComponentStatus",
            "ConfigMap",
            "Endpoints",
            "Event",
            "LimitRange",
            "Namespace",
            "Node",
            "PersistentVolume",
            "PersistentVolumeClaim",
            "Pod",
            "PodTemplate",
            "ResourceQuota",
            "Secret",
            "Service",
            "ServiceAccount",
        ],
    ),
    ("apps", &["ControllerRevision", "DaemonSet"]),
    ("batch", &["CronJob", "Job"]),
];

/// Why no object of a kind can be scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unscalable<'a> {
    /// The kind has no scale subresource.
    #[error("{} has no scale subresource", with_article(.0))]
    NoSubresource(&'a str),
    /// The group has no such kind.
    #[error("there is no kind {kind} in {api_version}")]
    NoSuchKind {
        /// The group, with its version.
        api_version: &'a str,
        /// The kind.
        kind: &'a str,
        /// The kind of `apps/v1` that is called so, but for the group or the spelling.
        meant: Option<&'static str>,
    },
}

impl Unscalable<'_> {
    /// The kind of `apps/v1` that was meant, where that shows.
    #[must_use]
    pub const fn meant(self) -> Option<&'static str> {
        match self {
            Self::NoSubresource(_) => None,
            Self::NoSuchKind { meant, .. } => meant,
        }
    }
}

/// Why no object of a kind can be scaled; `None` if it can be, or if that is not known, as of a custom resource.
#[must_use]
pub fn unscalable<'a>(api_version: &'a str, kind: &'a str) -> Option<Unscalable<'a>> {
    let group = GroupVersion::parse(api_version).ok()?.group;
    // The controller's mapper knows each kind in small letters as well.
    let is = |other: &&str| *other == kind || other.to_ascii_lowercase() == kind;
    let can_scale = match &*group {
        "" => is(&"ReplicationController"),
        "apps" => SCALABLE.iter().any(is),
        "batch" | "extensions" => false,
        _ => true,
    };
    if can_scale {
        return None;
    }
    let mut without = WITHOUT_SCALE.iter().filter(|(of, _)| *of == &*group).flat_map(|(_, kinds)| *kinds);
    if without.any(is) {
        return Some(Unscalable::NoSubresource(kind));
    }
    let singular = kind.strip_suffix('s').unwrap_or(kind);
    let is_meant = |other: &&str| [kind, singular].iter().any(|it| other.eq_ignore_ascii_case(it));
    Some(Unscalable::NoSuchKind { api_version, kind, meant: SCALABLE.into_iter().find(is_meant) })
}

fn with_article(kind: &str) -> String {
    format!("{} {kind}", if kind.starts_with(['E', 'e']) { "an" } else { "a" })
}
