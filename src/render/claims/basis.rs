//! The ground of a decision beside its readings, as data, and its words.

use serde::Serialize;

use super::{At, Span};
use crate::render::units::{ago, clock, list, replicas as plural, span};
use kubectl_hpa_core::model::Instant;

/// One sentence of it.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum Basis {
    /// The share of the request of a metric's pods as one of their limits, in percent.
    OfLimits { metric: String, target: i64, target_of_limit: i64, now: i64, now_of_limit: i64 },
    /// When the samples were taken that count, over at most `longest`, and how often the controller syncs.
    Measured { from: At, to: At, longest: Span, sync_period: Span, assumed: bool },
    /// KEDA made the HPA, and scales beside it where minReplicas is 1.
    MadeByKeda { scaled_object: String, min_replicas: i32, max_replicas: i32 },
    /// The metrics are the API server's default.
    DefaultMetrics { metrics: Vec<Stated> },
    /// A watch has seen each sync since `since`, and knows the memory from `from` on.
    Watched { since: At, from: At, certain: bool },
    /// The replicas of the controller are of several versions, in the words of where that shows.
    VersionsDiffer { found: String, used: String },
    /// The API server has another version than the controller, with other rules.
    OtherServerVersion { controller: String, server: String },
    /// Flags of the controller are assumed to be the defaults, or its replicas differ in them (`found`).
    FlagsAssumed { flags: Vec<Stated>, found: Option<String>, error: Option<String> },
    /// Replicas that were stated with --scaled-from and fit no event.
    StatedInVain { given: Vec<Count> },
    /// The memory is what the status and the events show.
    MemoryInferred,
    /// The memory changes nothing, by the sources named; `started` if it is known since when the controller runs.
    MemoryWithoutEffect { sources: Vec<&'static str>, started: Option<At> },
    /// The memory lies between bounds.
    MemoryBounded {
        sources: Vec<&'static str>,
        /// When a rescale was of which the size before is not known.
        size_unknown: Option<At>,
        /// Who set the replicas then.
        set_by: Option<SetBy>,
        /// An event is missing, or (`may-hide`) the events need not show every rescale.
        events: Option<Events>,
        contradicted: bool,
        /// A watch makes it exact.
        watch_helps: bool,
    },
    /// No recommendation of the window is known.
    RecommendationsUnknown { window: Span, until: At },
    /// The other HPAs could not be read.
    OthersUnknown { error: String },
    /// The events of the HPA could not be read.
    EventsUnread { error: String },
    /// The Lease of kube-controller-manager could not be read.
    LeaseUnread { error: String },
    /// Rights that the reader lacks.
    RightsMissing { rights: Vec<String> },
    /// Objects that nobody gave, as commands that print them.
    NotGiven { commands: Vec<String> },
}

/// A name and the value that holds for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::render) struct Stated {
    pub name: String,
    pub value: String,
}

/// Replicas at an instant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::render) struct Count {
    pub replicas: i32,
    pub at: At,
}

/// A writer of the replicas, and when.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::render) struct SetBy {
    pub who: String,
    pub at: Option<At>,
}

/// A fault of the events.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum Events {
    Missing,
    MayHide,
}

impl Basis {
    /// The section that it stands in.
    pub const fn title(&self) -> &'static str {
        match self {
            Self::OfLimits { .. } => "Limits",
            Self::Measured { .. } => "Measured",
            Self::MadeByKeda { .. } => "Owner",
            Self::DefaultMetrics { .. } => "Default",
            Self::Watched { .. } => "Watched",
            Self::VersionsDiffer { .. } | Self::OtherServerVersion { .. } => "Upgrade",
            Self::FlagsAssumed { .. } => "Assumed",
            Self::StatedInVain { .. } => "Not used",
            Self::MemoryInferred
            | Self::MemoryWithoutEffect { .. }
            | Self::MemoryBounded { .. }
            | Self::RecommendationsUnknown { .. }
            | Self::OthersUnknown { .. } => "Not known",
            Self::EventsUnread { .. } | Self::LeaseUnread { .. } => "Not read",
            Self::RightsMissing { .. } => "Not allowed",
            Self::NotGiven { .. } => "Not given",
        }
    }

    /// In a sentence; instants are told as seen from now.
    pub fn text(&self, now: Instant) -> String {
        match self {
            Self::OfLimits { target, target_of_limit, now, now_of_limit, .. } => format!(
                "the target of {target}% of the request is {target_of_limit}% of the limit; the current {now}% is {now_of_limit}% of it. The controller only looks at requests."
            ),
            Self::Measured { from, to, longest, sync_period, assumed } => format!(
                "the usage from {} to {}, in samples of {} or less; the newest ended {}. The controller syncs every {}{}: a change counts in the first sync after the next sample. The API does not show how often samples are taken",
                clock(now, from.0),
                clock(now, to.0),
                span(longest.0),
                ago(now, to.0),
                span(sync_period.0),
                if *assumed { " (assumed)" } else { "" },
            ),
            Self::MadeByKeda { scaled_object, min_replicas, max_replicas } => {
                made_by_keda(scaled_object, *min_replicas, *max_replicas)
            }
            Self::DefaultMetrics { metrics } => {
                let told: Vec<String> =
                    metrics.iter().map(|it| format!("{} at {}", it.name, it.value)).collect();
                format!("{} is the API server's default: the manifest names no metric", list(&told))
            }
            Self::Watched { since, from, certain } => watched(since.0, from.0, *certain, now),
            Self::VersionsDiffer { found, used } => format!(
                "{found}. Which of them decides is not known; this uses {used}. --as-version compares both."
            ),
            Self::OtherServerVersion { controller, server } => format!(
                "kube-controller-manager, which decides, is {controller}; the API server is {server}. \
                 --as-version {controller},{server} compares both."
            ),
            Self::FlagsAssumed { flags, found, error } => assumed(flags, found.as_deref(), error.as_deref()),
            Self::StatedInVain { given } => {
                let told: Vec<String> =
                    given.iter().map(|it| format!("{}@{}", it.replicas, clock(now, it.at.0))).collect();
                format!(
                    "--scaled-from {}: no event shows a rescale at about that time that can have started from that size",
                    list(&told)
                )
            }
            Self::MemoryInferred => {
                "the controller's memory; this uses what its status and events show of it".to_owned()
            }
            Self::MemoryWithoutEffect { sources, started } => {
                let condition = started.map_or_else(
                    || "has synced in time and not restarted since".to_owned(),
                    |started| format!("has synced in time since its start at {}", clock(now, started.0)),
                );
                let sources = list(sources);
                format!(
                    "the controller's memory; going by {sources}, it changes nothing here, if the controller {condition}"
                )
            }
            Self::MemoryBounded { sources, size_unknown, set_by, events, contradicted, watch_helps } => {
                let rest = if sources.is_empty() {
                    String::new()
                } else {
                    format!(", bounded by {}", list(sources))
                };
                let size =
                    size_unknown.map_or_else(String::new, |at| size_before(at.0, set_by.as_ref(), now));
                let events = match events {
                    None => "",
                    Some(Events::Missing) => {
                        ". An event is missing: the controller has dropped it, or somebody deleted it, perhaps others with it"
                    }
                    Some(Events::MayHide) => {
                        ". Its events may not show every rescale: the controller drops some if there are many, and merges others"
                    }
                };
                let contradiction = if *contradicted {
                    ". The last sync saw the same metrics and kept the replicas, which no such memory explains"
                } else {
                    ""
                };
                let help =
                    if *watch_helps { ". --watch makes this exact after one full window." } else { "" };
                format!(
                    "the controller's memory of recommendations and rescales{rest}{size}{events}{contradiction}{help}"
                )
            }
            Self::RecommendationsUnknown { window, until } => format!(
                "the controller's recommendations of the last {}; a higher one keeps the replicas until it is that old, until {} at the latest",
                span(window.0),
                clock(now, until.0)
            ),
            Self::OthersUnknown { error } => {
                format!("whether another HPA selects the same pods, which would stop this one: {error}.")
            }
            Self::EventsUnread { error } => format!("the events of the HPA ({error})"),
            Self::LeaseUnread { error } => format!(
                "the Lease of kube-controller-manager ({error}): a restart of the controller, which then remembers nothing, is not seen"
            ),
            Self::RightsMissing { rights } => {
                format!(
                    "{}. kubectl hpa rbac prints a role with every right that is needed.",
                    rights.join("; ")
                )
            }
            Self::NotGiven { .. } => "these commands print it".to_owned(),
        }
    }
}

fn made_by_keda(scaled_object: &str, min_replicas: i32, max_replicas: i32) -> String {
    // KEDA itself scales only between 0 and 1; with minReplicas above 1 it does nothing.
    let below = if min_replicas == 1 {
        "If its minReplicaCount is 0, KEDA itself removes the last replica after cooldownPeriod and adds the first one. "
    } else {
        ""
    };
    let bounds = if min_replicas == max_replicas {
        format!("This HPA keeps {}", plural(min_replicas))
    } else {
        format!("From {min_replicas} to {max_replicas} replicas this HPA decides")
    };
    format!(
        "KEDA made this HPA from ScaledObject/{scaled_object} and overwrites changes to it. {below}{bounds}; the ScaledObject sets its window and spec.behavior in advanced.horizontalPodAutoscalerConfig."
    )
}

fn watched(since: Instant, from: Instant, certain: bool, now: Instant) -> String {
    let seen = format!("since {} ({})", clock(now, since), span(now.since(since)));
    if from > now {
        format!("{seen}; from {} on, this watch knows the controller's memory", clock(now, from))
    } else if certain {
        format!(
            "{seen}, one full window: the controller's memory is what was observed, with the latest possible times"
        )
    } else {
        format!("{seen}, one full window; it is not certain what one of the syncs saw, or when it ran")
    }
}

fn assumed(flags: &[Stated], found: Option<&str>, error: Option<&str>) -> String {
    let told: Vec<String> = flags.iter().map(|it| format!("{} {}", it.name, it.value)).collect();
    if let Some(found) = found {
        return format!("{}: {found}. Which of them decides is not known.", list(&told));
    }
    let first = flags.first().map_or("", |it| &*it.name);
    let more = if flags.len() > 1 { " …" } else { "" };
    let (unread, what) = match error {
        None => (String::new(), "the controller's flags"),
        Some(error) => (format!("The controller's flags could not be read: {error}. "), "them"),
    };
    format!("{} (defaults). {unread}Pass {what} (--{first}{more}) to make this exact.", list(&told))
}

fn size_before(at: Instant, set_by: Option<&SetBy>, now: Instant) -> String {
    let who = set_by.map_or_else(String::new, |set| {
        let at = set.at.map_or_else(String::new, |at| format!(" at {}", clock(now, at.0)));
        format!(", and {} set the replicas{at}", set.who)
    });
    let at = clock(now, at);
    format!(". The size before the rescale at {at} is not known{who}; --scaled-from REPLICAS@{at} states it")
}
