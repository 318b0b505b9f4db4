//! What is said of a pod in its group.

use crate::model::Instant;
use crate::render::units::{ago, clock};
use crate::snapshot::Pod;
use crate::trace::{Group, Ignored, Missing, Unready};

/// The group's name.
pub(in crate::render) const fn name(group: &Group) -> &'static str {
    match group {
        Group::Ready(_) => "ready",
        Group::Unready(_) => "unready",
        Group::Missing(_) => "missing",
        Group::Ignored(_) => "ignored",
    }
}

/// Why the pod is in it, where that needs saying.
pub(in crate::render) fn why(group: &Group, pod: &Pod, now: Instant) -> String {
    match group {
        Group::Ready(ready) => ready_why(*ready),
        Group::Unready(unready) => unready_why(*unready, now),
        Group::Missing(Missing::NoSample) => format!("no sample{}", started(pod, now)),
        Group::Missing(Missing::NoSuchUsage) => "sample lacks the resource".to_owned(),
        Group::Ignored(Ignored::Deleting) => "being deleted".to_owned(),
        Group::Ignored(Ignored::Failed) => "phase Failed".to_owned(),
    }
}

fn ready_why(ready: crate::trace::Ready) -> String {
    use crate::trace::Ready;
    match ready {
        Ready::HasSample | Ready::SettledEarly | Ready::Settled => String::new(),
        Ready::WasReadyOnce => "not Ready now, but it was once".to_owned(),
    }
}

fn unready_why(unready: Unready, now: Instant) -> String {
    match unready {
        Unready::Pending => "phase Pending".to_owned(),
        Unready::NoReadyCondition => "no Ready condition".to_owned(),
        Unready::NoStartTime => "no start time".to_owned(),
        Unready::Initializing { until } => format!("starting up until {}", clock(now, until)),
        Unready::SampleTooEarly { needed, .. } => {
            format!("sample begins before Ready; counts from {}", clock(now, needed))
        }
        Unready::NeverReady => "has never been Ready".to_owned(),
    }
}

fn started(pod: &Pod, now: Instant) -> String {
    pod.started.map_or_else(String::new, |started| format!("; started {}", ago(now, started)))
}
