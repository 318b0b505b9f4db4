//! The ground of a decision beside its readings: defaults, flags, the controller's memory, and what could not be read.

use super::answer::{down_window, hold_ends};
use super::unread::{self, FORBIDDEN};
use super::{doubt, memory_source, metric};
use crate::render::claims::{At, Basis, Count, Events, SetBy, Span, Stated};
use crate::render::units::span;
use kubectl_hpa_core::explanation::{Explanation, Metric, Remembered};
use kubectl_hpa_core::memory_bounds::{MemorySource, observed_from, unfit};
use kubectl_hpa_core::model::{Duration, Evidence, Evidenced, Percent, Source};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Pod, PodUsage, ReadError, Reading};
use kubectl_hpa_core::trace::{Calculation, Group, Measure, Ready, SelectorVerdict, Unready};

/// Who made the HPA and scales beside it.
pub(in crate::render) fn owner(explanation: &Explanation) -> Option<Basis> {
    let hpa = &explanation.snapshot().hpa;
    let scaled_object = hpa.scaled_object()?.to_owned();
    Some(Basis::MadeByKeda { scaled_object, min_replicas: hpa.min.0, max_replicas: hpa.max.0 })
}

/// Answers for those who know their pods by their limits or wonder why a reaction is slow.
pub(in crate::render) fn wide(explanation: &Explanation) -> Vec<Basis> {
    let limits = explanation.metrics().filter_map(|metric| of_limits(explanation, metric));
    limits.chain(measured(explanation)).collect()
}

/// Nothing where a pod that counts has no limit, or where its limit is what it requests.
fn of_limits(explanation: &Explanation, metric: Metric<'_>) -> Option<Basis> {
    let Calculation::PerPod(per_pod) = &metric.proposal()?.calculation else { return None };
    let Measure::Utilization(Percent(target)) = per_pod.measure else { return None };
    let members = metric.trace.groups.as_ref()?.pods.iter().zip(explanation.pods());
    let ready = members.filter(|(member, _)| matches!(member.group, Group::Ready(_)));
    let limits = ready.map(|(_, pod)| limit(pod, &metric.spec.source)).collect::<Option<Vec<i64>>>()?;
    let limits: i64 = limits.into_iter().fold(0, i64::saturating_add);
    let (usage, requests) = (per_pod.first.usage.0, per_pod.first.requests.0);
    let target_of_limit = i64::from(target).saturating_mul(requests).checked_div(limits)?;
    let now_of_limit = usage.saturating_mul(100).checked_div(limits)?;
    let now = per_pod.first.utilization?.0.into();
    let metric = metric::label(metric.spec);
    let target = target.into();
    (limits != requests).then_some(Basis::OfLimits { metric, target, target_of_limit, now, now_of_limit })
}

/// The limit of what a metric measures, all containers or one.
fn limit(pod: &Pod, source: &Source) -> Option<i64> {
    let (resource, only) = match source {
        Source::Resource(resource) => (resource, None),
        Source::ContainerResource { resource, container } => (resource, Some(container)),
        Source::Pods(_) | Source::Object { .. } | Source::External(_) => return None,
    };
    let measured = pod.containers.iter().filter(|it| only.is_none_or(|only| **only == *it.name));
    measured.map(|container| container.limits.get(resource).map(|it| it.0)).sum()
}

/// The time in which the usage was measured that was decided on.
fn measured(explanation: &Explanation) -> Option<Basis> {
    let of_usage = explanation.metrics().any(|metric| {
        let reading = explanation.snapshot().readings.get(metric.trace.index);
        metric.proposal().is_some() && reading == Some(&Reading::Usage)
    });
    // One without a timestamp tells no time.
    let is_timed = |sample: &&PodUsage| of_usage && !sample.at.is_zero();
    let samples = || explanation.pods().iter().filter_map(|pod| pod.usage.as_ref()).filter(is_timed);
    let from = At(samples().map(|sample| sample.at - sample.window).min()?);
    let to = At(samples().map(|sample| sample.at).max()?);
    let longest = Span(samples().map(|sample| sample.window).max()?);
    let period = &explanation.snapshot().controller.sync_period;
    let assumed = period.evidence >= Evidence::Assumed;
    Some(Basis::Measured { from, to, longest, sync_period: Span(period.value), assumed })
}

/// All that is assumed and not known, in the order of the screen.
pub(in crate::render) fn basis(explanation: &Explanation) -> Vec<Basis> {
    let all = [
        defaulted(explanation),
        watched(explanation),
        upgrade(explanation),
        assumed(explanation),
        does_not_fit(explanation),
        not_known(explanation),
        others_not_known(explanation),
    ];
    let rights = [not_allowed(explanation), not_given(explanation)];
    all.into_iter().flatten().chain(gaps(explanation)).chain(rights.into_iter().flatten()).collect()
}

/// Unread things that only tell more, but for those that a right would show.
pub(in crate::render) fn gaps(explanation: &Explanation) -> impl Iterator<Item = Basis> + use<> {
    let snapshot = explanation.snapshot();
    let events = not_read(snapshot.history.error.as_ref(), |error| Basis::EventsUnread { error });
    let lease = not_read(snapshot.controller.lease_error.as_ref(), |error| Basis::LeaseUnread { error });
    events.into_iter().chain(lease)
}

/// Since when each sync was seen, and what comes of it.
fn watched(explanation: &Explanation) -> Option<Basis> {
    let watched = explanation.snapshot().history.watched.as_ref()?;
    let from = observed_from(explanation.snapshot(), watched);
    let certain = !matches!(explanation.remembered(), Remembered::Bounded(..));
    Some(Basis::Watched { since: At(watched.since), from: At(from), certain })
}

/// The metrics that the API server fills into a manifest without any.
fn defaulted(explanation: &Explanation) -> Option<Basis> {
    let hpa = &explanation.snapshot().hpa;
    let stated = |spec| Stated { name: metric::label(spec), value: metric::target(spec) };
    let is_asked = hpa.has_default_metrics && !explanation.decision().metrics.is_empty();
    is_asked.then(|| Basis::DefaultMetrics { metrics: hpa.metrics.iter().map(stated).collect() })
}

/// Versions other than the controller's, of its replicas or of the API server.
fn upgrade(explanation: &Explanation) -> Option<Basis> {
    let controller = &explanation.snapshot().controller;
    let version = controller.version.value.to_string();
    match (controller.version.evidence, &controller.api_server) {
        // Where a case names no version there are no two of them.
        (Evidence::Assumed, _) if !controller.version.is_default() => {
            Some(Basis::VersionsDiffer { found: controller.version.from.to_string(), used: version })
        }
        (Evidence::Observed, Some(server)) if Rules::tells_apart(&version, server) => {
            Some(Basis::OtherServerVersion { controller: version, server: server.to_string() })
        }
        _ => None,
    }
}

/// The settings that bear on this decision and that nothing confirmed.
fn assumed(explanation: &Explanation) -> Option<Basis> {
    let controller = &explanation.snapshot().controller;
    let compares = explanation.metrics().any(|metric| metric.proposal().is_some());
    let settles = explanation.metrics().filter(|metric| metric.proposal().is_some()).any(watches_readiness);
    let waits = explanation.decision().stabilized.is_some() && down_window_is_flag(explanation);
    let period = |name: &str, it: &Evidenced<Duration>| unconfirmed(it, name, span(it.value));
    let settings = [
        (compares, unconfirmed(&controller.tolerance, "tolerance", controller.tolerance.value.to_string())),
        (settles, period("cpu-initialization-period", &controller.cpu_initialization_period)),
        (settles, period("initial-readiness-delay", &controller.initial_readiness_delay)),
        (waits, period("downscale-stabilization", &controller.downscale_stabilization)),
    ];
    let bearing = settings.into_iter().filter_map(|(bears, setting)| setting.filter(|_| bears));
    let (found, flags): (Vec<String>, Vec<Stated>) = bearing.unzip();
    let found = found.into_iter().find(|found| !found.is_empty());
    let error = controller.error.as_ref().filter(|_| found.is_none()).map(unread::in_short);
    (!flags.is_empty()).then_some(Basis::FlagsAssumed { flags, found, error })
}

/// A setting that is only assumed, after why that is so: replicas that differ say so, a default says nothing.
fn unconfirmed<T>(setting: &Evidenced<T>, name: &str, value: String) -> Option<(String, Stated)> {
    let from = if setting.is_default() { String::new() } else { setting.from.to_string() };
    (setting.evidence >= Evidence::Assumed).then(|| (from, Stated { name: name.to_owned(), value }))
}

/// True if the rules about readiness were used.
fn watches_readiness(metric: Metric<'_>) -> bool {
    let members = metric.trace.groups.iter().flat_map(|groups| &groups.pods);
    let mut groups = members.map(|member| &member.group);
    groups.any(|group| match group {
        Group::Ready(Ready::SettledEarly | Ready::Settled | Ready::WasReadyOnce)
        | Group::Unready(
            Unready::Initializing { .. } | Unready::SampleTooEarly { .. } | Unready::NeverReady,
        ) => true,
        Group::Ready(Ready::HasSample)
        | Group::Unready(Unready::Pending | Unready::NoReadyCondition | Unready::NoStartTime)
        | Group::Missing(_)
        | Group::Ignored(_) => false,
    })
}

fn down_window_is_flag(explanation: &Explanation) -> bool {
    let behavior = explanation.snapshot().hpa.behavior.as_ref();
    behavior.is_none_or(|behavior| behavior.down.window_seconds.is_none())
}

/// The error of the list of the other HPAs, where the selector was found good without it.
fn others_not_known(explanation: &Explanation) -> Option<Basis> {
    match (&explanation.snapshot().others, &explanation.decision().selector) {
        (Err(error), Some(SelectorVerdict::Good)) => {
            Some(Basis::OthersUnknown { error: unread::in_short(error) })
        }
        _ => None,
    }
}

/// The rights that are missing, in one place.
fn not_allowed(explanation: &Explanation) -> Option<Basis> {
    let rights = unread::lacking(explanation);
    (!rights.is_empty()).then_some(Basis::RightsMissing { rights })
}

/// Why something could not be read. A missing permission is named by itself, and so is what nobody gave.
fn not_read(error: Option<&ReadError>, claim: fn(String) -> Basis) -> Option<Basis> {
    let error = error.filter(|error| error.code != Some(FORBIDDEN) && !error.is_not_given());
    error.map(|error| claim(unread::refused(error)))
}

fn not_given(explanation: &Explanation) -> Option<Basis> {
    let commands = unread::not_given(explanation);
    (!commands.is_empty()).then_some(Basis::NotGiven { commands })
}

/// Statements of the user about the past that fit no event.
fn does_not_fit(explanation: &Explanation) -> Option<Basis> {
    let unfit = unfit(explanation.snapshot()).into_iter();
    let given: Vec<Count> = unfit.map(|(at, from)| Count { replicas: from.0, at: At(at) }).collect();
    (!given.is_empty()).then_some(Basis::StatedInVain { given })
}

/// The controller's memory, where it has a part in this and nobody saw it.
fn not_known(explanation: &Explanation) -> Option<Basis> {
    explanation.decision().stabilized.as_ref()?;
    let sources = sources(explanation);
    match explanation.remembered() {
        Remembered::Known => {
            (explanation.snapshot().memory_evidence == Evidence::Inferred).then_some(Basis::MemoryInferred)
        }
        Remembered::BoundsAgree if sources.is_empty() || explanation.is_first_reconcile() => None,
        Remembered::BoundsAgree => {
            let started = explanation.snapshot().controller.started_at().map(At);
            Some(Basis::MemoryWithoutEffect { sources, started })
        }
        Remembered::Bounded(..) => Some(bounded(explanation, sources)),
        Remembered::Unknown => {
            let window = down_window(explanation);
            let until = At(hold_ends(explanation));
            (window.nanoseconds() > 0)
                .then_some(Basis::RecommendationsUnknown { window: Span(window), until })
        }
    }
}

/// A memory between bounds: its unknown parts, and the way to learn them.
fn bounded(explanation: &Explanation, sources: Vec<&'static str>) -> Basis {
    let size_unknown = doubt::unknown_size(explanation).map(At);
    let setter = doubt::setter(explanation).filter(|_| size_unknown.is_some());
    let has = |source: MemorySource| explanation.memory_sources().any(|it| it == source);
    let (missing, contradicted) = (has(MemorySource::MissingEvents), has(MemorySource::Contradiction));
    let hides = explanation.memory_sources().any(MemorySource::hides_rescales);
    // No watch sees which of several controllers has made a sync.
    let snapshot = explanation.snapshot();
    let watch_helps = snapshot.history.watched.is_none() && !snapshot.controller.is_shared();
    Basis::MemoryBounded {
        sources,
        size_unknown,
        set_by: setter.map(|set| SetBy { who: set.by.to_string(), at: set.at.map(At) }),
        events: if missing { Some(Events::Missing) } else { hides.then_some(Events::MayHide) },
        contradicted,
        watch_helps,
    }
}

/// The sources of the bounds, in words.
fn sources(explanation: &Explanation) -> Vec<&'static str> {
    explanation.memory_sources().map(memory_source::phrase).filter(|phrase| !phrase.is_empty()).collect()
}
