//! What mends it, where something stops the autoscaler and the remedy is plain.

use crate::model::Source;
use crate::render::explanation::{Explanation, Metric};
use crate::render::page::{Page, Role};
use crate::render::units::list;
use crate::trace::{Failure, RequestGapKind, SelectorVerdict, Verdict};

/// The most selectors that are quoted.
const SELECTORS: usize = 4;

pub(super) fn section(page: &mut Page, explanation: Explanation<'_>) {
    for remedy in remedies(explanation) {
        page.note("Fix", Role::Plain, &remedy);
    }
}

fn remedies(explanation: Explanation<'_>) -> Vec<String> {
    let mut remedies: Vec<String> =
        explanation.metrics().filter_map(|metric| of_metric(explanation, metric)).collect();
    if let Some(SelectorVerdict::Ambiguous(_)) = explanation.decision.selector {
        remedies.push(disjoint(explanation));
    }
    remedies
}

fn of_metric(explanation: Explanation<'_>, metric: Metric<'_>) -> Option<String> {
    let Verdict::Failed(Failure::RequestGaps(gaps)) = &metric.trace.verdict else { return None };
    let Source::Resource(resource) = &metric.spec.source else { return None };
    let mut containers: Vec<&str> = Vec::new();
    for gap in gaps {
        let RequestGapKind::Container(place) = gap.kind else { continue };
        let name =
            explanation.pods().get(gap.pod).and_then(|pod| pod.containers.get(place)).map(|it| &*it.name);
        containers.extend(name.filter(|name| !containers.contains(name)));
    }
    let resource = resource.as_str();
    (!containers.is_empty()).then(|| {
        let names = list(&containers);
        format!("give {names} a {resource} request, or measure one container alone with a ContainerResource metric")
    })
}

fn disjoint(explanation: Explanation<'_>) -> String {
    let mut selectors =
        vec![format!("{} selects {}", explanation.snapshot.hpa.key.name, explanation.selector())];
    let others = explanation.others().iter().filter_map(|other| {
        let selector = other.selector.as_ref()?;
        let claims = explanation.pods().iter().any(|pod| selector.matches(&pod.labels));
        claims.then(|| format!("{} selects {selector}", other.key.name))
    });
    selectors.extend(others);
    let more = selectors.len().saturating_sub(SELECTORS);
    if more > 1 {
        selectors.truncate(SELECTORS);
        selectors.push(format!("{more} more like these"));
    }
    format!("make the selectors disjoint: {}", selectors.join("; "))
}
