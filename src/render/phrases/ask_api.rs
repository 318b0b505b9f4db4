//! The question to a metrics API that does not give what an HPA needs.

use super::metric::{api, label};
use crate::render::claims::Asked;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{MetricSpec, Source, shell_word};
use kubectl_hpa_core::snapshot::ReadError;
use kubectl_hpa_core::trace::{Failure, MetricsApi, Verdict};

/// The aggregation layer's answers if nothing is registered, or if the registered server does not answer.
const NOT_SERVED: [Option<u16>; 2] = [Some(404), Some(503)];

/// Whom to ask.
pub(in crate::render) fn asked(explanation: &Explanation, places: &[usize]) -> Vec<Asked> {
    let mut all: Vec<Asked> = Vec::new();
    for asked in places.iter().filter_map(|place| one(explanation, *place)) {
        if !all.contains(&asked) {
            all.push(asked);
        }
    }
    all
}

fn one(explanation: &Explanation, place: usize) -> Option<Asked> {
    let (spec, failure) = failed(explanation, place)?;
    let metric = label(spec);
    match (scaled_object(explanation, spec), failure) {
        (Some(object), _) => {
            Some(Asked::Keda { trigger: trigger(&metric), metric, scaled_object: object.to_owned() })
        }
        (None, Failure::NoSamples(MetricsApi::Resource)) => Some(Asked::NoSamples),
        (None, Failure::Api { api: of, error }) if is_of_metric(error) => {
            Some(Asked::NoMetric { api: api(*of) })
        }
        (None, Failure::Api { api: of, error }) if NOT_SERVED.contains(&error.code) => {
            Some(Asked::NotServed { api: api(*of) })
        }
        (None, Failure::Api { api: of, error }) if error.code == Some(403) => {
            Some(Asked::Forbidden { api: api(*of) })
        }
        (None, Failure::Api { api: of, .. }) => Some(Asked::Fails { api: api(*of) }),
        (None, Failure::NoSamples(of)) => Some(Asked::Empty { api: api(*of) }),
        (None, _) => None,
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
    let namespace = || shell_word(&explanation.snapshot().hpa.key.namespace).into_owned();
    let version = || match failed(explanation, place)?.1 {
        Failure::Api { error, .. } => version(error),
        _ => None,
    };
    Some(match one(explanation, place)? {
        Asked::Keda { scaled_object, .. } => {
            format!("kubectl describe scaledobject {} -n {}", shell_word(&scaled_object), namespace())
        }
        Asked::NoSamples => {
            format!("kubectl top pods -n {} -l {}", namespace(), shell_word(explanation.selector()))
        }
        Asked::NoMetric { api } => {
            format!("kubectl get --raw {}", shell_word(&format!("/apis/{api}/{}", version()?)))
        }
        Asked::NotServed { api } => format!("{SERVICE}{}", shell_word(&format!("{}.{api}", version()?))),
        Asked::Forbidden { .. } | Asked::Empty { .. } | Asked::Fails { .. } => return None,
    })
}

/// True if an adapter answers, and does not have the metric.
fn is_of_metric(error: &ReadError) -> bool {
    error.code == Some(404) && error.message.contains(" could not find the metric ")
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

/// The version that was asked, which an APIService has in its name: `/apis/GROUP/VERSION/…`.
fn version(error: &ReadError) -> Option<&str> {
    error.path.strip_prefix("/apis/")?.split('/').nth(1)
}
