//! `cargo bench`: one decision with its full trace, and what is done before it. `tests/oracle/run bench` takes the same
//! times in turn with the real calculator's.

use divan::Bencher;
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Snapshot};

mod world;

const PODS: [usize; 4] = [3, 100, 1_000, 10_000];

fn main() {
    divan::main();
}

#[divan::bench(args = PODS)]
fn decision(bencher: Bencher<'_, '_>, pods: usize) {
    let snapshot = frozen(case(pods));
    let rules = rules(&snapshot);
    bencher.bench(|| decide(divan::black_box(&snapshot), &rules));
}

#[divan::bench(args = PODS)]
fn freeze(bencher: Bencher<'_, '_>, pods: usize) {
    let case = case(pods);
    bencher.with_inputs(|| case.clone()).bench_values(frozen);
}

#[divan::bench(args = PODS)]
fn freeze_and_decide(bencher: Bencher<'_, '_>, pods: usize) {
    let case = case(pods);
    let rules = rules(&frozen(case.clone()));
    bencher.with_inputs(|| case.clone()).bench_values(|case| {
        let snapshot = frozen(case);
        (decide(&snapshot, &rules), snapshot)
    });
}

fn case(pods: usize) -> Case {
    let at = Instant::parse("2026-11-21T10:42:00Z").expect("a time");
    serde_json::from_value(world::world(pods, world::Pods::Mixed, at)).expect("the case is one")
}

fn frozen(case: Case) -> Snapshot {
    Snapshot::freeze(case).expect("the case can be frozen")
}

fn rules(snapshot: &Snapshot) -> Rules {
    Rules::for_version("v1.37.1", &snapshot.controller.feature_gates).expect("1.37 has rules")
}
