//! What the replica count alone decides, and whether the selector is good.

use crate::model::{AllBut, GroupVersion, Labels, Replicas, Selector};
use crate::rules::{FromZero, Rules};
use crate::snapshot::{Hpa, HpaKey, Read, Scale, Scope, Selection, Snapshot, Stage};
use crate::trace::{Gate, ScaleFailure, SelectorVerdict, Unread};

/// The scale, or the gate at which its absence ends the reconcile (upstream `reconcileAutoscaler`, first part).
pub(super) fn scale<'a>(hpa: &Hpa, scale: &'a Read<Scale>) -> Result<&'a Scale, Gate> {
    // Upstream parses the API version before it sends any request, so this failure hides every other one.
    if let Err(error) = GroupVersion::split(&hpa.target.api_version) {
        return Err(Gate::NoScale(ScaleFailure::ApiVersion(error.to_string().into())));
    }
    // A failed lookup of the kind and a failed read of the scale set the same condition, but return different errors.
    scale.as_ref().map_err(|error| match (error.scope, error.stage) {
        (Scope::Reader, _) => Gate::Unknown(Unread::Refused(error.clone())),
        (Scope::Everyone, Stage::Mapping) => Gate::NoScale(ScaleFailure::Mapping(error.clone())),
        (Scope::Everyone, Stage::Get) => Gate::NoScale(ScaleFailure::Get(error.clone())),
    })
}

/// The replica count compared with zero and the bounds (upstream `reconcileAutoscaler`).
pub(super) fn gate(hpa: &Hpa, current: Replicas, rules: &Rules) -> Gate {
    if current == Replicas(0) {
        if wakes(hpa, rules) { Gate::MetricsFromZero } else { Gate::Disabled }
    } else if current > hpa.max {
        Gate::AboveMax
    } else if current < hpa.min {
        Gate::BelowMin
    } else {
        Gate::Metrics
    }
}

/// Whether the metrics of a target at zero are read.
fn wakes(hpa: &Hpa, rules: &Rules) -> bool {
    let may_rest = hpa.min == Replicas(0);
    match rules.from_zero {
        // Up to 1.35 the controller does not ask for the gate `HPAScaleToZero` here: only the API server's validation
        // does.
        FromZero::MinReplicas => may_rest,
        // A raised minReplicas needs no metric to leave zero; with minReplicas 0 only an Object or External metric has
        // a value while there are no pods (`shouldComputeMetricsForZeroReplicas`, 1.36).
        FromZero::Condition => is_own_zero(hpa, rules) && (!may_rest || hpa.outlives_pods()),
    }
}

/// Whether the HPA set the zero itself: the ScaledToZero condition, which counts only with its gate on (upstream
/// `getScaledToZeroConditionStatus`: the first condition of the type).
pub(super) fn is_own_zero(hpa: &Hpa, rules: &Rules) -> bool {
    rules.scale_to_zero && hpa.status.is_scaled_to_zero()
}

/// Whether the selector selects pods of this HPA alone (upstream `validateAndParseSelector`).
///
/// Before 1.26 the pods are not listed here, and other HPAs are not known.
pub(super) fn selector(snapshot: &Snapshot, scale: &Scale, rules: &Rules) -> SelectorVerdict {
    let selector = match &scale.selector {
        Selection::Missing => return SelectorVerdict::Missing,
        Selection::Invalid { error, .. } => return SelectorVerdict::Invalid(error.clone()),
        Selection::Parsed { selector, .. } => selector,
    };
    if rules.ambiguous.is_none() {
        return SelectorVerdict::Good;
    }
    let others = snapshot.others.iter().flat_map(AllBut::iter);
    let pods = match &snapshot.pods {
        Err(error) if error.scope == Scope::Everyone => return SelectorVerdict::Unlisted(error.clone()),
        // With a single HPA no pod can make its selector ambiguous.
        _ if others.clone().next().is_none() => return SelectorVerdict::Good,
        Ok(pods) => pods,
        Err(error) => return SelectorVerdict::Unknown(Unread::Refused(error.clone())),
    };
    // Pods of one template, which stand beside each other, have the same labels.
    let mut labels: Vec<&Labels> = pods.iter().map(|pod| &pod.labels).collect();
    labels.dedup();
    let matches = |selector: &Selector| labels.iter().any(|labels| selector.matches(labels));
    // Upstream compares with the selector that each other HPA had at its own last reconcile (`HPAsMatchingPods`): one
    // that has not been reconciled yet matches nothing.
    let others = others.filter(|other| other.is_held && other.selector.as_ref().is_some_and(matches));
    let mut claimants: Vec<HpaKey> = others.map(|other| other.key.clone()).collect();
    if matches(selector) {
        claimants.push(snapshot.hpa.key.clone());
    }
    // Upstream's order is that of a Go map, and random. Sorted, the same case always gives the same answer.
    claimants.sort_unstable();
    if claimants.len() > 1 { SelectorVerdict::Ambiguous(claimants) } else { SelectorVerdict::Good }
}
