//! Divisions and products written out, as in "640m ÷ 500m".

use super::ratios::Ratios;
use crate::render::units::{Unit, beside, count, float, product};
use kubectl_hpa_core::model::{Milli, Percent, PolicyType, Replicas};
use kubectl_hpa_core::trace::{Direction, Measure, Pass, PolicyTrace};

/// From the sums of a pass to its ratio.
pub(in crate::render) fn pass(unit: Unit, measure: Measure, pass: &Pass, ratios: Ratios) -> String {
    let ratio = ratios.show(pass.ratio.0);
    match (measure, pass.utilization) {
        (Measure::Utilization(target), Some(utilization)) => {
            let percent = percent(pass.usage, pass.requests, utilization);
            let (usage, requests) = (unit.human(pass.usage), unit.human(pass.requests));
            format!("{usage} of {requests} = {percent}, {} / {} = {ratio}", utilization.0, target.0)
        }
        (Measure::Utilization(_), None) => ratio,
        (Measure::Value(target), _) => value(unit, target, pass, &ratio),
    }
}

fn value(unit: Unit, target: Milli, pass: &Pass, ratio: &str) -> String {
    let (usage, target) = (unit.human(pass.usage), unit.human(target));
    let mean = mean(unit, pass);
    format!(
        "{usage} / {} = {mean}, {} / {target} = {ratio}",
        count(pass.samples, "sample"),
        unit.human(pass.mean)
    )
}

/// `90%`, or `66.66 → 66%` where digits are cut off.
fn percent(usage: Milli, requests: Milli, utilization: Percent) -> String {
    let (product, requests) = (i128::from(usage.0) * 100, i128::from(requests.0));
    let exact = product.checked_div(requests).unwrap_or_default();
    let cut = product.checked_rem(requests).unwrap_or_default() != 0;
    if exact != i128::from(utilization.0) {
        // The product is an int64, the quotient is truncated to an int32.
        let kind = if i64::try_from(product).is_ok() { "int32" } else { "int64" };
        format!("{}% ({kind} overflows)", utilization.0)
    } else if cut {
        format!("{} → {}%", hundredths(product, requests), utilization.0)
    } else {
        format!("{}%", utilization.0)
    }
}

/// The mean, and before it the quotient where digits are cut off.
fn mean(unit: Unit, pass: &Pass) -> String {
    let samples = i128::try_from(pass.samples).unwrap_or(i128::MAX);
    let sum = i128::from(pass.usage.0);
    let shown = unit.human(pass.mean);
    let cut = sum.checked_rem(samples).unwrap_or_default() != 0;
    match unit {
        Unit::Cpu if cut => format!("{}m → {shown}", hundredths(sum, samples)),
        Unit::Plain if cut => {
            format!("{} → {shown}", decimals(sum, samples.saturating_mul(1000), 5))
        }
        Unit::Cpu | Unit::Plain | Unit::Bytes(_) => shown,
    }
}

/// A quotient with two decimals, cut off.
fn hundredths(number: i128, divisor: i128) -> String {
    decimals(number, divisor, 2)
}

/// A quotient with so many decimals, cut off.
fn decimals(number: i128, divisor: i128, places: u32) -> String {
    let scale = 10_i128.pow(places);
    let cut = number.saturating_mul(scale).checked_div(divisor).unwrap_or_default();
    let (whole, rest) =
        (cut.unsigned_abs() / scale.unsigned_abs(), cut.unsigned_abs() % scale.unsigned_abs());
    let sign = if cut < 0 { "-" } else { "" };
    let digits = format!("{rest:0places$}", places = places as usize);
    let shown = if places > 3 { digits.trim_end_matches('0') } else { &digits };
    format!("{sign}{whole}.{shown}")
}

/// `× 4 pods`: a ratio times a number of pods, rounded up.
pub(in crate::render) fn times(value: f64, pods: usize, what: &str, replicas: Replicas) -> String {
    let exact = value * float(pods);
    format!("× {} = {} → {}", count(pods, what), product(exact), replicas.0)
}

/// A policy from the period's start to what it allows.
pub(in crate::render) fn policy(trace: &PolicyTrace, direction: Direction) -> String {
    let (start, value) = (trace.period_start.0, trace.policy.value);
    let allows = trace.allows.0;
    match (trace.policy.kind, direction) {
        (PolicyType::Pods, Direction::Up) => format!("{start} + {value} = {allows}"),
        (PolicyType::Pods, Direction::Down) => format!("{start} - {value} = {allows}"),
        (PolicyType::Percent, Direction::Up) => share(start, 1.0 + f64::from(value) / 100.0, allows),
        (PolicyType::Percent, Direction::Down) => share(start, 1.0 - f64::from(value) / 100.0, allows),
    }
}

fn share(start: i32, factor: f64, allows: i32) -> String {
    let exact = f64::from(start) * factor;
    format!("{start} × {} = {} → {allows}", beside(factor, &[]), product(exact))
}

/// The replicas at the period's start, where they differ from now.
pub(in crate::render) fn period_start(current: Replicas, trace: &PolicyTrace) -> String {
    match (trace.added, trace.removed) {
        (0, 0) => String::new(),
        (added, 0) => format!("{} - {added} added", current.0),
        (0, removed) => format!("{} + {removed} removed", current.0),
        (added, removed) => format!("{} - {added} added + {removed} removed", current.0),
    }
}
