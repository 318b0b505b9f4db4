//! `explain --watch --changes` of several HPAs: a line for each change of the replicas of any of them.

use std::collections::BTreeMap;
use std::io::Write;
use std::rc::Rc;
use std::time::{Duration, Instant as Moment};

use futures::StreamExt;

use super::changes;
use super::clock::Clock;
use super::news::Place;
use super::{FIRST_PAUSE, LOOKS, SHARE, SHORTEST_PAUSE, decided};
use crate::cli::ExplainArgs;
use crate::cluster::{ClusterError, Subject};
use crate::commands::clusters::{Clusters, Found};
use crate::commands::subjects::{self, Asked};
use crate::commands::{Ending, Screen, signals};
use crate::render;
use kubectl_hpa_core::comparison::{Look, Trail};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::Watch;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::trace::Unread;

/// Looks until somebody wants an end.
pub async fn run(
    args: &ExplainArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let hpas = BTreeMap::new();
    let trouble = String::new();
    let mut log = Log {
        args,
        screen,
        out,
        err,
        hpas,
        trouble,
        clock: None,
        pause: FIRST_PAUSE,
        look: 0,
        said: Vec::new(),
        unread: Vec::new(),
    };
    let ending = tokio::select! {
        () = signals::ended() => Ok(Ending::Done),
        ended = log.look_on() => ended,
    };
    log.finish()?;
    ending
}

/// What is kept of an HPA from look to look.
#[derive(Default)]
struct Followed {
    watch: Watch,
    trail: Trail,
    /// The last look that saw it.
    look: u64,
}

/// Where the changes are written.
struct Log<'a> {
    args: &'a ExplainArgs,
    screen: Screen,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    hpas: BTreeMap<Place, Followed>,
    /// What went wrong at the last look.
    trouble: String,
    clock: Option<Clock>,
    pause: Duration,
    look: u64,
    /// What goes wrong at this look.
    said: Vec<String>,
    /// What could not be read of HPAs on which nothing is decided.
    unread: Vec<Unread>,
}

impl Log<'_> {
    async fn look_on(&mut self) -> anyhow::Result<Ending> {
        let clusters = Clusters::of(&self.args.connection);
        loop {
            let begun = Moment::now();
            self.look(&clusters, begun).await?;
            let pause = self.pause.max(begun.elapsed() * (SHARE - 1));
            tokio::time::sleep(pause).await;
        }
    }

    /// At the first look an error of a list or of a named HPA ends it. All other errors are reported, and it tries again.
    async fn look(&mut self, clusters: &Clusters, begun: Moment) -> anyhow::Result<()> {
        self.look += 1;
        let (mut is_whole, args) = (true, self.args);
        let mut found = clusters.read_ahead(&args.subjects, subjects::gathered);
        while let Some(found) = found.next().await {
            match found {
                Found::Hpa(read) => match *read {
                    (asked, Ok(case)) => self.take(&asked, case, begun)?,
                    (asked, Err(error)) if self.look == 1 && !args.subjects.is_query() => {
                        return Err(asked.labeled_error(error.into()));
                    }
                    (asked, Err(error)) => {
                        is_whole &= self.miss(&asked, &error);
                        self.say(&asked.labeled_error(error.into()));
                    }
                },
                Found::Failed(unread) if self.look == 1 => return Err(unread.into_error()),
                Found::Nothing(namespace) if self.look == 1 => {
                    subjects::none(namespace.as_deref(), self.err)?;
                }
                Found::Failed(unread) => {
                    is_whole = false;
                    self.say(&unread.into_error());
                }
                Found::Nothing(_) => {}
            }
        }
        drop(found);
        self.forget(is_whole)?;
        self.tell()
    }

    /// Notes that an HPA could not be read. Whether it is known which one that is: if so, it is gone, or kept as one that the
    /// controller may have decided on unseen.
    fn miss(&mut self, asked: &Asked, error: &ClusterError) -> bool {
        let Subject::Hpa(name) = &asked.subject else { return false };
        let place = (Some(asked.connection.origin()), asked.connection.namespace().to_owned(), name.clone());
        if let Some(followed) =
            self.hpas.get_mut(&place).filter(|_| !matches!(error, ClusterError::NoSuchHpa { .. }))
        {
            followed.look = self.look;
            followed.watch.failed();
        }
        true
    }

    fn take(&mut self, asked: &Asked, case: Case, begun: Moment) -> anyhow::Result<()> {
        let ended = Moment::now();
        let clock = self.clock.map_or(Clock::set(case.at, ended), |clock| clock.corrected(case.at, ended));
        self.clock = Some(clock);
        let metadata = &case.hpa.0.metadata;
        let place = (case.origin.clone(), metadata.namespace.clone(), metadata.name.clone());
        let times: [Instant; 2] = [begun, ended].map(|moment| clock.at(moment));
        let followed = self.hpas.entry(place).or_default();
        followed.look = self.look;
        match decided(&mut followed.watch, case, &self.args.settings, times) {
            Ok(explained) => {
                self.unread.extend(explained.decision().outcome.unread().cloned());
                self.see(explained, times[0])
            }
            Err(error) => {
                self.say(&asked.labeled_error(error));
                Ok(())
            }
        }
    }

    fn see(&mut self, explained: Explanation, begun: Instant) -> anyhow::Result<()> {
        let snapshot = explained.snapshot();
        let period = snapshot.controller.sync_period.value.nanoseconds();
        self.pause = (Duration::from_nanos(period.unsigned_abs()) / LOOKS).max(SHORTEST_PAUSE);
        let key = &snapshot.hpa.key;
        let place = (snapshot.origin.clone(), key.namespace.to_string(), key.name.to_string());
        let followed = self.hpas.entry(place).or_default();
        let told = followed.trail.see(Look { begun, explained: Rc::new(explained) });
        changes::write(self.out, &told, self.args, self.screen)
    }

    /// Of an HPA that is gone nothing is kept; of one that could not be read the controller may have changed its mind unseen.
    fn forget(&mut self, is_whole: bool) -> anyhow::Result<()> {
        let unseen = self.hpas.values_mut().filter(|followed| followed.look < self.look);
        for followed in unseen {
            followed.watch.failed();
            if is_whole {
                changes::write(self.out, &followed.trail.end(), self.args, self.screen)?;
            }
        }
        if is_whole {
            self.hpas.retain(|_, followed| followed.look == self.look);
        }
        Ok(())
    }

    /// Writes the changes that nothing has made clear so far.
    fn finish(&mut self) -> anyhow::Result<()> {
        for followed in self.hpas.values_mut() {
            changes::write(self.out, &followed.trail.end(), self.args, self.screen)?;
        }
        Ok(())
    }

    fn say(&mut self, error: &anyhow::Error) {
        let text = format!("{error:#}");
        let line = render::sanitize(text.lines().next().unwrap_or_default()).into_owned();
        self.said.push(format!("{line}; trying again\n"));
    }

    /// Tells of what went wrong, once.
    fn tell(&mut self) -> anyhow::Result<()> {
        let notes = render::undecided_notes(self.unread.iter());
        self.said.extend(notes.iter().map(|note| format!("note: {}\n", render::sanitize(note))));
        self.unread.clear();
        let now = self.said.concat();
        self.said.clear();
        let before = std::mem::replace(&mut self.trouble, now);
        if self.trouble.is_empty() && !before.is_empty() {
            writeln!(self.err, "answers again")?;
        } else if self.trouble != before {
            self.err.write_all(self.trouble.as_bytes())?;
        }
        Ok(())
    }
}
