//! Laws of the algorithm, over the recorded sequences of every controller.

mod future;
mod load;
mod order;
mod settled;
mod stories;

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::Snapshot;
use kubectl_hpa_core::status::report;
use kubectl_hpa_core::trace::{Calculation, Outcome, Verdict};
use serde_json::{Value, json};

/// All that a decision comes to, but the words of messages: they may name the first pod of a list.
fn comparable(snapshot: &Snapshot, rules: &Rules) -> Value {
    let decision = decide(snapshot, rules);
    let report = report(snapshot, &decision, rules);
    let mut status = serde_json::to_value(&report.status).expect("a status");
    for condition in status["conditions"].as_array_mut().into_iter().flatten() {
        condition["message"].take();
    }
    let arithmetic = decision.metrics.iter().map(|metric| match &metric.verdict {
        Verdict::Proposal(proposal) => match &proposal.calculation {
            Calculation::PerPod(it) => format!("{it:?} {:?}", proposal.replicas),
            Calculation::Total(it) => format!("{it:?} {:?}", proposal.replicas),
            Calculation::PerReplica(it) => format!("{it:?} {:?}", proposal.replicas),
        },
        Verdict::Failed(_) => "failed".to_owned(),
        Verdict::Unknown(_) => "unknown".to_owned(),
    });
    json!({
        "desired": decision.desired(),
        "rescaled": matches!(decision.outcome, Outcome::Scale { failed: None, .. }),
        "memory": format!("{:?}", decision.memory),
        "arithmetic": arithmetic.collect::<Vec<_>>(),
        "status": status,
    })
}
