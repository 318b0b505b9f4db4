//! What was assumed and what is not known, once and quietly, with what would make it exact.

use crate::render::page::{Page, Role};
use crate::render::phrases::answer::{down_window, hold_ends};
use crate::render::phrases::unread::{self, FORBIDDEN};
use crate::render::phrases::{doubt, memory_source, metric};
use crate::render::units::{clock, list, span};
use kubectl_hpa_core::explanation::{Explanation, Metric, Remembered};
use kubectl_hpa_core::memory_bounds::{MemorySource, observed_from, unfit};
use kubectl_hpa_core::model::{Duration, Evidence, Evidenced};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::trace::{Group, Ready, SelectorVerdict, Unready};

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    for (title, text) in [
        ("Default", defaulted(explanation)),
        ("Watched", watched(explanation)),
        ("Upgrade", upgrade(explanation)),
        ("Assumed", assumed(explanation)),
        ("Not used", does_not_fit(explanation)),
        ("Not known", not_known(explanation)),
        ("Not known", others_not_known(explanation)),
        ("Not read", not_read(explanation)),
        ("Not allowed", not_allowed(explanation)),
    ] {
        if !text.is_empty() {
            page.note(title, Role::Quiet, &text);
        }
    }
    let not_given = unread::not_given(explanation);
    if !not_given.is_empty() {
        page.title("Not given", "these commands print it");
    }
    for command in not_given {
        page.command(&command, "");
    }
}

/// Since when each sync was seen, and what comes of it.
fn watched(explanation: &Explanation) -> String {
    let Some(watched) = &explanation.snapshot().history.watched else { return String::new() };
    let (now, from) = (explanation.now(), observed_from(explanation.snapshot(), watched));
    let since = format!("since {} ({})", clock(now, watched.since), span(now.since(watched.since)));
    match explanation.remembered() {
        _ if from > now => {
            format!("{since}; from {} on, this watch knows the controller's memory", clock(now, from))
        }
        Remembered::Bounded(..) => {
            format!("{since}, one full window; it is not certain what one of the syncs saw, or when it ran")
        }
        Remembered::Known | Remembered::BoundsAgree | Remembered::Unknown => {
            format!(
                "{since}, one full window: the controller's memory is what was observed, with the latest possible times"
            )
        }
    }
}

/// What the API server fills into a manifest without metrics.
fn defaulted(explanation: &Explanation) -> String {
    let asked = explanation.snapshot().hpa.has_default_metrics && !explanation.decision().metrics.is_empty();
    if !asked {
        return String::new();
    }
    let metrics = explanation.snapshot().hpa.metrics.iter();
    let told: Vec<String> =
        metrics.map(|spec| format!("{} at {}", metric::label(spec), metric::target(spec))).collect();
    format!("{} is the API server's default: the manifest names no metric", list(&told))
}

/// Versions other than the controller's, of its replicas or of the API server.
fn upgrade(explanation: &Explanation) -> String {
    let controller = &explanation.snapshot().controller;
    let version = &*controller.version.value;
    match (controller.version.evidence, &controller.api_server) {
        // Where a case names no version there are no two of them.
        (Evidence::Assumed, _) if !controller.version.is_default() => format!(
            "{}. Which of them decides is not known; this uses {version}. --as-version compares both.",
            controller.version.from
        ),
        (Evidence::Observed, Some(server)) if Rules::tells_apart(version, server) => format!(
            "kube-controller-manager, which decides, is {version}; the API server is {server}. \
             --as-version {version},{server} compares both."
        ),
        _ => String::new(),
    }
}

/// The settings that bear on this decision and that nothing confirmed.
fn assumed(explanation: &Explanation) -> String {
    let controller = &explanation.snapshot().controller;
    let decision = explanation.decision();
    let compares = explanation.metrics().any(|metric| metric.proposal().is_some());
    let settles = explanation.metrics().filter(|metric| metric.proposal().is_some()).any(watches_readiness);
    let waits = decision.stabilized.is_some() && down_window_is_flag(explanation);
    let period = |name: &str, it: &Evidenced<Duration>| {
        unconfirmed(it).map(|from| (from.to_owned(), format!("{name} {}", span(it.value))))
    };
    let tolerance = &controller.tolerance;
    let tolerance =
        unconfirmed(tolerance).map(|from| (from.to_owned(), format!("tolerance {}", tolerance.value)));
    let settings = [
        (compares, tolerance),
        (settles, period("cpu-initialization-period", &controller.cpu_initialization_period)),
        (settles, period("initial-readiness-delay", &controller.initial_readiness_delay)),
        (waits, period("downscale-stabilization", &controller.downscale_stabilization)),
    ];
    let bearing = settings.into_iter().filter_map(|(bears, setting)| setting.filter(|_| bears));
    let (differing, names): (Vec<String>, Vec<String>) = bearing.unzip();
    if names.is_empty() {
        return String::new();
    }
    if let Some(differing) = differing.iter().find(|from| !from.is_empty()) {
        return format!("{}: {differing}. Which of them decides is not known.", list(&names));
    }
    let (first, more) =
        (names[0].split(' ').next().unwrap_or_default(), if names.len() > 1 { " …" } else { "" });
    let pass = |what: &str| format!("Pass {what} (--{first}{more}) to make this exact.");
    let flags = match &controller.error {
        None => pass("the controller's flags"),
        Some(error) => {
            let why = unread::in_short(error);
            format!("The controller's flags could not be read: {why}. {}", pass("them"))
        }
    };
    format!("{} (defaults). {flags}", list(&names))
}

/// Why a setting is only assumed, if it is: replicas that differ say so, a default says nothing.
fn unconfirmed<T>(setting: &Evidenced<T>) -> Option<&str> {
    let from = if setting.is_default() { "" } else { &setting.from };
    (setting.evidence >= Evidence::Assumed).then_some(from)
}

/// Whether the rules about readiness were used.
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

/// Whether its pods are its own, where that was decided without the list of the other HPAs.
fn others_not_known(explanation: &Explanation) -> String {
    match (&explanation.snapshot().others, &explanation.decision().selector) {
        (Err(error), Some(SelectorVerdict::Good)) => {
            let why = unread::in_short(error);
            format!("whether another HPA selects the same pods, which would stop this one: {why}.")
        }
        _ => String::new(),
    }
}

/// The rights that are missing, in one place.
fn not_allowed(explanation: &Explanation) -> String {
    let lacking = unread::lacking(explanation);
    if lacking.is_empty() {
        return String::new();
    }
    format!("{}. kubectl hpa rbac prints a role with every right that is needed.", lacking.join("; "))
}

/// Why the events could not be read. A missing permission is named by itself.
fn not_read(explanation: &Explanation) -> String {
    let error = explanation.snapshot().history.error.as_ref().filter(|error| error.code != Some(FORBIDDEN));
    error.map_or_else(String::new, |error| format!("the events of the HPA ({})", unread::refused(error)))
}

/// What the user stated of the past in vain.
fn does_not_fit(explanation: &Explanation) -> String {
    let now = explanation.now();
    let unfit = unfit(explanation.snapshot());
    let told: Vec<String> =
        unfit.iter().map(|(at, from)| format!("{}@{}", from.0, clock(now, *at))).collect();
    if told.is_empty() {
        return String::new();
    }
    format!(
        "--scaled-from {}: no event shows a rescale at about that time that can have started from that size",
        list(&told)
    )
}

/// The controller's memory, where it has a part in this and nobody saw it.
fn not_known(explanation: &Explanation) -> String {
    if explanation.decision().stabilized.is_none() {
        return String::new();
    }
    let sources = sources(explanation);
    match explanation.remembered() {
        Remembered::Known => inferred(explanation),
        Remembered::BoundsAgree if sources.is_empty() || explanation.is_first_reconcile() => String::new(),
        Remembered::BoundsAgree => format!(
            "the controller's memory; going by {sources}, it changes nothing here, if the controller has synced in time and not restarted since"
        ),
        Remembered::Bounded(..) => {
            let rest = if sources.is_empty() { String::new() } else { format!(", bounded by {sources}") };
            // No watch sees which of several controllers has made a sync.
            let is_watched = explanation.snapshot().history.watched.is_some();
            let helps_not = is_watched || explanation.snapshot().controller.is_shared();
            let help = if helps_not { "" } else { ". --watch makes this exact after one full window." };
            let doubts = doubts(explanation);
            format!("the controller's memory of recommendations and rescales{rest}{doubts}{help}")
        }
        Remembered::Unknown => unknown(explanation),
    }
}

/// What is not known of its past, and how to tell it.
fn doubts(explanation: &Explanation) -> String {
    let now = explanation.now();
    let sources = || explanation.memory_bounds().into_iter().flat_map(|bounds| &bounds.sources);
    let size = doubt::unknown_size(explanation).map(|at| {
        let who = doubt::setter(explanation).map_or_else(String::new, |set| {
            let at = set.at.map_or_else(String::new, |at| format!(" at {}", clock(now, at)));
            format!(", and {} set the replicas{at}", set.by)
        });
        let at = clock(now, at);
        format!(
            ". The size before the rescale at {at} is not known{who}; --scaled-from REPLICAS@{at} states it"
        )
    });
    let contradiction = sources().any(|it| *it == MemorySource::Contradiction);
    let contradiction = contradiction.then_some(
        ". The last sync saw the same metrics and kept the replicas, which no such memory explains",
    );
    let are_missing = sources().any(|it| *it == MemorySource::MissingEvents);
    let events = if are_missing {
        ". An event is missing: the controller has dropped it, or somebody deleted it, perhaps others with it"
    } else if sources().any(|it| it.hides_rescales()) {
        ". Its events may not show every rescale: the controller drops some if there are many, and merges others"
    } else {
        ""
    };
    format!("{}{events}{}", size.unwrap_or_default(), contradiction.unwrap_or_default())
}

/// What the answer rests on.
fn sources(explanation: &Explanation) -> String {
    let sources = explanation.memory_bounds().into_iter().flat_map(|bounds| &bounds.sources);
    let phrases: Vec<&str> =
        sources.map(|it| memory_source::phrase(*it)).filter(|phrase| !phrase.is_empty()).collect();
    list(&phrases)
}

fn unknown(explanation: &Explanation) -> String {
    let window = down_window(explanation);
    if window.nanoseconds() == 0 {
        return String::new();
    }
    let latest = clock(explanation.now(), hold_ends(explanation));
    format!(
        "the controller's recommendations of the last {}; a higher one keeps the replicas until it is that old, until {latest} at the latest",
        span(window)
    )
}

fn inferred(explanation: &Explanation) -> String {
    if explanation.snapshot().memory_evidence == Evidence::Inferred {
        "the controller's memory; this uses what its status and events show of it".to_owned()
    } else {
        String::new()
    }
}
