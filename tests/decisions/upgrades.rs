//! What an upgrade says of the situations to come is what the engine decides there, sync by sync, by each version.

use std::fs;

use crate::advice::example;
use crate::root::root;
use kubectl_hpa_core::comparison::{Comparison, Situation, Upgrade, Versions};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, Evidence, Evidenced, Memory, Replicas};
use kubectl_hpa_core::play::{Assumptions, Curve, Point};
use kubectl_hpa_core::rules::versions;
use kubectl_hpa_core::run::Run;
use kubectl_hpa_core::snapshot::{Case, Cases, ReadError, Reading, Snapshot};
use kubectl_hpa_core::status::carry;
use serde_json::{Value, json};

/// The sync period, in seconds.
const PERIOD: i64 = 15;
/// With a stabilization window of a minute no target takes longer to come to 0, or to wake.
const SYNCS: i64 = 12;

fn read(case: &Value) -> Case {
    Cases::new("case", case.to_string().as_bytes()).next().expect("one case").expect("it is valid")
}

fn controlled(version: &str) -> Value {
    json!({"version": {"value": version}})
}

/// An HPA on a queue, so many syncs after the beginning.
fn queue(version: &str, sync: i64, length: i64, replicas: i32, min: i32) -> Value {
    let at = sync * PERIOD;
    let metric =
        json!({"metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": "10"}});
    json!({
        "apiVersion": "kubectl-hpa/v1",
        "kind": "Case",
        "at": format!("2026-11-21T10:{:02}:{:02}Z", at / 60, at % 60),
        "controller": controlled(version),
        "memory": {"recommendations": [], "scaleUpEvents": [], "scaleDownEvents": []},
        "hpa": {
            "apiVersion": "autoscaling/v2",
            "kind": "HorizontalPodAutoscaler",
            "metadata": {"name": "web", "namespace": "shop"},
            "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "minReplicas": min,
                "maxReplicas": 10,
                "metrics": [{"type": "External", "external": metric}],
                "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60}},
            },
        },
        "scale": {"object": {
            "metadata": {"name": "web", "namespace": "shop"},
            "spec": {"replicas": replicas},
            "status": {"replicas": replicas, "selector": "app=web"},
        }},
        "pods": {"items": []},
        "externalMetrics": [{"query": {"metric": {"name": "queue"}}, "items": [{"metricName": "queue", "value": length.to_string()}]}],
    })
}

/// A controller that goes on from sync to sync with what it left, as `explain --carry` does: no player takes part.
struct Carried {
    sync: i64,
    last: Explanation,
}

impl Carried {
    fn start(version: &str, length: i64, replicas: i32) -> Self {
        let last = Explanation::of(read(&queue(version, 0, length, replicas, 0))).expect("decided");
        Self { sync: 0, last }
    }

    fn replicas(&self) -> Replicas {
        self.last.decision().left().expect("decided")
    }

    /// Some syncs by a version.
    fn go_on(mut self, version: &str, length: i64, min: i32) -> Self {
        for _ in 0..SYNCS {
            self.sync += 1;
            let next = read(&queue(version, self.sync, length, self.replicas().0, min));
            let next = carry(self.last.snapshot(), self.last.decision(), self.last.report(), next);
            self.last = Explanation::of(next.expect("one HPA")).expect("decided");
        }
        self
    }
}

/// The replicas in the end, if the version changes where the situation says.
fn carried(situation: Situation, from: &str, to: &str) -> Replicas {
    let asleep = |version| Carried::start(version, 15, 2).go_on(version, 0, 0);
    let end = match situation {
        Situation::AtZeroBefore => asleep(from).go_on(to, 15, 0),
        Situation::AtZeroAfter => asleep(to).go_on(to, 15, 0),
        Situation::MinRaised => asleep(to).go_on(to, 0, 1),
        Situation::ScaledByHand => Carried::start(to, 15, 0).go_on(to, 15, 0),
    };
    end.replicas()
}

/// What is known of the real controllers: `algorithm-history` of their source, and E16 of the KEP's promises.
fn expected(situation: Situation, from: &str, to: &str) -> Replicas {
    let has_condition = |version: &str| version == "1.37";
    let reads_min = |version: &str| !matches!(version, "1.36" | "1.37");
    let wakes = match situation {
        Situation::AtZeroBefore => reads_min(to) || (has_condition(from) && has_condition(to)),
        Situation::AtZeroAfter => reads_min(to) || has_condition(to),
        Situation::MinRaised => has_condition(to),
        Situation::ScaledByHand => reads_min(to),
    };
    match (wakes, situation) {
        (false, _) => Replicas(0),
        (true, Situation::MinRaised) => Replicas(1),
        (true, _) => Replicas(2),
    }
}

fn upgrade(case: &Value, from: &str, to: &str) -> Upgrade {
    let mut case = case.clone();
    case["controller"] = controlled(from);
    let case = read(&case);
    let metadata = case.hpa.0.metadata.clone();
    let mut upgrade = Upgrade::to(Evidenced::given(to.into(), "--upgrade-to"));
    upgrade.add(&Snapshot::freeze(case).expect("a snapshot"), &metadata).expect("both have rules");
    upgrade
}

/// The ends that an upgrade names for a situation, and the rules behind them.
fn named(upgrade: &Upgrade, situation: Situation) -> Option<([Replicas; 2], Vec<String>)> {
    let mut all = upgrade.later.iter().flat_map(|it| &it.later);
    let found = all.find(|later| later.situations.contains(&situation))?;
    Some((found.ends, found.rules.rules.iter().map(|rule| rule.name()).collect()))
}

fn pairs() -> impl Iterator<Item = (String, String)> {
    versions().flat_map(|from| versions().map(move |to| (from.clone(), to)))
}

#[test]
fn each_situation_ends_as_the_controllers_end_it_in_every_pair_of_versions() {
    let mut differences = 0;
    for (from, to) in pairs() {
        let upgrade = upgrade(&queue(&from, 0, 15, 2, 0), &from, &to);
        for situation in Situation::ALL {
            let ends = [carried(situation, &from, &from), carried(situation, &from, &to)];
            let known = [expected(situation, &from, &from), expected(situation, &from, &to)];
            assert_eq!(ends, known, "{situation:?}, {from} to {to}");
            let told = named(&upgrade, situation);
            let told_ends = told.as_ref().map(|(ends, _)| *ends);
            assert_eq!(told_ends, (ends[0] != ends[1]).then_some(ends), "{situation:?}, {from} to {to}");
            let is_about_zero = |name: &String| name == "from-zero" || name == "scale-to-zero";
            if let Some((_, rules)) = told {
                assert!(!rules.is_empty() && rules.iter().all(is_about_zero), "{rules:?}, {from} to {to}");
                differences += 1;
            }
        }
    }
    // Of 15 versions 13 go by minReplicas, and one of the others goes by the condition.
    let (before, after, raised, by_hand) = (13 + 13 + 13 + 1, 2 * 13 + 2, 2 * 13 + 2, 4 * 13);
    assert_eq!(differences, before + after + raised + by_hand);
}

#[test]
fn a_version_that_leaves_an_hpa_at_zero_has_a_precaution_and_no_other_has() {
    for (from, to) in pairs() {
        for replicas in [2, 0] {
            let upgrade = upgrade(&queue(&from, 0, 15, replicas, 0), &from, &to);
            let precaution = upgrade.later.iter().find_map(|it| it.precaution.as_ref());
            // A zero of which nothing shows that the HPA set it wakes only where minReplicas alone counts.
            let wakes = |version: &str| !matches!(version, "1.36" | "1.37");
            let is_left = match replicas {
                0 => wakes(&from) && !wakes(&to),
                _ => from != "1.36" && to != from && !wakes(&to),
            };
            assert_eq!(precaution.is_some(), is_left, "{replicas} replicas, {from} to {to}");
            // No version that goes by minReplicas wakes a target because minReplicas becomes 1.
            let is_scaled = precaution.is_some_and(|it| it.wake.is_some());
            assert_eq!(is_scaled, is_left && replicas == 0, "{replicas} replicas, {from} to {to}");
            assert_eq!(upgrade.refused.len(), usize::from(to != "1.37"), "{from} to {to}");
        }
    }
}

/// The HPA of a queue with pods, a Value target and cpu beside it: what the player does with pods counts.
fn with_pods() -> Value {
    let mut case = queue("1.37", 0, 150, 3, 0);
    let cpu = json!({"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}});
    case["hpa"]["spec"]["metrics"][0]["external"]["target"] = json!({"type": "Value", "value": "100"});
    case["hpa"]["spec"]["metrics"].as_array_mut().expect("metrics").push(cpu);
    let name = |number: usize| format!("web-{number}");
    let pods = (0..3).map(|number| {
        json!({
            "metadata": {"name": name(number), "namespace": "shop", "labels": {"app": "web"}},
            "spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "100m"}}}]},
            "status": {"phase": "Running", "startTime": "2026-11-21T08:00:00Z", "conditions": [
                {"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-21T08:00:10Z"},
            ]},
        })
    });
    let samples = (0..3).map(|number| {
        json!({
            "metadata": {"name": name(number), "namespace": "shop", "labels": {"app": "web"}},
            "timestamp": "2026-11-21T09:59:50Z",
            "window": "30s",
            "containers": [{"name": "app", "usage": {"cpu": "40m"}}],
        })
    });
    case["pods"] = json!({"items": pods.collect::<Vec<_>>()});
    case["podMetrics"] = json!({"items": samples.collect::<Vec<_>>()});
    case
}

/// The end of `simulate --over 1h --load-curve step:0%@0s,100%@30m`.
fn simulated(case: &Value, version: &str) -> Replicas {
    let mut case = case.clone();
    case["controller"] = controlled(version);
    let explanation = Explanation::of(read(&case)).expect("decided");
    let point = |minutes: i64, ppm| Point { at: Duration::from_seconds(minutes * 60), ppm };
    let curve = Curve { points: vec![point(0, 0), point(30, 0), point(30, 1_000_000)], repeat: None };
    let assumptions = Assumptions {
        over: Duration::from_seconds(3_600),
        curves: vec![(None, curve)],
        ..Assumptions::default()
    };
    let run = Run::of(explanation.player(&assumptions).expect("a player"), |_| {}).expect("played");
    run.spans.last().expect("a span").replicas.1
}

#[test]
fn a_play_over_time_of_each_version_ends_where_the_upgrade_says() {
    for case in [queue("1.37", 0, 15, 2, 0), with_pods()] {
        for (from, to) in pairs() {
            let ends = [simulated(&case, &from), simulated(&case, &to)];
            let told = named(&upgrade(&case, &from, &to), Situation::AtZeroAfter).map(|(ends, _)| ends);
            assert_eq!(told, (ends[0] != ends[1]).then_some(ends), "{from} to {to}");
        }
    }
}

#[test]
fn a_gate_that_is_on_keeps_the_hpa_awake_and_names_nothing() {
    let mut case = queue("1.37", 0, 15, 2, 0);
    for (gate, value, refused) in
        [("HPAScaleToZero", true, 0), ("AllAlpha", true, 0), ("HPAScaleToZero", false, 1)]
    {
        case["controller"] = json!({"version": {"value": "1.37"}, "featureGates": {gate: {"value": value}}});
        let read = read(&case);
        let metadata = read.hpa.0.metadata.clone();
        let mut upgrade = Upgrade::to(Evidenced::given("1.36".into(), "--upgrade-to"));
        upgrade.add(&Snapshot::freeze(read).expect("a snapshot"), &metadata).expect("both have rules");
        assert_eq!((upgrade.refused.len(), upgrade.later.len()), (refused, 0), "{gate}={value}");
    }
}

/// The same world in which nobody is given a metric; `None` of a metric in the pods.
fn lacking(snapshot: &Snapshot, metric: usize) -> Option<Snapshot> {
    let mut snapshot = snapshot.clone();
    let error =
        ReadError { code: Some(503), message: "the server is down".to_owned(), ..ReadError::default() };
    match snapshot.readings.get_mut(metric)? {
        Reading::Object(values) | Reading::External(values) => *values = Err(error),
        Reading::Pods(samples) => *samples = Err(error),
        Reading::Usage | Reading::Absent => return None,
    }
    Some(snapshot)
}

/// The decisions of two versions on a case.
fn compared(snapshot: &Snapshot, from: &str, to: &str) -> Comparison {
    let version = |version: &str| Evidenced::given(version.into(), "--as-version");
    Versions::of(snapshot, &[version(from), version(to)]).expect("both have rules").comparison()
}

#[test]
fn no_version_differs_after_a_restart_or_without_a_metric_if_it_does_not_now() {
    let mut played = 0;
    for file in fs::read_dir(root("src/examples")).expect("a folder") {
        let file = file.expect("a file").path();
        let Some(name) = file.file_name().and_then(|name| name.to_str()?.strip_suffix(".yaml")) else {
            continue;
        };
        let snapshot = Snapshot::freeze(read(&example(name))).expect("a snapshot");
        let (memory, memory_evidence) = (Memory::default(), Evidence::Given);
        let restarted = Snapshot { memory, memory_evidence, ..snapshot.clone() };
        let without = (0..snapshot.readings.len()).filter_map(|metric| lacking(&snapshot, metric));
        for changed in std::iter::once(restarted).chain(without) {
            for (from, to) in versions().zip(versions().skip(1)) {
                if compared(&snapshot, &from, &to) == Comparison::Same {
                    let then = compared(&changed, &from, &to);
                    assert_ne!(then, Comparison::Different, "{name}, {from} to {to}");
                    played += 1;
                }
            }
        }
    }
    assert!(played > 150, "{played}");
}
