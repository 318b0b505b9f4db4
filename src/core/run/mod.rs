//! A world played to its end: what changes, and what it comes to; and a record of one, beside which it is played.

mod calibration;
mod figure;
mod recording;
mod totals;

pub use calibration::{Calibration, Doubt, EQUAL_PERCENT, LEAST, OFF_PERCENT};
pub use figure::Figure;
pub use recording::{Begun, Recorded, Recording, Skipped};
pub use totals::Totals;

use crate::causes::{Cause, principal};
use crate::memory_bounds::Answer;
use crate::model::{Duration, Evidence, Replicas};
use crate::play::{Player, Synced, Unplayable};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::{Code, Decision, Outcome};
use totals::{Tally, proposals};

/// So many spans of time a run is cut into at most.
pub const SPANS: usize = 480;

/// A world, played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Each time the controller changed the replicas.
    pub changes: Vec<Rescale>,
    /// How it went, span by span; at most [`SPANS`].
    pub spans: Vec<Span>,
    /// What it came to.
    pub totals: Totals,
    /// The replicas that the last sync left, if its metrics want no others within the bounds.
    pub rests_at: Option<Replicas>,
}

/// A change of the replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescale {
    /// The time since the first sync.
    pub at: Duration,
    /// The replicas before.
    pub from: Replicas,
    /// The replicas after.
    pub to: Replicas,
    /// Why, in the controller's words: what its event says after the size.
    pub reason: String,
    /// The one cause that a person would name.
    pub cause: Cause,
    /// The deciding metric by its place in the spec, and what it reads; none if a bound decides before any metric is read.
    pub reads: Option<(usize, Code)>,
}

/// Some syncs, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The first sync.
    pub at: Duration,
    /// The fewest replicas and the most that the controller left.
    pub replicas: (Replicas, Replicas),
    /// The highest usage over target that the metrics showed; none if none could be read.
    pub ratio: Option<f64>,
}

impl Run {
    /// Plays a world to its end. `seen` is told of each sync.
    ///
    /// # Errors
    /// More pods than can be played are asked for.
    pub fn of(mut player: Player<'_>, mut seen: impl FnMut(Duration)) -> Result<Self, Unplayable> {
        let mut run = Self::default();
        let per_span = player.syncs().div_ceil(SPANS).max(1);
        let mut tally = Tally::default();
        let mut synced = 0;
        let period = player.sync_period();
        while player.sync().is_some() {
            let (snapshot, Some(sync)) = (player.snapshot(), player.last()) else { break };
            seen(sync.at);
            let current = || snapshot.scale.as_ref().ok().map(|scale| scale.replicas);
            let left = sync.decision.unwritten().or_else(|| sync.decision.desired()).or_else(current);
            run.note(sync.at, left, synced % per_span == 0, highest_ratio(&sync.decision));
            run.rests_at = rest(snapshot, &sync.decision);
            if let Some(change) = rescale(snapshot, player.rules(), sync) {
                tally.rescaled(change.from, change.to);
                run.changes.push(change);
            }
            if synced > 0 {
                tally.count(snapshot, period, &sync.decision);
            }
            synced += 1;
        }
        run.totals = tally.totals;
        if player.is_full() { Err(Unplayable::TooManyPods) } else { Ok(run) }
    }

    fn note(&mut self, at: Duration, left: Option<Replicas>, is_new: bool, ratio: Option<f64>) {
        let before = self.spans.last().map_or(Replicas(0), |span| span.replicas.1);
        if let Some(span) = self.spans.last_mut().filter(|_| !is_new) {
            span.join(left.unwrap_or(span.replicas.1), ratio);
        } else {
            let left = left.unwrap_or(before);
            self.spans.push(Span { at, replicas: (left, left), ratio });
        }
    }
}

impl Span {
    fn join(&mut self, left: Replicas, ratio: Option<f64>) {
        self.ratio = match (self.ratio, ratio) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        };
        self.replicas = (self.replicas.0.min(left), self.replicas.1.max(left));
    }
}

/// Every change has a cause: a bound, or what the deciding metric hangs on.
fn rescale(snapshot: &Snapshot, rules: &Rules, sync: &Synced) -> Option<Rescale> {
    let Outcome::Scale { from, to, failed: None, .. } = sync.decision.outcome else { return None };
    let event = sync.report.events.iter().find(|event| event.reason == "SuccessfulRescale");
    let words = event.map_or("", |event| event.message.as_str());
    let reason = words.split_once("reason: ").map_or(words, |(_, reason)| reason);
    // Nothing is hidden of a world that is played.
    let world = Snapshot { memory_evidence: Evidence::Given, is_stated: true, ..snapshot.clone() };
    let cause = principal(&world, rules, &Answer::new(sync.decision.clone(), None, None))?;
    let reads = sync.decision.winner().map(|(metric, proposal)| (metric.index, proposal.code()));
    Some(Rescale { at: sync.at, from, to, reason: reason.to_owned(), cause, reads })
}

/// The replicas that a sync keeps because all pods count and the metrics want just these within the bounds.
#[must_use]
pub fn rest(snapshot: &Snapshot, decision: &Decision) -> Option<Replicas> {
    let Outcome::Hold { at, .. } = decision.outcome else { return None };
    let mut groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    let wanted = decision.choice?.after.min(snapshot.hpa.max).max(snapshot.hpa.min);
    (wanted == at && groups.all(|groups| groups.unready == 0)).then_some(at)
}

/// The highest ratio. Without any replica the ratio of what is shared by them is none.
fn highest_ratio(decision: &Decision) -> Option<f64> {
    let ratios = proposals(decision).map(|proposal| proposal.calculation.ratios().0.0);
    ratios.filter(|ratio| ratio.is_finite()).reduce(f64::max)
}
