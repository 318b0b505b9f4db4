//! The world: its state.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use kubectl_hpa_core::api::{HpaSpec, HpaStatus};
use kubectl_hpa_core::model::{Instant, Memory};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::Case;

use super::draw::Draw;
use super::fields::{Owners, Who};
use super::plan::Plan;
use super::recorder::{Emitted, Recorder};
use super::refusal::Refusal;
use super::replay::Replay;
use super::rival::{Aside, Rival};
use super::spec;
use super::view;

/// Milliseconds of the world.
pub type Millis = i64;
pub const SECOND: Millis = 1_000;

pub fn instant(at: Millis) -> Instant {
    let start = 1_763_719_200_000_i128; // 2025-11-21T10:00:00Z
    Instant::from_unix_nanoseconds((start + i128::from(at)) * 1_000_000)
}

/// The other way round.
pub fn millis(at: Instant) -> Millis {
    let since = at.since(instant(0)).nanoseconds() / 1_000_000;
    Millis::try_from(since).expect("milliseconds of the world")
}

/// As the API writes times.
pub fn seconds(at: Millis) -> Instant {
    instant(at.div_euclid(SECOND) * SECOND)
}

#[derive(Clone)]
pub struct World {
    pub plan: Rc<Plan>,
    pub rules: Rc<Rules>,
    /// What every case of it has in common.
    pub skeleton: Rc<Case>,
    pub draw: Draw,
    pub now: Millis,
    pub hpa: Option<Hpa>,
    /// How many HPAs of the name there were.
    pub hpas: usize,
    pub target: Target,
    /// The target of the other name, which the HPA does not scale now.
    pub other: Option<Target>,
    /// How many targets were created.
    pub targets: usize,
    pub pods: Vec<Pod>,
    pub pods_made: usize,
    pub events: Vec<Stored>,
    pub has_deleted_events: bool,
    pub controller: Controller,
    pub faults: Faults,
    /// What is refused to the controller alone, and until when.
    pub refusals: Vec<(Millis, Refusal)>,
    /// Of that, what the last status shows.
    pub met: Vec<Refusal>,
    pub rivals: Vec<Rival>,
    /// Targets that only rivals come to.
    pub asides: Vec<Aside>,
    /// From when on load and pods stay as they are.
    pub stays_from: Option<Millis>,
    /// What all pods use together, if they share it and each is ready and measured as soon as it is there.
    pub shared: Option<i64>,
    /// What comes of acts later.
    pub later: Vec<(Millis, Later, i32)>,
    pub next_act: usize,
    /// The spec whose behavior is soon set back.
    pub set_back: Option<HpaSpec>,
    /// What was done, the rescales of the controller included.
    pub log: Vec<Done>,
    /// When the controller scaled, and from which size.
    pub rescales: Vec<(Millis, i32)>,
    /// When its syncs began.
    pub syncs: Vec<Millis>,
    /// When its status was written.
    pub written: Vec<Millis>,
    /// What chance goes by if the same plan is run more than once.
    pub replay: Option<Rc<Replay>>,
}

pub type Later = fn(&mut World, i32);

/// The HPA as it is stored.
#[derive(Clone)]
pub struct Hpa {
    pub created: Millis,
    pub generation: i64,
    pub spec: HpaSpec,
    pub status: HpaStatus,
    pub fields: Owners,
}

/// The target, and its own controller's part.
#[derive(Clone)]
pub struct Target {
    pub name: &'static str,
    /// Stands for its uid.
    pub number: usize,
    pub created: Millis,
    /// 1 more with each change of its spec.
    pub generation: i64,
    pub replicas: i32,
    pub fields: Owners,
    /// Its replica sets, by their number: the last is the newest.
    pub sets: Vec<(usize, i32)>,
    /// When its controller acts.
    pub reacts: Option<Millis>,
}

#[derive(Clone)]
pub struct Pod {
    pub name: usize,
    pub ready: Millis,
    pub measured: Millis,
}

/// An event as it is stored.
#[derive(Clone)]
pub struct Stored {
    /// The target that it is about, by name; none if it is about the HPA.
    pub target: Option<&'static str>,
    /// The component that emitted it.
    pub source: &'static str,
    pub name: String,
    pub created: Millis,
    pub event: Emitted,
    pub count: i32,
    pub first: Millis,
    pub last: Millis,
    pub expires: Millis,
}

/// kube-controller-manager.
#[derive(Clone)]
pub struct Controller {
    pub runs: bool,
    pub started: Millis,
    pub memory: Memory,
    /// The selectors of HPAs by their names; none for one that no sync has got as far as its metrics of (upstream
    /// `hpaSelectorStore`).
    pub held: BTreeMap<&'static str, Option<String>>,
    pub next_sync: Option<Millis>,
    pub recorder: Recorder,
    pub target_recorder: Recorder,
}

/// What will go wrong.
#[derive(Clone, Default)]
pub struct Faults {
    pub away_until: Millis,
    pub scale_writes: u8,
    pub scale_reads: u8,
    /// Somebody sets the replicas to this between the controller's read and its write.
    pub scale_conflict: Option<i32>,
    pub conflicts: u8,
    pub status_writes: u8,
    /// An edit that is under way makes the next write of a status fail.
    pub is_edited_meanwhile: bool,
    /// Until the next sync.
    pub is_late: bool,
    pub refused_events: u8,
    /// The target cannot be found until then.
    pub missing_until: Option<Millis>,
    /// No more pods than this until then.
    pub quota: Option<(Millis, usize)>,
    /// So many syncs wait long for the API.
    pub slow_syncs: u8,
    /// Until then an admission webhook stores no more replicas than this when the controller scales.
    pub cap: Option<(Millis, i32)>,
    /// Which metrics API does not answer until then.
    pub metric: Option<(Millis, Failing)>,
    /// What follows the next rescale, how soon.
    pub after_rescale: Option<(Millis, Later, i32)>,
}

/// What a metrics API does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    Samples,
    Queue,
}

#[derive(Clone, Debug)]
pub struct Done {
    pub at: Millis,
    pub what: &'static str,
    pub detail: String,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", instant(self.at), self.what, self.detail)
    }
}

impl World {
    pub fn new(plan: Plan) -> Self {
        let rules = Rules::for_version(plan.version, &BTreeMap::new()).expect("rules");
        let controller = Controller::new(rules.drops_types_apart);
        let draw = Draw::new(plan.seed ^ 0x5eed);
        let mut world = Self {
            rules: Rc::new(rules),
            skeleton: Rc::new(view::skeleton(&plan)),
            draw,
            now: 0,
            hpa: None,
            hpas: 0,
            target: Target::new("web", 0, plan.replicas, if plan.is_new { 0 } else { -600 * SECOND }),
            other: None,
            targets: 1,
            pods: Vec::new(),
            pods_made: 0,
            events: Vec::new(),
            has_deleted_events: false,
            controller,
            faults: Faults::default(),
            refusals: Vec::new(),
            met: Vec::new(),
            rivals: Vec::new(),
            asides: vec![
                Aside { name: "idle", replicas: 0, selector: "app=idle" },
                Aside { name: "api", replicas: 3, selector: "app=api" },
            ],
            stays_from: None,
            shared: None,
            later: Vec::new(),
            next_act: 0,
            set_back: None,
            log: Vec::new(),
            rescales: Vec::new(),
            syncs: Vec::new(),
            written: Vec::new(),
            replay: None,
            plan: Rc::new(plan),
        };
        world.controller.started = -world.draw.between(0, 3_000) * SECOND;
        world.settle_pods(-1_000 * SECOND);
        let spec = spec::first(&world.plan);
        world.create_hpa(spec);
        if world.plan.is_new {
            world.make_target("web");
        } else {
            world.show_creation();
            world.target.generation += world.plan.edits;
        }
        world
    }

    pub fn done(&mut self, what: &'static str, detail: String) {
        self.log.push(Done { at: self.now, what, detail });
    }

    /// Whether the target cannot be found.
    pub fn misses_target(&self) -> bool {
        self.faults.missing_until.is_some_and(|until| self.now < until)
    }

    /// Whether this metrics API does not answer. For as long as the load stays, nor does that.
    pub fn fails(&self, what: Failing) -> bool {
        self.faults.metric.is_some_and(|(until, fails)| fails == what && self.seen_at() < until)
    }

    /// The instant at which load and pods are looked at.
    pub fn seen_at(&self) -> Millis {
        self.stays_from.unwrap_or(self.now)
    }

    pub fn minor(&self) -> i32 {
        self.plan.version.split('.').nth(1).and_then(|minor| minor.parse().ok()).expect("a version")
    }

    /// Whether the API server counts the HPA's generations, and each brings a sync at once.
    pub fn counts_generations(&self) -> bool {
        self.minor() >= 37
    }
}

impl Target {
    pub fn new(name: &'static str, number: usize, replicas: i32, created: Millis) -> Self {
        let mut fields = Owners::default();
        let took = ["spec.replicas".to_owned(), "annotations".to_owned()];
        fields.update(Who::update("kubectl-client-side-apply"), &took, &[], created);
        let sets = vec![(100 * number, replicas)];
        Self { name, number, created, generation: 1, replicas, fields, sets, reacts: None }
    }
}

impl Controller {
    fn new(types_apart: bool) -> Self {
        Self {
            runs: true,
            started: 0,
            memory: Memory::default(),
            held: BTreeMap::new(),
            next_sync: None,
            recorder: Recorder::new(types_apart),
            target_recorder: Recorder::new(types_apart),
        }
    }
}
