//! The ratios of one proposal, each written in one way wherever it stands on a screen.

use crate::render::units::{decimals, in_decimals};
use crate::trace::{Calculation, Proposal};

/// How many decimals the ratios of a proposal have.
#[derive(Clone, Copy)]
pub(in crate::render) struct Ratios {
    decimals: usize,
    band: (f64, f64),
}

impl Ratios {
    /// As many as show where each of its ratios stands: to 0, to 1, to the tolerance, and to the other ratio.
    pub fn of(proposal: &Proposal) -> Self {
        let band = (proposal.tolerances.lowest().0, proposal.tolerances.highest().0);
        let (first, last) = match &proposal.calculation {
            Calculation::PerPod(it) => {
                let last = it.refill.as_ref().map_or(it.first.ratio, |refill| refill.pass.ratio);
                (it.first.ratio.0, last.0)
            }
            Calculation::Total(it) => (it.ratio.0, it.ratio.0),
            Calculation::PerReplica(it) => (it.ratio.0, it.ratio.0),
        };
        Self { decimals: decimals(&[0.0, 1.0, band.0, band.1, first, last]), band }
    }

    /// One of them.
    pub fn show(self, ratio: f64) -> String {
        in_decimals(ratio, self.decimals)
    }

    /// The tolerance's two ends.
    pub fn band(self) -> String {
        format!("{}–{}", self.show(self.band.0), self.show(self.band.1))
    }
}
