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

/// The places of the target's pods of a name, in which `*` is any text; at least one.
pub(super) fn named_pods(case: &Case, pattern: &str) -> Result<Vec<usize>, Problem> {
    let own = own_pods(case)?;
    let pods = case.pods.as_ref().and_then(|pods| pods.items.as_deref()).unwrap_or_default();
    let name = |place: &usize| pods[*place].metadata.name.as_str();
    let named: Vec<usize> = own.iter().copied().filter(|place| matches(pattern, name(place))).collect();
    if named.is_empty() {
        let all: Vec<&str> = own.iter().map(name).collect();
        return Err(Problem::NoSuchPod(pattern.to_owned(), few(&all)));
    }
    Ok(named)
}

/// Names, the first few of many.
fn few(names: &[&str]) -> String {
    let shown = names.iter().take(5).copied().collect::<Vec<_>>().join(", ");
    if names.len() > 5 { format!("{shown} and {} more", names.len() - 5) } else { shown }
}

fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, others)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let (between, last) = others.rsplit_once('*').unwrap_or(("", others));
    for part in between.split('*') {
        let Some(place) = rest.find(part) else { return false };
        rest = &rest[place + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_star_is_any_text() {
        for (pattern, name, is_matched) in [
            ("web-1", "web-1", true),
            ("web-1", "web-10", false),
            ("*", "web-1", true),
            ("web-*", "web-", true),
            ("web-*", "we-1", false),
            ("*-1", "web-1", true),
            ("*-1", "web-10", false),
            ("w*-*1", "web-pool-11", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("a*b*c", "acb", false),
            ("a*b*b", "ab", false),
            ("**", "", true),
        ] {
            assert_eq!(super::matches(pattern, name), is_matched, "{pattern} {name}");
        }
    }
}
