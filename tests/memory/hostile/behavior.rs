//! `spec.behavior` as it is drawn.

use kubectl_hpa_core::api::{Behavior, Policy, ScalingRules};

use super::draw::Draw;

/// None, the defaults, or rules.
pub fn behavior(draw: &mut Draw) -> Option<Behavior> {
    match draw.between(0, 7) {
        0 | 1 => None,
        2 => Some(Behavior::default()),
        _ => Some(Behavior { scale_up: side(draw), scale_down: side(draw) }),
    }
}

fn side(draw: &mut Draw) -> Option<ScalingRules> {
    if draw.chance(15) {
        return None;
    }
    let window = draw.pick(&[None, Some(0), Some(0), Some(0), Some(10), Some(60), Some(300)]);
    let select = draw.pick(&[None, Some("Max"), Some("Min"), Some("Max"), Some("Disabled")]);
    let policies = (!draw.chance(25)).then(|| (0..draw.between(1, 2)).map(|_| policy(draw)).collect());
    Some(ScalingRules {
        stabilization_window_seconds: window,
        select_policy: select.map(str::to_owned),
        policies,
        tolerance: None,
    })
}

fn policy(draw: &mut Draw) -> Policy {
    let kind = draw.pick(&["Pods", "Percent"]);
    let value = if kind == "Pods" { draw.count(1, 5) } else { draw.count(5, 120) };
    let period_seconds = if draw.chance(50) { draw.pick(&[15, 60, 120, 300]) } else { draw.count(1, 300) };
    Policy { kind: kind.to_owned(), value, period_seconds }
}
