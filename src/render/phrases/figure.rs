//! The totals of a run in words.

use crate::render::units::{hundredths, span};
use kubectl_hpa_core::model::Duration;
use kubectl_hpa_core::run::{Figure, Totals};

const HOUR: i128 = 3_600_000_000_000;

/// What it is called.
pub(in crate::render) const fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::PodTime => "pod-hours",
        Figure::Cpu => "requested cpu, core-hours",
        Figure::Memory => "requested memory, GiB-hours",
        Figure::OverTarget => "time over target",
        Figure::OverTolerance => "time over tolerance",
        Figure::LongestOverTarget => "longest time over target",
        Figure::Undecided => "time without a decision",
        Figure::AtMax => "time at maxReplicas",
        Figure::AtMin => "time at minReplicas",
        Figure::Rescales => "rescales",
        Figure::Flips => "flips between up and down",
    }
}

/// The same, for programs and for the head of a column.
pub(in crate::render) const fn short(figure: Figure) -> &'static str {
    match figure {
        Figure::PodTime => "POD-HOURS",
        Figure::Cpu => "CORE-HOURS",
        Figure::Memory => "GIB-HOURS",
        Figure::OverTarget => "OVER TARGET",
        Figure::OverTolerance => "OVER TOLERANCE",
        Figure::LongestOverTarget => "LONGEST",
        Figure::Undecided => "UNDECIDED",
        Figure::AtMax => "AT MAX",
        Figure::AtMin => "AT MIN",
        Figure::Rescales => "RESCALES",
        Figure::Flips => "FLIPS",
    }
}

/// Its amount.
pub(in crate::render) fn amount(figure: Figure, totals: &Totals) -> String {
    let amount = figure.of(totals);
    match figure {
        Figure::PodTime => hundredths(amount, HOUR),
        Figure::Cpu => hundredths(amount, 1_000 * HOUR),
        Figure::Memory => hundredths(amount, 1_000 * 1024 * 1024 * 1024 * HOUR),
        Figure::OverTarget
        | Figure::OverTolerance
        | Figure::LongestOverTarget
        | Figure::Undecided
        | Figure::AtMax
        | Figure::AtMin => {
            let time = Duration::from_nanoseconds(i64::try_from(amount).unwrap_or(i64::MAX));
            let whole = i128::from(totals.time.nanoseconds()).max(1);
            let shown = span(time);
            if amount == 0 { shown } else { format!("{shown} ({}%)", (amount * 100 + whole / 2) / whole) }
        }
        Figure::Rescales | Figure::Flips => amount.to_string(),
    }
}
