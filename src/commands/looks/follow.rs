//! Looks at any number of HPAs, again and again, and who takes what they see.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant as Moment};

use futures::StreamExt;

use super::Place;
use super::clock::Clock;
use super::pace::{FIRST_PAUSE, LOOKS, SHARE, SHORTEST_PAUSE};
use super::trouble::{Trouble, failing};
use crate::cli::{ConnectionArgs, SubjectArgs};
use crate::cluster::{ClusterError, Subject};
use crate::commands::clusters::{Clusters, Found};
use crate::commands::manifest;
use crate::commands::subjects::{self, Asked};
use crate::commands::{Ending, signals};
use crate::render;
use kubectl_hpa_core::model::{self, Instant};
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::trace::Unread;

/// Who takes what looks see.
pub trait Follower {
    /// Takes a case, and when its look began and ended. Only what cannot be written on ends the looks.
    fn see(&mut self, place: &Place, case: Case, times: [Instant; 2]) -> anyhow::Result<Told>;

    /// An HPA was not read, so that the controller may have decided unseen; the look ended at this time.
    fn miss(&mut self, place: &Place, now: Option<Instant>) -> anyhow::Result<()>;

    /// An HPA is gone.
    fn lose(&mut self, place: &Place, now: Option<Instant>) -> anyhow::Result<()>;

    /// Each HPA has been looked at.
    fn look_ended(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

/// What a follower tells of a case.
#[derive(Default)]
pub struct Told {
    /// The controller's sync period, if it is known.
    pub period: Option<model::Duration>,
    /// Why nothing was decided.
    pub trouble: Option<anyhow::Error>,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

/// Looks until somebody wants an end, or the time is over.
pub async fn follow(
    connection: &ConnectionArgs,
    subjects: &SubjectArgs,
    time: Option<Duration>,
    follower: &mut dyn Follower,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let mut looks = Looks {
        connection,
        subjects,
        follower,
        err,
        hpas: BTreeMap::new(),
        trouble: Trouble::default(),
        clock: None,
        pause: FIRST_PAUSE,
        look: 0,
        said: Vec::new(),
        unread: Vec::new(),
    };
    let over = async {
        match time {
            Some(time) => tokio::time::sleep(time).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = signals::ended() => Ok(Ending::Done),
        () = over => Ok(Ending::Done),
        ended = looks.look_on() => ended,
    }
}

struct Looks<'a> {
    connection: &'a ConnectionArgs,
    subjects: &'a SubjectArgs,
    follower: &'a mut dyn Follower,
    err: &'a mut dyn Write,
    /// Each HPA that is followed, with the last look that saw it.
    hpas: BTreeMap<Place, u64>,
    trouble: Trouble,
    clock: Option<Clock>,
    pause: Duration,
    look: u64,
    /// What goes wrong at this look.
    said: Vec<String>,
    /// What could not be read of HPAs on which nothing is decided.
    unread: Vec<Unread>,
}

impl Looks<'_> {
    async fn look_on(&mut self) -> anyhow::Result<Ending> {
        let clusters = Clusters::of(self.connection);
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
        let (mut is_whole, subjects) = (true, self.subjects);
        let mut found = clusters.read_ahead(subjects, subjects::gathered);
        while let Some(found) = found.next().await {
            match found {
                Found::Hpa(read) => match *read {
                    (asked, Ok(case)) => self.take(&asked, case, begun)?,
                    (asked, Err(error)) if self.look == 1 && !subjects.is_query() => {
                        return Err(asked.labeled_error(error.into()));
                    }
                    (asked, Err(error)) => {
                        is_whole &= self.miss(&asked, &error)?;
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
        self.follower.look_ended()?;
        self.tell()
    }

    /// Notes that an HPA could not be read. Whether it is known which one that is: if so, it is gone, or kept as one that the
    /// controller may have decided on unseen.
    fn miss(&mut self, asked: &Asked, error: &ClusterError) -> anyhow::Result<bool> {
        let Subject::Hpa(name) = &asked.subject else { return Ok(false) };
        let place = (Some(asked.connection.origin()), asked.connection.namespace().to_owned(), name.clone());
        if let Some(look) =
            self.hpas.get_mut(&place).filter(|_| !matches!(error, ClusterError::NoSuchHpa { .. }))
        {
            *look = self.look;
            let now = self.now();
            self.follower.miss(&place, now)?;
        }
        Ok(true)
    }

    fn now(&self) -> Option<Instant> {
        self.clock.map(|clock| clock.at(Moment::now()))
    }

    fn take(&mut self, asked: &Asked, case: Case, begun: Moment) -> anyhow::Result<()> {
        let ended = Moment::now();
        let clock = self.clock.map_or(Clock::set(case.at, ended), |clock| clock.corrected(case.at, ended));
        self.clock = Some(clock);
        let metadata = &case.hpa.0.metadata;
        let place = (case.origin.clone(), metadata.namespace.to_string(), metadata.name.clone());
        let times: [Instant; 2] = [begun, ended].map(|moment| clock.at(moment));
        let told = self.follower.see(&place, case, times)?;
        self.hpas.insert(place, self.look);
        if let Some(period) = told.period {
            self.pause =
                (Duration::from_nanos(period.nanoseconds().unsigned_abs()) / LOOKS).max(SHORTEST_PAUSE);
        }
        if let Some(error) = told.trouble {
            self.say(&asked.labeled_error(error));
        }
        self.unread.extend(told.unread);
        Ok(())
    }

    /// Of an HPA that is gone nothing is kept; of one that could not be read the controller may have changed its mind unseen.
    fn forget(&mut self, is_whole: bool) -> anyhow::Result<()> {
        let (look, now) = (self.look, self.now());
        for place in self.hpas.iter().filter(|(_, seen)| **seen < look).map(|(place, _)| place) {
            if is_whole {
                self.follower.lose(place, now)?;
                let (_, namespace, name) = place;
                let now = now.unwrap_or_else(manifest::now);
                writeln!(
                    self.err,
                    "{now}  HPA {}/{} is gone",
                    render::sanitize(namespace),
                    render::sanitize(name)
                )?;
            } else {
                self.follower.miss(place, now)?;
            }
        }
        if is_whole {
            self.hpas.retain(|_, seen| *seen == look);
        }
        Ok(())
    }

    fn say(&mut self, error: &anyhow::Error) {
        self.said.push(failing(&format!("{error:#}")));
    }

    /// Tells of what went wrong, once.
    fn tell(&mut self) -> anyhow::Result<()> {
        let notes = render::undecided_notes(self.unread.iter());
        self.said.extend(notes.iter().map(|note| format!("note: {}", render::sanitize(note))));
        self.unread.clear();
        let now = self.now().unwrap_or_else(manifest::now);
        Ok(self.trouble.tell(now, std::mem::take(&mut self.said), self.err)?)
    }
}
