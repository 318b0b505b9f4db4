//! The world: its state, and how time passes in it.

use std::fmt;
use std::rc::Rc;

use kubectl_hpa::api::{HpaSpec, HpaStatus};
use kubectl_hpa::model::{Instant, Memory};
use kubectl_hpa::rules::Rules;

use super::act::ACTS;
use super::draw::Draw;
use super::fields::{Owners, Who};
use super::plan::{Kind, Plan};
use super::recorder::{Emitted, Recorder};
use super::spec;

/// Milliseconds of the world.
pub type Millis = i64;
pub const SECOND: Millis = 1_000;

pub const CONTROLLER: Who = Who::through("kube-controller-manager", "scale");
const STATUS: Who = Who::through("kube-controller-manager", "status");

pub fn instant(at: Millis) -> Instant {
    let start = 1_763_719_200_000_i128; // 2025-11-21T10:00:00Z
    Instant::from_unix_nanoseconds((start + i128::from(at)) * 1_000_000)
}

/// As the API writes times.
pub fn seconds(at: Millis) -> Instant {
    instant(at.div_euclid(SECOND) * SECOND)
}

#[derive(Clone)]
pub struct World {
    pub plan: Rc<Plan>,
    pub rules: Rc<Rules>,
    pub draw: Draw,
    pub now: Millis,
    pub hpa: Option<Hpa>,
    pub target: Target,
    pub pods: Vec<Pod>,
    pub pods_made: usize,
    pub events: Vec<Stored>,
    pub controller: Controller,
    pub faults: Faults,
    /// What comes of acts later.
    pub later: Vec<(Millis, Later, i32)>,
    pub next_act: usize,
    /// What was done, the rescales of the controller included.
    pub log: Vec<Done>,
}

pub type Later = fn(&mut World, i32);

/// The HPA as it is stored.
#[derive(Clone)]
pub struct Hpa {
    pub uid: usize,
    pub created: Millis,
    pub generation: i64,
    pub spec: HpaSpec,
    pub status: HpaStatus,
    pub fields: Owners,
}

/// The target, and its own controller's part.
#[derive(Clone)]
pub struct Target {
    pub replicas: i32,
    pub fields: Owners,
    /// How large its replica set is.
    pub size: i32,
    /// When its controller sees the change.
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
    pub about_target: bool,
    pub name: String,
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
    pub conflicts: u8,
    pub dropped_events: u8,
    /// What follows the next rescale, how soon.
    pub after_rescale: Option<(Millis, Later, i32)>,
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
        let rules = Rules::for_version(plan.version, &std::collections::BTreeMap::new()).expect("rules");
        let mut draw = Draw::new(plan.seed ^ 0x5eed);
        let mut fields = Owners::default();
        fields.update(
            Who::update("kubectl-client-side-apply"),
            &["spec.replicas".to_owned(), "annotations".to_owned()],
            &[],
            -600 * SECOND,
        );
        let size = plan.replicas;
        let started = -draw.between(0, 3_000) * SECOND;
        let controller = Controller {
            runs: true,
            started,
            memory: Memory::default(),
            next_sync: None,
            recorder: Recorder::default(),
            target_recorder: Recorder::default(),
        };
        let mut world = Self {
            rules: Rc::new(rules),
            draw,
            now: 0,
            hpa: None,
            target: Target { replicas: size, fields, size, reacts: None },
            pods: Vec::new(),
            pods_made: 0,
            events: Vec::new(),
            controller,
            faults: Faults::default(),
            later: Vec::new(),
            next_act: 0,
            log: Vec::new(),
            plan: Rc::new(plan),
        };
        for _ in 0..size {
            world.make_pod(-1_000_000);
        }
        let spec = spec::first(&world.plan);
        world.create_hpa(spec);
        world
    }

    pub fn done(&mut self, what: &'static str, detail: String) {
        self.log.push(Done { at: self.now, what, detail });
    }

    /// Lets time pass, with all that happens in it.
    pub fn pass(&mut self, until: Millis) {
        while let Some((at, what)) = self.next(until) {
            self.now = self.now.max(at);
            match what {
                Due::Sync => self.sync(),
                Due::Target => self.react(),
                Due::Later(index) => {
                    let (_, then, value) = self.later.remove(index);
                    then(self, value);
                }
                Due::Act(act) => {
                    self.next_act += 1;
                    if self.now >= self.faults.away_until {
                        let (what, make) = ACTS[act];
                        let detail = make(self);
                        self.done(what, detail);
                    }
                }
            }
        }
        self.now = self.now.max(until);
    }

    /// What comes next, if it comes until then.
    fn next(&self, until: Millis) -> Option<(Millis, Due)> {
        let sync = self.controller.next_sync.filter(|_| self.controller.runs).map(|at| (at, Due::Sync));
        let target = self.target.reacts.filter(|_| self.controller.runs).map(|at| (at, Due::Target));
        let later = self.later.iter().enumerate().map(|(index, (at, _, _))| (*at, Due::Later(index)));
        let act = self.plan.acts.get(self.next_act).map(|(at, act)| (*at, Due::Act(*act)));
        let all = sync.into_iter().chain(target).chain(later).chain(act);
        all.min_by_key(|(at, _)| *at).filter(|(at, _)| *at <= until)
    }

    pub fn is_away(&self) -> bool {
        self.now < self.faults.away_until
    }

    /// The target's controller follows a change of the replicas.
    fn react(&mut self) {
        self.target.reacts = None;
        if self.is_away() {
            self.target.reacts = Some(self.faults.away_until + self.draw.between(5, 2_000));
            return;
        }
        let (from, to) = (self.target.size, self.target.replicas);
        self.target.size = to;
        if from != to && self.plan.kind == Kind::Deployment {
            let event = Emitted {
                warning: false,
                reason: "ScalingReplicaSet".to_owned(),
                message: self.scaled(from, to),
            };
            self.emit(true, &event);
        }
        while self.pods.len() > usize::try_from(to).unwrap_or_default() {
            self.pods.pop();
        }
        while self.pods.len() < usize::try_from(to).unwrap_or_default() {
            self.make_pod(self.now);
        }
    }

    fn scaled(&self, from: i32, to: i32) -> String {
        let way = if to > from { "up" } else { "down" };
        match self.minor() {
            ..=25 => format!("Scaled {way} replica set web-6d4 to {to}"),
            26..=29 => format!("Scaled {way} replica set web-6d4 to {to} from {from}"),
            _ => format!("Scaled {way} replica set web-6d4 from {from} to {to}"),
        }
    }

    pub fn minor(&self) -> i32 {
        self.plan.version.split('.').nth(1).and_then(|minor| minor.parse().ok()).expect("a version")
    }

    /// Whether the API server counts the HPA's generations, and each brings a sync at once.
    pub fn counts_generations(&self) -> bool {
        self.minor() >= 37
    }

    pub fn make_pod(&mut self, born: Millis) {
        let lag = self.plan.lag;
        let ready = born + self.draw.between(lag / 2, lag);
        let measured = ready + self.draw.between(0, lag);
        self.pods_made += 1;
        self.pods.push(Pod { name: self.pods_made, ready, measured });
    }

    /// Somebody sets the replicas.
    pub fn set_replicas(&mut self, who: Who, replicas: i32) {
        if self.target.replicas == replicas {
            return;
        }
        self.target.replicas = replicas;
        self.target.fields.update(who, &["spec.replicas".to_owned()], &[], self.now);
        let reacts = self.now + self.draw.between(5, 50);
        self.target.reacts.get_or_insert(reacts);
    }

    pub fn emit(&mut self, about_target: bool, event: &Emitted) {
        let (recorder, about) = if about_target {
            (&mut self.controller.target_recorder, "web 0".to_owned())
        } else {
            (&mut self.controller.recorder, format!("web {}", self.hpa.as_ref().map_or(0, |hpa| hpa.uid)))
        };
        let Some(recorded) = recorder.record(&about, event, self.now, &mut self.draw) else { return };
        if self.faults.dropped_events > 0 {
            self.faults.dropped_events -= 1;
            return;
        }
        let lives = 3_600 * SECOND + self.draw.between(0, 60 * SECOND);
        let stored = Stored {
            about_target,
            name: recorded.name,
            event: recorded.event,
            count: recorded.count,
            first: recorded.first,
            last: recorded.last,
            expires: self.now + lives,
        };
        self.events.retain(|old| old.expires > self.now);
        match self.events.iter_mut().find(|old| old.about_target == about_target && old.name == stored.name) {
            Some(old) => *old = stored,
            None => self.events.push(stored),
        }
    }

    pub fn create_hpa(&mut self, spec: HpaSpec) {
        let mut fields = Owners::default();
        let mut took = spec::leaves(&spec);
        took.push("annotations".to_owned());
        fields.update(Who::update("kubectl-client-side-apply"), &took, &[], self.now);
        let generation = i64::from(self.counts_generations());
        let uid = self.hpa.as_ref().map_or(self.log.len(), |hpa| hpa.uid) + 1;
        self.hpa =
            Some(Hpa { uid, created: self.now, generation, spec, status: HpaStatus::default(), fields });
        let soon = self.draw.between(2, 60);
        self.enqueue(if self.counts_generations() { soon } else { self.plan.period });
    }

    pub fn enqueue(&mut self, wait: Millis) {
        let at = self.now + wait;
        self.controller.next_sync = Some(self.controller.next_sync.map_or(at, |next| next.min(at)));
    }

    /// The stored HPA's spec becomes another one.
    pub fn edit(&mut self, who: Who, spec: HpaSpec, annotates: bool) {
        let counts = self.counts_generations();
        let now = self.now;
        let Some(hpa) = &mut self.hpa else { return };
        let (took, removed) = spec::difference(&hpa.spec, &spec);
        let is_changed = hpa.spec != spec;
        let took = took.into_iter().chain(annotates.then(|| "annotations".to_owned())).collect::<Vec<_>>();
        hpa.fields.update(who, &took, &removed, now);
        hpa.spec = spec;
        if is_changed && counts {
            hpa.generation += 1;
            let soon = self.draw.between(2, 60);
            self.enqueue(soon);
        }
    }

    /// The controller writes a status.
    pub fn write_status(&mut self, status: HpaStatus) {
        let now = self.now;
        let Some(hpa) = &mut self.hpa else { return };
        let is_removal = HpaStatus { current_metrics: None, ..hpa.status.clone() } == status;
        let took = if is_removal { Vec::new() } else { vec!["status".to_owned()] };
        hpa.fields.update(STATUS, &took, &[], now);
        hpa.status = status;
    }

    pub fn restart(&mut self, away: Millis) {
        self.controller.runs = false;
        self.later.push((self.now + away, |world, _| world.start(), 0));
    }

    fn start(&mut self) {
        let controller = &mut self.controller;
        (controller.runs, controller.started, controller.next_sync) = (true, self.now, None);
        controller.memory = Memory::default();
        (controller.recorder, controller.target_recorder) = (Recorder::default(), Recorder::default());
        let ready = self.draw.between(100, 3_000);
        if self.hpa.is_some() {
            let first = if self.counts_generations() { 0 } else { self.plan.period };
            self.enqueue(ready + first);
        }
        if self.target.size != self.target.replicas {
            self.target.reacts = Some(self.now + ready);
        }
    }
}

enum Due {
    Sync,
    Target,
    Later(usize),
    Act(usize),
}
