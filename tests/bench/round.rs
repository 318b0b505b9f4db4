//! Our half of `tests/oracle/run bench`.
//!
//! `round PODS AT` prints the world that both halves decide about, on one line. `round` takes the times of one round on the
//! case on standard input, and prints the nanoseconds of a decision with its full trace, of freezing, and of both together,
//! and the replicas that the metric proposes.

use std::hint::black_box;
use std::io::{Read, Write, stdin, stdout};
use std::time::{Duration, Instant};

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::model;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Cases, Snapshot};
use kubectl_hpa_core::trace::{Decision, Verdict};

mod world;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = stdout().lock();
    if let [pods, at] = &*std::env::args().skip(1).collect::<Vec<_>>() {
        let at = model::Instant::parse(at)?;
        writeln!(out, "{}", world::world(pods.parse()?, at))?;
        return Ok(());
    }
    let mut line = Vec::new();
    stdin().read_to_end(&mut line)?;
    let case = Cases::new("standard input", line.as_slice()).next().ok_or("no case")??;
    let snapshot = Snapshot::freeze(case.clone())?;
    let rules = Rules::for_version("v1.37.1", &snapshot.controller.feature_gates)?;
    let replicas = proposed(&decide(&snapshot, &rules)).ok_or("the metric proposes nothing")?;
    // What it takes to give the trace's memory back is a part of it.
    let decision = nanoseconds(|| (), |()| drop(decide(black_box(&snapshot), &rules)));
    let frozen = nanoseconds(|| case.clone(), Snapshot::freeze);
    let both = nanoseconds(
        || case.clone(),
        |case| {
            let snapshot = Snapshot::freeze(case);
            let decision = snapshot.as_ref().map(|snapshot| decide(snapshot, &rules)).ok();
            (snapshot, decision)
        },
    );
    writeln!(out, "{decision} {frozen} {both} {}", replicas.0)?;
    Ok(())
}

fn proposed(decision: &Decision) -> Option<model::Replicas> {
    match &decision.metrics.first()?.verdict {
        Verdict::Proposal(proposal) => Some(proposal.replicas),
        Verdict::Failed(_) | Verdict::Unknown(_) => None,
    }
}

/// The mean of what a call takes, over a quarter of a second. What it is given is made before, and what it returns is
/// dropped after its time was taken.
fn nanoseconds<I, O>(input: impl Fn() -> I, mut call: impl FnMut(I) -> O) -> u128 {
    let mut timed = |least: Duration| {
        let (begun, mut total, mut calls) = (Instant::now(), Duration::ZERO, 0);
        while begun.elapsed() < least {
            let input = input();
            let start = Instant::now();
            let output = black_box(call(black_box(input)));
            total += start.elapsed();
            drop(output);
            calls += 1;
        }
        total.as_nanos() / calls
    };
    timed(Duration::from_millis(50));
    timed(Duration::from_millis(250))
}
