//! The nearest changes that would change a decision, in words.

use super::answer::down_window;
use crate::render::units::{Round, Unit, moment, span};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{Duration, Milli, Replicas, SelectPolicy};
use kubectl_hpa_core::trace::{Calculation, Pass};
use kubectl_hpa_core::whatif::{Cause, Next, Threshold, Thresholds};

/// "280m or more in total (a mean of 94m over 3 samples, 93%) → 6", or "219m or less …".
pub(in crate::render) fn threshold(
    explanation: &Explanation,
    metric: Metric<'_>,
    it: &Thresholds,
    threshold: Threshold,
) -> String {
    let is_more = threshold.usage > it.usage;
    let (side, round) = if is_more { (" or more", Round::Up) } else { (" or less", Round::Down) };
    // Where more load leads to fewer replicas, even more leads to more again.
    let (low, high) = threshold.replicas;
    let decided = explanation.decision().desired().map(|desired| (desired, desired));
    let is_contrary = explanation.interval().or(decided).is_some_and(|(least, most)| {
        if is_more { low < least || high < most } else { low > least || high > most }
    });
    let side = if is_contrary { "" } else { side };
    format!("{} {}", bound(metric, it, threshold, side, round), leads(explanation, threshold))
}

/// "614m or less … → 2 wanted; the window holds 3 for up to 5m".
pub(in crate::render) fn held(
    explanation: &Explanation,
    metric: Metric<'_>,
    it: &Thresholds,
    (usage, wanted): (Milli, Replicas),
) -> String {
    let threshold = Threshold { usage, replicas: (wanted, wanted) };
    let bound = bound(metric, it, threshold, " or less", Round::Down);
    let current = explanation.current().unwrap_or_default().0;
    let behavior = explanation.snapshot().hpa.behavior.as_ref();
    let is_disabled = behavior.is_some_and(|behavior| behavior.down.select == SelectPolicy::Disabled);
    let window = down_window(explanation);
    let holds = match (is_disabled, window > Duration::ZERO) {
        (true, _) => format!("scaleDown is disabled, which holds {current}"),
        (false, true) => format!("the window holds {current} for up to {}", span(window)),
        (false, false) => format!("{current} is held at first"),
    };
    format!("{bound} → {} wanted; {holds}", wanted.0)
}

fn bound(metric: Metric<'_>, it: &Thresholds, threshold: Threshold, side: &str, round: Round) -> String {
    let unit = Unit::of(metric);
    let amount = unit.rounded(threshold.usage, round);
    match (it.samples, first_pass(metric)) {
        (Some(samples), Some(first)) if samples > 1 || first.utilization.is_some() => {
            let mean = unit.rounded(mean(threshold.usage, samples, round), round);
            match (percent(first, threshold.usage), samples) {
                (None, 1) => format!("{amount}{side} in the one sample"),
                (Some(percent), 1) => format!("{amount}{side} in the one sample ({percent}%)"),
                (None, _) => format!("{amount}{side} in total (a mean of {mean} over {samples} samples)"),
                (Some(percent), _) => {
                    format!("{amount}{side} in total (a mean of {mean} over {samples} samples, {percent}%)")
                }
            }
        }
        _ => format!("{amount}{side}"),
    }
}

/// The pass over the pods with a sample.
pub(super) fn first_pass(metric: Metric<'_>) -> Option<Pass> {
    match &metric.proposal()?.calculation {
        Calculation::PerPod(per_pod) => Some(per_pod.first),
        Calculation::Total(_) | Calculation::PerReplica(_) => None,
    }
}

/// Rounds away from the current value, so that the mean reaches the sum.
fn mean(usage: Milli, samples: usize, round: Round) -> Milli {
    let samples = i64::try_from(samples).unwrap_or(i64::MAX).max(1);
    let carry = i64::from(round == Round::Up && usage.0 % samples != 0);
    Milli(usage.0 / samples + carry)
}

/// The utilization at a sum, as the controller truncates it.
fn percent(first: Pass, usage: Milli) -> Option<i128> {
    first.utilization?;
    (i128::from(usage.0) * 100).checked_div(first.requests.0.into())
}

/// Where it leads; what is the answer now as well is no change but what becomes possible beside it is.
fn leads(explanation: &Explanation, threshold: Threshold) -> String {
    let (low, high) = threshold.replicas;
    match explanation.range() {
        Some((least, most)) if low <= most && high >= least && low != high => {
            match (low < least, high > most) {
                (true, false) => format!("could go as low as {}", low.0),
                (false, true) => format!("could reach {}", high.0),
                (true, true) => format!("could lead anywhere from {} to {}", low.0, high.0),
                (false, false) => format!("→ {}", range((low, high))),
            }
        }
        Some(_) | None => format!("→ {}", range((low, high))),
    }
}

/// `6`, or `6–10` where the decision is not exact.
pub(in crate::render) fn range((low, high): (Replicas, Replicas)) -> String {
    if low == high { low.0.to_string() } else { format!("{}–{}", low.0, high.0) }
}

/// "at 10:47:31 (in 5m31s) the recommendation of 10 leaves the window → 6".
pub(in crate::render) fn next(explanation: &Explanation, change: &Next) -> String {
    let when = moment(explanation.now(), change.at);
    format!("{when}: {} → {}", cause(explanation, change.cause), change.replicas.0)
}

/// The event of an instant.
pub(in crate::render) fn cause(explanation: &Explanation, cause: Cause) -> String {
    match cause {
        Cause::PodSettles(place) => {
            let name = explanation.pods().get(place).map_or("a pod", |pod| &pod.name);
            format!("the CPU initialization period of {name} ends, unless it counts earlier")
        }
        Cause::RecommendationLeaves(replicas) => {
            format!("the recommendation of {} leaves the stabilization window", replicas.0)
        }
        Cause::PeriodEnds => "an earlier rescale leaves the period of its policy".to_owned(),
    }
}
