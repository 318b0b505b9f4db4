//! What the flags of `simulate` take.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::offers::{Offer, Offers};
use super::source::{NameSource, in_time};
use kubectl_hpa_core::api::{MetricSpec, Pod};
use kubectl_hpa_core::rules;
use kubectl_hpa_core::whatif::{POD_STATES, metric_names};

/// What every pod can request and an HPA can measure.
const RESOURCES: [&str; 2] = ["cpu", "memory"];

/// The values of a flag; none of a flag that is not known here.
pub fn offers(id: &str, begun: &str, source: impl Fn() -> NameSource) -> Offers {
    let metrics = || {
        let source = source();
        in_time(|| Box::pin(source.metrics()))
    };
    let pods = || {
        let source = source();
        in_time(|| Box::pin(source.pods()))
    };
    match id {
        "remove_metric" => Offers::done(metric_names(&metrics()).into_iter().map(Offer::plain).collect()),
        "add_metric" => assignments(RESOURCES),
        "container" => Offers::done(containers(&pods()).into_iter().map(Offer::plain).collect()),
        "target" => assignments(metric_names(&metrics())),
        "scale_up" | "scale_down" => rules_of(begun),
        "pods" => turned(&pods(), begun),
        "request" => assignments(requests(&containers(&pods()))),
        "usage" => assignments(of_pods(&metrics())),
        "metric" => assignments(of_others(&metrics())),
        "sweep" => assignments(axes(&metrics(), &containers(&pods()))),
        _ => Offers::none(),
    }
}

/// Feature gates that have a bearing, on and off, after those that are typed already.
pub fn gates(begun: &str) -> Vec<Offer> {
    let (before, _) = last_part(begun);
    let pairs =
        rules::GATES.iter().flat_map(|gate| ["true", "false"].map(|value| format!("{before}{gate}={value}")));
    pairs.map(Offer::plain).collect()
}

/// Versions, after those that are typed already.
pub fn versions(begun: &str) -> Vec<Offer> {
    let (before, _) = last_part(begun);
    rules::versions().map(|version| Offer::plain(format!("{before}{version}"))).collect()
}

fn assignments<T: std::fmt::Display>(names: impl IntoIterator<Item = T>) -> Offers {
    Offers::go_on(names.into_iter().map(|name| Offer::plain(format!("{name}="))).collect())
}

/// What a list holds already, up to its last comma, and what follows.
fn last_part(begun: &str) -> (&str, &str) {
    begun.split_at(begun.rfind(',').map_or(0, |comma| comma + 1))
}

fn rules_of(begun: &str) -> Offers {
    let (before, last) = last_part(begun);
    let words: &[&str] = match last.split_once('=') {
        Some(("select", _)) => &["select=Max", "select=Min", "select=Disabled"],
        Some(_) => &[],
        None if before.is_empty() => &["Percent=", "Pods=", "select=", "window=", "tolerance=", "disabled"],
        None => &["Percent=", "Pods=", "select=", "window=", "tolerance="],
    };
    Offers::go_on(words.iter().map(|word| Offer::plain(format!("{before}{word}"))).collect())
}

fn turned(pods: &[Arc<Pod>], begun: &str) -> Offers {
    let (before, last) = last_part(begun);
    match last.split_once('=') {
        Some((pod, _)) => {
            let states = POD_STATES.iter().map(|state| Offer::plain(format!("{before}{pod}={state}")));
            Offers::done(states.collect())
        }
        None => assignments(pods.iter().map(|pod| format!("{before}{}", pod.metadata.name))),
    }
}

/// Containers that are measured, by their names.
fn containers(pods: &[Arc<Pod>]) -> Vec<String> {
    let of_pod =
        |pod: &Arc<Pod>| pod.spec.running().map(|container| container.name.clone()).collect::<Vec<_>>();
    pods.iter().flat_map(of_pod).collect::<BTreeSet<_>>().into_iter().collect()
}

/// With one container its name may be left out.
fn requests(containers: &[String]) -> Vec<String> {
    match containers {
        [] | [_] => RESOURCES.map(str::to_owned).into(),
        several => {
            several.iter().flat_map(|name| RESOURCES.map(|resource| format!("{name}/{resource}"))).collect()
        }
    }
}

/// What is measured of pods. Usage of a resource is that of all its containers.
fn of_pods(metrics: &[MetricSpec]) -> BTreeSet<String> {
    let of_pods = |(metric, name): (&MetricSpec, String)| {
        let of_resource = metric.resource.as_ref().map(|it| it.name.clone());
        let of_container = || metric.container_resource.as_ref().map(|it| it.name.clone());
        of_resource.or_else(of_container).or_else(|| metric.pods.as_ref().map(|_| name))
    };
    metrics.iter().zip(metric_names(metrics)).filter_map(of_pods).collect()
}

/// What is measured of something else.
fn of_others(metrics: &[MetricSpec]) -> BTreeSet<String> {
    let is_other = |metric: &MetricSpec| metric.object.is_some() || metric.external.is_some();
    let named = metrics.iter().zip(metric_names(metrics));
    named.filter(|(metric, _)| is_other(metric)).map(|(_, name)| name).collect()
}

fn axes(metrics: &[MetricSpec], containers: &[String]) -> Vec<String> {
    let named =
        |knob: &str, names: Vec<String>| names.into_iter().map(|name| format!("{knob}.{name}")).collect();
    let targets = match metrics {
        [] | [_] => vec!["target".to_owned()],
        several => named("target", metric_names(several)),
    };
    [
        targets,
        ["min", "max", "replicas", "load"].map(str::to_owned).into(),
        named("request", requests(containers)),
        named("usage", of_pods(metrics).into_iter().collect()),
        named("metric", of_others(metrics).into_iter().collect()),
    ]
    .concat()
}
