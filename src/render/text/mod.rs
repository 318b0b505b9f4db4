//! The screen: the answer, the reason, then the arithmetic. One file a section; a section with nothing to say is not
//! printed.

mod advice;
mod basis;
mod blame;
mod change;
mod fleet;
mod fleet_simulation;
mod fold;
mod future;
mod head;
mod later;
mod ledger;
mod metrics;
mod outlook;
mod overflow;
mod passes;
mod rates;
mod requests;
mod rescales;
mod self_check;
mod shared;
mod simulation;
mod steps;
mod sweep;
mod upgrade;
mod versions;
mod why;
mod window;

pub use change::change;
pub use fleet::{fleet, fleet_total, listed_line};
pub use fleet_simulation::fleet_simulation;
pub use future::future;
pub use simulation::simulation;
use std::io::{self, Write};
pub use sweep::sweep;
pub use upgrade::{upgrade, upgrade_total};
pub use versions::versions;

use super::options::Options;
use super::page::{Page, Role};
use super::phrases::notes::notes;
use kubectl_hpa_core::explanation::Explanation;

/// Writes the explanation of a decision for people.
///
/// Instants are printed in UTC, as the API writes them.
///
/// # Errors
/// Those of the writer.
pub fn text(out: &mut dyn Write, explanation: &Explanation, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    head::section(&mut page, explanation);
    // If the decision is not known, the status that the controller wrote comes first and the reason after it.
    self_check::instead(&mut page, explanation);
    why::section(&mut page, explanation);
    metrics::section(&mut page, explanation);
    requests::section(&mut page, explanation, options);
    shared::section(&mut page, explanation, options);
    advice::section(&mut page, explanation);
    ledger::section(&mut page, explanation, options);
    for note in notes(explanation) {
        page.note("Note", Role::Plain, &note.text());
    }
    basis::wide(&mut page, explanation, options);
    window::section(&mut page, explanation, options);
    rates::section(&mut page, explanation);
    steps::section(&mut page, explanation, options);
    outlook::section(&mut page, explanation);
    blame::section(&mut page, explanation);
    rescales::section(&mut page, explanation);
    basis::owner(&mut page, explanation);
    self_check::section(&mut page, explanation, options);
    basis::section(&mut page, explanation);
    page.write(out)
}
