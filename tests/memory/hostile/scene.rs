//! A look at a world, and what it takes to run the world again with another history.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::model::{Duration, Instant, Recommendation, Replicas};
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::trace::Decision;
use serde_json::Value;

use super::history::History;
use super::judge::can_look;
use super::plan::Plan;
use super::replay::Replay;
use super::scaling::scale_later;
use super::span::Span;
use super::view;
use super::world::{Later, Millis, SECOND, World, millis};

pub struct Scene {
    /// The world as it was when the span began.
    start: World,
    pub span: Span,
    /// When the next sync was to begin.
    next: Option<Millis>,
    signs: Case,
}

/// A history that shows the same signs, or in which the controller decides as is wanted.
pub struct Replayed {
    pub decided: i32,
    /// How far the decision is from the wanted one.
    pub distance: u64,
    /// How far its signs are from those that were seen: 0 if they are the same.
    pub apart: u64,
    /// When syncs began.
    pub syncs: Vec<Millis>,
    /// When those that recommended more than is wanted began, or those that recommended less.
    pub contradicting: Vec<Millis>,
}

/// The world of a plan as it is then; chance goes by occasion.
pub fn world(plan: &Plan, at: Millis) -> World {
    let mut world = World::new(plan.clone());
    world.replay = Some(Rc::new(Replay::default()));
    world.pass(at);
    world
}

impl Scene {
    /// A world as somebody looks at it who is told an interval. What is no longer remembered stays as it is.
    pub fn new(truth: &World, remembers: Millis, interval: (i32, i32)) -> Self {
        let (plan, to) = (&*truth.plan, truth.now);
        let from = (to - remembers - 3 * plan.period - 20 * SECOND).max(0);
        let span = Span::of(truth, from, remembers, interval);
        let next = truth.controller.next_sync;
        let scene = Self { start: world(plan, from), span, next, signs: signs(truth) };
        let again = scene.run(&scene.first());
        assert_eq!(signs(&again), scene.signs, "what is not changed comes again");
        assert_eq!(decided(&again), decided(truth), "what is not changed comes again");
        scene
    }

    /// The history that really was.
    pub fn first(&self) -> History {
        History {
            load: self.start.plan.load.clone(),
            acts: self.start.plan.acts.clone(),
            salts: BTreeMap::new(),
            syncs: self.span.syncs.iter().chain(&self.next).map(|at| (*at, *at)).collect(),
            sizes: Vec::new(),
            before: None,
        }
    }

    fn run(&self, history: &History) -> World {
        let mut world = self.start.clone();
        let set = |(at, to): &(Millis, i32)| (*at, scale_later as Later, *to);
        world.later.extend(history.sizes.iter().map(set));
        let replay = Replay { salts: history.salts.clone(), syncs: history.syncs.clone() };
        world.replay = Some(Rc::new(replay));
        let (load, acts) = (history.load.clone(), history.acts.clone());
        world.plan = Rc::new(Plan { load, acts, ..(*self.start.plan).clone() });
        if let (Some(before), Some(created)) = (history.before, self.span.created) {
            before.live(&mut world, created);
        }
        world.pass(self.span.to);
        world
    }

    /// What a history leads to, if it shows the same signs or leads where it is wanted.
    pub fn replay(&self, history: &History, wanted: i32) -> Option<Replayed> {
        let world = self.run(history);
        let decided = can_look(&world).then(|| decided(&world)).flatten()?;
        let signs = signs(&world);
        let (is_same, is_wanted) = (signs == self.signs, decided == wanted);
        if !is_same && !is_wanted {
            return None;
        }
        let apart = if is_same { 0 } else { apart(&self.signs, &signs) };
        let distance = if is_wanted { 0 } else { distance(&world, wanted) };
        let syncs = world.syncs.iter().copied().filter(|at| *at >= self.span.from).collect();
        let contradicting = contradicting(&world, decided, wanted);
        Some(Replayed { decided, distance, apart, syncs, contradicting })
    }
}

/// When the controller recommended what does not lead to the wanted decision.
fn contradicting(world: &World, decided: i32, wanted: i32) -> Vec<Millis> {
    let is_beyond = |it: &&Recommendation| {
        let Replicas(replicas) = it.replicas;
        if decided > wanted { replicas > wanted } else { replicas < wanted }
    };
    let recommended = world.controller.memory.recommendations.iter().filter(is_beyond);
    let mut times: Vec<Millis> = recommended.map(|it| millis(it.at)).collect();
    times.sort_unstable();
    times
}

/// How far a world's decision is from another one: how much earlier or later it would be made, in milliseconds, or more than
/// any of these by how many replicas.
fn distance(world: &World, wanted: i32) -> u64 {
    const NEVER: Millis = 1_000_000;
    let (mut snapshot, decision) = world.decided();
    let desired = |decision: &Decision| world.left(decision);
    let now = snapshot.taken_at;
    for apart in (0..).map(|step: Millis| step * step * 25).take_while(|apart| *apart < NEVER) {
        let apart_by = Duration::from_nanoseconds(apart * 1_000_000);
        for at in [now + apart_by, now - apart_by] {
            snapshot.taken_at = at;
            if desired(&decide(&snapshot, &world.rules)) == Some(wanted) {
                return apart.unsigned_abs();
            }
        }
    }
    NEVER.unsigned_abs() + u64::from(desired(&decision).map_or(u32::MAX, |it| it.abs_diff(wanted)))
}

/// How far two sets of signs are from each other: each value that differs counts, and times more the farther they are.
fn apart(one: &Case, other: &Case) -> u64 {
    let [one, other] = [one, other].map(|case| serde_json::to_value(case).expect("JSON"));
    values_apart(&one, &other).max(1)
}

fn values_apart(one: &Value, other: &Value) -> u64 {
    /// A value, or a second up to as many of them.
    const VALUE: u64 = 20;
    match (one, other) {
        _ if one == other => 0,
        (Value::Object(one), Value::Object(other)) => {
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            let of =
                |side: &serde_json::Map<String, Value>, name| side.get(name).cloned().unwrap_or_default();
            names.into_iter().map(|name| values_apart(&of(one, name), &of(other, name))).sum()
        }
        (Value::Array(one), Value::Array(other)) => {
            let more = u64::try_from(one.len().abs_diff(other.len())).expect("a count");
            let pairs = one.iter().zip(other).map(|(one, other)| values_apart(one, other));
            3 * VALUE * more + pairs.sum::<u64>()
        }
        _ => {
            let at = |value: &Value| Instant::parse(value.as_str()?).ok();
            let seconds = at(one).zip(at(other)).map_or(VALUE, |(one, other)| {
                let apart = one.max(other).since(one.min(other)).nanoseconds() / 1_000_000_000;
                u64::try_from(apart).unwrap_or(VALUE)
            });
            VALUE + seconds.clamp(1, VALUE)
        }
    }
}

pub fn decided(world: &World) -> Option<i32> {
    world.left(&world.decided().1)
}

/// What the API shows. Names of pods are drawn there and tell nothing: here they are numbers. Those of events tell when
/// each was first emitted.
fn signs(world: &World) -> Case {
    let mut case = view::case(world);
    let place = |name: &str| world.pods.iter().position(|pod| format!("p{}", pod.name) == name);
    let pods = case.pods.iter_mut().filter_map(|pods| pods.items.as_mut()).flatten();
    let measured = case.pod_metrics.iter_mut().filter_map(|pods| pods.items.as_mut()).flatten();
    let measured = measured.map(|it| &mut Arc::make_mut(it).metadata.name);
    for name in pods.map(|it| &mut Arc::make_mut(it).metadata.name).chain(measured) {
        *name = format!("p{}", place(name).expect("a pod"));
    }
    let events = case.events.iter_mut().chain(&mut case.history.target_events);
    for event in events.filter_map(|events| events.items.as_mut()).flatten() {
        let stored = world.events.iter().find(|stored| stored.name == event.metadata.name);
        event.metadata.name = format!("web.{:x}", stored.expect("an event").first);
    }
    case
}
