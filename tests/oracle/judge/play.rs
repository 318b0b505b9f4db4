//! Holds our player against the real controller in the same world: `tests/oracle/plays.md`.

use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{Duration, Instant, Memory, Milli, ScaleEvent};
use kubectl_hpa_core::play::{
    Backlog, Curve, Delays, Future, Load, Measure, Part, Player, Point, Readings, Rollout, Spread, Synced,
    World,
};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use serde::Deserialize;
use serde_json::{Value, json};

/// A play as the oracle prints it: one line of JSON.
#[derive(Deserialize)]
struct Play {
    seed: u64,
    case: Value,
    world: WorldFile,
    syncs: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WorldFile {
    syncs: usize,
    sync_period: Ms,
    metrics: ReadingsFile,
    #[serde(default)]
    loads: Vec<LoadFile>,
    template: Option<api::Pod>,
    #[serde(default)]
    delays: Vec<DelaysFile>,
    #[serde(default)]
    termination: Ms,
    #[serde(default)]
    existing: Vec<FutureFile>,
    rollout: Option<RolloutFile>,
}

/// A time in milliseconds.
#[derive(Clone, Copy, Default, Deserialize)]
struct Ms(i64);

impl From<Ms> for Duration {
    fn from(time: Ms) -> Self {
        Self::from_nanoseconds(time.0 * 1_000_000)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadingsFile {
    resolution: Ms,
    first: Ms,
    #[serde(default)]
    lag: Ms,
    readings: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoadFile {
    container: Option<String>,
    resource: Option<String>,
    metric: Option<usize>,
    demand: i64,
    curve: Option<CurveFile>,
    spread: SpreadFile,
    #[serde(default)]
    idle: i64,
    ceiling: Option<i64>,
    #[serde(default)]
    starting: i64,
    backlog: Option<BacklogFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum SpreadFile {
    Shared,
    Each,
    Whole,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CurveFile {
    points: Vec<(Ms, u32)>,
    repeat: Option<Ms>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BacklogFile {
    start: i64,
    rate: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DelaysFile {
    scheduled: Ms,
    running: Ms,
    ready: Ms,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FutureFile {
    name: String,
    scheduled: Option<Ms>,
    running: Option<Ms>,
    ready: Option<Ms>,
    gone: Option<Ms>,
    #[serde(default)]
    silent: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RolloutFile {
    at: Ms,
    surge: usize,
    unavailable: usize,
}

impl WorldFile {
    fn world(self) -> Result<World, String> {
        Ok(World {
            syncs: self.syncs,
            sync_period: self.sync_period.into(),
            readings: Readings {
                resolution: self.metrics.resolution.into(),
                first: self.metrics.first.into(),
                lag: self.metrics.lag.into(),
                needed: self.metrics.readings,
            },
            loads: self.loads.into_iter().map(LoadFile::load).collect::<Result<_, _>>()?,
            template: self.template.map(Into::into),
            delays: self.delays.into_iter().map(DelaysFile::delays).collect(),
            termination: self.termination.into(),
            existing: self.existing.into_iter().map(FutureFile::future).collect(),
            rollout: self.rollout.map(|RolloutFile { at, surge, unavailable }| Rollout {
                at: at.into(),
                surge: Part::Pods(surge),
                unavailable: Part::Pods(unavailable),
            }),
        })
    }
}

impl LoadFile {
    fn load(self) -> Result<Load, String> {
        let measure = match (self.container, self.resource, self.metric) {
            (Some(container), Some(resource), None) => {
                Measure::Container { container: container.into(), resource: resource.as_str().into() }
            }
            (None, None, Some(metric)) => Measure::Metric(metric),
            _ => return Err("a load is of a container and a resource, or of a metric".to_owned()),
        };
        let backlog = |file: BacklogFile| Backlog { start: Milli(file.start), rate: Milli(file.rate) };
        Ok(Load {
            measure,
            demand: Milli(self.demand),
            curve: self.curve.map(CurveFile::curve).unwrap_or_default(),
            spread: match self.spread {
                SpreadFile::Shared => Spread::Shared,
                SpreadFile::Each => Spread::Each,
                SpreadFile::Whole => Spread::Whole,
            },
            idle: Milli(self.idle),
            ceiling: self.ceiling.map(Milli),
            starting: Milli(self.starting),
            backlog: self.backlog.map(backlog),
        })
    }
}

impl CurveFile {
    fn curve(self) -> Curve {
        let point = |(at, ppm): (Ms, u32)| Point { at: at.into(), ppm: ppm.into() };
        Curve { points: self.points.into_iter().map(point).collect(), repeat: self.repeat.map(Into::into) }
    }
}

impl DelaysFile {
    fn delays(self) -> Delays {
        Delays { scheduled: self.scheduled.into(), running: self.running.into(), ready: self.ready.into() }
    }
}

impl FutureFile {
    fn future(self) -> Future {
        Future {
            name: self.name.into(),
            scheduled: self.scheduled.map(Into::into),
            running: self.running.map(Into::into),
            ready: self.ready.map(Into::into),
            gone: self.gone.map(Into::into),
            is_silent: self.silent,
            is_foreign: false,
        }
    }
}

/// What a play begins with.
pub struct Begun {
    seed: u64,
    pub snapshot: Snapshot,
    pub world: World,
    pub rules: Rules,
    syncs: Vec<Value>,
}

impl Begun {
    /// Reads a line.
    pub fn of(line: Value) -> Result<Self, String> {
        let Play { seed, case, world, syncs } =
            serde_json::from_value(line).map_err(|error| format!("no play: {error}"))?;
        let case: Case = serde_json::from_value(case).map_err(|error| format!("case: {error}"))?;
        let snapshot = Snapshot::freeze(case).map_err(|error| format!("freeze: {error}"))?;
        let controller = &snapshot.controller;
        let rules = Rules::for_version(&controller.version.value, &controller.feature_gates)
            .map_err(|error| format!("rules: {error}"))?;
        Ok(Self { seed, snapshot, world: world.world()?, rules, syncs })
    }
}

/// Plays a line; returns the number of its syncs, or what differs first.
pub fn judge(line: Value) -> Result<usize, String> {
    let begun = Begun::of(line)?;
    let seed = begun.seed;
    play_it(begun).map_err(|problem| format!("seed {seed}: {problem}"))
}

fn play_it(begun: Begun) -> Result<usize, String> {
    let Begun { snapshot, world, rules, syncs, .. } = begun;
    let start = snapshot.taken_at;
    let mut player =
        Player::start(snapshot, world, &rules).map_err(|error| format!("cannot be played: {error}"))?;
    for (index, theirs) in syncs.iter().enumerate() {
        let ours = player.sync().map(|sync| outcome(sync, start)).ok_or("ours has ended")?;
        let ours = with_pods(ours, player.snapshot());
        if ours != *theirs {
            let text = |value: &Value| value.to_string();
            return Err(format!(
                "sync {index} differs\n  controller: {}\n        ours: {}",
                text(theirs),
                text(&ours)
            ));
        }
    }
    match player.sync() {
        None => Ok(syncs.len()),
        Some(_) => Err(format!("ours goes on after sync {}", syncs.len())),
    }
}

fn outcome(sync: &Synced, start: Instant) -> Value {
    let mut outcome = json!({
        "at": sync.at.nanoseconds() / 1_000_000,
        "replicas": sync.decision.desired(),
        "memory": memory(&sync.decision.memory, start),
    });
    let rescale = sync.report.events.iter().find(|event| event.reason == "SuccessfulRescale");
    if let Some(event) = rescale {
        outcome["reason"] = json!(event.message);
    }
    outcome
}

fn with_pods(mut outcome: Value, snapshot: &Snapshot) -> Value {
    let pods = snapshot.pods.as_deref().unwrap_or_default();
    outcome["pods"] = json!(pods.len());
    outcome["ready"] = json!(pods.iter().filter(|pod| !pod.deleting && pod.is_running_and_ready()).count());
    outcome["samples"] = json!(pods.iter().filter(|pod| pod.usage.is_some()).count());
    outcome
}

fn memory(memory: &Memory, start: Instant) -> Value {
    let since = |at: Instant| at.since(start).nanoseconds();
    let events = |events: &[ScaleEvent]| {
        events.iter().map(|event| json!([event.change, since(event.at), event.outdated])).collect::<Vec<_>>()
    };
    let recommendations = memory.recommendations.iter().map(|it| json!([it.replicas, since(it.at)]));
    json!({
        "recommendations": recommendations.collect::<Vec<_>>(),
        "scaleUps": events(&memory.scale_ups),
        "scaleDowns": events(&memory.scale_downs),
    })
}
