//! Our half of `tests/oracle/run bench`.
//!
//! `round PODS AT` prints the world that both halves decide about, on one line. `round` takes the times of one round on the
//! case on standard input, and prints the nanoseconds of a decision with its full trace, of freezing, and of both together,
//! and the replicas that the metric proposes. `round ahead` prints the nanoseconds of one decision over 1,000 pods and of one
//! point of a sweep over them, and of one decision over 50 pods and of one sync of a day that they are played for.
//!
//! All of it but freezing is processor time, so that other work on the machine is not counted. It is read from Linux's `/proc`.

use std::hint::black_box;
use std::io::{Read, Write, stdin, stdout};
use std::time::{Duration, Instant};

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::model;
use kubectl_hpa_core::play::{Assumptions, Player};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Cases, Snapshot};
use kubectl_hpa_core::trace::{Decision, Verdict};
use kubectl_hpa_core::whatif::{Axis, sweep};

mod world;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = stdout().lock();
    match &*std::env::args().skip(1).collect::<Vec<_>>() {
        [pods, at] => {
            let at = model::Instant::parse(at)?;
            writeln!(out, "{}", world::world(pods.parse()?, world::Pods::Mixed, at))?;
            return Ok(());
        }
        [_] => {
            let [one, point] = swept(1_000)?;
            let [few, sync] = played(50)?;
            writeln!(out, "{one} {point} {few} {sync}")?;
            return Ok(());
        }
        _ => {}
    }
    let mut line = Vec::new();
    stdin().read_to_end(&mut line)?;
    let case = Cases::new("standard input", line.as_slice()).next().ok_or("no case")??;
    let snapshot = Snapshot::freeze(case.clone())?;
    let rules = Rules::for_version("v1.37.1", &snapshot.controller.feature_gates)?;
    let replicas = proposed(&decide(&snapshot, &rules)).ok_or("the metric proposes nothing")?;
    let decision = decided(&snapshot, &rules);
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

/// The nanoseconds of a decision over ready pods, and of one point of a sweep of their load.
fn swept(pods: usize) -> Result<[u128; 2], Box<dyn std::error::Error>> {
    let (case, snapshot, rules) = ready(pods)?;
    let axis = [Axis::parse("load=-50%..+949%:27%")?];
    let all = processor(|| drop(sweep(black_box(&case), &[], &axis)));
    Ok([decided(&snapshot, &rules), all / axis[0].values.len() as u128])
}

/// The nanoseconds of a decision over ready pods, and of one sync of the day that follows.
fn played(pods: usize) -> Result<[u128; 2], Box<dyn std::error::Error>> {
    let (_, snapshot, rules) = ready(pods)?;
    let day = Assumptions { over: model::Duration::from_seconds(86_400), ..Assumptions::default() };
    let world = day.world(&snapshot)?;
    let all = processor(|| {
        let player = Player::start(snapshot.clone(), world.clone(), &rules);
        let mut player = player.expect("the world can be played");
        while player.sync().is_some() {}
    });
    Ok([decided(&snapshot, &rules), all / world.syncs as u128])
}

fn ready(pods: usize) -> Result<(Case, Snapshot, Rules), Box<dyn std::error::Error>> {
    let at = model::Instant::parse("2026-11-21T10:42:00Z")?;
    let case: Case = serde_json::from_value(world::world(pods, world::Pods::Ready, at))?;
    let snapshot = Snapshot::freeze(case.clone())?;
    let rules = Rules::for_version("v1.37.1", &snapshot.controller.feature_gates)?;
    Ok((case, snapshot, rules))
}

/// The nanoseconds of a decision; what it takes to give the trace's memory back is a part of it.
fn decided(snapshot: &Snapshot, rules: &Rules) -> u128 {
    processor(|| drop(decide(black_box(snapshot), rules)))
}

fn proposed(decision: &Decision) -> Option<model::Replicas> {
    match &decision.metrics.first()?.verdict {
        Verdict::Proposal(proposal) => Some(proposal.replicas),
        Verdict::Failed(_) | Verdict::Unknown(_) => None,
    }
}

/// The mean of the processor time that a call takes, over a quarter of a second.
fn processor(mut call: impl FnMut()) -> u128 {
    let mut timed = |least: u128| {
        let (begun, mut calls) = (spent(), 0);
        loop {
            // What a thread has spent is known to some milliseconds, and costs a microsecond to ask for.
            let asked = Instant::now();
            while asked.elapsed() < Duration::from_millis(10) {
                call();
                calls += 1;
            }
            let took = spent() - begun;
            if took >= least {
                return took / calls;
            }
        }
    };
    timed(50_000_000);
    timed(250_000_000)
}

/// The nanoseconds that this thread has had a processor.
fn spent() -> u128 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|spent| spent.parse().ok()).expect("a Linux that says it")
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
