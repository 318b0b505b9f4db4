//! What is to come: what changes, how it goes, what it comes to.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::head;
use super::sweep::length;
use crate::render::future::{Future, Played};
use crate::render::options::{Options, Rows};
use crate::render::page::{Align, Cell, Drawing, Page, Role, Table};
use crate::render::phrases::answer::answer_line;
use crate::render::phrases::notes::proposal_note;
use crate::render::phrases::{backtest, figure, future as words};
use crate::render::units::{clock, span};
use kubectl_hpa_core::model::{Duration, Replicas};
use kubectl_hpa_core::run::{Figure, Rescale, Span};

/// So many changes are listed; of more the first and the last.
const CHANGES: usize = 20;
/// Rows of the charts.
const REPLICA_ROWS: usize = 8;
const LOAD_ROWS: i32 = 6;
/// Columns before a chart.
const SCALE: usize = 8;
/// Percent between two rows of the load's chart.
const STEPS: [i32; 6] = [25, 50, 100, 200, 500, 1_000];

/// Writes what was played for people.
///
/// # Errors
/// Those of the writer.
pub fn future(out: &mut dyn Write, future: &Future<'_>, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    let Some(first) = future.runs.first() else { return Ok(()) };
    head::subject(&mut page, first.explanation);
    if let Some((recorded, calibration)) = future.record {
        let role = if calibration.doubt.is_none() { Role::Answer } else { Role::Holds };
        page.text(role, &backtest::verdict(future, recorded, calibration));
    }
    if !future.changes.is_empty() {
        page.note("Changed", Role::Plain, &future.changes.join(" "));
    }
    if let Some((recorded, calibration)) = future.record {
        page.note("Record", Role::Plain, &backtest::recorded(recorded));
        page.note("Calibration", Role::Plain, &backtest::calibration(calibration));
    } else {
        page.note("Simulated", Role::Plain, &words::played(future, first));
        starts(&mut page, future, first);
    }
    if future.is_sweep {
        page.title("Settles", "the replicas in the end; ? if they or the load still change");
        page.table(&settles(&page, future));
    } else {
        for run in &future.all() {
            one(&mut page, future, run, options);
        }
        legend(&mut page, future, first);
    }
    totals(&mut page, future, options);
    if let Some(note) = future.proposal().as_ref().and_then(proposal_note) {
        page.note("Note", Role::Plain, &note.text());
    }
    page.note("Assumed", Role::Plain, &words::assumed(future));
    page.write(out)
}

/// The load that the runs start from; each has its own where they differ.
fn starts(page: &mut Page, future: &Future<'_>, first: &Played<'_>) {
    let of = |has_share: bool| -> Vec<(String, &str)> {
        let mut all: Vec<(String, &str)> = Vec::new();
        for played in &future.runs {
            let start = words::start(future, played, has_share);
            if all.last().is_none_or(|(last, _)| *last != start) {
                all.push((start, played.name));
            }
        }
        all
    };
    let (with_shares, plain) = (of(true), of(false));
    match (with_shares.as_slice(), plain.as_slice()) {
        ([(only, _)], _) => page.note("Load", Role::Plain, only),
        (_, [(only, _)]) if future.is_sweep => page.note("Load", Role::Plain, only),
        (several, _) if !future.is_sweep => {
            page.title("Load", "");
            for (start, name) in several {
                page.paragraph(&format!("{name}: {start}"));
            }
        }
        _ => page.note(
            "Load",
            Role::Plain,
            &format!("at {}: {}", first.name, words::start(future, first, true)),
        ),
    }
}

/// Where each value of a sweep ends.
fn settles(page: &Page, future: &Future<'_>) -> Table {
    let columns =
        [("VALUE", Align::Right), ("SETTLES", Align::Right), ("ENDS AT", Align::Right), ("", Align::Left)];
    let mut table = Table::new(columns);
    let end = |played: &Played<'_>| played.run.spans.last().map_or(0, |span| span.replicas.1.0);
    let most = future.runs.iter().map(end).max().unwrap_or(1);
    let room = page.width().saturating_sub(52).clamp(8, 60);
    for played in &future.runs {
        let settles = words::settles(future, played).map(|it| Cell::from(it.0.to_string()));
        let end = end(played);
        let bar = "█".repeat(length(end, most, room));
        let settles = settles.unwrap_or_else(|| Cell::new(Role::Quiet, "?"));
        table.row([Cell::from(played.name), settles, Cell::from(end.to_string()), Cell::from(bar)]);
    }
    table
}

/// What the charts' blocks stand for.
fn legend(page: &mut Page, future: &Future<'_>, first: &Played<'_>) {
    if page.draws() {
        page.note("Charts", Role::Quiet, "the line is the most, the band below it goes down to the fewest");
        return;
    }
    let columns = columns(&first.run.spans, room(page));
    let period = first.explanation.snapshot().controller.sync_period.value;
    let next = columns.get(1).and_then(|column| column.first()).map_or(period, |span| span.at);
    let usage = if most_percent(future).is_some() { "; usage: █ the highest, – the target" } else { "" };
    let replicas = "replicas: █ at least the row's at every sync, ░ at some";
    page.note("Charts", Role::Quiet, &format!("each column is {}; {replicas}{usage}", span(next)));
}

fn one(page: &mut Page, future: &Future<'_>, played: &Played<'_>, options: &Options) {
    let is_one = future.all().len() == 1;
    let title = if is_one { "Replicas".to_owned() } else { format!("Replicas, {}", played.name) };
    page.title(&title, &words::ends(played));
    if played.explanation.decision().choice.is_none() {
        let answer = answer_line(played.explanation);
        page.text(answer.role, &format!("{}: {}", answer.left, answer.right));
    }
    if page.draws() {
        drawings(page, future, played);
    } else {
        replicas(page, future, played);
        load(page, future, played);
    }
    if future.record.is_none() || options.is_wide() {
        changes(page, played, options);
    }
}

/// One column for each of so many spans.
fn columns(spans: &[Span], room: usize) -> Vec<&[Span]> {
    spans.chunks(spans.len().div_ceil(room.max(1)).max(1)).collect()
}

/// Columns of a chart beside its scale.
fn room(page: &Page) -> usize {
    page.width().saturating_sub(SCALE + 2).clamp(10, 120)
}

/// The most replicas of any run: all charts have one scale, so that they can be compared.
fn most_replicas(future: &Future<'_>) -> i32 {
    future
        .all()
        .iter()
        .flat_map(|played| &played.run.spans)
        .map(|span| span.replicas.1.0)
        .max()
        .unwrap_or_default()
}

/// The highest usage of any run, in percent of the target.
fn most_percent(future: &Future<'_>) -> Option<i32> {
    let runs = future.all();
    let spans = runs.iter().flat_map(|played| &played.run.spans);
    spans.filter_map(|span| span.ratio).reduce(f64::max).map(words::percent)
}

/// The same for a browser.
fn drawings(page: &mut Page, future: &Future<'_>, played: &Played<'_>) {
    let now = played.explanation.now();
    let ends = [now, now + future.assumptions.over].map(|at| clock(now, at));
    let ends = [ends[0].as_str(), ends[1].as_str()];
    let spans = &played.run.spans;
    let counts = spans.iter().map(|span| Some((f64::from(span.replicas.0.0), f64::from(span.replicas.1.0))));
    let counts: Vec<Option<(f64, f64)>> = counts.collect();
    let label = format!("replicas: {}", words::ends(played));
    let most = f64::from(most_replicas(future));
    page.figure(Drawing { label: &label, spans: &counts, most, mark: None, unit: "", ends }.html());
    let percent = |ratio: f64| f64::from(words::percent(ratio));
    let loads = spans.iter().map(|span| span.ratio.map(|ratio| (percent(ratio), percent(ratio))));
    let loads: Vec<Option<(f64, f64)>> = loads.collect();
    let Some(most) = most_percent(future).filter(|_| loads.iter().any(Option::is_some)) else { return };
    page.text(Role::Quiet, &format!("{}; dashed: the target", words::USAGE));
    let (mark, most) = (Some(100.0), f64::from(most));
    let label = words::usage(&spans.iter().filter_map(|span| span.ratio).collect::<Vec<_>>());
    page.figure(Drawing { label: &label, spans: &loads, most, mark, unit: "%", ends }.html());
}

fn replicas(page: &mut Page, future: &Future<'_>, played: &Played<'_>) {
    let spans = columns(&played.run.spans, room(page));
    let ends = |column: &&[Span]| {
        let low = column.iter().map(|span| span.replicas.0.0).min().unwrap_or(0);
        (low, column.iter().map(|span| span.replicas.1.0).max().unwrap_or(0))
    };
    let bars: Vec<(i32, i32)> = spans.iter().map(ends).collect();
    for level in levels(future) {
        let block = |(low, high): &(i32, i32)| match () {
            () if *low >= level => '█',
            () if *high >= level => '░',
            () => ' ',
        };
        chart_row(page, &level.to_string(), &bars.iter().map(block).collect::<String>(), Role::Answer);
    }
    chart_row(page, "", &axis(&spans, played.run.totals.time), Role::Quiet);
}

/// The replicas that rows stand for, the most first: all that any run has, or so many of them.
fn levels(future: &Future<'_>) -> Vec<i32> {
    let runs = future.all();
    let spans = runs.iter().flat_map(|played| &played.run.spans);
    let counts: BTreeSet<i32> = spans.flat_map(|span| [span.replicas.0.0, span.replicas.1.0]).collect();
    let counts: Vec<i32> = counts.into_iter().rev().collect();
    let rows = REPLICA_ROWS.min(counts.len());
    let place = |row: usize| row * (counts.len() - 1) / (rows - 1).max(1);
    (0..rows).filter_map(|row| counts.get(place(row)).copied()).collect()
}

/// The times below a chart: of its first sync, of the first syncs of some columns, and of its last sync.
fn axis(columns: &[&[Span]], end: Duration) -> String {
    let width = columns.len();
    let label = |at: Duration| format!("+{}", span(at));
    let last = label(end);
    let mut line = String::new();
    for place in [0, width / 4, width / 2, width * 3 / 4] {
        let first = columns.get(place).and_then(|column| column.first()).map_or(Duration::ZERO, |it| it.at);
        let (begin, text) = (line.chars().count(), label(first));
        if (place == 0 || place > begin) && place + text.len() + last.len() < width {
            line = format!("{line:place$}{text}");
        }
    }
    let room = width.saturating_sub(last.len()).max(line.len() + usize::from(!line.is_empty()));
    format!("{line:room$}{last}")
}

/// Usage in percent of its target, the target itself a line.
fn load(page: &mut Page, future: &Future<'_>, played: &Played<'_>) {
    let spans = columns(&played.run.spans, room(page));
    let percent = |ratio: f64| words::percent(ratio);
    let highest =
        |column: &&[Span]| column.iter().filter_map(|span| span.ratio).reduce(f64::max).map(percent);
    let bars: Vec<Option<i32>> = spans.iter().map(highest).collect();
    let Some(most) = most_percent(future).filter(|_| bars.iter().any(Option::is_some)) else { return };
    let step = STEPS.into_iter().find(|step| most <= step * LOAD_ROWS).unwrap_or(most / LOAD_ROWS + 1);
    page.text(Role::Quiet, words::USAGE);
    // The target has a row also if no step ends at it.
    let rows: BTreeSet<i32> = (1..=most.div_euclid(step)).map(|row| row * step).chain([100]).collect();
    for level in rows.into_iter().rev() {
        let rest = if level == 100 { '–' } else { ' ' };
        let bar = |bar: &Option<i32>| if bar.is_some_and(|bar| bar >= level) { '█' } else { rest };
        let role = if level > 100 { Role::Holds } else { Role::Plain };
        chart_row(page, &format!("{level}%"), &bars.iter().map(bar).collect::<String>(), role);
    }
    chart_row(page, "", &axis(&spans, played.run.totals.time), Role::Quiet);
}

fn chart_row(page: &mut Page, label: &str, bar: &str, role: Role) {
    let scale = page.line(Role::Quiet, &format!("{label:>0$} ", SCALE - 1));
    let bar = page.line(role, bar);
    page.push(scale.joined(bar));
}

fn changes(page: &mut Page, played: &Played<'_>, options: &Options) {
    let all = &played.run.changes;
    if all.is_empty() {
        return;
    }
    let heads = [
        ("SYNC AT", Align::Left),
        ("AFTER", Align::Right),
        ("REPLICAS", Align::Right),
        ("WHY", Align::Text),
        ("EVENT", Align::Text),
        ("CODE", Align::Remark),
    ];
    let mut table = Table::new(heads);
    let is_whole = options.rows == Rows::All || options.is_wide() || all.len() <= CHANGES;
    let (head, tail) = if is_whole { (all.len(), 0) } else { (CHANGES - 5, 5) };
    all.iter().take(head).for_each(|change| table.row(row(played, change, options)));
    if tail > 0 {
        table.row([Cell::new(Role::Quiet, format!("… {} more", all.len() - head - tail))]);
        all.iter().skip(all.len() - tail).for_each(|change| table.row(row(played, change, options)));
    }
    page.table(&table);
}

fn row(played: &Played<'_>, change: &Rescale, options: &Options) -> [Cell; 6] {
    let now = played.explanation.now();
    let Rescale { at, from: Replicas(from), to: Replicas(to), reason, cause, .. } = change;
    [
        Cell::from(clock(now, now + *at)),
        Cell::new(Role::Quiet, span(*at)),
        Cell::new(Role::Answer, format!("{from} → {to}")),
        Cell::from(words::why(played, change)),
        if options.is_wide() { Cell::new(Role::Quiet, reason.as_str()) } else { Cell::default() },
        Cell::new(Role::Quiet, cause.code.as_str()),
    ]
}

fn totals(page: &mut Page, future: &Future<'_>, options: &Options) {
    let differ = match future.record {
        Some(_) => "none is better",
        None => "none is better: the runs differ in their load or pods",
    };
    page.title("In total", if future.is_comparable() { "" } else { differ });
    if future.is_sweep {
        page.table(&by_value(future, options));
    } else {
        page.table(&side_by_side(future));
    }
}

/// Whether it needs a row: not if nobody requests any of it, or if metrics decide all the time.
fn matters(future: &Future<'_>, figure: Figure) -> bool {
    let is_rare = matches!(figure, Figure::Cpu | Figure::Memory | Figure::Undecided);
    !is_rare || future.all().iter().any(|played| figure.of(&played.run.totals) != 0)
}

fn side_by_side(future: &Future<'_>) -> Table {
    let all = future.all();
    let names = all.iter().map(|_| ("", Align::Right));
    let heads = [("", Align::Left)].into_iter().chain(names).chain([("", Align::Left)]);
    let mut table = Table::new(heads);
    if all.len() > 1 {
        let names = all.iter().map(|played| Cell::from(played.name));
        let better = if future.is_comparable() && future.runs.len() > 1 { "better" } else { "" };
        table.heads([Cell::default()].into_iter().chain(names).chain([Cell::from(better)]));
    }
    let better = future.better();
    for figure in Figure::ALL.into_iter().filter(|figure| matters(future, *figure)) {
        let better = better(figure);
        let name = better.and_then(|place| future.runs.get(place)).map_or("", |played| played.name);
        let amounts = all.iter().map(|played| {
            let role = if played.name == name { Role::Answer } else { Role::Plain };
            Cell::new(role, figure::amount(figure, &played.run.totals))
        });
        let cells = [Cell::from(figure::name(figure))].into_iter().chain(amounts);
        table.row(cells.chain([Cell::new(Role::Quiet, name)]));
    }
    table
}

/// A row for each value of a sweep.
fn by_value(future: &Future<'_>, options: &Options) -> Table {
    let is_shown = |figure: &Figure| {
        matters(future, *figure) && (options.is_wide() || *figure != Figure::LongestOverTarget)
    };
    let figures: Vec<Figure> = Figure::ALL.into_iter().filter(is_shown).collect();
    let heads = figures.iter().map(|figure| (figure::short(*figure), Align::Right));
    let mut table = Table::new([("VALUE", Align::Right)].into_iter().chain(heads));
    let better: Vec<Option<usize>> = figures.iter().copied().map(future.better()).collect();
    for (place, played) in future.runs.iter().enumerate() {
        let amounts = figures.iter().zip(&better).map(|(figure, better)| {
            let role = if *better == Some(place) { Role::Answer } else { Role::Plain };
            Cell::new(role, figure::amount(*figure, &played.run.totals))
        });
        table.row([Cell::from(played.name)].into_iter().chain(amounts));
    }
    table
}
