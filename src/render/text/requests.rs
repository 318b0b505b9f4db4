//! Pods without the request that a utilization needs: all of them, where the controller names but one.

use crate::render::options::{Options, Rows};
use crate::render::ownership;
use crate::render::page::{Page, Role};
use crate::render::phrases::gaps;
use crate::render::units::count;
use kubectl_hpa_core::explanation::Ownership;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::trace::{Failure, RequestGap, Verdict};

/// The most names of pods in one group.
const NAMES: usize = 20;

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    for metric in explanation.metrics() {
        if let Verdict::Failed(Failure::RequestGaps(gaps)) = &metric.trace.verdict {
            missing(page, explanation, metric, gaps, options);
        }
    }
}

fn missing(
    page: &mut Page,
    explanation: &Explanation,
    metric: Metric<'_>,
    gaps: &[RequestGap],
    options: &Options,
) {
    let resource = crate::render::phrases::metric::label(metric.spec);
    let pods = explanation.pods().len();
    page.title("Missing requests", &format!("of {resource}, in {} of {}", gaps.len(), count(pods, "pod")));
    for group in groups(explanation, metric, gaps) {
        let line = page.line(Role::Plain, &format!("  {}", group.what));
        page.beside(&line, Role::Quiet, &group.owner);
        page.beside_at(&page.line(Role::Plain, ""), 4, Role::Plain, &names(&group.pods, options));
    }
}

/// Pods of one owner that lack the same.
struct Group<'a> {
    what: String,
    owner: String,
    pods: Vec<&'a str>,
}

fn groups<'a>(explanation: &'a Explanation, metric: Metric<'_>, gaps: &[RequestGap]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for gap in gaps {
        let Some(pod) = explanation.pods().get(gap.pod) else { continue };
        let (what, owner) = (gaps::brief(explanation, metric, gap), owner(explanation, pod));
        match groups.iter_mut().find(|group| group.what == what && group.owner == owner) {
            Some(group) => group.pods.push(&pod.name),
            None => groups.push(Group { what, owner, pods: vec![&pod.name] }),
        }
    }
    groups
}

fn owner(explanation: &Explanation, pod: &kubectl_hpa_core::snapshot::Pod) -> String {
    let owner = pod.owner.as_ref();
    let name = owner.map_or_else(|| "pods without an owner".to_owned(), |_| ownership::name(owner));
    match explanation.ownership(pod) {
        Ownership::Target => format!("of {name}, your target"),
        Ownership::Other(_) => format!("of {name}, not your {}", explanation.target()),
        Ownership::Untold => format!("of {name}"),
    }
}

fn names(pods: &[&str], options: &Options) -> String {
    let shown = if options.rows == Rows::All { pods.len() } else { NAMES };
    let more = pods.len().saturating_sub(shown);
    let names = pods.iter().take(shown).copied().collect::<Vec<_>>().join(", ");
    if more == 0 { names } else { format!("{names} and {more} more (--pods all)") }
}
