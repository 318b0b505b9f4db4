//! Situations that are still to come, and what keeps a version from leaving an HPA at 0.

use crate::render::units::{count, few};
use kubectl_hpa_core::comparison::{Foreseen, Later, Situation};
use kubectl_hpa_core::model::{Replicas, shell_word};
use kubectl_hpa_core::snapshot::Origin;

/// So many HPAs are named.
const NAMED: usize = 5;

/// What happens, as a clause.
const fn clause(situation: Situation) -> &'static str {
    match situation {
        Situation::AtZeroBefore => "it is at 0 when the version changes",
        Situation::AtZeroAfter => "it scales to 0 later",
        Situation::MinRaised => "minReplicas becomes 1 while it is at 0 without load",
        Situation::ScaledByHand => "somebody scales it to 0",
    }
}

/// What happens, in any of some situations.
pub(in crate::render) fn when(later: &Later) -> String {
    later.situations.iter().map(|it| clause(*it)).collect::<Vec<_>>().join(", or ")
}

/// What it comes to: the replicas once the load is back.
pub(in crate::render) fn end(replicas: Replicas) -> String {
    if replicas == Replicas(0) { "stays at 0".to_owned() } else { format!("wakes to {}", replicas.0) }
}

/// What to run before the version changes: none of an HPA that needs nothing.
pub(in crate::render) fn commands(foreseen: &Foreseen, is_of_clusters: bool) -> Vec<String> {
    let Some(precaution) = &foreseen.precaution else { return Vec::new() };
    let context = foreseen.origin.as_ref().and_then(Origin::context).filter(|_| is_of_clusters);
    let context = context.map_or_else(String::new, |name| format!(" --context {}", shell_word(name)));
    let place = format!("-n {}{context}", shell_word(&foreseen.key.namespace));
    let patch = format!(
        "kubectl patch hpa {} {place} --type merge -p '{{\"spec\":{{\"minReplicas\":1}}}}'",
        shell_word(&foreseen.key.name)
    );
    let wake = precaution.wake.as_ref().map(|target| {
        let target = format!("{}/{}", target.kind.to_lowercase(), target.name);
        format!("kubectl scale {} {place} --replicas=1", shell_word(&target))
    });
    std::iter::once(patch).chain(wake).collect()
}

/// That the API server of a version refuses minReplicas 0, and of which HPAs.
pub(in crate::render) fn refusal(version: &str, refused: &[String]) -> String {
    format!(
        "{} with minReplicas 0 ({}): the API server of {version} keeps it, but refuses to create it again from its manifest unless the feature gate HPAScaleToZero is on (off by default before 1.37). If it is on, add --feature-gates HPAScaleToZero=true.",
        count(refused.len(), "HPA"),
        few(refused, NAMED)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use kubectl_hpa_core::comparison::Precaution;
    use kubectl_hpa_core::model::ObjectReference;
    use kubectl_hpa_core::snapshot::HpaKey;

    #[test]
    fn commands_reach_the_cluster_that_the_hpa_is_in() {
        let target =
            ObjectReference { api_version: "apps/v1".into(), kind: "StatefulSet".into(), name: "db".into() };
        let foreseen = Foreseen {
            key: HpaKey { namespace: "shop".into(), name: "web".into() },
            origin: Some(Origin::Context("the east".into())),
            from: String::new(),
            later: Vec::new(),
            precaution: Some(Precaution { wake: Some(target), owners: Vec::new() }),
        };
        let patch = r#"--type merge -p '{"spec":{"minReplicas":1}}'"#;
        let of_one = [
            format!("kubectl patch hpa web -n shop {patch}"),
            "kubectl scale statefulset/db -n shop --replicas=1".to_owned(),
        ];
        assert_eq!(commands(&foreseen, false), of_one);
        let of_several = [
            format!("kubectl patch hpa web -n shop --context 'the east' {patch}"),
            "kubectl scale statefulset/db -n shop --context 'the east' --replicas=1".to_owned(),
        ];
        assert_eq!(commands(&foreseen, true), of_several);
        assert_eq!(commands(&Foreseen { precaution: None, ..foreseen }, true), [""; 0]);
    }
}
