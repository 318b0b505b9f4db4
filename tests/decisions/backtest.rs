//! A record of a world whose truth is known, played again.

use std::sync::Arc;

use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Duration;
use kubectl_hpa_core::play::Assumptions;
use kubectl_hpa_core::record::{Records, Seen};
use kubectl_hpa_core::run::{Calibration, Recorded, Recording, Run};
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::whatif::{Change, Knob, change};

use crate::backtest_world::{Draws, World, record};

/// The recording of a world, through the lines of a file.
fn recorded(text: &str, assumptions: &Assumptions) -> Recorded {
    let mut recording = Recording::new(assumptions.clone());
    for entry in Records::new(text.as_bytes()) {
        let Seen::Case(case) = entry.expect("a look").seen else { continue };
        let explained = Explanation::of((*case).clone()).expect("a case");
        recording.see(&case, explained.snapshot(), explained.decision());
    }
    recording.end().expect("it can be played")
}

fn played(recorded: &Recorded, assumptions: &Assumptions, changes: &[Change]) -> Run {
    let mut case = recorded.case.clone();
    change(&mut case, changes).expect("changed");
    let demand = Some(Arc::clone(&recorded.demand));
    let assumptions = Assumptions { over: recorded.time, curves: Vec::new(), demand, ..assumptions.clone() };
    let explanation = Explanation::of(case).expect("a case");
    Run::of(explanation.player(&assumptions).expect("plays"), |_| ()).expect("played")
}

fn proposed(kind: &str, draws: &mut Draws) -> Vec<Change> {
    let target = match kind {
        "cpu" | "container" | "both" => draws.pick(&["cpu=40", "cpu=70", "cpu=90"]),
        "memory" => draws.pick(&["memory=120Mi", "memory=220Mi"]),
        _ => draws.pick(&["work=50", "work=90", "work=130"]),
    };
    let target = Change::new(Knob::Target, target);
    let other = draws.pick(&[
        Change::new(Knob::Max, "12"),
        Change::new(Knob::Min, "4"),
        Change::new(Knob::ScaleDown, "window=120s"),
        Change::new(Knob::ScaleUp, "Pods=1/60s"),
    ]);
    let changes = [target, other].into_iter().take(1 + usize::try_from(draws.below(2)).expect("a number"));
    changes.map(|change| change.expect("a change")).collect()
}

/// How far one amount is from another, in percent of that.
fn off(one: i128, other: i128) -> f64 {
    percent((one - other).abs(), other)
}

#[expect(clippy::cast_precision_loss, reason = "for a bound")]
fn percent(part: i128, whole: i128) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

/// How far a play of a record is from the world, in percent: time with other replicas; replicas times time; and with changed
/// settings pod-hours, time over target (of the whole time) and rescales (their number).
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    unequal: f64,
    replicas: f64,
    pods: f64,
    over: f64,
    rescales: usize,
}

impl Errors {
    fn worse(self, other: Self) -> Self {
        Self {
            unequal: self.unequal.max(other.unequal),
            replicas: self.replicas.max(other.replicas),
            pods: self.pods.max(other.pods),
            over: self.over.max(other.over),
            rescales: self.rescales.max(other.rescales),
        }
    }
}

/// Plays a world's record as it is and changed, and the world itself.
fn judged(world: &World, draws: &mut Draws, every: usize) -> (bool, Errors) {
    let after = Duration::from_nanoseconds(i64::try_from(draws.below(14_000)).expect("ms") * 1_000_000);
    let recorded = recorded(&record(world.looks(every, after)), &world.assumptions);
    let calibration =
        Calibration::of(&recorded, &played(&recorded, &world.assumptions, &[]), Duration::from_seconds(15));
    let changes = proposed(world.kind, draws);
    let (predicted, truth) = (played(&recorded, &world.assumptions, &changes), world.truth(&changes));
    let (predicted, truth) = (predicted.totals, truth.totals);
    let nanoseconds = |time: Duration| i128::from(time.nanoseconds());
    let over = (nanoseconds(predicted.over_target) - nanoseconds(truth.over_target)).abs();
    let errors = Errors {
        unequal: 100.0 - percent(nanoseconds(calibration.equal), nanoseconds(calibration.time)),
        replicas: off(calibration.replica_time[1], calibration.replica_time[0]),
        pods: off(predicted.pod_time, truth.pod_time),
        over: percent(over, nanoseconds(truth.time)),
        rescales: predicted.rescales.abs_diff(truth.rescales),
    };
    (calibration.is_close(), errors)
}

/// The worst of many worlds, and how many of them a play matches; of the others nothing is compared.
fn worst(seeds: std::ops::Range<u64>, every: usize, change: impl Fn(&mut World)) -> (Errors, usize) {
    let (mut worst, mut close) = (Errors::default(), 0);
    for seed in seeds {
        let mut world = World::draw(seed);
        change(&mut world);
        let (is_close, errors) = judged(&world, &mut Draws(seed + 1_000_000), every);
        if is_close {
            worst = worst.worse(errors);
            close += 1;
        }
    }
    (worst, close)
}

#[test]
fn with_a_look_in_each_sync_a_play_is_the_world() {
    let (worst, close) = worst(0..200, 1, |_| ());
    assert!(close >= 195, "{close}");
    assert!(worst.replicas < 1.0 && worst.pods < 1.0 && worst.over < 3.0, "{worst:?}");
    assert!(worst.rescales <= 3, "{worst:?}");
}

/// Nobody sees a peak that comes and goes between two looks.
#[test]
fn with_a_look_in_each_second_sync_a_play_is_nearly_the_world() {
    let (worst, close) = worst(1_000..1_120, 2, |_| ());
    assert!(close >= 100, "{close}");
    assert!(worst.replicas < 3.0 && worst.pods < 8.0, "{worst:?}");
}

/// The record has old metrics, and a play shows new pods at once.
#[test]
fn with_old_metrics_a_play_is_nearly_the_world() {
    let (worst, close) = worst(2_000..2_120, 1, |world| {
        world.assumptions.metrics_lag = Duration::from_seconds(30);
    });
    assert!(close >= 80, "{close}");
    assert!(worst.replicas < 2.0 && worst.pods < 3.0, "{worst:?}");
}

/// Without any demand at first, and with a memory that nobody knows: where a window keeps the replicas, a play begins without.
#[test]
fn a_record_may_begin_without_any_demand() {
    let (mut played_up, mut begun, mut close) = (0, 0, 0);
    for seed in 0..300 {
        let world = World::draw(seed);
        if world.kind != "cpu" && world.kind != "container" {
            continue;
        }
        let looks = world.looks(1, Duration::from_seconds(2));
        let used = |case: &Case| serde_json::to_string(case).expect("JSON").contains(r#""usage":{"cpu":"0"#);
        let Some(first) = looks.iter().position(|(_, case)| used(case)) else { continue };
        let recorded = recorded(&record(looks.into_iter().skip(first)), &world.assumptions);
        let run = played(&recorded, &world.assumptions, &[]);
        let calibration = Calibration::of(&recorded, &run, Duration::from_seconds(15));
        begun += 1;
        close += usize::from(calibration.is_close());
        played_up += usize::from(run.changes.iter().any(|change| change.to > change.from));
    }
    assert!(close * 5 >= begun * 4, "{close} of {begun}");
    assert!(played_up >= 10, "{played_up}");
}
