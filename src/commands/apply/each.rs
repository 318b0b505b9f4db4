//! Several writes, one after the other, once all answers are on the screen.

use std::io::Write;

use anyhow::bail;

use super::Terms;
use crate::commands::Ending;
use crate::commands::explain::complain;
use crate::commands::subjects::Asked;

/// Writes each of what was found; if not all was found, none.
///
/// # Errors
/// If nobody reads what is said, if not all was found, or if somebody wants an end.
pub async fn each<T>(
    terms: &Terms,
    found: Vec<(Asked, T)>,
    so_far: Ending,
    talk: &mut dyn Write,
    write: impl AsyncFn(&Asked, &T, &mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<Ending> {
    if so_far == Ending::Failed && !found.is_empty() {
        bail!("nothing was written: not everything named can be written");
    }
    let writing = async {
        let mut ending = Ending::Done;
        for (asked, it) in &found {
            if let Err(error) = asked.named(write(asked, it, talk).await) {
                ending.count(Ending::Failed);
                complain(&error, talk)?;
            }
            if terms.interrupt.came() {
                break;
            }
        }
        Ok(ending)
    };
    terms.interrupt.ending(writing).await
}
