//! The pods of the target among those of a case.

use std::sync::Arc;

use super::Problem;
use crate::api::Pod;
use crate::model::Selector;
use crate::snapshot::Case;

pub(super) fn items(case: &mut Case) -> Result<&mut Vec<Arc<Pod>>, Problem> {
    let items = case.pods.as_mut().and_then(|pods| pods.items.as_mut());
    items.ok_or(Problem::NoPods)
}

/// The places of the pods that the target's selector matches, in list order. A pod without a namespace is in the HPA's.
pub(super) fn own_pods(case: &Case) -> Result<Vec<usize>, Problem> {
    let scale = case.scale.as_ref().and_then(|scale| scale.object.as_ref());
    let selector = scale.ok_or(Problem::NoScale)?.status.selector.as_str();
    let selector = Selector::parse(selector)?;
    let namespace = &case.hpa.0.metadata.namespace;
    let pods = case.pods.as_ref().and_then(|pods| pods.items.as_ref()).ok_or(Problem::NoPods)?;
    let is_near = |pod: &Pod| pod.metadata.namespace.is_empty() || pod.metadata.namespace == *namespace;
    let is_own = |pod: &Pod| is_near(pod) && selector.matches(&pod.metadata.labels);
    Ok((0..pods.len()).filter(|place| is_own(&pods[*place])).collect())
}
