//! Whoever looks again and again knows what the controller remembers: its loop is run offline, with a memory that is hidden,
//! and somebody looks at odd instants, for a while each time, at a world that changes in between. No answer may exclude
//! what a sync at that instant would decide, and after one full window nearly all are single numbers.

use crate::played::{Scene, behaviors, emit, whole_seconds};
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::memory_bounds::{Look, Watch, answer, longest};
use kubectl_hpa_core::model::{Duration, Evidence, Instant, Memory, Replicas};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, HistoryEvidence, Snapshot};
use kubectl_hpa_core::status::report;
use kubectl_hpa_core::trace::Outcome;
use kubectl_hpa_core::whatif::next_change;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

/// Milliseconds of the world.
type Millis = i64;

const PERIOD: Millis = 5_000;

/// What somebody draws of a world.
#[derive(Clone, Debug)]
struct Plan {
    behavior: Option<Value>,
    replicas: i32,
    /// For how long each usage stays, in milli-cores of a request of 100m; none: the metrics fail.
    usages: Vec<(Option<i64>, Millis)>,
    /// How late each sync is.
    delays: Vec<Millis>,
    /// From the end of a look to the next, and how long a look takes.
    pauses: Vec<(Millis, Millis)>,
    /// How long pods take to follow the replicas.
    lag: Millis,
    /// When nobody can look, for how long; and whether the controller goes on.
    outage: Option<(Millis, Millis, bool)>,
}

/// The world, the controller in it, and what that remembers.
struct WatchedWorld<'a> {
    plan: &'a Plan,
    rules: Rules,
    now: Millis,
    next_sync: Millis,
    syncs: usize,
    replicas: i32,
    /// The pods that are there, and from when on as many as there are replicas.
    pods: i32,
    follows: Millis,
    status: Value,
    version: u64,
    memory: Memory,
    history: HistoryEvidence,
}

/// What one read of the HPA tells.
#[derive(Clone)]
struct Hpa {
    status: Value,
    version: String,
    history: HistoryEvidence,
}

impl<'a> WatchedWorld<'a> {
    fn new(plan: &'a Plan) -> Self {
        let rules = Rules::for_version("v1.37.1", &std::collections::BTreeMap::new()).expect("rules");
        let (replicas, status) = (plan.replicas, json!({}));
        let (memory, history) = (Memory::default(), HistoryEvidence::default());
        Self {
            plan,
            rules,
            now: 0,
            next_sync: 1_000,
            syncs: 0,
            replicas,
            pods: replicas,
            follows: 0,
            status,
            version: 1,
            memory,
            history,
        }
    }

    fn at(&self) -> Instant {
        let start = Instant::parse("2026-11-21T10:00:00Z").expect("a time");
        start + Duration::from_nanoseconds(self.now * 1_000_000)
    }

    fn usage(&self) -> Option<i64> {
        let whole: Millis = self.plan.usages.iter().map(|(_, stays)| stays).sum();
        let mut at = self.now % whole;
        let current = self.plan.usages.iter().find(|(_, stays)| {
            at -= stays;
            at < 0
        });
        current.and_then(|(usage, _)| *usage)
    }

    fn is_out(&self) -> bool {
        self.plan.outage.is_some_and(|(begins, lasts, _)| begins <= self.now && self.now < begins + lasts)
    }

    /// Lets time pass, syncs included. Returns how many there were.
    fn pass(&mut self, until: Millis) -> usize {
        let before = self.syncs;
        while self.next_sync <= until {
            self.now = self.next_sync;
            let stands_still = self.is_out() && self.plan.outage.is_some_and(|(_, _, goes_on)| !goes_on);
            if !stands_still {
                self.sync();
            }
            let delay = self.plan.delays[self.syncs % self.plan.delays.len()];
            self.syncs += 1;
            self.next_sync += PERIOD + delay;
        }
        self.now = until;
        self.syncs - before
    }

    fn hpa(&self) -> Hpa {
        Hpa { status: self.status.clone(), version: self.version.to_string(), history: self.history.clone() }
    }

    fn settle(&mut self) {
        if self.now >= self.follows {
            self.pods = self.replicas;
        }
    }

    /// What the API holds now, beside an HPA that was read before.
    fn look(&mut self, hpa: Hpa) -> Snapshot {
        self.settle();
        let scene = Scene {
            at: self.at(),
            behavior: &self.plan.behavior,
            status: &hpa.status,
            replicas: self.replicas,
            pods: self.pods,
            usage: self.usage(),
        };
        let mut case = scene.case();
        case["controller"] = json!({"syncPeriod": {"value": "5s", "evidence": "Observed"},
            "downscaleStabilization": {"value": "1m", "evidence": "Observed"}});
        let case: Case = serde_json::from_value(case).expect("a case");
        Snapshot { history: hpa.history, ..Snapshot::freeze(case).expect("a snapshot") }
    }

    fn whole(&self, seen: &Snapshot) -> Snapshot {
        Snapshot { memory: self.memory.clone(), memory_evidence: Evidence::Given, ..seen.clone() }
    }

    fn sync(&mut self) {
        let seen = self.look(self.hpa());
        let whole = self.whole(&seen);
        let decision = decide(&whole, &self.rules);
        let report = report(&whole, &decision, &self.rules);
        if report.status_changed {
            self.version += 1;
            self.history.status_written = Some(whole_seconds(self.at()));
        }
        if let Outcome::Scale { to: Replicas(to), .. } = decision.outcome {
            (self.replicas, self.follows) = (to, self.now + self.plan.lag);
            let at = self.at();
            emit(&mut self.history, &decision.outcome, at);
        }
        self.status = serde_json::to_value(&report.status).expect("a status");
        self.memory = decision.memory;
    }
}

/// How many answers there were after one full window, and how many of them were single numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    all: usize,
    exact: usize,
}

/// Watches a world.
fn watch(plan: &Plan, tally: &mut Tally) -> Result<(), TestCaseError> {
    let (mut world, mut watch) = (WatchedWorld::new(plan), Watch::new());
    let mut begun_watching = None;
    for (pause, takes) in plan.pauses.iter().cycle() {
        world.pass(world.now + pause);
        if world.now > 240_000 {
            break;
        }
        if world.is_out() {
            watch.failed();
            continue;
        }
        let (begun, hpa) = (world.at(), world.hpa());
        let syncs = world.pass(world.now + takes);
        let mut seen = world.look(hpa.clone());
        watch.see(Look { begun, ended: world.at(), version: &hpa.version, snapshot: &seen }, &world.rules);
        seen.history.watched = watch.watched(world.at());
        let since = *begun_watching.get_or_insert(begun);
        let truth = decide(&world.whole(&seen), &world.rules).desired();
        let answer = answer(&mut seen, &world.rules);
        let next = next_change(&seen, &world.rules, &answer.decision);
        watch.note_answer(&answer, next.map(|next| next.at));
        // Of a sync during a look, a part of it may be older and a part newer.
        if syncs > 0 {
            continue;
        }
        match answer.interval {
            None => prop_assert_eq!(
                answer.decision.desired(),
                truth,
                "exact, at {}: {:?}",
                world.at(),
                seen.memory
            ),
            Some((low, high)) => {
                let holds = truth.is_some_and(|truth| low <= truth && truth <= high);
                prop_assert!(holds, "{:?} is not within {:?}..{:?} at {}", truth, low, high, world.at());
            }
        }
        if plan.outage.is_none() && world.at() > since + longest(&seen) {
            tally.all += 1;
            tally.exact += usize::from(answer.interval.is_none());
        }
    }
    Ok(())
}

fn plans() -> impl Strategy<Value = Plan> {
    let usage = prop_oneof![12 => (1..150_i64).prop_map(Some), 1 => Just(None)];
    let usages = prop::collection::vec((usage, 3_000..60_000_i64), 2..8);
    let delays = prop::collection::vec(0..300_i64, 1..8);
    let pauses = prop::collection::vec((300..1_300_i64, 0..250_i64), 3..12);
    let outage = prop::option::weighted(0.3, (20_000..90_000_i64, 2_000..40_000_i64, any::<bool>()));
    (behaviors([0, 12, 30, 60], 60), 2..12_i32, usages, delays, pauses, 0..4_000_i64, outage).prop_map(
        |(behavior, replicas, usages, delays, pauses, lag, outage)| Plan {
            behavior,
            replicas,
            usages,
            delays,
            pauses,
            lag,
            outage,
        },
    )
}

#[test]
fn no_answer_excludes_what_happens_and_after_one_window_nearly_all_are_exact() {
    // The longest test of its binary, and the last: both cores work on it.
    let tallies = std::thread::scope(|scope| {
        let halves = [(); 2].map(|()| scope.spawn(|| watch_worlds(96)));
        halves.map(|half| half.join().expect("worlds that agree"))
    });
    let all: usize = tallies.iter().map(|tally| tally.all).sum();
    let exact: usize = tallies.iter().map(|tally| tally.exact).sum();
    assert!(all > 2_000 && exact * 100 >= all * 95, "{exact} of {all} are exact");
}

fn watch_worlds(cases: u32) -> Tally {
    let mut runner = TestRunner::new(Config { cases, ..Config::default() });
    let tally = std::cell::Cell::new(Tally::default());
    let outcome = runner.run(&plans(), |plan| {
        let mut sum = tally.get();
        let result = watch(&plan, &mut sum);
        tally.set(sum);
        result
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    tally.get()
}

/// A controller that is restarted remembers nothing but the count that it found, and holds that for another window: whoever
/// watched is wrong until it does not do what was said, and knows better once the longest time between two syncs has passed.
#[test]
fn a_controller_that_was_restarted_is_found_out() {
    let plan = Plan {
        behavior: None,
        replicas: 4,
        usages: vec![(Some(80), 30_000), (Some(10), 600_000)],
        delays: vec![20],
        pauses: vec![(700, 0)],
        lag: 500,
        outage: None,
    };
    let (mut world, mut watch) = (WatchedWorld::new(&plan), Watch::new());
    let (mut wrong, mut is_restarted) = (0, false);
    let pause = plan.pauses[0].0;
    while world.now < 150_000 {
        world.pass(world.now + pause);
        if world.now > 60_000 && !is_restarted {
            is_restarted = true;
            world.memory = Memory::default();
        }
        let (begun, hpa) = (world.at(), world.hpa());
        let mut seen = world.look(hpa.clone());
        watch.see(Look { begun, ended: begun, version: &hpa.version, snapshot: &seen }, &world.rules);
        seen.history.watched = watch.watched(begun);
        let truth = decide(&world.whole(&seen), &world.rules).desired();
        let answer = answer(&mut seen, &world.rules);
        watch.note_answer(&answer, next_change(&seen, &world.rules, &answer.decision).map(|next| next.at));
        let (low, high) = answer.range().expect("a count");
        wrong += usize::from(truth.is_none_or(|truth| truth < low || high < truth));
    }
    // A sync begins at most two periods after the one before.
    let most = usize::try_from(2 * PERIOD / pause).expect("a few looks") + 1;
    assert!((1..=most).contains(&wrong), "{wrong} answers were wrong, at most {most} may be");
}

/// Both windows, and one more pod each second.
fn behavior(up: i32, down: i32) -> Value {
    let rules = |window: i32| {
        let policy = json!({"type": "Pods", "value": 1, "periodSeconds": 1});
        json!({"stabilizationWindowSeconds": window, "selectPolicy": "Max", "policies": [policy]})
    };
    json!({"scaleUp": rules(up), "scaleDown": rules(down)})
}

/// Other metrics came and went while nobody looked, and the status stood as before.
#[test]
fn what_nobody_looked_at_is_not_known() {
    let plan = Plan {
        behavior: Some(behavior(12, 0)),
        replicas: 2,
        usages: vec![(Some(1), 21_621), (Some(26), 34_416), (Some(56), 18_812)],
        delays: vec![0],
        pauses: vec![(526, 121), (708, 55), (614, 80), (441, 5)],
        lag: 3,
        outage: Some((53_106, 21_559, false)),
    };
    watch(&plan, &mut Tally::default()).unwrap_or_else(|error| panic!("{error}"));
}

/// The controller could not sync for a while, and the pods changed about then; it could not for longer than it is ever late, or one
/// sync was left out.
#[test]
fn a_sync_that_was_not_is_not_counted_on() {
    let changed = Plan {
        behavior: None,
        replicas: 2,
        usages: vec![(Some(1), 38_697), (Some(79), 19_233), (Some(1), 3_000), (Some(1), 18_701)],
        delays: vec![78],
        pauses: vec![(518, 19), (300, 0), (300, 0)],
        lag: 0,
        outage: Some((58_791, 3_146, false)),
    };
    let long = Plan {
        behavior: Some(behavior(30, 0)),
        replicas: 2,
        usages: vec![(Some(1), 26_804), (Some(56), 30_069)],
        delays: vec![11, 0],
        pauses: vec![(978, 40), (850, 199), (588, 109), (525, 23), (385, 48), (1_042, 152)],
        lag: 0,
        outage: Some((23_447, 27_609, false)),
    };
    let skipped = Plan {
        behavior: None,
        replicas: 3,
        usages: vec![(Some(34), 8_295), (Some(1), 55_343)],
        delays: vec![0],
        pauses: vec![(300, 0)],
        lag: 0,
        outage: Some((68_030, 2_971, false)),
    };
    for plan in [changed, long, skipped] {
        watch(&plan, &mut Tally::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}
