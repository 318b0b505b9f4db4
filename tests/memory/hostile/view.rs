//! What the API shows of the world, as a case: to the controller, and to whoever looks.

use kubectl_hpa_core::api::{
    self, Event, EventSource, InvolvedObject, ObjectMeta, Scale, ScaleSpec, ScaleStatus, Target,
};
use kubectl_hpa_core::model::{Evidence, Evidenced};
use kubectl_hpa_core::snapshot::case::{GivenRescale, HistoryCase, HpaCase, Many, One, OtherCase};
use kubectl_hpa_core::snapshot::{Case, ReadError, Scope, Selection, Snapshot};
use serde_json::{Value, json};

use super::measure::{measure, pods};
use super::plan::{Kind, Plan, Sign};
use super::refusal::{Refusal, hide};
use super::review::access;
use super::world::{Hpa, Millis, Stored, World, instant, seconds};

/// All that a sync of an HPA looks at: the controller knows other HPAs by the selectors that it holds.
pub fn inputs(world: &World, name: &str, hpa: &Hpa, refused: &[Refusal]) -> Case {
    let mut case = readable(world, name, hpa);
    let others = world.controller.held.iter().filter(|(other, _)| **other != name);
    let held = others.filter_map(|(other, selector)| Some(held(other, selector.as_ref()?)));
    case.other_hpas = held.collect::<Vec<_>>().into();
    hide(&mut case, refused, world.plan.kind);
    case
}

/// What anybody may read of it.
fn readable(world: &World, name: &str, hpa: &Hpa) -> Case {
    let mut case = (*world.skeleton).clone();
    case.at = instant(world.now);
    case.hpa = HpaCase(api::Hpa {
        api_version: "autoscaling/v2".to_owned(),
        kind: "HorizontalPodAutoscaler".to_owned(),
        metadata: ObjectMeta {
            name: name.to_owned(),
            namespace: "shop".into(),
            generation: hpa.generation,
            creation_timestamp: Some(seconds(hpa.created)),
            ..ObjectMeta::default()
        },
        spec: hpa.spec.clone(),
        status: hpa.status.clone(),
    });
    case.scale =
        Some(if name == "web" { scale(world) } else { world.scale_of(&hpa.spec.scale_target_ref.name) });
    case.pods = Some(Many { items: Some(pods(world)), error: None });
    measure(world, &mut case);
    // All pods there are belong to one application.
    let selector = case.scale.as_ref().and_then(|scale| scale.object.as_ref()).map(|it| &it.status.selector);
    if selector.is_some_and(|selector| selector != "app=web")
        && let Some(items) = case.pod_metrics.as_mut().and_then(|metrics| metrics.items.as_mut())
    {
        items.clear();
    }
    case
}

fn held(name: &str, selector: &str) -> OtherCase {
    let (name, namespace) = (name.to_owned(), "shop".to_owned());
    let metadata = ObjectMeta { name, namespace: namespace.into(), ..ObjectMeta::default() };
    let hpa = HpaCase(api::Hpa { metadata, ..api::Hpa::default() });
    OtherCase { hpa, scale: Some(scale_with(1, 1, selector)) }
}

/// The selector of the target.
pub fn selector(snapshot: &Snapshot) -> Option<String> {
    let scale = snapshot.scale.as_ref().ok()?;
    if let Selection::Parsed { text, .. } = &scale.selector { Some(text.to_string()) } else { None }
}

/// What whoever looks sees: the same, and the signs of the past that are not hidden.
pub fn case(world: &World) -> Case {
    let hpa = world.hpa.as_ref().expect("an HPA");
    let mut case = readable(world, "web", hpa);
    case.other_hpas = world.shown_rivals().into();
    case.access = access(world);
    let hides = |sign| world.plan.hides(sign);
    if !hides(Sign::Fields) {
        case.hpa.0.metadata.managed_fields = hpa.fields.entries();
    }
    let events = |about_target: bool| {
        let live = world
            .events
            .iter()
            .filter(|event| event.target == about_target.then_some(world.target.name))
            .filter(|event| event.expires > world.now);
        let kind = if about_target { kind(world.plan.kind).1 } else { "HorizontalPodAutoscaler" };
        Many { items: Some(live.map(|event| shown(event, kind)).collect()), error: None }
    };
    case.events = Some(if hides(Sign::Events) {
        Many { items: None, error: Some(forbidden("events")) }
    } else {
        events(false)
    });
    case.history = HistoryCase {
        target: (!hides(Sign::Target)).then(|| target(world)),
        target_events: (!hides(Sign::TargetEvents) && !hides(Sign::Events)).then(|| events(true)),
        rescales: world.rescales.last().filter(|_| world.plan.knows_last).map(given).into_iter().collect(),
        ..HistoryCase::default()
    };
    if !hides(Sign::Started) {
        let from = "Lease kube-system/kube-controller-manager".to_owned();
        let value = instant(world.controller.started);
        case.controller.started = Some(Evidenced::new(value, Evidence::Observed, from));
    }
    case
}

fn given((at, from): &(Millis, i32)) -> GivenRescale {
    GivenRescale { at: seconds(*at), from: *from }
}

/// The part of every case that stays the same.
pub fn skeleton(plan: &Plan) -> Case {
    let mut controller = json!({"version": {"value": plan.version, "evidence": "Observed"}});
    if !plan.hides(Sign::Period) {
        let period = format!("{}ms", plan.period);
        controller["syncPeriod"] = json!({"value": period, "evidence": "Observed"});
        controller["downscaleStabilization"] =
            json!({"value": format!("{}s", plan.window), "evidence": "Observed"});
        controller["eventTTL"] = json!({"value": format!("{}ms", plan.event_ttl), "evidence": "Observed"});
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

pub fn scale(world: &World) -> One<Scale> {
    if world.misses_target() {
        return One { object: None, error: Some(missing("web")) };
    }
    if world.faults.scale_reads > 0 {
        return One {
            object: None,
            error: Some(refused("the server is currently unable to handle the request")),
        };
    }
    found(world)
}

/// The target's scale, if it is found.
pub fn found(world: &World) -> One<Scale> {
    let observed = i32::try_from(world.pods.len()).expect("a count");
    scale_with(world.target.replicas, observed, "app=web")
}

pub fn scale_with(replicas: i32, observed: i32, selector: &str) -> One<Scale> {
    let status = ScaleStatus { replicas: observed, selector: selector.to_owned() };
    let spec = ScaleSpec { replicas };
    One { object: Some(Scale { metadata: ObjectMeta::default(), spec, status }), error: None }
}

fn target(world: &World) -> One<Target> {
    if world.misses_target() {
        return One { object: None, error: Some(missing("web")) };
    }
    let metadata = ObjectMeta {
        name: world.target.name.to_owned(),
        namespace: "shop".into(),
        generation: world.target.generation,
        creation_timestamp: Some(seconds(world.target.created)),
        managed_fields: world.target.fields.entries(),
        ..ObjectMeta::default()
    };
    One { object: Some(Target { kind: kind(world.plan.kind).1.to_owned(), metadata }), error: None }
}

fn shown(event: &Stored, kind: &str) -> Event {
    Event {
        metadata: ObjectMeta {
            name: event.name.clone(),
            namespace: "shop".into(),
            creation_timestamp: Some(seconds(event.created)),
            ..ObjectMeta::default()
        },
        involved_object: InvolvedObject {
            kind: kind.to_owned(),
            name: event.target.unwrap_or("web").to_owned(),
        },
        source: EventSource { component: event.source.to_owned() },
        reporting_component: String::new(),
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

pub fn refused(message: &str) -> ReadError {
    ReadError { code: Some(503), message: message.to_owned(), ..ReadError::default() }
}

pub fn missing(name: &str) -> ReadError {
    let message = format!("deployments.apps \"{name}\" not found");
    ReadError { code: Some(404), message, ..ReadError::default() }
}

fn forbidden(what: &str) -> ReadError {
    let message = format!("{what} is forbidden: User \"dev\" cannot list resource \"{what}\"");
    ReadError { code: Some(403), message, scope: Scope::Reader, ..ReadError::default() }
}
