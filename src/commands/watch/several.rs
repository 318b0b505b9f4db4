//! `explain --watch --changes` of several HPAs: a line for each change of the replicas of any of them.

use std::io::Write;

use super::changes;
use crate::cli::ExplainArgs;
use crate::commands::looks::{Follower, Place, Told, Trails, follow};
use crate::commands::{Ending, Screen};
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::Case;

/// Looks until somebody wants an end.
pub async fn run(
    args: &ExplainArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let mut log = Log { args, screen, out, trails: Trails::default() };
    let ending = follow(&args.connection, &args.subjects, None, &mut log, err).await;
    // Those that nothing has made clear so far.
    let rest = log.trails.end();
    changes::write(log.out, &rest, args, screen)?;
    ending
}

/// Where the changes are written.
struct Log<'a> {
    args: &'a ExplainArgs,
    screen: Screen,
    out: &'a mut dyn Write,
    trails: Trails,
}

impl Follower for Log<'_> {
    fn see(&mut self, place: &Place, case: Case, times: [Instant; 2]) -> anyhow::Result<Told> {
        let seen = match self.trails.see(place, case, times, &self.args.settings) {
            Ok(seen) => seen,
            Err(error) => return Ok(Told { trouble: Some(error), ..Told::default() }),
        };
        changes::write(self.out, &seen.changes, self.args, self.screen)?;
        let explained = &seen.explained;
        Ok(Told {
            period: Some(explained.snapshot().controller.sync_period.value),
            trouble: None,
            unread: explained.decision().outcome.unread().cloned().into_iter().collect(),
        })
    }

    fn miss(&mut self, place: &Place, _: Option<Instant>) -> anyhow::Result<()> {
        self.trails.miss(place);
        Ok(())
    }

    fn lose(&mut self, place: &Place, _: Option<Instant>) -> anyhow::Result<()> {
        changes::write(self.out, &self.trails.lose(place), self.args, self.screen)
    }
}
