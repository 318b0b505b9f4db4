//! Situations that are still to come, and what keeps a version from leaving an HPA at 0.

use crate::render::units::list;
use kubectl_hpa_core::comparison::{Foreseen, Later, Situation};
use kubectl_hpa_core::model::{Replicas, shell_word};
use kubectl_hpa_core::snapshot::Origin;

/// What happens, as a clause.
const fn clause(situation: Situation) -> &'static str {
    match situation {
        Situation::AtZeroBefore => "it is at 0 when the version changes",
        Situation::AtZeroAfter => "it scales to 0 later",
        Situation::MinRaised => "minReplicas becomes 1 while it is at 0",
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
        "the API server of {version} refuses to create an HPA with minReplicas 0, even again from its manifest, unless its feature gate HPAScaleToZero is on (off by default before 1.37); a stored one keeps it: {}. If the gate is on, add --feature-gates HPAScaleToZero=true.",
        list(refused)
    )
}
