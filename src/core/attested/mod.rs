//! What the controller itself says of its reads, its writes and its rivals, if the reader meets something else.
//!
//! The reader may be an administrator, and the controller may not list a metric: then its last status says so, and a decision
//! on what the reader has read would be another's. The rules:
//!
//! | sign | what follows | file |
//! | a failing status of this spec, which a sync that decides otherwise would have replaced | the next sync fails, too, if the error names the user and two syncs have left it, or the API server says that the right is missing now | `faults`, `standing` |
//! | the same, of an error that may have been everybody's, or younger | the next sync fails or does not: an interval | `faults` |
//! | what other HPAs' statuses, bounds and counts show of their syncs | which selectors the controller compares with | `selectors` |
//! | the Lease, `--controllers`, no status in time | whether there is a next sync | `at_work` |
//! | several controllers without leader election | the status and the events are of any of them: the memory is not known | `mod` |
//!
//! What is certain is put into the snapshot, so that everything after it follows; what is open is decided both ways.

mod at_work;
mod faults;
mod selectors;
mod standing;

pub use at_work::{Idle, IdleSign};
pub use faults::{About, Fault};

use crate::model::Replicas;
use crate::rules::Rules;
use crate::snapshot::{HpaKey, Scale, Snapshot};
use selectors::Rivals;

/// What the controller's own words show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attested {
    /// Reads and writes that fail for the controller, and not for the reader.
    pub faults: Vec<Fault>,
    /// The scale that the reader has read, if the controller cannot.
    pub scale: Option<Scale>,
    /// Lowest and highest replicas that it would decide without the faults.
    pub otherwise: Option<(Replicas, Replicas)>,
    /// Why no controller is at work.
    pub idle: Option<Idle>,
    /// Whether several controllers work on the HPA at the same time, each with a memory of its own.
    pub is_shared: bool,
    rivals: Rivals,
}

impl Attested {
    /// Reads the signs of a snapshot. Whoever states the memory of a controller at work knows what it can do.
    #[must_use]
    pub fn of(snapshot: &Snapshot, rules: &Rules) -> Self {
        let idle = at_work::idle(snapshot);
        if snapshot.is_stated {
            return Self { idle, ..Self::default() };
        }
        Self {
            faults: Fault::all(snapshot, rules),
            rivals: Rivals::of(snapshot, rules),
            idle,
            is_shared: snapshot.controller.is_shared(),
            ..Self::default()
        }
    }

    /// Whether the reader's own reads are all there is to it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty() && self.idle.is_none() && !self.is_shared && self.rivals.are_plain()
    }

    /// Whether its last sync failed by what the reader does not meet, or by what is open now.
    #[must_use]
    pub fn failed_last(&self) -> bool {
        !self.faults.is_empty() || self.rivals.stopped_last
    }

    /// Whether it is certain that no controller is at work.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.idle.as_ref().is_some_and(|idle| idle.is_certain)
    }

    /// These signs with a controller at work, if it is certain that none is, else with whatever it lacks; `None` if it lacks
    /// nothing for certain.
    #[must_use]
    pub fn mended(&self) -> Option<Self> {
        if self.is_idle() {
            return Some(Self { idle: None, ..self.clone() });
        }
        let lacks = self.faults.iter().any(|fault| fault.is_certain);
        lacks.then(|| Self { faults: Vec::new(), ..self.clone() })
    }

    /// Whether it is not known what the next syncs meet, or whether another HPA sets the replicas in between.
    #[must_use]
    pub fn is_unsteady(&self) -> bool {
        let rivals = &self.rivals;
        self.idle.is_some()
            || self.is_shared
            || self.open_faults().next().is_some()
            || self.faults.iter().any(|fault| fault.about == About::Update)
            || !rivals.open.is_empty()
            || !rivals.unknown.is_empty()
            || rivals.may_rescale
    }

    /// The other HPAs of which it is not known whether the controller compares its pods with theirs.
    #[must_use]
    pub fn open_rivals(&self) -> &[HpaKey] {
        &self.rivals.open
    }

    /// True if it is an earlier selector of this other HPA that matches the same pods, not its present one.
    #[must_use]
    pub fn is_earlier_rival(&self, key: &HpaKey) -> bool {
        self.rivals.earlier.contains(key)
    }

    /// The other HPAs that selected the same pods earlier, which is what the controller holds of them.
    pub fn earlier_rivals(&self) -> impl Iterator<Item = &HpaKey> {
        self.rivals.held.iter().filter(|key| self.is_earlier_rival(key))
    }

    /// The other HPAs that select the same pods, and that the controller does not know: both run.
    #[must_use]
    pub fn unknown_rivals(&self) -> &[HpaKey] {
        &self.rivals.unknown
    }

    /// The faults of which it is not known whether the next sync meets them: an update of another size may pass.
    pub fn open_faults(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter().filter(|fault| !fault.is_certain || fault.may_depend_on_size())
    }

    /// Puts what is certain into a snapshot, but for updates that may be refused for their size: they depend on the decision.
    pub fn apply(&mut self, snapshot: &mut Snapshot) {
        if !self.rivals.are_plain() {
            self.rivals.apply(snapshot, false);
        }
        for fault in self.faults.iter().filter(|fault| fault.is_certain && !fault.may_depend_on_size()) {
            if fault.about == About::Scale {
                self.scale = snapshot.scale.as_ref().ok().cloned();
            }
            fault.apply(snapshot);
        }
    }

    /// The worlds that may be instead of a snapshot's, for what is open.
    #[must_use]
    pub fn variants(&self, snapshot: &Snapshot) -> Vec<Snapshot> {
        let mut worlds = vec![snapshot.clone()];
        let mut branch = |change: &dyn Fn(&mut Snapshot)| {
            let others = worlds.iter().cloned().map(|mut world| {
                change(&mut world);
                world
            });
            worlds.extend(others.collect::<Vec<_>>());
        };
        if !self.rivals.open.is_empty() {
            branch(&|world| self.rivals.apply(world, true));
        }
        let open = self.open_faults().filter(|fault| fault.about != About::Update);
        for fault in open.take(MOST_OPEN) {
            branch(&|world| fault.apply(world));
        }
        worlds.remove(0);
        worlds
    }

    /// The fault of updates that may or may not be refused.
    #[must_use]
    pub fn refused_update(&self) -> Option<&Fault> {
        self.open_faults().find(|fault| fault.about == About::Update)
    }
}

/// With more the worlds would be too many; the rest is taken as the reader has it.
const MOST_OPEN: usize = 3;
