//! The reads, each with its genuine answer and where its outcome stands.

use kubectl_hpa::cluster::ClusterError;
use kubectl_hpa_core::snapshot::case::{Many, One};
use kubectl_hpa_core::snapshot::{Case, ReadError, Scope};
use serde_json::{Value, json};

use super::Verdict;
use crate::cluster::{
    Cluster, EVENTS, HPA, HPAS, MANAGERS, POD_METRICS, PODS, discovery, hpa, list, pod, pod_metrics, scale,
};

/// How a read bears on the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The controller makes the same read.
    Shared,
    /// It does not, or has it from a watch.
    Own,
    /// The HPA itself.
    Subject,
    /// What is served, in one piece.
    Discovery,
    /// What one version of a group serves.
    Plain,
}

pub struct Reader {
    pub name: &'static str,
    pub class: Class,
    pub path: &'static str,
    pub verdict: fn(Result<Case, ClusterError>) -> (Verdict, String),
}

const ROLLOUTS: &str = "/apis/argoproj.io/v1alpha1";
const SCALE: &str = "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/web/scale";
const OTHER: &str = "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/api/scale";
const RPS: &str = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/%2A/rps";
const HITS: &str = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/services/web/hits";
const LOAD: &str = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/metrics/load";
const QUEUE: &str = "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue";

macro_rules! reader {
    ($name:literal, $class:ident, $path:expr, $verdict:expr) => {
        Reader { name: $name, class: Class::$class, path: $path, verdict: $verdict }
    };
}

pub const READERS: &[Reader] = &[
    reader!("HPA", Subject, HPA, |case| match case {
        Ok(_) => (Verdict::Believed, String::new()),
        Err(error @ ClusterError::NoSuchHpa { .. }) => (Verdict::Absent, error.to_string()),
        Err(error) => (Verdict::Reader, error.to_string()),
    }),
    reader!("HPAs", Own, HPAS, |case| of_error(gathered(case).other_hpas_error)),
    reader!("core group", Discovery, "/api", |case| one(gathered(case).scale)),
    reader!("groups", Discovery, "/apis", |case| one(gathered(case).scale)),
    reader!("group version", Plain, ROLLOUTS, |case| one(gathered(case).scale)),
    reader!("scale", Shared, SCALE, |case| one(gathered(case).scale)),
    reader!("other scale", Shared, OTHER, |case| one(gathered(case).other_hpas.all()[0].scale.clone())),
    reader!("pods", Own, PODS, |case| many(gathered(case).pods)),
    reader!("resource metrics", Shared, POD_METRICS, |case| many(gathered(case).pod_metrics)),
    reader!("pods metric", Shared, RPS, |case| of_error(gathered(case).custom_metrics.remove(0).error)),
    reader!("object metric", Shared, HITS, |case| of_error(gathered(case).custom_metrics.remove(1).error)),
    reader!("namespace metric", Shared, LOAD, |case| of_error(gathered(case).custom_metrics.remove(2).error)),
    reader!("external metric", Shared, QUEUE, |case| of_error(
        gathered(case).external_metrics.remove(0).error
    )),
    reader!("events", Own, EVENTS, |case| many(gathered(case).events)),
    reader!("controller's pods", Own, MANAGERS, |case| of_error(gathered(case).controller.error)),
    reader!("version", Own, "/version", |case| match gathered(case).controller.api_server {
        Some(_) => (Verdict::Believed, String::new()),
        None => (Verdict::Reader, String::new()),
    }),
];

fn gathered(case: Result<Case, ClusterError>) -> Case {
    case.unwrap_or_else(|error| panic!("no case: {error}"))
}

fn of_error(error: Option<ReadError>) -> (Verdict, String) {
    match error {
        None => (Verdict::Believed, String::new()),
        Some(error) if error.scope == Scope::Everyone => (Verdict::Controller, error.message),
        Some(error) => (Verdict::Reader, error.message),
    }
}

fn one<T>(read: Option<One<T>>) -> (Verdict, String) {
    of_error(read.expect("a read").error)
}

fn many<T>(read: Option<Many<T>>) -> (Verdict, String) {
    of_error(read.expect("a read").error)
}

impl Reader {
    /// What an API server answers.
    pub fn genuine(&self) -> Value {
        let reply = played(self.class).reply_of(self.path);
        serde_json::from_slice(&reply.body).expect("JSON")
    }

    /// Whether it reads a list of objects, which are all in one namespace.
    pub fn lists_objects(&self) -> bool {
        [HPAS, PODS, POD_METRICS, MANAGERS].contains(&self.path)
    }

    /// Whether it reads one object by its name.
    pub fn is_of_one(&self) -> bool {
        [HPA, SCALE, OTHER].contains(&self.path)
    }
}

/// A cluster on which all of them are made.
pub fn played(class: Class) -> Cluster {
    let target = json!({"type": "Value", "value": "1"});
    let object = |kind: &str, metric: &str| {
        json!({"type": "Object", "object": {"describedObject": {"apiVersion": "v1", "kind": kind, "name": "web"},
            "metric": {"name": metric}, "target": target}})
    };
    let metrics = json!([
        {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
        {"type": "Pods", "pods": {"metric": {"name": "rps"}, "target": {"type": "AverageValue", "averageValue": "1"}}},
        object("Service", "hits"),
        object("Namespace", "load"),
        {"type": "External", "external": {"metric": {"name": "queue"}, "target": target}},
    ]);
    let cluster = Cluster::shop()
        .with_hpas(&[
            hpa("web", "argoproj.io/v1alpha1", "Rollout", "web", metrics),
            hpa("api", "argoproj.io/v1alpha1", "Rollout", "api", json!([])),
        ])
        .with(SCALE, scale("app=web"))
        .with(OTHER, scale("app=api"))
        .with(PODS, list("PodList", json!([pod("web-1"), pod("web-2")])))
        .with(POD_METRICS, list("PodMetricsList", json!([pod_metrics("web-1"), pod_metrics("web-2")])))
        .with(
            RPS,
            list("MetricValueList", json!([value("Pod", "web-1", "rps"), value("Pod", "web-2", "rps")])),
        )
        .with(HITS, list("MetricValueList", json!([value("Service", "web", "hits")])))
        .with(LOAD, list("MetricValueList", json!([value("Namespace", "shop", "load")])))
        .with(QUEUE, list("ExternalMetricValueList", json!([external()])))
        .with(EVENTS, list("EventList", json!([event()])))
        .with(MANAGERS, list("PodList", json!([manager()])));
    served(cluster, class)
}

/// What is served: in one piece, unless it is to be asked for version by version.
fn served(cluster: Cluster, class: Class) -> Cluster {
    let cluster = cluster
        .with("/api/v1", plain("v1", &[("pods", "Pod"), ("services", "Service")]))
        .with(ROLLOUTS, plain("argoproj.io/v1alpha1", &[("rollouts", "Rollout")]))
        .with(
            "/apis/custom.metrics.k8s.io",
            json!({"kind": "APIGroup", "apiVersion": "v1",
            "name": "custom.metrics.k8s.io", "versions": [{"version": "v1beta2"}],
            "preferredVersion": {"version": "v1beta2"}}),
        );
    if class == Class::Plain {
        return cluster
            .with("/api", json!({"kind": "APIVersions", "versions": ["v1"]}))
            .with("/apis", json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": []}));
    }
    cluster.with(
        "/apis",
        discovery(&[
            ("argoproj.io", "v1alpha1", &[("rollouts", "Rollout", "ro")]),
            ("custom.metrics.k8s.io", "v1beta2", &[]),
        ]),
    )
}

fn plain(version: &str, resources: &[(&str, &str)]) -> Value {
    let resource = |(name, kind): &(&str, &str)| json!({"name": name, "singularName": "", "kind": kind});
    let resources: Vec<Value> = resources.iter().map(resource).collect();
    json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": resources})
}

fn value(kind: &str, name: &str, metric: &str) -> Value {
    json!({"describedObject": {"kind": kind, "name": name, "apiVersion": "/v1"}, "metric": {"name": metric},
        "timestamp": "2026-11-21T10:41:50Z", "value": "1"})
}

fn external() -> Value {
    json!({"metricName": "queue", "metricLabels": null, "timestamp": "2026-11-21T10:41:50Z", "value": "1"})
}

fn event() -> Value {
    json!({"metadata": {"name": "web.1"}, "involvedObject": {"kind": "HorizontalPodAutoscaler", "name": "web"},
        "reason": "SuccessfulRescale", "message": "New size: 2; reason: All metrics below target", "count": 1})
}

fn manager() -> Value {
    json!({"metadata": {"name": "kcm"}, "spec": {"containers": [{"name": "kube-controller-manager",
        "image": "registry.example/kube-controller-manager:v1.37.1", "command": ["kube-controller-manager"]}]}})
}
