//! The ratios of one proposal, each written in the same way everywhere on a screen.

use crate::render::claims::Ratio;
use crate::render::units::{Decimals, decimals, float};
use kubectl_hpa_core::trace::{Calculation, Guard, PerPod, Proposal};

/// The ratios of a proposal with their decimals.
#[derive(Clone, Copy)]
pub(in crate::render) struct Ratios {
    known: [(f64, Decimals); 6],
    band: (f64, f64),
}

impl Ratios {
    /// As many decimals as show where each ratio stands: to 0, to 1, to the tolerance, and to the other ratio; and, of the one
    /// that is multiplied, to which replicas that leads.
    pub fn of(proposal: &Proposal) -> Self {
        let band = (proposal.tolerances.lowest().0, proposal.tolerances.highest().0);
        let (first, last) = proposal.calculation.ratios();
        let values = [0.0, 1.0, band.0, band.1, first.0, last.0];
        let is_kept = matches!(
            &proposal.calculation,
            Calculation::PerPod(PerPod { guard: Some(Guard::WithinTolerance | Guard::DirectionFlip), .. })
        );
        let multiplied = proposal.calculation.multiplied().filter(|_| !is_kept);
        let mut known = values.map(|value| (value, Decimals::Rounded(3)));
        for ((value, shown), needed) in known.iter_mut().zip(decimals(values)) {
            *shown = Decimals::Rounded(needed);
            if let Some((_, pods)) = multiplied.filter(|(ratio, _)| value.total_cmp(&ratio.0).is_eq()) {
                *shown = shown.to_multiply(*value, float(pods));
            }
        }
        Self { known, band }
    }

    /// One of them.
    pub fn ratio(self, value: f64) -> Ratio {
        let known = self.known.iter().find(|(known, _)| known.total_cmp(&value).is_eq());
        Ratio { value, decimals: known.map_or(Decimals::Rounded(3), |(_, decimals)| *decimals) }
    }

    /// The same, for people.
    pub fn show(self, ratio: f64) -> String {
        self.ratio(ratio).text()
    }

    /// The tolerance's two ends.
    pub fn ends(self) -> (Ratio, Ratio) {
        (self.ratio(self.band.0), self.ratio(self.band.1))
    }

    /// The same, for people.
    pub fn band(self) -> String {
        let (lowest, highest) = self.ends();
        format!("{}–{}", lowest.text(), highest.text())
    }
}
