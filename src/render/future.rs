//! What is to come, as it was played.

use kubectl_hpa_core::comparison::Sides;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::play::Assumptions;
use kubectl_hpa_core::run::{Calibration, Figure, Recorded, Run, Totals};
use kubectl_hpa_core::snapshot::{Reading, Snapshot};

/// One HPA over a load.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// What it is called beside the others.
    pub name: &'a str,
    /// The decision that it begins with.
    pub explanation: &'a Explanation,
    /// How it goes on.
    pub run: &'a Run,
}

/// Some HPAs over the same load, or one.
#[derive(Clone, Debug)]
pub struct Future<'a> {
    /// At least one.
    pub runs: Vec<Played<'a>>,
    /// What was changed, as it was typed.
    pub changes: &'a [String],
    /// What is assumed.
    pub assumptions: &'a Assumptions,
    /// Whether each is one value of a sweep.
    pub is_sweep: bool,
    /// The record whose load it is, and how well the first run matches it.
    pub record: Option<(&'a Recorded, &'a Calibration)>,
}

impl<'a> Future<'a> {
    /// The record, if there is one, and the runs.
    pub(super) fn all(&self) -> Vec<Played<'a>> {
        let recorded = self.record.zip(self.runs.first());
        let recorded =
            recorded.map(|((recorded, _), first)| Played { name: "recorded", run: &recorded.run, ..*first });
        recorded.into_iter().chain(self.runs.iter().copied()).collect()
    }

    /// The proposed HPA beside the present one; none of a sweep, a record, or an HPA that is not changed.
    pub(super) fn proposal(&self) -> Option<Sides<'a>> {
        let is_proposal = !self.is_sweep && self.record.is_none() && !self.changes.is_empty();
        match self.runs.as_slice() {
            [now, then] if is_proposal => Some(Sides::of(now.explanation, then.explanation)),
            [then] if is_proposal => Some(Sides { now: None, then: then.explanation }),
            _ => None,
        }
    }

    /// True if the runs differ in the HPA alone: they begin with the same pods, replicas and load, or have those of a record
    /// that the first one matches.
    pub(super) fn is_comparable(&self) -> bool {
        if let Some((_, calibration)) = self.record {
            return calibration.doubt.is_none();
        }
        let mut snapshots = self.runs.iter().map(|played| played.explanation.snapshot());
        snapshots.next().is_none_or(|first| snapshots.all(|other| is_same_world(first, other)))
    }

    /// Tells the place of the run that a figure is better in. Times over a target are compared only if the targets and what pods
    /// request are the same; and beside a record only differences that its play can tell.
    pub(super) fn better(&self) -> impl Fn(Figure) -> Option<usize> + use<'_, 'a> {
        let totals: Vec<&Totals> = self.runs.iter().map(|played| &played.run.totals).collect();
        let (is_comparable, has_one_target) = (self.is_comparable(), self.has_one_target());
        move |figure| {
            let place = figure.better(&totals).filter(|_| is_comparable)?;
            let is_over =
                matches!(figure, Figure::OverTarget | Figure::OverTolerance | Figure::LongestOverTarget);
            let is_known = self.record.is_none() || figure.is_apart(&totals);
            ((!is_over || has_one_target) && is_known).then_some(place)
        }
    }

    /// True if the runs have the same metrics and targets, and pods of the same requests.
    pub(super) fn has_one_target(&self) -> bool {
        let mut snapshots = self.runs.iter().map(|played| played.explanation.snapshot());
        let of = |it: &'a Snapshot| (&it.hpa.metrics, &it.pods);
        snapshots.next().is_none_or(|first| snapshots.all(|other| of(first) == of(other)))
    }
}

/// Whether two HPAs look at the same pods, replicas and values of the metrics that both have.
fn is_same_world(one: &Snapshot, other: &Snapshot) -> bool {
    let read = |snapshot: &Snapshot, source| -> Option<Reading> {
        let place = snapshot.hpa.metrics.iter().position(|metric| metric.source == source)?;
        snapshot.readings.get(place).cloned()
    };
    let mut sources = one.hpa.metrics.iter().map(|metric| metric.source.clone());
    (&one.pods, &one.scale) == (&other.pods, &other.scale)
        && sources.all(|source| match (read(one, source.clone()), read(other, source)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        })
}
