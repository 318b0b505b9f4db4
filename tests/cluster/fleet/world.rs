//! Many HPAs, drawn, on a server that filters, pages and refuses as an API server does.

use std::collections::BTreeSet;

use kubectl_hpa_core::model::{Labels, Selector};
use serde_json::{Value, json};

use crate::cluster::{discovery, hpa, list, pod, pod_metrics};
use crate::server::{Reply, Request};

/// The plural and the kind of each target.
const KINDS: [(&str, &str); 4] = [
    ("deployments", "Deployment"),
    ("statefulsets", "StatefulSet"),
    ("replicasets", "ReplicaSet"),
    ("rollouts", "Rollout"),
];
/// Fewer than a client asks for, so that its lists have several.
const PAGE: usize = 7;

/// A cluster.
pub struct World {
    hpas: Vec<Value>,
    targets: Vec<Target>,
    pods: Vec<Value>,
    metrics: Vec<Value>,
    events: Vec<Value>,
    page: usize,
}

struct Target {
    plural: &'static str,
    object: Value,
    /// As the scale subresource of such an object writes it.
    selector: String,
}

/// A small generator of its own: the same worlds everywhere.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// What goes wrong for whom: whether a path is answered with something else.
pub type Fault = fn(&Request) -> Option<Reply>;

impl World {
    /// So many HPAs in each of so many namespaces; `kinds` of [`KINDS`] occur.
    pub fn of(seed: u64, namespaces: usize, each: usize, kinds: u64) -> Self {
        let mut world = Self {
            hpas: Vec::new(),
            targets: Vec::new(),
            pods: Vec::new(),
            metrics: Vec::new(),
            events: Vec::new(),
            page: PAGE,
        };
        let mut draw = Draw(seed);
        for namespace in 0..namespaces {
            for number in 0..each {
                world.add(&format!("ns-{namespace:02}"), &format!("web-{number:03}"), kinds, &mut draw);
            }
        }
        world
    }

    fn add(&mut self, namespace: &str, name: &str, kinds: u64, draw: &mut Draw) {
        let (plural, kind) = KINDS[usize::try_from(draw.below(kinds)).expect("small")];
        let version = if kind == "Rollout" { "argoproj.io/v1alpha1" } else { "apps/v1" };
        let mut hpa = hpa(name, version, kind, name, metrics(draw));
        hpa["metadata"]["namespace"] = json!(namespace);
        hpa["metadata"]["managedFields"] = json!([{"manager": "kubectl", "operation": "Apply",
            "time": "2026-11-21T09:00:00Z", "fieldsV1": {"f:spec": {"f:maxReplicas": {}}}}]);
        self.hpas.push(hpa);
        // Some targets are gone.
        if draw.below(12) > 0 {
            self.targets.push(Target::of(namespace, name, plural, kind, draw));
        }
        for number in 0..draw.below(4) {
            let name = format!("{name}-{number}");
            let labels =
                json!({"app": app(&name), "tier": (["front", "back"][usize::from(draw.below(2) > 0)])});
            let place = |mut object: Value| {
                object["metadata"]["namespace"] = json!(namespace);
                object["metadata"]["labels"] = labels.clone();
                object
            };
            self.pods.push(place(pod(&name)));
            if draw.below(5) > 0 {
                self.metrics.push(place(pod_metrics(&name)));
            }
        }
        for (kind, reason) in [("HorizontalPodAutoscaler", "SuccessfulRescale"), (kind, "ScalingReplicaSet")]
        {
            for number in 0..draw.below(3) {
                let time = format!("2026-11-21T10:3{}:00Z", draw.below(10));
                self.events.push(json!({
                    "metadata": {"name": format!("{name}.{kind}.{number}"), "namespace": namespace},
                    "involvedObject": {"kind": kind, "name": name}, "type": "Normal", "reason": reason,
                    "message": "New size: 3; reason: All metrics below target", "count": 1,
                    "firstTimestamp": time, "lastTimestamp": time,
                }));
            }
        }
    }

    /// With so many items in each page that is asked for.
    pub fn paged(self, page: usize) -> Self {
        Self { page, ..self }
    }

    pub fn namespaces(&self) -> usize {
        self.names().into_iter().map(|(namespace, _)| namespace).collect::<BTreeSet<_>>().len()
    }

    pub fn names(&self) -> Vec<(String, String)> {
        let text = |hpa: &Value, field: &str| hpa["metadata"][field].as_str().expect("a text").to_owned();
        self.hpas.iter().map(|hpa| (text(hpa, "namespace"), text(hpa, "name"))).collect()
    }

    /// How many targets, there or gone, are of none of the kinds whose lists tell all.
    pub fn singles(&self) -> usize {
        self.hpas.iter().filter(|hpa| hpa["spec"]["scaleTargetRef"]["kind"] == "Rollout").count()
    }

    /// What an API server with this in it answers.
    pub fn answer(&self, request: &Request) -> Reply {
        let path: Vec<&str> = request.path().split('/').skip(1).collect();
        match path.as_slice() {
            ["api"] => Reply::json(discovery(&[("", "v1", &[("pods", "Pod", "po")])])),
            ["apis"] => Reply::json(discovery(&[
                ("apps", "v1", &[KINDS[0], KINDS[1], KINDS[2]].map(|(plural, kind)| (plural, kind, ""))),
                ("argoproj.io", "v1alpha1", &[("rollouts", "Rollout", "ro")]),
            ])),
            ["version"] => Reply::json(json!({"major": "1", "minor": "37", "gitVersion": "v1.37.1"})),
            ["api", "v1", "namespaces", "kube-system", "pods"] => Reply::json(list("PodList", json!([]))),
            ["apis", "external.metrics.k8s.io", ..] => {
                let item = json!({"metricName": "queue", "metricLabels": {}, "timestamp": "2026-11-21T10:41:50Z", "value": "90"});
                Reply::json(list("ExternalMetricValueList", json!([item])))
            }
            ["api" | "apis", rest @ ..] => self.resource(request, rest),
            _ => Reply::unserved(),
        }
    }

    fn resource(&self, request: &Request, rest: &[&str]) -> Reply {
        let group = rest[0];
        // Without the group's version: the core group has no name.
        let rest = rest.get(if rest[0] == "v1" { 1 } else { 2 }..).unwrap_or_default();
        let (namespace, rest) = match rest {
            ["namespaces", namespace, rest @ ..] => (Some(*namespace), rest),
            rest => (None, rest),
        };
        let is_metrics = request.path().contains("metrics.k8s.io");
        match rest {
            ["horizontalpodautoscalers"] => {
                self.listed("HorizontalPodAutoscalerList", request, namespace, self.hpas.iter())
            }
            ["horizontalpodautoscalers", name] => {
                let found = self.hpas.iter().find(|hpa| is(hpa, namespace, name));
                found.map_or_else(|| absent(group, rest), |hpa| Reply::json(hpa.clone()))
            }
            ["pods"] if is_metrics => self.listed("PodMetricsList", request, namespace, self.metrics.iter()),
            ["pods"] => self.listed("PodList", request, namespace, self.pods.iter()),
            ["events"] => self.listed("EventList", request, namespace, self.events.iter()),
            [plural] => {
                let Some((_, kind)) = KINDS.iter().find(|(known, _)| known == plural) else {
                    return Reply::unserved();
                };
                let of_kind = self.targets.iter().filter(|target| target.plural == *plural);
                let mut reply =
                    self.listed(&format!("{kind}List"), request, namespace, of_kind.map(|it| &it.object));
                let text = String::from_utf8(reply.body).expect("UTF-8");
                reply.body = text.replace(r#""apiVersion":"v1""#, r#""apiVersion":"apps/v1""#).into_bytes();
                reply
            }
            [plural, name, ..] => {
                let mut targets = self.targets.iter().filter(|target| target.plural == *plural);
                match targets.find(|target| is(&target.object, namespace, name)) {
                    Some(target) if rest.len() == 3 => Reply::json(target.scale()),
                    Some(target) => Reply::json(target.whole()),
                    None => absent(group, rest),
                }
            }
            [] => Reply::unserved(),
        }
    }

    /// A list by its namespace and selectors, in pages where a limit is set.
    fn listed<'a>(
        &self,
        kind: &str,
        request: &Request,
        namespace: Option<&str>,
        all: impl Iterator<Item = &'a Value>,
    ) -> Reply {
        let is_wanted = |item: &&Value| {
            let metadata = &item["metadata"];
            namespace.is_none_or(|namespace| metadata["namespace"] == namespace)
                && parameter(request, "labelSelector").is_none_or(|text| {
                    let labels: Labels =
                        serde_json::from_value(metadata["labels"].clone()).unwrap_or_default();
                    Selector::parse(&text).expect("a selector").matches(&labels)
                })
                && parameter(request, "fieldSelector").is_none_or(|text| {
                    text.split(',').filter_map(|term| term.split_once('=')).all(|(field, value)| {
                        item["involvedObject"][field.trim_start_matches("involvedObject.")] == value
                    })
                })
        };
        let items: Vec<&Value> = all.filter(is_wanted).collect();
        let from: usize = parameter(request, "continue").and_then(|it| it.parse().ok()).unwrap_or_default();
        let end = if parameter(request, "limit").is_some() {
            items.len().min(from + self.page)
        } else {
            items.len()
        };
        let mut answer = list(kind, json!(items[from..end]));
        if end < items.len() {
            answer["metadata"]["continue"] = json!(end.to_string());
        }
        Reply::json(answer)
    }
}

impl Target {
    fn of(namespace: &str, name: &str, plural: &'static str, kind: &str, draw: &mut Draw) -> Self {
        let app = app(name);
        let expressions = json!([{"key": "tier", "operator": "In", "values": ["front", "back"]}]);
        let (selector, text) = match draw.below(3) {
            0 => (json!({"matchLabels": {"app": app}}), format!("app={app}")),
            1 => (
                json!({"matchLabels": {"tier": "front", "app": app}, "matchExpressions": []}),
                format!("app={app},tier=front"),
            ),
            _ => (
                json!({"matchLabels": {"app": app}, "matchExpressions": expressions}),
                format!("app={app},tier in (back,front)"),
            ),
        };
        let writer = |manager: &str, field: &str| {
            json!({"manager": manager, "operation": "Update", "time": "2026-11-21T10:00:00Z", "fieldsType": "FieldsV1",
                "fieldsV1": {"f:spec": {(field): {}, "f:template": {}}}})
        };
        let object = json!({
            "metadata": {
                "name": name, "namespace": namespace, "uid": name, "resourceVersion": "12", "generation": 4,
                "creationTimestamp": "2026-11-20T08:00:00Z", "labels": {"app": app},
                "ownerReferences": [{"kind": kind, "name": "parent", "controller": true}],
                "managedFields": [writer("helm", "f:selector"), writer("kubectl-scale", "f:replicas")],
            },
            "spec": {"replicas": draw.below(6), "selector": selector},
            "status": {"replicas": draw.below(6)},
        });
        Self { plural, object, selector: text }
    }

    /// Source: `scaleFromDeployment` and its like.
    fn scale(&self) -> Value {
        let (metadata, status) = (&self.object["metadata"], &self.object["status"]);
        json!({
            "kind": "Scale", "apiVersion": "autoscaling/v1",
            "metadata": {
                "name": metadata["name"], "namespace": metadata["namespace"], "uid": metadata["uid"],
                "resourceVersion": metadata["resourceVersion"],
                "creationTimestamp": metadata["creationTimestamp"],
            },
            "spec": {"replicas": self.object["spec"]["replicas"]},
            "status": {"replicas": status["replicas"], "selector": self.selector},
        })
    }

    fn whole(&self) -> Value {
        let kind = KINDS.iter().find(|(plural, _)| *plural == self.plural).map(|(_, kind)| *kind);
        let version = if self.plural == "rollouts" { "argoproj.io/v1alpha1" } else { "apps/v1" };
        let mut object = self.object.clone();
        (object["kind"], object["apiVersion"]) = (json!(kind), json!(version));
        object
    }
}

/// Two targets in a row share their pods: their HPAs are ambiguous.
fn app(name: &str) -> String {
    let number: u64 = name.split('-').nth(1).and_then(|it| it.parse().ok()).unwrap_or_default();
    format!("app-{}", if number % 10 == 9 { number - 1 } else { number })
}

fn metrics(draw: &mut Draw) -> Value {
    let cpu = json!({"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 20 + draw.below(60)}}});
    let queue = json!({"type": "External", "external": {
        "metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": "30"}}});
    if draw.below(4) == 0 { json!([cpu, queue]) } else { json!([cpu]) }
}

fn is(object: &Value, namespace: Option<&str>, name: &str) -> bool {
    object["metadata"]["namespace"].as_str() == namespace && object["metadata"]["name"] == name
}

fn absent(group: &str, rest: &[&str]) -> Reply {
    let message = format!("{}.{group} {:?} not found", rest[0], rest[1]);
    Reply::failure(404, "NotFound", &message).signed()
}

/// The value of a parameter, unescaped.
pub fn parameter(request: &Request, name: &str) -> Option<String> {
    let query = request.target.split_once('?')?.1;
    let value = query.split('&').filter_map(|it| it.split_once('=')).find(|(key, _)| *key == name)?.1;
    let mut text = Vec::new();
    let mut bytes = value.bytes();
    while let Some(byte) = bytes.next() {
        text.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [bytes.next().expect("a digit"), bytes.next().expect("a digit")];
                u8::from_str_radix(std::str::from_utf8(&digits).expect("ASCII"), 16).expect("hexadecimal")
            }
            byte => byte,
        });
    }
    Some(String::from_utf8(text).expect("UTF-8"))
}
