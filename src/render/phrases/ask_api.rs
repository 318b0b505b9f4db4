//! The question to a metrics API that does not give what an HPA needs.

use super::metric::{api, label};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{MetricSpec, Source, shell_word};
use kubectl_hpa_core::snapshot::ReadError;
use kubectl_hpa_core::trace::{Failure, MetricsApi, Verdict};

/// The aggregation layer's answers if nothing is registered, or if the registered server does not answer.
const NOT_SERVED: [Option<u16>; 2] = [Some(404), Some(503)];

/// Whom to ask, ending with a colon where a command follows.
pub(in crate::render) fn text(explanation: &Explanation, places: &[usize]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for text in places.iter().map(|place| one(explanation, *place)) {
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    // One command answers all of these, so the sentence that leads to it comes last.
    let (leading, mut texts): (Vec<String>, Vec<String>) =
        texts.into_iter().partition(|text| text.ends_with(':'));
    texts.extend(leading);
    let last = texts.len().saturating_sub(1);
    for text in texts.iter_mut().take(last).filter(|text| text.ends_with(':')) {
        text.pop();
        text.push('.');
    }
    texts.join(" ")
}

fn one(explanation: &Explanation, place: usize) -> String {
    let Some((spec, failure)) = failed(explanation, place) else { return String::new() };
    let name = label(spec);
    match (scaled_object(explanation, spec), failure) {
        (Some(object), _) => {
            let trigger = trigger(&name).map_or_else(String::new, |it| format!("trigger {it} of "));
            format!(
                "KEDA makes {name} from {trigger}ScaledObject/{object}: its conditions show which trigger fails and whether a fallback is used; the log of keda-operator has the error:"
            )
        }
        (None, Failure::NoSamples(MetricsApi::Resource)) => {
            "The API answers, but has no sample of these pods: the log of metrics-server names the nodes that it cannot scrape. To ask with kubectl:".to_owned()
        }
        (None, Failure::Api { api: of, error }) if NOT_SERVED.contains(&error.code) => {
            format!(
                "{} is served by {}; its APIService shows whether one is registered and available:",
                api(*of),
                server(*of)
            )
        }
        (None, Failure::Api { api: of, .. } | Failure::NoSamples(of)) => {
            format!("{} is served by {}, whose log has the cause.", api(*of), server(*of))
        }
        (None, _) => String::new(),
    }
}

/// Asks for an `APIService`; it takes several names.
const SERVICE: &str = "kubectl get apiservice ";

/// The command that asks all of them.
pub(in crate::render) fn command(explanation: &Explanation, places: &[usize]) -> Option<String> {
    let mut commands: Vec<String> = Vec::new();
    for command in places.iter().filter_map(|place| asks(explanation, *place)) {
        if commands.contains(&command) {
            continue;
        }
        let services = commands.iter_mut().find(|it| it.starts_with(SERVICE));
        match (services, command.strip_prefix(SERVICE)) {
            (Some(services), Some(name)) => *services = format!("{services} {name}"),
            _ => commands.push(command),
        }
    }
    (!commands.is_empty()).then(|| commands.join("; "))
}

fn asks(explanation: &Explanation, place: usize) -> Option<String> {
    let (spec, failure) = failed(explanation, place)?;
    let namespace = shell_word(&explanation.snapshot().hpa.key.namespace).into_owned();
    if let Some(object) = scaled_object(explanation, spec) {
        return Some(format!("kubectl describe scaledobject {} -n {namespace}", shell_word(object)));
    }
    match failure {
        Failure::NoSamples(MetricsApi::Resource) => {
            let selector = explanation.selector();
            Some(format!("kubectl top pods -n {namespace} -l {}", shell_word(selector)))
        }
        Failure::Api { api: of, error } if NOT_SERVED.contains(&error.code) => {
            let service = format!("{}.{}", version(error)?, api(*of));
            Some(format!("{SERVICE}{}", shell_word(&service)))
        }
        _ => None,
    }
}

fn failed(explanation: &Explanation, place: usize) -> Option<(&MetricSpec, &Failure)> {
    let metric = explanation.metrics().find(|metric| metric.trace.index == place)?;
    match &metric.trace.verdict {
        Verdict::Failed(failure) => Some((metric.spec, failure)),
        Verdict::Proposal(_) | Verdict::Unknown(_) => None,
    }
}

/// The `ScaledObject` whose triggers make the external metrics of the HPA.
fn scaled_object<'a>(explanation: &'a Explanation, spec: &MetricSpec) -> Option<&'a str> {
    let is_external = matches!(spec.source, Source::External(_));
    explanation.snapshot().hpa.scaled_object().filter(|_| is_external)
}

/// KEDA names the metric of its n-th trigger sN-….
fn trigger(name: &str) -> Option<u32> {
    name.strip_prefix('s')?.split_once('-')?.0.parse().ok()
}

const fn server(api: MetricsApi) -> &'static str {
    match api {
        MetricsApi::Resource => "metrics-server or a replacement",
        MetricsApi::Custom | MetricsApi::External => "an adapter",
    }
}

/// The version that was asked, which an APIService has in its name: `/apis/GROUP/VERSION/…`.
fn version(error: &ReadError) -> Option<&str> {
    error.path.strip_prefix("/apis/")?.split('/').nth(1)
}
