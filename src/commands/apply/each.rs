//! Several writes, one after the other, once all answers are on the screen.

use std::io::Write;

use anyhow::bail;

use super::{Stored, Terms, question};
use crate::commands::Ending;
use crate::commands::complain::complain;
use crate::commands::subjects::Asked;

/// Tries each of what was found, asks once, and writes them; if not all was found, or not each can be tried, none. The
/// commands that take several writes back are said together at the end, whatever ends it.
///
/// # Errors
/// If nobody reads what is said, if not all was found, or if somebody wants an end.
pub async fn each<T>(
    terms: &Terms,
    found: Vec<(Asked, T)>,
    so_far: Ending,
    talk: &mut dyn Write,
    write: impl AsyncFn(&Asked, &T, Option<Stored>, &mut dyn Write) -> anyhow::Result<Option<Stored>>,
) -> anyhow::Result<Ending> {
    if so_far == Ending::Failed && !found.is_empty() {
        bail!("nothing was written: not everything named can be written");
    }
    let writing = async {
        let (mut ending, mut tried) = (Ending::Done, Vec::new());
        for (asked, it) in &found {
            match asked.named(write(asked, it, None, talk).await) {
                Ok(one) => tried.extend(one.map(|one| (asked, it, one))),
                Err(error) => {
                    ending.count(Ending::Failed);
                    complain(&error, talk)?;
                }
            }
            if terms.interrupt.came() {
                return Ok(ending);
            }
        }
        if tried.is_empty() {
            return Ok(ending);
        }
        if ending == Ending::Failed {
            bail!("nothing was written: not everything named can be written");
        }
        if terms.asks {
            question::ask(tried.len(), talk).await?;
        }
        for (asked, it, tried) in tried {
            if let Err(error) = asked.named(write(asked, it, Some(tried), talk).await) {
                ending.count(Ending::Failed);
                complain(&error, talk)?;
            }
            if terms.interrupt.came() {
                break;
            }
        }
        Ok(ending)
    };
    let ending = terms.interrupt.ending(writing).await;
    terms.undos.tell(talk)?;
    ending
}
