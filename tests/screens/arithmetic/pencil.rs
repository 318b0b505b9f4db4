//! The numbers of a step as they stand on the screen lead to the replicas at its end, by pencil.

use crate::recorded::recorded;
use crate::screens::{Screen, at};
use crate::versions::versions;
use kubectl_hpa::render::{Detail, Options};
use kubectl_hpa_core::explanation::Explanation;

/// The ratio, the pods and the replicas of `1.166…, outside 0.90–1.10, × 12 ready pods = 14 → 14`.
fn product(step: &str) -> Option<(f64, f64, f64)> {
    let (before, after) = step.split_once(" × ")?;
    let ratio = before.split_once(", outside").map(|(ratio, _)| ratio)?;
    let ratio = ratio.rsplit(' ').next()?.trim_end_matches('…').parse().ok()?;
    let (pods, rest) = after.split_once(' ')?;
    let (what, rest) = rest.split_once(" = ")?;
    let (_, replicas) = rest.split_once(" → ")?;
    let replicas = replicas.split_whitespace().next()?;
    ["pod", "pods", "ready pod", "ready pods"].contains(&what).then_some(())?;
    Some((ratio, pods.parse().ok()?, replicas.parse().ok()?))
}

#[test]
fn a_shown_ratio_times_its_pods_is_rounded_up_to_the_shown_replicas() {
    let (mut all, mut cut) = (0, 0);
    for case in versions().iter().flat_map(|version| recorded(version, 11)) {
        let name = format!("{} at {}", case.hpa.0.metadata.name, case.at);
        let Ok(explanation) = Explanation::of(case) else { continue };
        let screen = Screen { name, explanation };
        let text = screen.text(Options { detail: Detail::Wide, ..at(4_000) });
        for line in text.lines() {
            let Some((ratio, pods, replicas)) = product(line) else { continue };
            // What int32 does not hold ends elsewhere.
            if (ratio * pods).abs() >= f64::from(i32::MAX) {
                continue;
            }
            assert!(((ratio * pods).ceil() - replicas).abs() < 0.5, "{}: {line}", screen.name);
            all += 1;
            cut += usize::from(line.contains("…, outside"));
        }
    }
    assert!(all > 300 && cut > 0, "{all} products, {cut} of them with a ratio that is cut off");
}
