//! What is to come: what changes, how it goes, what it comes to.

use std::io::{self, Write};

use super::head;
use crate::render::future::{Future, Played};
use crate::render::options::{Options, Rows};
use crate::render::page::{Align, Cell, Drawing, Page, Role, Table};
use crate::render::phrases::answer::answer;
use crate::render::phrases::{figure, future as words};
use crate::render::units::{clock, span};
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::play::{Figure, Rescale, Span, Totals};

/// So many changes are listed; of more the first and the last.
const CHANGES: usize = 20;
/// Rows of the charts.
const REPLICA_ROWS: usize = 8;
const LOAD_ROWS: i32 = 6;
/// Percent in a row of the load's chart: 100 is always where one ends.
const STEPS: [i32; 6] = [25, 50, 100, 200, 500, 1_000];

/// Writes what was played for people.
///
/// # Errors
/// Those of the writer.
pub fn future(out: &mut dyn Write, future: &Future<'_>, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    let Some(first) = future.runs.first() else { return Ok(()) };
    head::subject(&mut page, first.explanation);
    if !future.changes.is_empty() {
        page.note("Changed", Role::Plain, &future.changes.join(" "));
    }
    page.note("Simulated", Role::Plain, &words::played(future, first));
    if !future.is_sweep {
        for run in &future.runs {
            one(&mut page, future, run, options);
        }
    }
    totals(&mut page, future);
    page.note("Assumed", Role::Plain, &words::assumed(future));
    page.write(out)
}

fn one(page: &mut Page, future: &Future<'_>, played: &Played<'_>, options: &Options) {
    let is_one = future.runs.len() == 1;
    let title = if is_one { "Replicas".to_owned() } else { format!("Replicas, {}", played.name) };
    page.title(&title, &words::ends(played));
    if played.explanation.decision().choice.is_none() {
        let answer = answer(played.explanation);
        page.text(answer.role, &format!("{}: {}", answer.left, answer.right));
    }
    if page.draws() {
        drawings(page, future, played);
    } else {
        replicas(page, future, played);
        load(page, future, played);
    }
    changes(page, played, options);
}

/// One column for each of so many spans.
fn columns(spans: &[Span], room: usize) -> Vec<&[Span]> {
    spans.chunks(spans.len().div_ceil(room.max(1)).max(1)).collect()
}

/// Columns of a chart beside its scale.
fn room(page: &Page) -> usize {
    page.width().saturating_sub(10).clamp(10, 120)
}

/// The most replicas of any run: all charts have one scale, so that they can be compared.
fn most_replicas(future: &Future<'_>) -> i32 {
    let spans = future.runs.iter().flat_map(|played| &played.run.spans);
    spans.map(|span| span.replicas.1.0).max().unwrap_or_default()
}

/// The highest usage of any run, in percent of the target.
fn most_percent(future: &Future<'_>) -> Option<i32> {
    let spans = future.runs.iter().flat_map(|played| &played.run.spans);
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
    let most = most_replicas(future).max(1);
    let rows = REPLICA_ROWS.min(usize::try_from(most).unwrap_or(REPLICA_ROWS));
    let level = |row: usize| scaled(most, rows - row, rows);
    for row in 0..rows {
        let (floor, label) = (level(row + 1), level(row));
        let bar: String = bars
            .iter()
            .map(|(low, high)| match () {
                () if 2 * *low >= floor + label && *low > 0 => '█',
                () if 2 * *high >= floor + label && *high > 0 => '░',
                () => ' ',
            })
            .collect();
        chart_row(page, &label.to_string(), &bar, Role::Answer);
    }
}

/// A part of the highest value.
fn scaled(most: i32, part: usize, whole: usize) -> i32 {
    let part = i64::try_from(part).unwrap_or(0);
    let whole = i64::try_from(whole).unwrap_or(1).max(1);
    i32::try_from(i64::from(most) * part / whole).unwrap_or(most)
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
    for top in (1..=most.max(120).div_euclid(step) + 1).rev().map(|row| row * step) {
        // The row at 100% is the target.
        let rest = if top == 100 { '–' } else { ' ' };
        let bar =
            |bar: &Option<i32>| if bar.is_some_and(|bar| 2 * bar >= 2 * top - step) { '█' } else { rest };
        let role = if top > 100 { Role::Holds } else { Role::Plain };
        chart_row(page, &format!("{top}%"), &bars.iter().map(bar).collect::<String>(), role);
    }
}

fn chart_row(page: &mut Page, label: &str, bar: &str, role: Role) {
    let scale = page.line(Role::Quiet, &format!("{label:>7} "));
    let bar = page.line(role, bar);
    page.push(scale.joined(bar));
}

fn changes(page: &mut Page, played: &Played<'_>, options: &Options) {
    let all = &played.run.changes;
    if all.is_empty() {
        return;
    }
    let heads = [
        ("TIME", Align::Left),
        ("AFTER", Align::Right),
        ("REPLICAS", Align::Right),
        ("WHY", Align::Text),
        ("CODE", Align::Remark),
    ];
    let mut table = Table::new(heads);
    let is_whole = options.rows == Rows::All || options.is_wide() || all.len() <= CHANGES;
    let (head, tail) = if is_whole { (all.len(), 0) } else { (CHANGES - 5, 5) };
    all.iter().take(head).for_each(|change| table.row(row(played, change)));
    if tail > 0 {
        table.row([Cell::new(Role::Quiet, format!("… {} more", all.len() - head - tail))]);
        all.iter().skip(all.len() - tail).for_each(|change| table.row(row(played, change)));
    }
    page.table(&table);
}

fn row(played: &Played<'_>, change: &Rescale) -> [Cell; 5] {
    let now = played.explanation.now();
    let Rescale { at, from: Replicas(from), to: Replicas(to), reason, code } = change;
    [
        Cell::from(clock(now, now + *at)),
        Cell::new(Role::Quiet, span(*at)),
        Cell::new(Role::Answer, format!("{from} → {to}")),
        Cell::from(if reason.is_empty() { "limits alone".to_owned() } else { reason.clone() }),
        Cell::new(Role::Quiet, code.as_str()),
    ]
}

fn totals(page: &mut Page, future: &Future<'_>) {
    page.title("In total", "");
    if future.is_sweep {
        page.table(&by_value(future));
    } else {
        page.table(&side_by_side(future));
    }
}

/// Whether it needs a row: not if nobody requests any of it, or if metrics decide all the time.
fn matters(future: &Future<'_>, figure: Figure) -> bool {
    let is_rare = matches!(figure, Figure::Cpu | Figure::Memory | Figure::Undecided);
    !is_rare || future.runs.iter().any(|played| figure.of(&played.run.totals) != 0)
}

fn side_by_side(future: &Future<'_>) -> Table {
    let names = future.runs.iter().map(|_| ("", Align::Right));
    let heads = [("", Align::Left)].into_iter().chain(names).chain([("", Align::Left)]);
    let mut table = Table::new(heads);
    let runs: Vec<&Totals> = future.runs.iter().map(|played| &played.run.totals).collect();
    if runs.len() > 1 {
        let names = future.runs.iter().map(|played| Cell::from(played.name));
        table.heads([Cell::default()].into_iter().chain(names).chain([Cell::from("better")]));
    }
    for figure in Figure::ALL.into_iter().filter(|figure| matters(future, *figure)) {
        let better = figure.better(&runs);
        let amounts = runs.iter().enumerate().map(|(place, totals)| {
            let role = if better == Some(place) { Role::Answer } else { Role::Plain };
            Cell::new(role, figure::amount(figure, totals))
        });
        let name = better.and_then(|place| future.runs.get(place)).map_or("", |played| played.name);
        let cells = [Cell::from(figure::name(figure))].into_iter().chain(amounts);
        table.row(cells.chain([Cell::new(Role::Quiet, name)]));
    }
    table
}

/// A row for each value of a sweep.
fn by_value(future: &Future<'_>) -> Table {
    let figures: Vec<Figure> = Figure::ALL.into_iter().filter(|figure| matters(future, *figure)).collect();
    let heads = figures.iter().map(|figure| (figure::short(*figure), Align::Right));
    let heads = [("VALUE", Align::Right), ("ENDS AT", Align::Right)].into_iter().chain(heads);
    let mut table = Table::new(heads);
    let runs: Vec<&Totals> = future.runs.iter().map(|played| &played.run.totals).collect();
    for (place, played) in future.runs.iter().enumerate() {
        let amounts = figures.iter().map(|figure| {
            let role = if figure.better(&runs) == Some(place) { Role::Answer } else { Role::Plain };
            Cell::new(role, figure::amount(*figure, &played.run.totals))
        });
        let last = played.run.spans.last().map_or(0, |span| span.replicas.1.0);
        table.row([Cell::from(played.name), Cell::from(last.to_string())].into_iter().chain(amounts));
    }
    table
}
