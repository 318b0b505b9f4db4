//! The demand that looks at a world show, one look after the other.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::curve::{Curve, Point, WHOLE};
use super::load::{Load, Measure, Spread};
use crate::model::{Duration, Instant, Milli, Source};
use crate::snapshot::Snapshot;

/// Looks that are further apart than so many sync periods have a gap between them.
pub const GAP_PERIODS: i64 = 4;

/// Demand over time, as looks saw it: what the ready pods use together, or the value of an Object or External metric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    loads: Vec<Seen>,
    last: Duration,
}

/// One amount that looks saw.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    measure: Measure,
    /// The metric that a place in the spec stands for: another spec has it elsewhere.
    source: Option<Source>,
    /// In milli-units, with a million as the whole.
    curve: Curve,
    samples: Samples,
}

/// The counted samples of ready pods, each with its time where the API tells it.
pub(super) type Samples = BTreeSet<(Arc<str>, Option<Instant>, Milli)>;

impl Demand {
    /// Takes all that a look saw.
    pub(super) fn take(&mut self, snapshot: &Snapshot, seen: Vec<(Load, Samples)>, at: Duration) {
        let is_gap = is_gap(snapshot, self.last, at);
        for (load, samples) in seen {
            self.note(snapshot, &load, samples, at, is_gap);
        }
        // A container that nobody measures any more uses nothing.
        let is_gone = |it: &&mut Seen| it.curve.points.last().is_some_and(|last| last.at < at);
        for gone in self.loads.iter_mut().filter(is_gone) {
            gone.follow(self.last, Point { at, ppm: 0 }, is_gap);
            gone.samples.clear();
        }
        self.last = at;
    }

    fn note(&mut self, snapshot: &Snapshot, load: &Load, samples: Samples, at: Duration, is_gap: bool) {
        let source = source_of(snapshot, &load.measure);
        let known = self.loads.iter().position(|it| is_same(it, &load.measure, source));
        let place = known.unwrap_or_else(|| {
            // Until now it was not there.
            let before = (at > Duration::ZERO).then_some(Point { at: self.last, ppm: 0 });
            let curve = Curve { points: before.into_iter().collect(), repeat: None };
            let (measure, source) = (load.measure.clone(), source.cloned());
            self.loads.push(Seen { measure, source, curve, samples: Samples::new() });
            self.loads.len() - 1
        });
        let Some(seen) = self.loads.get_mut(place) else { return };
        // The samples of before say nothing of the pods that came or went since.
        let is_old = load.spread == Spread::Shared && !samples.is_empty() && samples.is_subset(&seen.samples);
        let ppm = seen.curve.points.last().map(|last| last.ppm).filter(|_| is_old);
        let ppm = ppm.unwrap_or_else(|| u64::try_from(load.demand.0).unwrap_or(0));
        seen.follow(self.last, Point { at, ppm }, is_gap);
        if !is_old {
            seen.samples = samples;
        }
    }

    /// The load with the demand that was seen of it, if any was.
    pub(super) fn recorded(&self, snapshot: &Snapshot, load: Load) -> Load {
        let source = source_of(snapshot, &load.measure);
        match self.loads.iter().find(|it| is_same(it, &load.measure, source)) {
            Some(seen) => Load { demand: Milli(WHOLE.into()), curve: seen.curve.clone(), ..load },
            None => load,
        }
    }
}

impl Seen {
    /// Goes on to the next look. The amount changes at one instant between two looks; if these are far apart, it is a straight
    /// line.
    fn follow(&mut self, before: Duration, next: Point, is_gap: bool) {
        let points = &mut self.curve.points;
        let last = points.last().map_or(next.ppm, |last| last.ppm);
        if !is_gap && last != next.ppm {
            let middle = before.plus(Duration::from_nanoseconds(next.at.minus(before).nanoseconds() / 2));
            points.extend([Point { at: middle, ppm: last }, Point { at: middle, ppm: next.ppm }]);
        }
        match points.as_mut_slice() {
            [.., one, two] if one.ppm == next.ppm && two.ppm == next.ppm => two.at = next.at,
            _ => points.push(next),
        }
    }
}

/// True if so much time between two looks is a gap.
#[must_use]
pub fn is_gap(snapshot: &Snapshot, from: Duration, to: Duration) -> bool {
    let period = snapshot.controller.sync_period.value.nanoseconds();
    to.minus(from).nanoseconds() > period.saturating_mul(GAP_PERIODS)
}

fn source_of<'a>(snapshot: &'a Snapshot, measure: &Measure) -> Option<&'a Source> {
    let Measure::Metric(place) = measure else { return None };
    snapshot.hpa.metrics.get(*place).map(|metric| &metric.source)
}

fn is_same(seen: &Seen, measure: &Measure, source: Option<&Source>) -> bool {
    match source {
        Some(source) => seen.source.as_ref() == Some(source),
        None => seen.measure == *measure,
    }
}
