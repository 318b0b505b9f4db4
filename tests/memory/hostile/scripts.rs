//! The world against the real control plane: the same scripts, and what the API shows after them.
//!
//! `signs.json` was recorded on 1.37.1 (`KUBECTL_HPA_SIGNS=../hostile/signs.json tests/e2e/run -test.run TestSigns`). When
//! the controllers come to an act is not recorded; so of the ways in which the world can answer to a script, which are drawn,
//! one has to show just what the real one showed.

use kubectl_hpa_core::api::{Behavior, HpaSpec, Policy, ScalingRules};
use kubectl_hpa_core::model::Instant;
use serde::Deserialize;

use super::fields::Who;
use super::plan::{Kind, Metric, Plan};
use super::recorder::Emitted;
use super::scaling::{APPLY, ARGO, HELM};
use super::shown::{Recorded, Shown, same};
use super::spec;
use super::world::{Millis, SECOND, World};
use crate::root::root;

/// So many ways are drawn for each script.
const WAYS: u64 = 400;

/// A script as it was played.
#[derive(Deserialize)]
pub struct Script {
    pub name: String,
    done: Vec<Took>,
    at: Instant,
    #[serde(flatten)]
    recorded: Recorded,
}

/// One act: when it was begun, and when the API server had answered.
#[derive(Deserialize)]
struct Took {
    did: String,
    from: Instant,
    to: Instant,
}

pub fn scripts() -> Vec<Script> {
    let path = root("tests/memory/hostile/signs.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("signs.json")).expect("scripts")
}

impl Script {
    /// What the world shows otherwise than the real one, whichever way it goes; `None` if there is one that shows the same.
    pub fn fault(&self) -> Option<String> {
        let real = Shown::of_real(&self.recorded, self.origin());
        let mut least: Option<Vec<String>> = None;
        for seed in 0..WAYS {
            let differences = same(&real, &Shown::of(&self.play(seed)));
            if differences.is_empty() {
                return None;
            }
            if least.as_ref().is_none_or(|least| differences.len() < least.len()) {
                least = Some(differences);
            }
        }
        Some(format!("{}: {}", self.name, least.unwrap_or_default().join("; ")))
    }

    /// The second in which it began.
    fn origin(&self) -> i128 {
        self.done[0].from.unix_nanoseconds().div_euclid(1_000_000_000) * 1_000
    }

    fn millis(&self, at: Instant) -> Millis {
        Millis::try_from(at.unix_nanoseconds() / 1_000_000 - self.origin()).expect("milliseconds")
    }

    fn play(&self, seed: u64) -> World {
        let mut world = World::new(self.plan(seed));
        let created = self.millis(self.done[0].to);
        (world.hpa, world.controller.next_sync) = (None, None);
        world.events.clear();
        let message = "Scaled up replica set web-6d0 from 0 to 2".to_owned();
        world.emit(true, &Emitted { warning: false, reason: "ScalingReplicaSet".to_owned(), message });
        world.pass(created);
        world.create_hpa(self.spec(&world.plan));
        for took in &self.done[1..] {
            world.pass(self.millis(took.from));
            let (what, value) = took.did.split_once(' ').unwrap_or((&took.did, ""));
            if let "renew" | "renew-later" = what {
                let spec = world.hpa.take().expect("an HPA").spec;
                world.pass(self.millis(took.to));
                world.create_hpa(spec);
            } else {
                act(&mut world, what, value, self.millis(took.to));
            }
        }
        world.pass(self.millis(self.at));
        world
    }

    /// Queues are counted by the piece with this maxReplicas (`measure`).
    fn plan(&self, seed: u64) -> Plan {
        let load = self.done.iter().filter_map(|took| {
            let level = match took.did.split_once(' ').unwrap_or((&took.did, "")) {
                ("create", _) => Some(12),
                ("queue", value) => Some(value.parse().expect("a number")),
                ("fail", _) => None,
                _ => return None,
            };
            Some((if took.did == "create" { 0 } else { self.millis(took.to) }, level))
        });
        Plan {
            seed,
            version: "v1.37.1",
            period: SECOND,
            busy: [0, 200, 1_000][usize::try_from(seed % 3).expect("small")],
            window: 300,
            min: 1,
            max: 17,
            replicas: 2,
            is_new: false,
            edits: 0,
            event_ttl: 3_600 * SECOND,
            behavior: None,
            kind: Kind::Deployment,
            metric: Metric::Queue,
            load: load.collect(),
            lag: 0,
            acts: Vec::new(),
            looks: Vec::new(),
            hidden: Vec::new(),
            knows_last: false,
            can_review: false,
        }
    }

    fn spec(&self, plan: &Plan) -> HpaSpec {
        let first = spec::first(plan);
        let metrics = vec![spec::metric(Metric::Queue, 30)];
        HpaSpec { max_replicas: 12, metrics, behavior: self.behavior().map(spec::stored), ..first }
    }

    /// The second word of its line in `scripts.txt`.
    fn named_behavior(&self) -> String {
        let path = root("tests/e2e/scripts.txt");
        let text = std::fs::read_to_string(path).expect("scripts.txt");
        let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let mut own = lines.filter(|words| words.first() == Some(&self.name.as_str()));
        own.next().expect("the script")[1].to_owned()
    }

    fn behavior(&self) -> Option<Behavior> {
        let window = |policy: Option<Policy>| {
            let policies = policy.map(|policy| vec![policy]);
            Some(ScalingRules { policies, ..at_once() })
        };
        match self.named_behavior().as_str() {
            "held" => None,
            "free" => Some(Behavior { scale_up: None, scale_down: window(None) }),
            "slow" => {
                Some(Behavior { scale_up: window(Some(pods(4, 30))), scale_down: window(Some(pods(2, 60))) })
            }
            other => panic!("no behavior is named {other}"),
        }
    }
}

fn at_once() -> ScalingRules {
    ScalingRules { stabilization_window_seconds: Some(0), ..ScalingRules::default() }
}

fn pods(value: i32, period_seconds: i32) -> Policy {
    Policy { kind: "Pods".to_owned(), value, period_seconds }
}

/// One act of `scripts.txt`.
fn act(world: &mut World, what: &str, value: &str, until: Millis) {
    let number = || value.parse::<i32>().expect("a number");
    let edit = |world: &mut World, change: &dyn Fn(&mut HpaSpec)| {
        world.faults.is_edited_meanwhile = world.draw.chance(20);
        let mut spec = world.hpa.as_ref().expect("an HPA").spec.clone();
        change(&mut spec);
        world.edit(APPLY, spec, false);
    };
    match what {
        "wait" | "queue" | "fail" => {}
        "scale" => world.set_replicas(Who::through("kubectl", "scale"), number()),
        "helm" => world.set_replicas(HELM, number()),
        "argocd" => world.set_replicas(ARGO, number()),
        "max" => edit(world, &|spec| spec.max_replicas = number()),
        "min" => edit(world, &|spec| spec.min_replicas = Some(number())),
        "target" => edit(world, &|spec| spec.metrics = vec![spec::metric(Metric::Queue, number() * 5)]),
        "down" => {
            let (count, period) = value.split_once('/').expect("pods and a period");
            let policy = pods(count.parse().expect("a number"), period.parse().expect("a number"));
            let rules = ScalingRules { policies: Some(vec![policy]), ..at_once() };
            edit(world, &|spec| {
                let behavior = spec.behavior.take().unwrap_or_default();
                let scale_down = Some(rules.clone());
                spec.behavior = Some(spec::stored(Behavior { scale_down, ..behavior }));
            });
        }
        "no-behavior" => edit(world, &|spec| spec.behavior = None),
        "touch" => {
            let now = world.now;
            let hpa = world.hpa.as_mut().expect("an HPA");
            hpa.fields.update(APPLY, &["annotations.note".to_owned()], &[], now);
        }
        // When it began is not recorded: it waited for the other scripts.
        "restart" | "outage" => {
            let begins = world.draw.between(world.now, until);
            world.pass(begins);
            if what == "outage" {
                world.faults.away_until = until;
            } else {
                world.restart(until - begins);
            }
        }
        other => panic!("no act is named {other}"),
    }
}
