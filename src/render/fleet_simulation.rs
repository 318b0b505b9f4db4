//! A change of many HPAs, a row of each.

use kubectl_hpa_core::comparison::{Comparison, Effect, Sides, Totals};
use kubectl_hpa_core::snapshot::HpaKey;

/// What is kept of one HPA with and without the change.
#[derive(Clone, Debug)]
pub struct SimulatedRow {
    /// Which HPA.
    pub key: HpaKey,
    /// Whether the change makes a difference.
    pub comparison: Comparison,
    /// What it comes to; `None` where nothing is decided on some side.
    pub effect: Option<Effect>,
}

/// An HPA that has no row, by the name under which it was asked for, and why.
#[derive(Clone, Debug)]
pub struct Unanswered {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Why not.
    pub message: String,
}

/// A change of many HPAs.
#[derive(Clone, Debug, Default)]
pub struct FleetSimulation {
    /// The changes, as they were typed.
    pub changes: Vec<String>,
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
        Self {
            key: sides.then.snapshot().hpa.key.clone(),
            comparison: sides.makes_a_difference(),
            effect: sides.effect(),
        }
    }
}

impl FleetSimulation {
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
