//! `kubectl hpa explain --watch`: look after look, until somebody has seen enough.
//!
//! It asks again and again, and never leaves a watch open. The controller writes a status at most once in a sync period, so
//! that several looks in each see every one; pods' samples cannot be watched anyway; and it needs no other rights than a
//! single look, and no care for a watch that expires.

mod changes;
mod frame;
mod list;
mod news;
mod several;
mod show;
mod viewer;

use std::io::Write;
use std::time::{Duration, Instant as Moment};

use anyhow::{Context, bail};

use super::connect::connect;
use super::looks::{Clock, FIRST_PAUSE, LONGEST_PAUSE, LOOKS, SHARE, SHORTEST_PAUSE, decided};
use super::subjects::{self, Matching, Unnamed};
use super::{Ending, Screen, signals};
use crate::cli::{ConnectionArgs, ExplainArgs, SettingsArgs, SubjectArgs};
use crate::cluster::{ClusterError, Connection, Subject};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::Watch;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::Case;
pub use list::run as list;
use show::Show;
pub use viewer::Viewer;

/// Looks until somebody wants an end.
pub async fn run(
    args: &ExplainArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    if args.subjects.is_list() {
        return Box::pin(several::run(args, screen, out, err)).await;
    }
    let watching = Watching::of(&args.subjects, &args.connection, &args.settings, screen, err).await?;
    let watching = Watching { is_blamed: args.blame, ..watching };
    let mut show = Show::new(args, screen, out, err);
    let ending = tokio::select! {
        () = signals::ended() => Ok(Ending::Done),
        ended = watching.look_on(&mut show) => ended,
    };
    show.finish()?;
    ending
}

/// What goes on from look to look.
pub struct Watching<'a> {
    settings: &'a SettingsArgs,
    args: &'a ConnectionArgs,
    is_blamed: bool,
    connection: Connection,
    /// The same, with what need not be read each time: what is served, the settings, the other HPAs.
    sharing: Connection,
    subject: Subject,
    watch: Watch,
    clock: Option<Clock>,
    looks: u32,
    pause: Duration,
}

impl<'a> Watching<'a> {
    /// Of the one HPA that is meant. Nothing is looked at yet.
    pub async fn of(
        subjects: &SubjectArgs,
        args: &'a ConnectionArgs,
        settings: &'a SettingsArgs,
        screen: Screen,
        err: &mut dyn Write,
    ) -> anyhow::Result<Self> {
        let found = subjects::of_cluster(subjects, Unnamed::One, args.clone(), screen, err).await?;
        let Matching::Some(mut asked) = found else { bail!("no HPA was named") };
        let asked = asked.pop().context("no HPA was named")?;
        Ok(Self {
            settings,
            args,
            is_blamed: false,
            sharing: asked.connection.clone().sharing(),
            connection: asked.connection,
            subject: asked.subject,
            watch: Watch::new(),
            clock: None,
            looks: 0,
            pause: FIRST_PAUSE,
        })
    }

    /// What goes wrong at the first look ends it, as without `--watch`; later it is told, and tried again.
    pub async fn look_on(mut self, show: &mut dyn Viewer) -> anyhow::Result<Ending> {
        let mut failures = 0;
        loop {
            let begun = Moment::now();
            match self.look(begun).await {
                Ok((explained, since)) => {
                    failures = 0;
                    if let Some(ending) = show.answer(explained, since)? {
                        return Ok(ending);
                    }
                    self.wait_or_redraw(show, self.pause.max(begun.elapsed() * (SHARE - 1))).await?;
                }
                Err(error) => {
                    let Some(clock) = self.clock else { return Err(error) };
                    self.watch.failed();
                    show.trouble(&error, clock.at(Moment::now()))?;
                    self.reconnect(&error).await;
                    failures += 1;
                    // No longer than a sync period, or syncs would be missed.
                    let pause = self.pause * 2_u32.saturating_pow(failures).min(LOOKS);
                    self.wait_or_redraw(show, pause.min(LONGEST_PAUSE)).await?;
                }
            }
        }
    }

    async fn wait_or_redraw(&self, show: &mut dyn Viewer, pause: Duration) -> anyhow::Result<()> {
        let end = Moment::now() + pause;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(end.into()) => return Ok(()),
                () = signals::resized() => show.again()?,
            }
        }
    }

    /// What a look saw, and when it began.
    async fn look(&mut self, begun: Moment) -> anyhow::Result<(Explanation, Instant)> {
        if self.looks.is_multiple_of(LOOKS) {
            self.sharing = self.connection.clone().sharing();
        }
        let case = self.sharing.gather(&self.subject).await?;
        self.looks += 1;
        self.explain(case, begun, Moment::now())
    }

    fn explain(
        &mut self,
        case: Case,
        begun: Moment,
        ended: Moment,
    ) -> anyhow::Result<(Explanation, Instant)> {
        let clock = self.clock.map_or(Clock::set(case.at, ended), |clock| clock.corrected(case.at, ended));
        self.clock = Some(clock);
        // An HPA that was found by its target is followed by its own name.
        self.subject = Subject::Hpa(case.hpa.0.metadata.name.clone());
        let times: [Instant; 2] = [begun, ended].map(|moment| clock.at(moment));
        let explained = decided(&mut self.watch, case, self.settings, times)?;
        let period = explained.snapshot().controller.sync_period.value.nanoseconds();
        self.pause = (Duration::from_nanos(period.unsigned_abs()) / LOOKS).max(SHORTEST_PAUSE);
        if self.is_blamed {
            explained.blame();
        }
        Ok((explained, times[0]))
    }

    /// What was shared may be old by now, and credentials that are not accepted may have been renewed where they came from.
    async fn reconnect(&mut self, error: &anyhow::Error) {
        self.looks = 0;
        let is_refused = error
            .downcast_ref::<ClusterError>()
            .is_some_and(|error| matches!(error, ClusterError::Unauthenticated { .. }));
        if is_refused && let Ok(connection) = connect(self.args.clone()).await {
            self.connection = connection.in_namespace(self.connection.namespace());
        }
    }
}
