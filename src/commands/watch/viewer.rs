//! Who looks at the answers of a watch.

use crate::commands::Ending;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Instant;

/// Who looks at the answers.
pub trait Viewer {
    /// Takes an answer, and when its look began; if it is the last that is wanted, how the run ends.
    fn answer(&mut self, explained: Explanation, begun: Instant) -> anyhow::Result<Option<Ending>>;

    /// Takes what went wrong at a look that ended now.
    fn trouble(&mut self, error: &anyhow::Error, now: Instant) -> anyhow::Result<()>;

    /// The terminal has another size.
    fn again(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}
