//! Pods that several HPAs select.

use crate::render::options::{Options, Rows};
use crate::render::ownership;
use crate::render::page::{Align, Cell, Page, Table};
use crate::render::units::{few, list};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::{OtherHpa, Pod};
use kubectl_hpa_core::trace::SelectorVerdict;

/// The most pods that are listed.
const ROWS: usize = 10;

/// The most other HPAs that are named beside a pod.
const NAMES: usize = 2;

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    if !matches!(explanation.decision().selector, Some(SelectorVerdict::Ambiguous(_))) {
        return;
    }
    let shared: Vec<(&Pod, Vec<&OtherHpa>)> = explanation
        .pods()
        .iter()
        .map(|pod| (pod, claimants(explanation, pod)))
        .filter(|(_, claimants)| !claimants.is_empty())
        .collect();
    let columns = [
        ("POD", Align::Name),
        ("OTHER HPA", Align::Reading),
        ("OWNER", Align::Name),
        ("LABELS", Align::Remark),
    ];
    let mut table = Table::new(columns);
    let shown = if options.rows == Rows::All { shared.len() } else { ROWS };
    for (pod, claimants) in shared.iter().take(shown) {
        let names: Vec<&str> = claimants.iter().map(|other| &*other.key.name).collect();
        let names = if options.rows == Rows::All { list(&names) } else { few(&names, NAMES) };
        let owner = ownership::name(pod.owner.as_ref());
        table.row([pod.name.to_string(), names, owner, labels(pod)].map(Cell::from));
    }
    page.title("Shared pods", &format!("{} of {}", shared.len(), explanation.pods().len()));
    page.table(&table);
    if shared.len() > shown {
        page.paragraph(&format!("… {} more (--pods all)", shared.len() - shown));
    }
}

fn claimants<'a>(explanation: &'a Explanation, pod: &Pod) -> Vec<&'a OtherHpa> {
    explanation
        .others()
        .filter(|other: &&OtherHpa| {
            other.selector.as_ref().is_some_and(|selector| selector.matches(&pod.labels))
        })
        .collect()
}

/// The labels, without those that only tell revisions apart.
fn labels(pod: &Pod) -> String {
    let told = pod
        .labels
        .iter()
        .filter(|(key, _)| !key.ends_with("pod-template-hash") && !key.ends_with("-revision-hash"));
    told.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",")
}
