//! Failures of looks: each is told once, with the time at which it was so.

use std::io::{self, Write};

use crate::render;
use kubectl_hpa_core::model::Instant;

/// The failures of the last look, and since when there are some.
#[derive(Default)]
pub struct Trouble {
    lines: Vec<String>,
    since: Option<Instant>,
}

impl Trouble {
    /// Tells the lines of a look that ended now, unless those before it were the same; and that all is well again.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn tell(&mut self, now: Instant, lines: Vec<String>, err: &mut dyn Write) -> io::Result<()> {
        if lines != self.lines {
            for line in &lines {
                writeln!(err, "{now}  {line}")?;
            }
            if lines.is_empty() {
                writeln!(err, "{now}  answers again")?;
            }
        }
        self.since = if lines.is_empty() { None } else { self.since.or(Some(now)) };
        self.lines = lines;
        Ok(())
    }

    /// The failures of the last look, each behind the time since when there are some.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let since = self.since.map_or_else(String::new, |since| format!("{since}  "));
        self.lines.iter().map(move |line| format!("{since}{line}"))
    }

    /// Since when something goes wrong.
    pub fn since(&self) -> Option<Instant> {
        self.since
    }
}

/// An error as a line for people who wait for a look that has none.
pub fn failing(words: &str) -> String {
    format!("{}; trying again", first_line(words))
}

/// The beginning of an error's words.
pub fn first_line(words: &str) -> String {
    render::sanitize(words.lines().next().unwrap_or_default()).into_owned()
}
