//! Worlds whose truth is known, and the records that looks at them would have made.

#![allow(dead_code, reason = "each test takes of it what it needs")]

use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, Instant, Milli, Replicas};
use kubectl_hpa_core::play::{Assumptions, Curve, Delay};
use kubectl_hpa_core::record::{Entry, Recorded, Recorder, Seen};
use kubectl_hpa_core::run::Run;
use kubectl_hpa_core::snapshot::{Case, Phase, Pod, Reading, Snapshot};
use kubectl_hpa_core::whatif::{Change, change};
use serde_json::{Value, json};

/// Numbers that a seed gives (SplitMix64).
pub struct Draws(pub u64);

impl Draws {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        let end = u64::try_from(of.len()).expect("a length");
        of[usize::try_from(self.below(end)).expect("a place")].clone()
    }
}

/// An HPA with its pods, and the load that comes.
pub struct World {
    /// The case of its first sync, without pods and samples.
    base: Value,
    pub case: Case,
    pub assumptions: Assumptions,
    pub kind: &'static str,
}

const KINDS: [&str; 7] = ["cpu", "memory", "container", "pods", "external", "object", "both"];
const CURVES: [&str; 6] = [
    "sine:30%..300%/40m",
    "ramp:50%..400%/30m",
    "step:300%@10m,40%@25m,180%@40m",
    "spike:500%@12m/4m",
    "step:0%@10m,150%@30m",
    "sine:0%..250%/17m",
];

fn start() -> Instant {
    Instant::parse("2026-11-21T10:00:00Z").expect("a time")
}

fn metric(kind: &str, draws: &mut Draws) -> Value {
    let percent = draws.pick(&[35, 50, 65, 80]);
    let average = format!("{}m", draws.pick(&[40_000, 61_000, 100_000]));
    let name = json!({"name": "work"});
    match kind {
        "cpu" => {
            json!({"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": percent}}})
        }
        "memory" => {
            json!({"type": "Resource", "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "150Mi"}}})
        }
        "container" => {
            json!({"type": "ContainerResource", "containerResource": {"name": "cpu", "container": "app", "target": {"type": "Utilization", "averageUtilization": percent}}})
        }
        "pods" => {
            json!({"type": "Pods", "pods": {"metric": name, "target": {"type": "AverageValue", "averageValue": average}}})
        }
        "external" => {
            json!({"type": "External", "external": {"metric": name, "target": {"type": "AverageValue", "averageValue": average}}})
        }
        _ => {
            json!({"type": "Object", "object": {"metric": name, "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "web"}, "target": {"type": "AverageValue", "averageValue": average}}})
        }
    }
}

fn behavior(draws: &mut Draws) -> Value {
    let mut down = json!({"stabilizationWindowSeconds": draws.pick(&[0, 60, 300])});
    if draws.below(3) == 0 {
        down["policies"] = json!([{"type": "Percent", "value": 20, "periodSeconds": 60}]);
    }
    if draws.below(3) == 0 {
        down["tolerance"] = json!("200m");
    }
    let mut up = json!({"stabilizationWindowSeconds": draws.pick(&[0, 0, 120])});
    if draws.below(3) == 0 {
        up["policies"] = json!([{"type": "Pods", "value": 2, "periodSeconds": 60}]);
    }
    json!({"scaleUp": up, "scaleDown": down})
}

impl World {
    /// A world of an hour that a seed gives.
    pub fn draw(seed: u64) -> Self {
        let mut draws = Draws(seed);
        let kind = draws.pick(&KINDS);
        let kinds = if kind == "both" { vec!["cpu", "external"] } else { vec![kind] };
        let metrics: Vec<Value> = kinds.iter().map(|kind| metric(kind, &mut draws)).collect();
        let mut spec = json!({
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "minReplicas": draws.pick(&[1, 2, 3]),
            "maxReplicas": draws.pick(&[9, 14, 40]),
            "metrics": metrics,
        });
        if draws.below(2) == 0 {
            spec["behavior"] = behavior(&mut draws);
        }
        let base = json!({
            "apiVersion": "kubectl-hpa/v1",
            "kind": "Case",
            "at": "2026-11-21T10:00:00Z",
            "controller": {"version": {"value": "v1.37.1", "evidence": "Given"}},
            "hpa": {
                "apiVersion": "autoscaling/v2",
                "kind": "HorizontalPodAutoscaler",
                "metadata": {"name": "web", "namespace": "shop", "creationTimestamp": "2026-11-20T10:00:00Z"},
                "spec": spec,
            },
        });
        let replicas = draws.pick(&[2, 3, 4]);
        let used = i64::try_from(30 + draws.below(100)).expect("a number");
        let pods = (0..replicas).map(|number| pod_json(&format!("web-{number}"), "2026-11-21T08:00:00Z"));
        let amount = if kind == "memory" { used * 3_000_000 * 1_000 } else { used };
        let samples: Vec<_> =
            (0..replicas).map(|number| (format!("web-{number}"), usage(kind, amount))).collect();
        let value = format!("{}m", used * 1_500);
        let case = with(&base, start(), (replicas, pods.collect()), &samples, &value);
        let curve = draws.pick(&CURVES);
        let delay =
            |least, most| Delay { least: Duration::from_seconds(least), most: Duration::from_seconds(most) };
        let (start_delay, ready_delay) = draws.pick(&[
            (Delay::default(), Delay::default()),
            (Delay::default(), Delay::default()),
            (delay(5, 5), delay(20, 20)),
            (delay(10, 40), delay(0, 30)),
        ]);
        let assumptions = Assumptions {
            over: Duration::from_seconds(3_600),
            curves: vec![(None, Curve::parse(curve).expect("a curve"))],
            start_delay,
            ready_delay,
            ..Assumptions::default()
        };
        Self { base, case: serde_json::from_value(case).expect("a case"), assumptions, kind }
    }

    /// The true outcome of these changes.
    pub fn truth(&self, changes: &[Change]) -> Run {
        let mut case = self.case.clone();
        change(&mut case, changes).expect("changed");
        let explanation = Explanation::of(case).expect("a case");
        Run::of(explanation.player(&self.assumptions).expect("plays"), |_| ()).expect("played")
    }

    /// The looks after every so many syncs, so long after them.
    pub fn looks(&self, every: usize, after: Duration) -> Vec<(Instant, Case)> {
        let explanation = Explanation::of(self.case.clone()).expect("a case");
        let mut player = explanation.player(&self.assumptions).expect("plays");
        let mut looks = Vec::new();
        let mut number = 0;
        while player.sync().is_some() {
            let (snapshot, Some(sync)) = (player.snapshot(), player.last()) else { break };
            let replicas = snapshot.scale.as_ref().expect("a scale").replicas;
            // At the first look the controller has not decided yet: a play begins there.
            let Replicas(replicas) =
                if number == 0 { replicas } else { sync.decision.desired().unwrap_or(replicas) };
            if number % every == 0 {
                let at = start() + sync.at + if number == 0 { Duration::ZERO } else { after };
                looks.push((at, self.seen(snapshot, replicas, at)));
            }
            number += 1;
        }
        looks
    }

    fn seen(&self, snapshot: &Snapshot, replicas: i32, at: Instant) -> Case {
        let pods = snapshot.pods.as_ref().expect("pods");
        let listed = pods.iter().map(|pod| {
            let since = |it: Option<Instant>| json!(it.map(Instant::to_rfc3339_nano));
            let mut shown = pod_json(&pod.name, "");
            let is_ready = pod.is_running_and_ready();
            shown["status"] = json!({
                "phase": if pod.phase == Phase::Running { "Running" } else { "Pending" },
                "startTime": since(pod.started),
                "conditions": pod.ready.map(|ready| json!([{
                    "type": "Ready",
                    "status": if is_ready { "True" } else { "False" },
                    "lastTransitionTime": since(Some(ready.since)),
                }])),
            });
            shown
        });
        let amount = |(place, pod): (usize, &Pod)| match (&pod.usage, &snapshot.readings[0]) {
            (_, Reading::Pods(Ok(samples))) => Some(json!(format!("{}m", samples.own[place]?.0))),
            (Some(usage), _) => {
                let of = |name| usage.of_container(&name, "app").map_or(0, |Milli(milli)| milli);
                let (cpu, memory) = (of("cpu".into()), of("memory".into()));
                let used = json!({"cpu": format!("{cpu}m"), "memory": format!("{memory}m")});
                Some(json!([used, usage.at.to_rfc3339_nano()]))
            }
            _ => None,
        };
        let samples = pods.iter().enumerate();
        let samples: Vec<_> =
            samples.filter_map(|pod| Some((pod.1.name.to_string(), amount(pod)?))).collect();
        let value = match snapshot.readings.last().expect("a metric") {
            Reading::Object(Ok(values)) | Reading::External(Ok(values)) => format!("{}m", values[0].0),
            _ => String::new(),
        };
        serde_json::from_value(with(&self.base, at, (replicas, listed.collect()), &samples, &value))
            .expect("a case")
    }
}

fn pod_json(name: &str, since: &str) -> Value {
    json!({
        "metadata": {
            "name": name, "namespace": "shop", "labels": {"app": "web"},
            "ownerReferences": [{"kind": "ReplicaSet", "name": "web-1", "controller": true}],
        },
        "spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "100m", "memory": "200Mi"}}}]},
        "status": {
            "phase": "Running", "startTime": since,
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": since}],
        },
    })
}

fn usage(kind: &str, amount: i64) -> Value {
    let at = "2026-11-21T10:00:00Z";
    match kind {
        "pods" => json!(format!("{}m", amount * 1_000)),
        "memory" => json!([{"cpu": "10m", "memory": format!("{amount}m")}, at]),
        _ => json!([{"cpu": format!("{amount}m"), "memory": "100Mi"}, at]),
    }
}

/// A case with these pods, samples and value: the samples are of the metric, or usage with its time.
fn with(
    base: &Value,
    at: Instant,
    (replicas, pods): (i32, Vec<Value>),
    samples: &[(String, Value)],
    value: &str,
) -> Value {
    let mut case = base.clone();
    case["at"] = json!(at.to_rfc3339_nano());
    case["scale"] = json!({"object": {
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"replicas": replicas},
        "status": {"replicas": pods.len(), "selector": "app=web"},
    }});
    case["pods"] = json!({"items": pods});
    let query = json!({"metric": {"name": "work"}});
    let item = |name: &str, value: &Value| json!({"describedObject": {"kind": "Pod", "name": name, "namespace": "shop"}, "value": value});
    for metric in base["hpa"]["spec"]["metrics"].as_array().into_iter().flatten() {
        match metric["type"].as_str() {
            Some("Pods") => {
                let items: Vec<Value> = samples.iter().map(|(name, value)| item(name, value)).collect();
                case["customMetrics"] = json!([{"query": &query, "items": items}]);
            }
            Some("External") => {
                let item = json!({"metricName": "work", "timestamp": "2026-11-21T10:00:00Z", "value": value});
                case["externalMetrics"] = json!([{"query": &query, "items": [item]}]);
            }
            Some("Object") => {
                let object = &metric["object"]["describedObject"];
                let query = json!({"metric": {"name": "work"}, "describedObject": object});
                let item = json!({"describedObject": object, "value": value});
                case["customMetrics"] = json!([{"query": &query, "items": [item]}]);
            }
            _ => {
                let item = |(name, used): &(String, Value)| {
                    json!({
                        "metadata": {"name": name, "namespace": "shop", "labels": {"app": "web"}},
                        "timestamp": used[1], "window": "15s",
                        "containers": [{"name": "app", "usage": used[0]}],
                    })
                };
                let items: Vec<Value> = samples.iter().map(item).collect();
                case["podMetrics"] = json!({"items": items});
            }
        }
    }
    case
}

/// The lines of a record of these looks.
pub fn record(looks: impl IntoIterator<Item = (Instant, Case)>) -> String {
    let mut recorder = Recorder::default();
    let entry = |(ended, case): (Instant, Case)| {
        let Case { hpa, .. } = &case;
        let (namespace, name) = (hpa.0.metadata.namespace.clone(), hpa.0.metadata.name.clone());
        let hpa = Recorded::of(None, &namespace, &name);
        Entry { hpa, begun: ended, ended, seen: Seen::Case(Box::new(case)) }
    };
    let lines =
        looks.into_iter().map(|look| recorder.line(&entry(look)).expect("a line")).collect::<Vec<_>>();
    std::iter::once(Recorder::header()).chain(lines).map(|line| line + "\n").collect()
}
