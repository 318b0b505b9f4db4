//! Moves a world from sync to sync.

use std::collections::VecDeque;

use super::load::Load;
use super::pods::{Pods, Samples};
use super::reading::{Taken, answer, show, take};
use super::world::World;
use crate::engine::decide;
use crate::model::{Duration, Instant};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::status::{Report, advance, report};
use crate::trace::Decision;

/// So many pods are played at most.
const PODS: usize = 100_000;

/// So many syncs are played at most.
pub const MOST_SYNCS: usize = 10_000_000;

/// Why a world cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The target's scale or its pods could not be read.
    #[error("cannot simulate ahead: the scale or the pods of the target are unknown")]
    Unread,
    /// More syncs than are played: a year of the default period has two million.
    #[error("cannot simulate ahead: {0} syncs are more than {MOST_SYNCS}; a shorter --over ends this")]
    TooManySyncs(usize),
    /// A period is not more than 0.
    #[error("cannot simulate ahead: the sync period must be more than 0")]
    NoPeriod,
    /// There is no pod to copy.
    #[error("cannot simulate ahead: the target has no pods, so their requests are unknown")]
    NoPod,
    /// The controller counts no sample of a metric, so that nobody knows today's load.
    #[error("cannot simulate ahead: no sample of {0:?} counts yet, so today's load is not known")]
    NoLoad(String),
    /// A sample is below 0, or their total does not fit the API's numbers.
    #[error("cannot simulate ahead: the samples of {0:?} have no total from 0 to {max}", max = i64::MAX / 1000)]
    NoTotal(String),
    /// A load curve is shares of today's load, and there is none.
    #[error(
        "cannot simulate ahead: {0:?} has no load today, and every share of 0 stays 0; set one first with --metric or --usage"
    )]
    NothingToScale(String),
    /// More pods than are played.
    #[error("cannot simulate ahead: more than {PODS} replicas would be set; a lower --max ends this")]
    TooManyPods,
    /// A backlog without a metric that can be one.
    #[error("--backlog needs an Object or External metric, and no such metric has a value")]
    NoBacklog,
    /// A name is that of no metric that is played; those that are.
    #[error("no metric {0:?} is measured: expected {1}")]
    NoSuchMetric(String, String),
}

/// One sync, decided.
#[derive(Debug)]
pub struct Synced {
    /// The time since the first sync.
    pub at: Duration,
    /// What the controller decides.
    pub decision: Decision,
    /// What it writes.
    pub report: Report,
}

/// A world on its way. What it shows stands in [`Player::snapshot`].
#[derive(Debug)]
pub struct Player<'a> {
    world: World,
    rules: &'a Rules,
    start: Instant,
    /// All but the pods, which stand in `pods` between two syncs.
    snapshot: Snapshot,
    pods: Pods,
    now: Duration,
    synced: usize,
    next_reading: Duration,
    last_reading: Duration,
    backlogs: Vec<i128>,
    unseen: VecDeque<Taken>,
    is_rolling: bool,
    last: Option<Synced>,
}

impl<'a> Player<'a> {
    /// At the first sync, which looks at the snapshot as it is.
    ///
    /// # Errors
    /// The world or its beginning does not tell enough.
    pub fn start(mut snapshot: Snapshot, world: World, rules: &'a Rules) -> Result<Self, Unplayable> {
        if world.sync_period <= Duration::ZERO || world.readings.resolution <= Duration::ZERO {
            return Err(Unplayable::NoPeriod);
        }
        let Ok(listed) = snapshot.pods.as_mut().map(std::mem::take) else { return Err(Unplayable::Unread) };
        if snapshot.scale.is_err() {
            return Err(Unplayable::Unread);
        }
        let samples = Samples::of(&snapshot, &listed);
        let pods = Pods::new(snapshot.taken_at, listed.into(), &world.existing, samples);
        let waits = |load: &Load| load.backlog.map_or(0, |backlog| backlog.start.0.into());
        Ok(Self {
            rules,
            start: snapshot.taken_at,
            snapshot,
            pods,
            now: Duration::ZERO,
            synced: 0,
            next_reading: world.readings.first,
            last_reading: Duration::ZERO,
            backlogs: world.loads.iter().map(waits).collect(),
            unseen: VecDeque::new(),
            is_rolling: false,
            last: None,
            world,
        })
    }

    /// By which rules each sync is decided.
    #[must_use]
    pub fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// What the last sync looked at.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// How many syncs there are, the first one included.
    #[must_use]
    pub fn syncs(&self) -> usize {
        self.world.syncs
    }

    /// The time between two syncs.
    #[must_use]
    pub fn sync_period(&self) -> Duration {
        self.world.sync_period
    }

    /// The last sync.
    #[must_use]
    pub fn last(&self) -> Option<&Synced> {
        self.last.as_ref()
    }

    /// The next sync; `None` after the last one.
    pub fn sync(&mut self) -> Option<&Synced> {
        if self.synced >= self.world.syncs {
            return None;
        }
        self.synced += 1;
        let next = self.last.as_ref().map(|last| last.at.plus(self.world.sync_period));
        self.sync_at(next.unwrap_or_default())
    }

    /// A sync at a time after the last one, of a world in which nothing but time moves until then: of its readings, which
    /// are all alike, only that of this instant is made.
    pub fn rest_until(&mut self, at: Duration) -> Option<&Synced> {
        self.next_reading = at;
        self.sync_at(at)
    }

    /// A sync at a time after the last one; `None` where there would be too many pods to play.
    pub fn sync_at(&mut self, at: Duration) -> Option<&Synced> {
        // The first one looks at the snapshot as it is.
        if let Some(last) = self.last.take() {
            self.leave(&last);
            self.move_to(at);
        }
        if self.is_full() {
            return None;
        }
        self.snapshot.taken_at = self.start + self.now;
        answer(&mut self.snapshot, &mut self.pods);
        self.snapshot.pods = Ok(std::mem::take(&mut self.pods.listed).into());
        let decision = decide(&self.snapshot, self.rules);
        let report = report(&self.snapshot, &decision, self.rules);
        Some(self.last.insert(Synced { at: self.now, decision, report }))
    }

    /// What a sync leaves: memory, status and replicas, which the target follows.
    fn leave(&mut self, last: &Synced) {
        if let Ok(listed) = &mut self.snapshot.pods {
            self.pods.listed = std::mem::take(listed).into();
        }
        advance(&mut self.snapshot, &last.decision, &last.report);
        let replicas = self.replicas().min(PODS);
        if self.is_rolling {
            self.roll(replicas);
        } else {
            self.pods.follow(replicas, &self.world, self.now);
        }
    }

    /// Whether more replicas are asked for than pods can be played.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.replicas() > PODS
    }

    fn replicas(&self) -> usize {
        let replicas = self.snapshot.scale.as_ref().map_or(0, |scale| scale.replicas.0);
        usize::try_from(replicas).unwrap_or(0)
    }

    fn roll(&mut self, replicas: usize) {
        if let Some(rollout) = self.world.rollout {
            self.is_rolling = !rollout.step(&mut self.pods, &self.world, replicas, self.now);
        }
    }

    /// All that happens up to an instant, that one included.
    fn move_to(&mut self, end: Duration) {
        while let Some(next) = self.next().filter(|next| *next <= end) {
            self.now = next;
            self.happen();
        }
        self.now = end;
        self.pods.sweep();
        let active = i32::try_from(self.pods.count_active(None)).unwrap_or(i32::MAX);
        if let Ok(scale) = &mut self.snapshot.scale {
            scale.observed.0 = active;
        }
    }

    /// When something happens next.
    fn next(&self) -> Option<Duration> {
        let rollout = self.world.rollout.map(|rollout| rollout.at).filter(|at| *at > self.now);
        let seen = self.unseen.front().map(|taken| taken.visible);
        // The last of all durations has none after it.
        let reading = Some(self.next_reading).filter(|at| *at > self.last_reading);
        [self.pods.next(), rollout, reading, seen].into_iter().flatten().min()
    }

    /// All that happens at one instant.
    fn happen(&mut self) {
        let has_changed = self.pods.change(self.now);
        let begins = self.world.rollout.is_some_and(|rollout| rollout.at == self.now);
        if begins {
            self.pods.grow_old();
        }
        if begins || (self.is_rolling && has_changed) {
            self.roll(self.replicas());
        }
        let sees = self.unseen.front().is_some_and(|taken| taken.visible <= self.now);
        if sees || self.next_reading == self.now {
            self.pods.sweep();
        }
        if self.next_reading == self.now {
            self.read();
        }
        while self.unseen.front().is_some_and(|taken| taken.visible <= self.now) {
            let Some(taken) = self.unseen.pop_front() else { break };
            show(&taken, &mut self.pods, &mut self.snapshot, &self.world);
        }
    }

    fn read(&mut self) {
        let passed = self.now.nanoseconds() - self.last_reading.nanoseconds();
        let ready = i128::try_from(self.pods.count_ready(None)).unwrap_or(i128::MAX);
        for (load, waits) in self.world.loads.iter().zip(&mut self.backlogs) {
            if let Some(backlog) = load.backlog {
                *waits = load.backlog(backlog, *waits, self.now, passed, ready);
            }
        }
        let taken = take(&mut self.pods, &self.world, &self.backlogs, self.start, self.now);
        self.unseen.push_back(taken);
        self.last_reading = self.now;
        self.next_reading = self.now.plus(self.world.readings.resolution);
    }
}
