//! What is drawn of a world before it begins.

use kubectl_hpa_core::api::Behavior;

use super::act::ACTS;
use super::behavior::behavior;
use super::draw::Draw;
use super::world::{Millis, SECOND};

/// One world, from beginning to end; all else is drawn from the seed while it runs.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    pub version: &'static str,
    pub period: Millis,
    /// How late a busy controller may be.
    pub busy: Millis,
    /// `--horizontal-pod-autoscaler-downscale-stabilization`, in seconds.
    pub window: i64,
    pub min: i32,
    pub max: i32,
    pub replicas: i32,
    pub behavior: Option<Behavior>,
    pub kind: Kind,
    pub metric: Metric,
    /// Of the demand: from when on, how much; none if the metrics fail.
    pub load: Vec<(Millis, Option<i64>)>,
    /// How long pods take to follow the replicas.
    pub lag: Millis,
    /// When what is done, by its place among the acts.
    pub acts: Vec<(Millis, usize)>,
    pub looks: Vec<Millis>,
    pub hidden: Vec<Sign>,
    /// Whether somebody saw the size before the last rescale.
    pub knows_last: bool,
    /// Whether the target is as young as the HPA.
    pub is_new: bool,
    /// How often its spec was changed before.
    pub edits: i64,
    /// Whether somebody may ask what rights the controller has.
    pub can_review: bool,
    /// For how long the API server keeps an event after its last write.
    pub event_ttl: Millis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Deployment,
    StatefulSet,
    Custom,
}

/// What is measured, and whether all pods share the load or each has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    MemoryShared,
    MemoryOfEach,
    Queue,
}

/// What whoever looks may be unable to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Events,
    Target,
    TargetEvents,
    Fields,
    Started,
    Period,
}

const VERSIONS: [&str; 15] = [
    "v1.23.17", "v1.24.17", "v1.25.16", "v1.26.15", "v1.27.16", "v1.28.15", "v1.29.14", "v1.30.14",
    "v1.31.14", "v1.32.13", "v1.33.9", "v1.34.5", "v1.35.3", "v1.36.2", "v1.37.1",
];

impl Plan {
    pub fn hides(&self, sign: Sign) -> bool {
        self.hidden.contains(&sign)
    }
}

pub fn plan(seed: u64, tame: bool, looks: usize, only: &[usize]) -> Plan {
    let mut draw = Draw::new(seed);
    let version = if tame || draw.chance(40) { "v1.37.1" } else { draw.pick(&VERSIONS) };
    let metric =
        draw.pick(&[Metric::MemoryShared, Metric::MemoryShared, Metric::MemoryOfEach, Metric::Queue]);
    let may_rest = metric == Metric::Queue && version == "v1.37.1" && !tame && draw.chance(25);
    let min = if may_rest { 0 } else { draw.count(1, 4) };
    let max = min + draw.count(3, 20);
    let length = if draw.chance(8) { 5_400 * SECOND } else { draw.between(600, 2_400) * SECOND };
    let period = if draw.chance(30) { 15 * SECOND } else { draw.between(1, 15) * SECOND };
    let behavior = behavior(&mut draw);
    let hidden = if tame { Vec::new() } else { hidden(&mut draw, period) };
    let acts = if tame { Vec::new() } else { acts(&mut draw, length, only) };
    let load = load(&mut draw, length, &acts);
    let looks = look_times(&mut draw, length, looks, &acts);
    let is_hour = tame || hidden.contains(&Sign::Period);
    Plan {
        seed,
        version,
        period,
        busy: if tame { 0 } else { draw.pick(&[0, 200, 1_000, period / 2]) },
        min,
        max,
        window: if hidden.contains(&Sign::Period) { 300 } else { draw.pick(&[300, 300, 60, 120]) },
        replicas: draw.count(min.max(1), max),
        behavior,
        kind: if tame {
            Kind::Deployment
        } else {
            draw.pick(&[Kind::Deployment, Kind::Deployment, Kind::StatefulSet, Kind::Custom])
        },
        metric,
        load,
        lag: draw.between(0, 20_000),
        acts,
        looks,
        hidden,
        knows_last: !tame && draw.chance(10),
        is_new: only.is_empty() && draw.chance(25),
        edits: i64::from(seed.is_multiple_of(2)),
        event_ttl: event_ttl(&mut draw, is_hour),
        can_review: Draw::new(seed ^ 0xacce).chance(50),
    }
}

fn hidden(draw: &mut Draw, period: Millis) -> Vec<Sign> {
    let is_default = period == 15 * SECOND;
    let chances = [
        (Sign::Events, 8),
        (Sign::Target, 15),
        (Sign::TargetEvents, 15),
        (Sign::Fields, 10),
        (Sign::Started, 30),
        (Sign::Period, if is_default { 50 } else { 0 }),
    ];
    chances.into_iter().filter(|(_, percent)| draw.chance(*percent)).map(|(sign, _)| sign).collect()
}

/// An hour by default, which is assumed where the flag is hidden.
fn event_ttl(draw: &mut Draw, is_hour: bool) -> Millis {
    let seconds = if is_hour || draw.chance(75) { 3_600 } else { draw.between(30, 900) };
    seconds * SECOND
}

fn acts(draw: &mut Draw, length: Millis, only: &[usize]) -> Vec<(Millis, usize)> {
    let all: Vec<usize> = if only.is_empty() { (0..ACTS.len()).collect() } else { only.to_vec() };
    // A world has a few habits: of all acts some, so that each is also met without most of the others.
    let habits: Vec<usize> = (0..draw.between(2, 6)).map(|_| draw.pick(&all)).collect();
    let mut acts = Vec::new();
    let mut at = draw.between(20, 200) * SECOND;
    while at < length {
        acts.push((at, draw.pick(&habits)));
        at += if draw.chance(25) {
            draw.between(0, 5 * SECOND)
        } else {
            draw.between(5, 240) * SECOND + draw.between(0, 999)
        };
    }
    acts
}

/// Most looks come soon after an act.
fn look_times(draw: &mut Draw, length: Millis, looks: usize, acts: &[(Millis, usize)]) -> Vec<Millis> {
    let mut times: Vec<Millis> = (0..looks)
        .map(|_| {
            let anywhere = draw.between(30 * SECOND, length);
            if acts.is_empty() || draw.chance(20) {
                return anywhere;
            }
            let (act, _) = draw.pick(acts);
            let soon = draw.pick(&[2, 15, 60, 300]);
            (act + draw.between(1, soon * SECOND)).min(length)
        })
        .collect();
    times.sort_unstable();
    times
}

/// Demand that stays for a while, changes, often about when something is done, and at times cannot be read.
fn load(draw: &mut Draw, length: Millis, acts: &[(Millis, usize)]) -> Vec<(Millis, Option<i64>)> {
    let mut changes = Vec::new();
    let mut at = 0;
    while at < length {
        changes.push(at);
        at += if draw.chance(50) { draw.between(1_000, 40_000) } else { draw.between(20, 400) * SECOND };
    }
    let beside: Vec<Millis> = acts.iter().filter(|_| draw.chance(60)).map(|(act, _)| *act).collect();
    changes.extend(beside.into_iter().map(|act| (act + draw.between(-10 * SECOND, 20 * SECOND)).max(0)));
    changes.sort_unstable();
    changes.into_iter().map(|at| (at, (!draw.chance(6)).then(|| draw.between(2, 200)))).collect()
}
