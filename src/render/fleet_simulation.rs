//! A change of many HPAs, a row of each.

use std::borrow::Cow;

use super::name::name;
use kubectl_hpa_core::comparison::{Comparison, Effect, Sides, Totals, Unanswered};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::{HpaKey, Origin};
use kubectl_hpa_core::trace::Unread;

/// What is kept of one HPA with and without the change.
#[derive(Clone, Debug)]
pub struct SimulatedRow {
    /// Where it was read.
    pub origin: Option<Origin>,
    /// Which HPA.
    pub key: HpaKey,
    /// Whether the change makes a difference.
    pub comparison: Comparison,
    /// What it comes to; `None` where nothing is decided on some side.
    pub effect: Option<Effect>,
    /// Whether something broken keeps the controller from deciding, with the change as without it.
    pub stays_broken: bool,
    /// What could not be read, if nothing is decided because of that.
    pub unread: Option<Unread>,
}

/// A change of many HPAs.
#[derive(Clone, Debug, Default)]
pub struct FleetSimulation {
    /// The changes, as they were typed.
    pub changes: Vec<String>,
    /// Whether several clusters were asked for, so that rows name their contexts.
    pub is_of_clusters: bool,
    /// All on which it was decided.
    pub rows: Vec<SimulatedRow>,
    /// Those that the changes cannot be made to.
    pub misfits: Vec<Unanswered>,
    /// Those that could not be read, or not be decided on as they are.
    pub failed: Vec<Unanswered>,
}

impl SimulatedRow {
    /// The row of an HPA.
    #[must_use]
    pub fn of(sides: &Sides<'_>) -> Self {
        let comparison = sides.makes_a_difference();
        let is_stopped = |it: &Explanation| it.decision().outcome.is_stopped();
        Self {
            origin: sides.then.snapshot().origin.clone(),
            key: sides.then.snapshot().hpa.key.clone(),
            comparison,
            effect: sides.effect(),
            stays_broken: comparison == Comparison::Same
                && is_stopped(sides.then)
                && sides.now.is_none_or(is_stopped),
            unread: sides.then.decision().outcome.unread().cloned(),
        }
    }
}

impl SimulatedRow {
    /// The context of the kubeconfig that it is of.
    pub(super) fn context(&self) -> Option<&str> {
        self.origin.as_ref().and_then(Origin::context)
    }
}

impl FleetSimulation {
    /// In the order of contexts, namespaces and names: several clusters answer in any order.
    pub fn sort(&mut self) {
        self.rows.sort_unstable_by(|one, other| (&one.origin, &one.key).cmp(&(&other.origin, &other.key)));
        self.misfits.sort_unstable();
        self.failed.sort_unstable();
    }

    /// The names of those that change; of several clusters with what else finds them.
    pub fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.changed().map(|row| {
            name(&row.key.name, &row.key.namespace, row.origin.as_ref().filter(|_| self.is_of_clusters))
        })
    }

    /// Whether the change makes a difference to any, as far as that is known.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        let has = |comparison| self.count(comparison) > 0;
        match (has(Comparison::Unknown), has(Comparison::Different)) {
            (true, _) => Comparison::Unknown,
            (false, true) => Comparison::Different,
            (false, false) => Comparison::Same,
        }
    }

    /// How many rows compare so.
    #[must_use]
    pub fn count(&self, comparison: Comparison) -> usize {
        self.rows.iter().filter(|row| row.comparison == comparison).count()
    }

    /// Those that change, or may as far as anything is decided.
    pub fn changed(&self) -> impl Iterator<Item = &SimulatedRow> {
        self.rows.iter().filter(|row| match row.comparison {
            Comparison::Same => false,
            Comparison::Different => true,
            Comparison::Unknown => row.effect.is_some(),
        })
    }

    /// What those that change come to together.
    #[must_use]
    pub fn totals(&self) -> Totals {
        Totals::of(self.changed().filter_map(|row| row.effect.as_ref()))
    }
}
