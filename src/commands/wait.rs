//! `kubectl hpa wait`: look after look, until a condition is met or the time is over.

use std::io::Write;
use std::time::Duration;

use anyhow::anyhow;

use super::looks::{Trouble, failing, first_line};
use super::watch::{Viewer, Watching};
use super::{Ending, Screen, signals};
use crate::cli::{Condition, WaitArgs};
use crate::render::{self, sanitize};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{HpaState, Instant};

/// Waits. As with `kubectl wait`, a condition that is not met in time is an error.
pub async fn run(
    args: &WaitArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let watching = Watching::of(&args.subjects(), &args.connection, &args.settings, screen, err).await?;
    let nanoseconds = args.timeout.nanoseconds().unsigned_abs();
    let mut waiter =
        Waiter { args, out, err, last: None, trouble: Trouble::default(), failed: String::new() };
    let ended = tokio::select! {
        () = signals::ended() => Err("interrupted while"),
        // A single look is not cut short.
        () = tokio::time::sleep(Duration::from_nanos(nanoseconds)), if nanoseconds > 0 => Err(TIMED_OUT),
        ended = watching.look_on(&mut waiter) => Ok(ended?),
    };
    ended.map_err(|how| waiter.unmet(how))
}

const TIMED_OUT: &str = "timed out";

/// Who waits.
struct Waiter<'a> {
    args: &'a WaitArgs,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    last: Option<Explanation>,
    trouble: Trouble,
    /// The words of the last look that failed.
    failed: String,
}

impl Viewer for Waiter<'_> {
    fn answer(&mut self, explained: Explanation, _: Instant) -> anyhow::Result<Option<Ending>> {
        self.trouble.tell(explained.snapshot().taken_at, Vec::new(), self.err)?;
        if is_met(&self.args.condition, &explained) {
            let name = sanitize(&explained.snapshot().hpa.key.name).into_owned();
            writeln!(self.out, "horizontalpodautoscaler.autoscaling/{name} condition met")?;
            return Ok(Some(Ending::Done));
        }
        self.last = Some(explained);
        if self.args.timeout.nanoseconds() == 0 { Err(self.unmet(TIMED_OUT)) } else { Ok(None) }
    }

    fn trouble(&mut self, error: &anyhow::Error, now: Instant) -> anyhow::Result<()> {
        let words = format!("{error:#}");
        self.failed = first_line(&words);
        Ok(self.trouble.tell(now, vec![failing(&words)], self.err)?)
    }
}

impl Waiter<'_> {
    /// kubectl's words, and how it was at the last look instead; where nothing can be read since, from when on.
    fn unmet(&self, how: &str) -> anyhow::Error {
        let condition = &self.args.condition;
        let Some(last) = &self.last else {
            return anyhow!("{how} waiting for {condition}: nothing could be read so far");
        };
        let name = &last.snapshot().hpa.key.name;
        let now = render::brief(last);
        let unread = render::undecided_notes(last.decision().outcome.unread().into_iter());
        let known = [vec![now], unread].concat().join("; ");
        let known = format!("at {} it was {known}", last.snapshot().taken_at);
        let now = match self.trouble.since() {
            None => known,
            Some(since) => format!("since {since}: {}; {known}", self.failed),
        };
        anyhow!("{how} waiting for {condition} on horizontalpodautoscalers/{name}: {now}")
    }
}

fn is_met(condition: &Condition, explained: &Explanation) -> bool {
    match condition {
        Condition::Replicas(replicas) => explained.complete().is_some_and(|there| there.0 == *replicas),
        Condition::Stable => explained.is_stable(),
        Condition::NotBroken => {
            !matches!(explained.state(), HpaState::Broken | HpaState::Unknown | HpaState::SwitchedOff)
        }
        Condition::Code(code) => {
            let code = code.trim().to_ascii_lowercase().replace(['_', ' '], "-");
            explained.answer().codes().iter().any(|step| step.as_str() == code)
        }
    }
}
