//! What the API shows of the world, as a case: to the controller, and to whoever looks.

use kubectl_hpa::api::{
    self, ContainerMetrics, Event, ExternalMetricValue, InvolvedObject, ObjectMeta, PodCondition, PodMetrics,
    PodStatus, ResourceList, Scale, ScaleSpec, ScaleStatus, Target,
};
use kubectl_hpa::model::{Format, Quantity};
use kubectl_hpa::snapshot::case::{Answer, HistoryCase, HpaCase, Many, One, Query, Setting};
use kubectl_hpa::snapshot::{Case, ReadError};
use serde_json::{Value, json};

use super::plan::{Kind, Metric};
use super::world::{Stored, World, instant, seconds};

/// All that a sync looks at.
pub fn inputs(world: &World) -> Case {
    let hpa = world.hpa.as_ref().expect("an HPA");
    let mut case = skeleton(world);
    case.at = instant(world.now);
    case.hpa = HpaCase(api::Hpa {
        api_version: "autoscaling/v2".to_owned(),
        kind: "HorizontalPodAutoscaler".to_owned(),
        metadata: ObjectMeta {
            name: "web".to_owned(),
            namespace: "shop".to_owned(),
            generation: hpa.generation,
            creation_timestamp: Some(seconds(hpa.created)),
            ..ObjectMeta::default()
        },
        spec: hpa.spec.clone(),
        status: hpa.status.clone(),
    });
    case.scale = Some(scale(world));
    case.pods = Some(Many { items: Some(pods(world)), error: None });
    measure(world, &mut case);
    case
}

/// What whoever looks sees: the same, and the signs of the past that are not hidden.
pub fn case(world: &World) -> Case {
    let mut case = inputs(world);
    let hidden = world.plan.hidden;
    let hpa = world.hpa.as_ref().expect("an HPA");
    if !hidden.fields {
        case.hpa.0.metadata.managed_fields = hpa.fields.entries();
    }
    let events = |about_target: bool| {
        let live = world
            .events
            .iter()
            .filter(|event| event.about_target == about_target && event.expires > world.now);
        let kind = if about_target { kind(world.plan.kind).1 } else { "HorizontalPodAutoscaler" };
        Many { items: Some(live.map(|event| shown(event, kind)).collect()), error: None }
    };
    case.events = Some(if hidden.events {
        Many { items: None, error: Some(forbidden("events")) }
    } else {
        events(false)
    });
    case.history = HistoryCase {
        target: (!hidden.target).then(|| One { object: Some(target(world)), error: None }),
        target_events: (!hidden.target_events && !hidden.events).then(|| events(true)),
        ..HistoryCase::default()
    };
    if !hidden.started {
        let from = "Lease kube-system/kube-controller-manager".to_owned();
        let value = instant(world.controller.started);
        case.controller.started =
            Some(Setting { value, evidence: kubectl_hpa::model::Evidence::Observed, from });
    }
    case
}

fn skeleton(world: &World) -> Case {
    let mut controller = json!({"version": {"value": world.plan.version, "evidence": "Observed"}});
    if !world.plan.hidden.period {
        let period = format!("{}ms", world.plan.period);
        controller["syncPeriod"] = json!({"value": period, "evidence": "Observed"});
        controller["downscaleStabilization"] = json!({"value": "5m", "evidence": "Observed"});
    }
    let case: Value = json!({"apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": "2026-11-21T10:00:00Z",
        "controller": controller, "hpa": {}});
    serde_json::from_value(case).expect("a case")
}

/// Group and version, and kind, of the target.
pub fn kind(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Deployment => ("apps/v1", "Deployment"),
        Kind::StatefulSet => ("apps/v1", "StatefulSet"),
        Kind::Custom => ("example.com/v1", "Farm"),
    }
}

fn scale(world: &World) -> One<Scale> {
    if world.faults.scale_reads > 0 {
        return One {
            object: None,
            error: Some(refused("the server is currently unable to handle the request")),
        };
    }
    let observed = i32::try_from(world.pods.len()).expect("a count");
    let status = ScaleStatus { replicas: observed, selector: "app=web".to_owned() };
    let spec = ScaleSpec { replicas: world.target.replicas };
    One { object: Some(Scale { metadata: ObjectMeta::default(), spec, status }), error: None }
}

fn target(world: &World) -> Target {
    let metadata = ObjectMeta {
        name: "web".to_owned(),
        namespace: "shop".to_owned(),
        managed_fields: world.target.fields.entries(),
        ..ObjectMeta::default()
    };
    Target { kind: kind(world.plan.kind).1.to_owned(), metadata }
}

fn shown(event: &Stored, kind: &str) -> Event {
    Event {
        metadata: ObjectMeta {
            name: event.name.clone(),
            namespace: "shop".to_owned(),
            ..ObjectMeta::default()
        },
        involved_object: InvolvedObject { kind: kind.to_owned(), name: "web".to_owned() },
        kind: if event.event.warning { "Warning" } else { "Normal" }.to_owned(),
        reason: event.event.reason.clone(),
        message: event.event.message.clone(),
        count: event.count,
        first_timestamp: Some(seconds(event.first)),
        last_timestamp: Some(seconds(event.last)),
        event_time: None,
        series: None,
    }
}

fn name(pod: usize) -> ObjectMeta {
    let labels = [("app", "web")].into_iter().collect();
    ObjectMeta { name: format!("p{pod}"), namespace: "shop".to_owned(), labels, ..ObjectMeta::default() }
}

fn pods(world: &World) -> Vec<api::Pod> {
    let shown = |pod: &super::world::Pod| {
        let is_ready = pod.ready <= world.now;
        let condition = PodCondition {
            kind: "Ready".to_owned(),
            status: if is_ready { "True" } else { "False" }.to_owned(),
            last_transition_time: Some(seconds(pod.ready.min(world.now))),
        };
        let mut requests = ResourceList::default();
        requests.set("memory", milli(100));
        let resources = api::ResourceRequirements { requests, ..api::ResourceRequirements::default() };
        let container = api::Container { name: "app".to_owned(), resources, ..api::Container::default() };
        api::Pod {
            metadata: name(pod.name),
            spec: api::PodSpec { containers: vec![container], ..api::PodSpec::default() },
            status: PodStatus {
                phase: if is_ready { "Running" } else { "Pending" }.to_owned(),
                start_time: Some(seconds(pod.ready - 1_000)),
                conditions: vec![condition],
            },
        }
    };
    world.pods.iter().map(shown).collect()
}

fn level(world: &World) -> Option<i64> {
    let passed = world.plan.load.iter().take_while(|(from, _)| *from <= world.now);
    passed.last().and_then(|(_, level)| *level)
}

fn measure(world: &World, case: &mut Case) {
    let level = level(world);
    let whole = i64::from(world.plan.max) * 12 / 10;
    case.pod_metrics = Some(match level {
        None => Many {
            items: None,
            error: Some(refused("no endpoints available for service \"metrics-server\"")),
        },
        Some(level) => {
            let measured: Vec<_> = world.pods.iter().filter(|pod| pod.measured <= world.now).collect();
            let count = i64::try_from(measured.len()).expect("a count").max(1);
            let usage = match world.plan.metric {
                Metric::MemoryOfEach => level,
                _ => (level * whole * 50 / 200 / count).min(1_000),
            };
            Many {
                items: Some(measured.iter().map(|pod| sample(world, pod.name, usage)).collect()),
                error: None,
            }
        }
    });
    let metric = api::MetricIdentifier { name: "queue".to_owned(), selector: None };
    let value = level.map(|level| ExternalMetricValue {
        metric_name: "queue".to_owned(),
        timestamp: Some(seconds(world.now)),
        value: milli(level * whole * 10_000 / 200),
        ..ExternalMetricValue::default()
    });
    let error = value.is_none().then(|| refused("no matching metrics found"));
    case.external_metrics = vec![Answer {
        query: Query { metric, described_object: None },
        items: value.map(|value| vec![value]),
        error,
    }];
}

fn sample(world: &World, pod: usize, usage: i64) -> PodMetrics {
    let mut resources = ResourceList::default();
    resources.set("memory", milli(usage));
    PodMetrics {
        metadata: name(pod),
        timestamp: Some(seconds(world.now)),
        window: kubectl_hpa::model::Duration::from_seconds(15),
        containers: vec![ContainerMetrics { name: "app".to_owned(), usage: resources }],
    }
}

fn milli(value: i64) -> Quantity {
    Quantity::from_milli(value, Format::DecimalSI)
}

fn refused(message: &str) -> ReadError {
    ReadError { code: Some(503), message: message.to_owned(), ..ReadError::default() }
}

fn forbidden(what: &str) -> ReadError {
    let message = format!("{what} is forbidden: User \"dev\" cannot list resource \"{what}\"");
    ReadError {
        code: Some(403),
        message,
        scope: kubectl_hpa::snapshot::Scope::Reader,
        ..ReadError::default()
    }
}
