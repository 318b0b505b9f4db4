//! Arithmetic: the JSON of an explanation has every number that the decision depends on. Here the decision is repeated
//! from the parsed text alone and without the engine, for the recorded sequences of every controller.

#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "the test converts between integers and floats as the controller does"
)]

mod limits;
mod metric;
mod page;
mod pencil;

use crate::recorded::{frozen, recorded};
use crate::versions::versions;
use kubectl_hpa::render;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::Snapshot;
use page::Page;
use serde_json::Value;

/// Of the sequences every eighth is taken.
const EVERY: usize = 8;

/// What `explain -o json` prints, parsed.
fn printed(snapshot: &Snapshot, rules: &Rules) -> Value {
    let explanation = Explanation::by(snapshot.clone(), rules.clone());
    let view = render::decision_view(&explanation);
    serde_json::from_str(&serde_json::to_string(&view).expect("JSON")).expect("JSON again")
}

/// The replicas that the numbers of a page lead to.
fn decide(page: &Page) -> i64 {
    let (current, min, max) = (page.current(), page.int("spec.minReplicas"), page.int("spec.maxReplicas"));
    if page.metrics().is_empty() {
        // The gate, a selector, or nothing at all.
        let is_asleep = current == 0;
        return match page.stages().last() {
            Some(&"gate") if !is_asleep && current > max => max,
            Some(&"gate") if !is_asleep && current < min => min,
            _ => current,
        };
    }
    if page.metrics().iter().any(|metric| metric["failure"]["code"] == "controller-crash") {
        return current;
    }
    let proposals: Vec<Option<i64>> =
        page.metrics().iter().map(|metric| metric::propose(page, metric)).collect();
    let invalid = proposals.iter().any(Option::is_none);
    let mut best: Option<i64> = None;
    for proposal in proposals.into_iter().flatten() {
        if best.is_none_or(|best| best == 0 || proposal > best) {
            best = Some(proposal);
        }
    }
    match best {
        None => current,
        Some(best) if invalid && best < current => current,
        Some(best) => {
            let limited = limits::limit(page, limits::stabilize(page, best.max(0)));
            // Only an autoscaler that went to zero itself has this step.
            if page.stages().contains(&"floor") { limited.max(min) } else { limited }
        }
    }
}

#[test]
fn the_numbers_of_an_explanation_lead_to_its_decision() {
    let (mut decided, mut moved) = (0, 0);
    for version in versions() {
        for case in recorded(&version, EVERY) {
            let (snapshot, rules) = frozen(case);
            let printed = printed(&snapshot, &rules);
            let page = Page::new(&printed);
            let Some(desired) = printed["desiredReplicas"].as_i64() else { continue };
            // A write that fails leaves the replicas as they are.
            let is_refused = printed["outcome"]["code"] == "rescale-failed";
            assert_eq!(if is_refused { page.current() } else { decide(&page) }, desired, "{printed}");
            decided += 1;
            moved += usize::from(page.stages().contains(&"limit") && desired != page.current());
        }
    }
    assert!(decided > 2000 && moved > 500, "{decided} decided, {moved} of them moved by metrics");
}
