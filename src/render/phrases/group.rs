//! What is said of a pod in its group.

use crate::render::units::{Unit, ago, clock};
use kubectl_hpa_core::explanation::Metric;
use kubectl_hpa_core::model::{Instant, Source};
use kubectl_hpa_core::snapshot::{ConditionStatus, Phase, Pod};
use kubectl_hpa_core::trace::{Group, Ignored, Missing, Ready, Unready};

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
pub(in crate::render) fn why(group: &Group, pod: &Pod, source: &Source, now: Instant) -> String {
    match group {
        Group::Ready(ready) => ready_why(*ready),
        Group::Unready(Unready::Pending) if pod.waits_for_node() => {
            "phase Pending; waits for a node".to_owned()
        }
        Group::Unready(Unready::Pending) if pod.is_gated() => {
            "phase Pending; held back by scheduling gates".to_owned()
        }
        Group::Unready(unready) => {
            format!("{}{}", unready_why(*unready, now), stuck(pod).unwrap_or_default())
        }
        Group::Missing(Missing::NoSample) => {
            let why = ended(pod).or_else(|| stuck(pod));
            format!("no sample{}", why.unwrap_or_else(|| started(pod, now)))
        }
        Group::Missing(Missing::NoSuchUsage) => {
            let lacks = match source {
                Source::ContainerResource { container, .. } => {
                    format!("sample without container {container}")
                }
                _ => "sample without the resource".to_owned(),
            };
            lacks + &stuck(pod).unwrap_or_default()
        }
        Group::Ignored(Ignored::Deleting) => "being deleted".to_owned(),
        Group::Ignored(Ignored::Failed) => "phase Failed".to_owned(),
    }
}

/// A container whose usage counts although its request does not, as those of `kubectl debug`; only beside others that have both.
pub(in crate::render) fn extra(metric: Metric<'_>, pod: &Pod) -> Option<String> {
    let spec = metric.spec;
    let Source::Resource(resource) = &spec.source else { return None };
    let measured = &pod.usage.as_ref()?.containers;
    let is_counted = |name: &str| pod.containers.iter().any(|it| &*it.name == name);
    measured.iter().find(|it| is_counted(&it.name))?;
    let extra = measured.iter().find(|it| !is_counted(&it.name))?;
    let usage = Unit::of(metric).human(extra.usage.get(resource)?);
    let request = spec.target.average_utilization.map_or("", |_| ", which has no request that counts");
    Some(format!("includes {usage} of container {}{request}", extra.name))
}

/// Since when a pod that the rules about starting up apply to has run, and been as ready as it is.
pub(in crate::render) fn since(group: &Group, pod: &Pod, now: Instant) -> String {
    let is_starting = match group {
        Group::Ready(Ready::SettledEarly)
        | Group::Unready(Unready::Initializing { .. } | Unready::SampleTooEarly { .. }) => true,
        Group::Ready(Ready::HasSample | Ready::Settled | Ready::WasReadyOnce)
        | Group::Unready(
            Unready::Pending | Unready::NoReadyCondition | Unready::NoStartTime | Unready::NeverReady,
        )
        | Group::Missing(_)
        | Group::Ignored(_) => false,
    };
    let (Some(started), Some(ready)) = (pod.started.filter(|_| is_starting), pod.ready) else {
        return String::new();
    };
    let state = if ready.status == ConditionStatus::True { "Ready" } else { "not Ready" };
    format!("started {}, {state} since {}", clock(now, started), clock(now, ready.since))
}

fn ready_why(ready: Ready) -> String {
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
        Unready::Initializing { until } => {
            format!("not Ready; its initialization period ends at {}", clock(now, until))
        }
        // With the end of the initialization period any sample counts, whenever it was taken.
        Unready::SampleTooEarly { until, needed } if until <= needed => {
            format!("sample begins before Ready; any sample counts from {} on", clock(now, until))
        }
        Unready::SampleTooEarly { needed, .. } => {
            format!("sample begins before Ready; samples taken from {} on count", clock(now, needed))
        }
        Unready::NeverReady => "has never been Ready".to_owned(),
    }
}

/// A pod that has done its work has no sample to come.
fn ended(pod: &Pod) -> Option<String> {
    let of_job = pod.owner.as_ref().is_some_and(|owner| &*owner.kind == "Job");
    let whose = if of_job { ", a finished Job's pod" } else { "" };
    (pod.phase == Phase::Succeeded).then(|| format!("; phase Succeeded{whose}"))
}

/// The container that keeps a pod from running.
fn stuck(pod: &Pod) -> Option<String> {
    pod.stuck.as_ref().map(|it| format!("; container {} waits: {}", it.name, it.reason))
}

fn started(pod: &Pod, now: Instant) -> String {
    pod.started.map_or_else(String::new, |started| format!("; started {}", ago(now, started)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kubectl_hpa_core::model::ResourceName;
    use kubectl_hpa_core::snapshot::Owner;

    #[test]
    fn a_pod_that_has_done_its_work_has_no_sample_to_come() {
        let now = Instant::parse("2026-11-21T10:42:00Z").unwrap_or(Instant::ZERO);
        let pod = |phase, owner| Pod {
            name: "mailer-1".into(),
            labels: kubectl_hpa_core::model::Labels::default(),
            owner,
            phase,
            deleting: false,
            started: Instant::parse("2026-11-21T10:41:00Z").ok(),
            ready: None,
            unscheduled: None,
            stuck: None,
            resizing: Vec::new(),
            containers: std::sync::Arc::default(),
            pod_requests: None,
            usage: None,
        };
        let job = Owner { kind: "Job".into(), name: "mailer".into() };
        let says = |pod: &Pod| {
            why(&Group::Missing(Missing::NoSample), pod, &Source::Resource(ResourceName::Cpu), now)
        };
        assert_eq!(says(&pod(Phase::Running, None)), "no sample; started 1m ago");
        assert_eq!(says(&pod(Phase::Succeeded, None)), "no sample; phase Succeeded");
        assert_eq!(
            says(&pod(Phase::Succeeded, Some(job))),
            "no sample; phase Succeeded, a finished Job's pod"
        );
    }
}
