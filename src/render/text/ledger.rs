//! The ledger of pods: who counts as what, and the sums under their columns.

use super::fold::{self, Remarks, Row};
use super::overflow::{self, Overflow};
use super::passes::Passes;
use crate::render::options::{Options, Rows};
use crate::render::ownership;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::{group, metric};
use crate::render::units::{Unit, age, count, few};
use kubectl_hpa_core::explanation::Ownership;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::Milli;
use kubectl_hpa_core::snapshot::{Pod, Reading};
use kubectl_hpa_core::trace::{
    Calculation, Failure, Foreign, Group, GroupedPod, Pass, PodGroups, Proposal, Ready, Total, TotalBasis,
    Verdict,
};

/// The most names in a line.
const NAMES: usize = 5;

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    let ledgers: Vec<Metric<'_>> =
        explanation.metrics().filter(|metric| is_told(explanation, *metric, options)).collect();
    let mut wraps = false;
    for (place, metric) in ledgers.iter().enumerate() {
        let Some(groups) = &metric.trace.groups else { continue };
        let name = metric::label(metric.spec);
        let name = if explanation.metrics().count() > 1 { format!("{name}: ") } else { String::new() };
        let title = if place == 0 { heading(explanation, groups) } else { group_counts(groups) };
        page.title("Pods", &format!("{name}{title}"));
        let several = ledgers.len() > 1;
        page.table(&table(explanation, *metric, groups, several, options));
        wraps |= overflow::wraps(explanation, *metric, groups);
    }
    if wraps {
        page.paragraph(overflow::NOTE);
    }
    let told = ledgers.iter().any(|metric| metric.trace.groups.is_some());
    if let Some(text) = ready_pods(explanation).or_else(|| idle_pods(explanation)).filter(|_| !told) {
        page.title("Pods", &text);
    }
}

/// The pods that a Value target multiplies with, which are counted by their Ready condition alone.
fn ready_pods(explanation: &Explanation) -> Option<String> {
    let multiplied = |proposal: &Proposal| match &proposal.calculation {
        Calculation::Total(Total { basis: TotalBasis::ReadyPods(ready), .. }) => Some(*ready),
        Calculation::Total(_) | Calculation::PerPod(_) | Calculation::PerReplica(_) => None,
    };
    let ready = explanation.metrics().filter_map(Metric::proposal).find_map(multiplied)?;
    let matched = matched(explanation);
    let others: Vec<&str> =
        explanation.pods().iter().filter(|pod| !pod.is_running_and_ready()).map(|pod| &*pod.name).collect();
    let others = if others.is_empty() { String::new() } else { format!("; not {}", few(&others, NAMES)) };
    Some(format!("{matched}: {ready} running and ready{others}"))
}

/// The names of pods none of which runs, where nothing could be measured of them.
fn idle_pods(explanation: &Explanation) -> Option<String> {
    let all = explanation
        .snapshot()
        .idle_pods()
        .filter(|pods| explanation.winner().is_none() && !pods.is_empty())?;
    let names: Vec<&str> = all.iter().map(|pod| &*pod.name).collect();
    Some(format!("{}, none runs: {}", matched(explanation), few(&names, NAMES)))
}

fn matched(explanation: &Explanation) -> String {
    let pods = explanation.pods().len();
    format!("{pods} {} {}", if pods == 1 { "matches" } else { "match" }, explanation.selector())
}

/// The winner's pods, all where the winner has none, and those among which something is odd.
fn is_told(explanation: &Explanation, metric: Metric<'_>, options: &Options) -> bool {
    let Some(groups) = &metric.trace.groups else { return false };
    if matches!(&metric.trace.verdict, Verdict::Failed(Failure::RequestGaps(_))) {
        return false;
    }
    let winner_has_pods = explanation.winner().is_some_and(|(winner, _)| winner.trace.groups.is_some());
    let wins = explanation.decision().choice.is_some_and(|choice| choice.winner == metric.trace.index);
    let odd = groups.ready < groups.pods.len() || !groups.foreign.is_empty();
    wins || odd || !winner_has_pods || options.rows == Rows::All
}

fn heading(explanation: &Explanation, groups: &PodGroups) -> String {
    let others = explanation.pods().iter().filter(|pod| explanation.snapshot().is_foreign(pod)).count();
    let others =
        if others == 0 { String::new() } else { format!("; {others} not of {}", explanation.target()) };
    format!("{}: {}{others}{}", matched(explanation), group_counts(groups), revisions(explanation))
}

/// How many pods each revision has.
fn revisions(explanation: &Explanation) -> String {
    let revisions = explanation.revisions();
    let named: Vec<String> = revisions.iter().map(|(name, pods)| format!("{pods} of {name}")).collect();
    if named.is_empty() { String::new() } else { format!("; {}", few(&named, NAMES)) }
}

fn group_counts(groups: &PodGroups) -> String {
    let counts = [
        ("ready", groups.ready),
        ("unready", groups.unready),
        ("missing", groups.missing),
        ("ignored", groups.ignored),
    ];
    let there = counts.iter().filter(|(_, number)| *number > 0);
    let mut parts: Vec<String> = there.map(|(name, number)| format!("{number} {name}")).collect();
    if !groups.foreign.is_empty() {
        parts.push(count(groups.foreign.len(), "foreign sample"));
    }
    parts.join(", ")
}

fn table(
    explanation: &Explanation,
    metric: Metric<'_>,
    groups: &PodGroups,
    several: bool,
    options: &Options,
) -> Table {
    let unit = Unit::of(metric);
    let passes = Passes::of(metric, groups);
    let mut rows: Vec<Row<'_>> = groups
        .pods
        .iter()
        .zip(explanation.pods())
        .map(|(member, pod)| of_member(explanation, member, pod, &passes))
        .chain(groups.foreign.iter().map(|foreign| of_foreign(explanation, metric, foreign, &passes)))
        .collect();
    rows.sort_by_key(|row| row.rank);
    let columns = [
        ("POD", Align::Name),
        ("GROUP", Align::Left),
        ("REQUEST", Align::Right),
        ("SAMPLE", Align::Right),
        ("AGE", Align::Right),
        ("MEASURED", Align::Right),
        ("WITH GUESSES", Align::Right),
        ("CODE", Align::Left),
        ("WHY", Align::Remark),
    ];
    let remarks = |row: &Row<'_>| match row.pod {
        Some((member, pod)) => Remarks {
            age: sample_age(explanation, metric, pod),
            why: why(explanation, metric, member, pod, options),
        },
        None => Remarks { why: why_foreign(&passes).to_owned(), ..Remarks::default() },
    };
    let mut table = Table::new(columns);
    for row in fold::fold(rows, several, options.rows) {
        table.row(row.cells(unit, &passes, options, remarks));
    }
    for sum in sums(&passes, unit, &Overflow::of(groups, &passes)) {
        table.row(sum);
    }
    table
}

fn sums(passes: &Passes<'_>, unit: Unit, overflow: &Overflow) -> Vec<[Cell; 9]> {
    let Some(first) = passes.first else { return Vec::new() };
    let with_requests = first.utilization.is_some();
    if passes.plain {
        let requests = if with_requests { unit.human(first.requests) } else { String::new() };
        let wraps = overflow.usage || overflow.requests;
        return vec![sum("sum", &requests, &unit.human(first.usage), ["", ""], wraps)];
    }
    let second = passes.second.map(|refill| &refill.pass);
    let amounts = |of: fn(&Pass) -> Milli| {
        [unit.human(of(first)), second.map_or_else(String::new, |second| unit.human(of(second)))]
    };
    let [one, two] = amounts(|pass| pass.usage);
    let mut sums = vec![sum("sum", "", "", [&one, &two], overflow.usage)];
    if with_requests {
        let [one, two] = amounts(|pass| pass.requests);
        sums.push(sum("requests", "", "", [&one, &two], overflow.requests));
    }
    sums
}

fn sum(name: &str, requests: &str, samples: &str, [one, two]: [&str; 2], wraps: bool) -> [Cell; 9] {
    let [name, group, requests, samples, age, one, two, code] =
        [name, "", requests, samples, "", one, two, ""].map(Cell::from);
    let mark = if wraps { Cell::new(Role::Holds, overflow::MARK) } else { Cell::default() };
    [name, group, requests, samples, age, one, two, code, mark]
}

fn of_member<'a>(
    explanation: &Explanation,
    member: &'a GroupedPod,
    pod: &'a Pod,
    passes: &Passes<'_>,
) -> Row<'a> {
    Row {
        rank: rank(&member.group, explanation.snapshot().is_foreign(pod)),
        name: &pod.name,
        group: group::name(&member.group),
        code: member.group.code(),
        request: member.request,
        sample: member.sample,
        first: member.counted(),
        second: passes.second.and_then(|refill| refill.counted(member)),
        pod: Some((member, pod)),
    }
}

fn why(
    explanation: &Explanation,
    metric: Metric<'_>,
    member: &GroupedPod,
    pod: &Pod,
    options: &Options,
) -> String {
    let now = explanation.now();
    let why = [
        owner(explanation, pod, options),
        group::why(&member.group, pod, &metric.spec.source, now),
        if options.is_wide() { group::since(&member.group, pod, now) } else { String::new() },
        group::extra(metric, pod).unwrap_or_default(),
        overflow::of_member(metric, member, pod).to_owned(),
    ];
    why.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The odd ones first.
fn rank(group: &Group, other: bool) -> u8 {
    match group {
        Group::Missing(_) => 0,
        Group::Unready(_) => 1,
        Group::Ready(Ready::WasReadyOnce) => 3,
        Group::Ready(_) if other => 4,
        Group::Ready(_) => 5,
        Group::Ignored(_) => 6,
    }
}

fn owner(explanation: &Explanation, pod: &Pod, options: &Options) -> String {
    let name = ownership::name(pod.owner.as_ref());
    match explanation.ownership(pod) {
        Ownership::Other(None) => "has no owner".to_owned(),
        Ownership::Other(Some(_)) => format!("of {name}"),
        Ownership::Target | Ownership::Untold if options.is_wide() && pod.owner.is_some() => {
            format!("of {name}")
        }
        Ownership::Target | Ownership::Untold => String::new(),
    }
}

fn sample_age(explanation: &Explanation, metric: Metric<'_>, pod: &Pod) -> String {
    let of_usage = explanation.snapshot().readings.get(metric.trace.index) == Some(&Reading::Usage);
    let at = pod.usage.as_ref().filter(|_| of_usage).map(|usage| usage.at);
    at.map_or_else(String::new, |at| age(explanation.now(), at))
}

fn of_foreign<'a>(
    explanation: &'a Explanation,
    metric: Metric<'a>,
    foreign: &Foreign,
    passes: &Passes<'_>,
) -> Row<'a> {
    let value = passes.counts_foreign().then_some(foreign.sample);
    Row {
        rank: 2,
        name: explanation.foreign_name(metric, foreign.index).unwrap_or_default(),
        group: "foreign",
        code: kubectl_hpa_core::trace::Code::PodForeign,
        request: None,
        sample: Some(foreign.sample),
        first: value,
        second: value.filter(|_| passes.has_second()),
        pod: None,
    }
}

fn why_foreign(passes: &Passes<'_>) -> &'static str {
    match (passes.counts_foreign(), passes.has_second()) {
        (true, _) => "pod not found, but counted",
        // Upstream multiplies by `len(metrics)`.
        (false, true) => "pod not found; not in the sum, but one of the pods multiplied",
        (false, false) => "pod not found; not counted",
    }
}
