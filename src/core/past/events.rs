//! The changes that the events of an HPA show.

use crate::comparison::{ChangeCause, ChangeSource, ReplicaChange};
use crate::memory_bounds;
use crate::model::{Instant, Replicas};
use crate::snapshot::{Rescale, RescaleEventReason, Snapshot};

/// Each rescale that an event shows, oldest first. The replicas before are known only if the status, an event of the target or
/// the user shows them.
#[must_use]
pub fn of_events(snapshot: &Snapshot) -> Vec<ReplicaChange> {
    let shown = memory_bounds::shown(snapshot);
    let from = |at: Instant, to: Replicas| shown.iter().find(|it| (it.0, it.2) == (at, to))?.1;
    let changes = |rescale: &Rescale| {
        let cause = || ChangeCause::Stated(rescale.words.clone());
        let (after, seen, to) = (rescale.first, rescale.last, rescale.to);
        let mut changes: Vec<ReplicaChange> = Vec::new();
        let unseen = ReplicaChange {
            after,
            seen,
            at: None,
            from: None,
            to: Some(to).filter(|_| !rescale.is_combined),
            found: None,
            cause: if rescale.is_combined { ChangeCause::Hpa(RescaleEventReason::Unclear) } else { cause() },
            count: hidden(rescale),
            source: ChangeSource::Event,
        };
        changes.extend(rescale.times().map(|at| {
            let from = from(at, to);
            let (to, cause) = (Some(to), cause());
            ReplicaChange { after: at, seen: at, at: Some(at), from, to, cause, count: 1, ..unseen.clone() }
        }));
        changes.extend(rescale.hides_times().then_some(unseen));
        changes
    };
    let mut changes: Vec<ReplicaChange> = snapshot.history.rescales.iter().flat_map(changes).collect();
    changes.sort_by_key(ReplicaChange::time);
    changes
}

/// So many rescales were between the times that an event shows.
fn hidden(rescale: &Rescale) -> u32 {
    u32::try_from(rescale.count).unwrap_or_default().saturating_sub(if rescale.is_combined { 1 } else { 2 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Cases;

    fn told(events: &str, of_target: &str) -> Vec<String> {
        let text = format!(
            "---\n{{apiVersion: kubectl-hpa/v1, kind: Case, at: 2026-11-21T10:42:00Z, hpa: {{metadata: {{name: web, \
             namespace: shop}}, spec: {{scaleTargetRef: {{kind: Deployment, name: web}}, maxReplicas: 9}}}}, events: \
             {{items: [{events}]}}, history: {{targetEvents: {{items: [{of_target}]}}}}}}"
        );
        let case = Cases::new("case", text.as_bytes()).next().expect("a case").expect("it is one");
        let replicas = |it: Option<Replicas>| it.map_or_else(|| "?".to_owned(), |it| it.0.to_string());
        let line = |it: &ReplicaChange| {
            let (from, to) = (replicas(it.from), replicas(it.to));
            let span = if it.at.is_some() { String::new() } else { format!(" after {}", it.after) };
            format!("{} {from} {to} {}{span}", it.time(), it.count)
        };
        of_events(&Snapshot::freeze(case).expect("it is valid")).iter().map(line).collect()
    }

    fn rescale(times: [&str; 2], count: i32, prefix: &str) -> String {
        let [first, last] = times.map(|it| format!("2026-11-21T{it}Z"));
        format!(
            "{{reason: SuccessfulRescale, message: '{prefix}New size: 5; reason: cpu above target', count: {count}, \
             firstTimestamp: {first}, lastTimestamp: {last}, source: {{component: horizontal-pod-autoscaler}}}}"
        )
    }

    #[test]
    fn an_event_shows_its_times_and_how_often_it_was_between_them() {
        let times = ["10:01:00", "10:31:00"];
        assert_eq!(told(&rescale([times[1]; 2], 1, ""), ""), ["2026-11-21T10:31:00Z ? 5 1"]);
        assert_eq!(
            told(&rescale(times, 2, ""), ""),
            ["2026-11-21T10:01:00Z ? 5 1", "2026-11-21T10:31:00Z ? 5 1"]
        );
        assert_eq!(
            told(&rescale(times, 7, ""), ""),
            [
                "2026-11-21T10:01:00Z ? 5 1",
                "2026-11-21T10:31:00Z ? 5 1",
                "2026-11-21T10:31:00Z ? 5 5 after 2026-11-21T10:01:00Z"
            ]
        );
        // Of different ones only the last is known.
        assert_eq!(
            told(&rescale(times, 7, "(combined from similar events): "), ""),
            ["2026-11-21T10:31:00Z ? 5 1", "2026-11-21T10:31:00Z ? ? 6 after 2026-11-21T10:01:00Z"]
        );
    }

    #[test]
    fn the_replicas_before_are_those_that_the_deployment_had() {
        let resized = |at: &str, words: &str| {
            format!(
                "{{reason: ScalingReplicaSet, message: 'Scaled up replica set {words}', count: 1, lastTimestamp: \
                 2026-11-21T{at}Z, source: {{component: deployment-controller}}}}"
            )
        };
        let event = rescale(["10:31:00"; 2], 1, "");
        let told = |of_target: &[String]| told(&event, &of_target.join(", "));
        assert_eq!(told(&[resized("10:31:01", "web-1 from 2 to 5")]), ["2026-11-21T10:31:00Z 2 5 1"]);
        assert_eq!(told(&[resized("10:33:00", "web-1 from 2 to 5")]), ["2026-11-21T10:31:00Z ? 5 1"]);
        assert_eq!(told(&[resized("10:31:01", "web-1 from 2 to 4")]), ["2026-11-21T10:31:00Z ? 5 1"]);
        // In a rollout no ReplicaSet has the size of the Deployment.
        let rollout = [resized("10:30:50", "web-2 from 0 to 1"), resized("10:31:01", "web-1 from 2 to 5")];
        assert_eq!(told(&rollout), ["2026-11-21T10:31:00Z ? 5 1"]);
    }
}
