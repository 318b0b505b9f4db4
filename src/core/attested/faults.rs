//! Reads and writes that fail for the controller by its last status, and not for the reader.

use super::standing::Standing;
use crate::api::{ConditionReason, ConditionType};
use crate::model::{Denial, MetricSpec, Source};
use crate::rules::Rules;
use crate::snapshot::{ReadError, Reading, Scope, Snapshot, WarningEvent};
use crate::status::api_error;

/// A read or a write that fails for the controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which one.
    pub about: About,
    /// As the controller quotes it.
    pub error: ReadError,
    /// Whether the next sync meets it, too; else that is not known.
    pub is_certain: bool,
    /// The size that was refused last; of a write alone.
    pub size: Option<i32>,
}

/// A read or a write of the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Reading the target's scale.
    Scale,
    /// Listing the resource metrics of pods.
    PodMetrics,
    /// Reading the metric at this place in the spec.
    Metric(usize),
    /// Updating the target's scale.
    Update,
}

impl About {
    /// The read of a metric, by its place in the spec.
    #[must_use]
    pub const fn of(spec: &MetricSpec, place: usize) -> Self {
        match spec.source {
            Source::Resource(_) | Source::ContainerResource { .. } => Self::PodMetrics,
            Source::Pods(_) | Source::Object { .. } | Source::External(_) => Self::Metric(place),
        }
    }
}

/// What every reader is answered while a metrics API is down.
const UNREACHED: [&str; 3] = [
    "the server is currently unable to handle the request",
    "error trying to reach service",
    "no endpoints available for service",
];

/// In the place of an error that the events would have told.
const UNTOLD: &str = "its events, which would say why, were not read";

const NO_SCALE: &str = "the HPA controller was unable to get the target's current scale: ";
const NO_UPDATE: &str = "the HPA controller was unable to update the target scale: ";

impl Fault {
    /// All that the last status tells of, each once.
    pub(super) fn all(snapshot: &Snapshot, rules: &Rules) -> Vec<Self> {
        let standing = Standing { snapshot };
        let mut all: Vec<Self> = [of_scale(standing), of_update(standing)].into_iter().flatten().collect();
        for (index, spec) in snapshot.hpa.metrics.iter().enumerate() {
            let fault = of_metric(standing, rules, index, spec);
            all.extend(fault.filter(|fault| all.iter().all(|it| it.about != fault.about)));
        }
        all
    }

    /// Puts the error in the place of what the reader has read. A refused update shows only in the decision to make one.
    pub(super) fn apply(&self, snapshot: &mut Snapshot) {
        let error = self.error.clone();
        match self.about {
            About::Scale => snapshot.scale = Err(error),
            About::PodMetrics => snapshot.usages = Err(error),
            About::Update => snapshot.writes.scale = Some(error),
            About::Metric(index) => match snapshot.readings.get_mut(index) {
                Some(Reading::Pods(read)) => *read = Err(error),
                Some(Reading::Object(read) | Reading::External(read)) => *read = Err(error),
                Some(Reading::Usage | Reading::Absent) | None => {}
            },
        }
    }

    /// Whether it is an update that an admission policy may have refused for its size.
    #[must_use]
    pub fn may_depend_on_size(&self) -> bool {
        self.about == About::Update && self.denial().is_none()
    }

    /// The answer of the API to the controller; `None` where nothing shows its words.
    #[must_use]
    pub fn answered(&self) -> Option<&ReadError> {
        Some(&self.error).filter(|error| error.message != UNTOLD)
    }

    /// The right that the controller lacks, if its error names one.
    #[must_use]
    pub fn denial(&self) -> Option<Denial<'_>> {
        Denial::all_in(&self.error.message).next()
    }
}

/// The fault of a message, unless the API server says that the controller has the right now.
fn fault(standing: Standing<'_>, about: About, message: &str, stands: bool) -> Option<Fault> {
    // The aggregation layer says that of a server that nobody can reach (kube-aggregator `proxyHandler`): it is over.
    let is_read = about != About::Update && is_read(standing.snapshot, about);
    if is_read && UNREACHED.iter().any(|words| message.contains(words)) {
        return None;
    }
    let denial = Denial::all_in(message).next();
    let has_right = denial.as_ref().and_then(|denial| standing.has_right(denial));
    let is_denied = message.contains(" is forbidden");
    let error = ReadError {
        code: is_denied.then_some(403),
        reason: if is_denied { "Forbidden" } else { "" }.into(),
        message: message.into(),
        ..ReadError::default()
    };
    // Any other error that names nobody may have been everybody's, and over by now.
    let is_certain = match has_right {
        Some(has_right) => !has_right,
        None => stands && (denial.is_some() || !is_read),
    };
    (has_right != Some(true)).then_some(Fault { about, error, is_certain, size: None })
}

/// True if the reader has the answer itself, or would have got it if somebody had asked for it.
fn is_read(snapshot: &Snapshot, about: About) -> bool {
    error_of(snapshot, about).is_none_or(ReadError::is_not_given)
}

/// The reader's own error.
fn error_of(snapshot: &Snapshot, about: About) -> Option<&ReadError> {
    match about {
        About::Scale => snapshot.scale.as_ref().err(),
        About::PodMetrics => snapshot.usages.as_ref().err(),
        About::Update => snapshot.writes.scale.as_ref(),
        About::Metric(index) => match snapshot.readings.get(index)? {
            Reading::Pods(read) => read.as_ref().err(),
            Reading::Object(read) | Reading::External(read) => read.as_ref().err(),
            Reading::Usage | Reading::Absent => None,
        },
    }
}

/// Whether the reader meets the same, by what its own read says.
fn is_met(snapshot: &Snapshot, about: About) -> bool {
    error_of(snapshot, about).is_some_and(|error| error.scope == Scope::Everyone)
}

fn of_scale(standing: Standing<'_>) -> Option<Fault> {
    let able = standing.condition(ConditionType::AbleToScale, ConditionReason::FailedGetScale)?;
    let message = able.message.strip_prefix(NO_SCALE)?;
    // A target that was not there, or whose kind was not known, is another matter: it is there now.
    let is_refused = message.contains(" is forbidden");
    let is_apart = is_refused && !is_met(standing.snapshot, About::Scale);
    is_apart.then(|| fault(standing, About::Scale, message, standing.stands(able, &[])))?
}

fn of_update(standing: Standing<'_>) -> Option<Fault> {
    let able = standing.condition(ConditionType::AbleToScale, ConditionReason::FailedUpdateScale)?;
    let message = able.message.strip_prefix(NO_UPDATE)?;
    if is_met(standing.snapshot, About::Update) {
        return None;
    }
    let warnings = &standing.snapshot.history.warnings;
    let of_this = |it: &&WarningEvent| {
        &*it.reason == "FailedRescale"
            && it.message.split_once("; error: ").is_some_and(|(_, it)| it == message)
    };
    let mut events: Vec<&WarningEvent> = warnings.iter().filter(of_this).collect();
    events.sort_by_key(|it| it.seen.last);
    let size = events.last().and_then(|it| it.message.strip_prefix("New size: ")?.split_once(';'));
    let size = size.and_then(|(size, _)| size.parse().ok());
    let fault = fault(standing, About::Update, message, standing.stands_by_events(&events))?;
    Some(Fault { size, ..fault })
}

fn of_metric(standing: Standing<'_>, rules: &Rules, index: usize, spec: &MetricSpec) -> Option<Fault> {
    let about = About::of(spec, index);
    if is_met(standing.snapshot, about) {
        return None;
    }
    let said = |message: &'_ str| api_error(standing.snapshot, rules, spec, message).map(str::to_owned);
    let of_this = |it: &&WarningEvent| it.reason.starts_with("FailedGet") && said(&it.message).is_some();
    let mut events: Vec<&WarningEvent> = standing.snapshot.history.warnings.iter().filter(of_this).collect();
    events.sort_by_key(|it| it.seen.last);
    let active = standing.of_metrics();
    if let Some((active, message)) = active.and_then(|active| Some((active, said(&active.message)?))) {
        let is_last = standing.ended_at_metrics();
        return fault(standing, about, &message, is_last && standing.stands(active, &events));
    }
    if !standing.is_blank(index) {
        return None;
    }
    let Some(newest) = events.last() else {
        // Another metric of the same list has a value.
        let metrics = standing.snapshot.hpa.metrics.iter().enumerate();
        let mut of_list = metrics.filter(|(place, spec)| About::of(spec, *place) == about);
        let is_listed = of_list.any(|(place, _)| !standing.is_blank(place));
        let is_untold =
            !is_listed && !standing.snapshot.history.has_events && standing.is_of_the_controller();
        return is_untold.then(|| fault(standing, about, UNTOLD, false))?;
    };
    fault(standing, about, &said(&newest.message)?, standing.is_repeated(newest))
}
