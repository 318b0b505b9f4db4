//! Ctrl-C, or a terminal that is closed, while something is being written: what is known of the write is said before the run
//! ends.

use std::cell::Cell;
use std::pin::pin;

use anyhow::bail;

use crate::commands::signals::ended;

/// Whether a write is under way, and whether somebody wanted an end.
#[derive(Debug, Default)]
pub struct Interrupt {
    is_writing: Cell<bool>,
    came: Cell<bool>,
}

impl Interrupt {
    /// Whether somebody wanted an end while a write was under way.
    pub fn came(&self) -> bool {
        self.came.get()
    }

    /// Ends the work when somebody wants an end; a write that is under way ends it itself, with [`Self::or_interrupted`].
    ///
    /// # Errors
    /// Those of the work, or the interrupt.
    pub async fn ending<T>(&self, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = ended() => if !self.is_writing.get() {
                    bail!("interrupted; nothing else was written");
                }
            }
        }
    }

    /// What a write answers, or `None` if somebody wants an end before.
    pub async fn or_interrupted<T>(&self, write: impl Future<Output = T>) -> Option<T> {
        self.is_writing.set(true);
        let answer = tokio::select! {
            biased;
            answer = write => Some(answer),
            () = ended() => None,
        };
        self.is_writing.set(false);
        if answer.is_none() {
            self.came.set(true);
        }
        answer
    }
}
