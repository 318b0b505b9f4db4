//! How a history that nobody saw may have been otherwise. A new way is one function and one line of the table.

use super::act::ACTS;
use super::draw::Draw;
use super::history::History;
use super::inherit::Before;
use super::replay::Occasion;
use super::span::Span;
use super::world::{Millis, SECOND};

pub type Mutation = fn(&mut History, &Span, &mut Draw);

/// Each as often as it stands here.
pub const MUTATIONS: &[Mutation] = &[
    load_of_syncs,
    load_of_syncs,
    load_of_syncs,
    load_of_syncs,
    load_until_written,
    load_until_written,
    load_until_written,
    what_contradicts,
    what_contradicts,
    what_contradicts,
    what_contradicts,
    what_contradicts,
    what_contradicts,
    syncs_are_not,
    syncs_are_not,
    scaled_before_rescale,
    scaled_before_rescale,
    scaled_before_rescale,
    scaled_around_sync,
    scaled_around_sync,
    scaled_around_sync,
    scaled_around_sync,
    scaled_around_sync,
    scaled_around_sync,
    syncs_move,
    syncs_move,
    syncs_move,
    syncs_move,
    hpa_before,
    hpa_before,
    hpa_before,
    sync_is_forgotten,
    sync_is_forgotten,
    sync_is_forgotten,
    sync_is_forgotten,
    sync_is_forgotten,
    sync_is_forgotten,
    load_lasts,
    load_was_other,
    chance,
    chance,
    act_moves,
    act_is_other,
    act_is_new,
    act_is_not,
];

/// One sync, or some in a row, saw another load.
fn load_of_syncs(history: &mut History, span: &Span, draw: &mut Draw) {
    if span.syncs.is_empty() {
        return;
    }
    let one = span.some_sync(draw);
    let other = match draw.between(0, 9) {
        0..=2 => one,
        3 => one + draw.between(0, 20),
        _ => span.some_sync(draw),
    };
    let at = |sync: i64| span.syncs.get(usize::try_from(sync).expect("an index"));
    let from = at(one.min(other)).expect("a sync") - 1;
    let to = at(one.max(other) + 1).map_or(span.to, |next| next - 1);
    let level = history.level(span, draw);
    history.set_load(from, to, level, draw.chance(50));
}

/// The syncs that keep the controller from the wanted decision saw another load: all before the last write, the last few of
/// them, or one.
fn what_contradicts(history: &mut History, span: &Span, draw: &mut Draw) {
    let written = span.written.filter(|_| draw.chance(80)).unwrap_or(span.to);
    let until = span.syncs.iter().rev().find(|sync| **sync <= written).copied().unwrap_or(span.to);
    let all: Vec<Millis> = span.contradicting.iter().copied().filter(|at| *at < until).collect();
    if all.is_empty() {
        return load_of_syncs(history, span, draw);
    }
    let last = draw.between(1, i64::try_from(all.len()).expect("a count"));
    let some = match draw.between(0, 3) {
        0 | 1 => all,
        2 => all[all.len() - usize::try_from(last).expect("a count")..].to_vec(),
        _ => vec![draw.pick(&all)],
    };
    if draw.chance(20) {
        history.syncs.retain(|(at, _)| !some.contains(at));
        return;
    }
    let (level, keeps) = (history.level(span, draw), draw.chance(50));
    for at in some {
        let next = span.syncs.iter().copied().find(|sync| *sync > at).unwrap_or(span.to);
        history.set_load(at - 1, next - 1, level, keeps);
    }
}

/// One sync, or some in a row, came so late that the next ones took their place.
fn syncs_are_not(history: &mut History, span: &Span, draw: &mut Draw) {
    if !span.syncs.is_empty() {
        let first = span.syncs[usize::try_from(span.some_sync(draw)).expect("an index")];
        let last = first + draw.pick(&[0, 0, span.period, 2 * span.period, 12 * SECOND]);
        history.syncs.retain(|(at, _)| !(first..=last).contains(at));
    }
}

/// Shortly before the controller scaled, or a window ended, somebody set the replicas.
fn scaled_before_rescale(history: &mut History, span: &Span, draw: &mut Draw) {
    let act = act(draw.pick(&["scale-by-hand", "scale-by-hand", "scale-and-back", "reset-target"]));
    let soon = draw.pick(&[200, span.period, span.period]);
    let at = draw.pick(&span.keys) - draw.between(1, soon);
    history.acts.push((at.max(span.from), act));
    history.acts.sort_by_key(|(at, _)| *at);
}

/// Just before a sync somebody set the replicas, so that it scaled by another change or by one that nobody saw; and set them
/// back after it. Its status may have been refused.
fn scaled_around_sync(history: &mut History, span: &Span, draw: &mut Draw) {
    if span.syncs.is_empty() {
        return;
    }
    let sync = span.syncs[usize::try_from(span.some_sync(draw)).expect("an index")];
    if draw.chance(70) {
        let near = draw.pick(&span.sizes) + draw.count(-5, 5);
        history.sizes.push((sync - draw.between(60, 400), near.max(1)));
    }
    if draw.chance(60) {
        let soon = draw.between(100, span.period.max(200) - 100);
        history.sizes.push((sync + soon, span.sizes[0]));
    }
    if draw.chance(40) {
        history.acts.push((sync - 1, act("status-write-fails")));
        history.acts.sort_by_key(|(at, _)| *at);
    }
    if draw.chance(60) {
        let level = history.level(span, draw);
        history.set_load(sync - 1, sync + 200, level, false);
    }
}

fn act(name: &str) -> usize {
    ACTS.iter().position(|(act, _)| *act == name).expect("an act")
}

/// Until the last status was written syncs saw another load.
fn load_until_written(history: &mut History, span: &Span, draw: &mut Draw) {
    let Some(written) = span.written else { return };
    let until = span.syncs.partition_point(|sync| *sync <= written);
    if until == 0 {
        return;
    }
    let place = usize::try_from(span.some_sync(draw)).expect("an index").min(until - 1);
    let level = history.level(span, draw);
    history.set_load(span.syncs[place] - 1, span.syncs[until - 1] - 1, level, draw.chance(60));
}

/// One sync, or some in a row, came later or earlier.
fn syncs_move(history: &mut History, span: &Span, draw: &mut Draw) {
    if span.syncs.is_empty() {
        return;
    }
    let one = span.some_sync(draw);
    let other = if draw.chance(40) { one } else { span.some_sync(draw) };
    let at = |sync: i64| span.syncs[usize::try_from(sync).expect("an index")];
    let (from, to) = (at(one.min(other)), at(one.max(other)));
    let most = draw.pick(&[500, 5_000, span.period, span.period]);
    let by = draw.between(-most, most);
    for (at, _) in history.syncs.iter_mut().filter(|(at, _)| from <= *at && *at <= to) {
        *at = (*at + by).max(span.from);
    }
    history.syncs.sort_by_key(|(at, _)| *at);
}

/// What a sync remembered is forgotten since the last one.
fn sync_is_forgotten(history: &mut History, span: &Span, draw: &mut Draw) {
    let inside: Vec<Millis> = span.windows.iter().copied().filter(|at| *at > span.from).collect();
    if inside.is_empty() {
        return;
    }
    let forgotten = draw.pick(&inside) - draw.between(0, span.slot);
    let Some((at, _)) = history.syncs.iter_mut().min_by_key(|(at, _)| (*at - forgotten).abs()) else {
        return;
    };
    *at = forgotten;
    // A sync that came before it at less than a period would be in its place.
    history.syncs.retain(|(at, _)| !(forgotten - span.period + 1..forgotten).contains(at));
    if draw.chance(50) {
        let level = history.level(span, draw);
        history.set_load(forgotten - 1, forgotten + 200, level, false);
    }
    if let Some(written) = span.written.filter(|written| *written > forgotten + 200) {
        let until = span.syncs.iter().rev().find(|sync| **sync <= written);
        let level = history.level(span, draw);
        let until = until.map_or(written, |sync| *sync - 1);
        history.set_load(forgotten + 200, until, level, draw.chance(60));
    }
}

/// The HPA was created anew, and inherits what the one before remembered.
fn hpa_before(history: &mut History, span: &Span, draw: &mut Draw) {
    let Some(created) = span.created else { return };
    let soon = draw.between(0, span.period);
    let early: Vec<Millis> = span.windows.iter().map(|at| at - created).filter(|at| *at < 0).collect();
    let ago = match draw.between(0, 9) {
        0..=6 if !early.is_empty() => draw.between(0, span.slot) - draw.pick(&early),
        7..=8 => soon + 100,
        _ => soon + span.remembers,
    };
    let mut level = || history.level(span, draw).unwrap_or(1);
    let levels = [level(), level()];
    history.before = Some(Before { ago, levels });
}

/// A change of the load came earlier or later.
fn load_lasts(history: &mut History, span: &Span, draw: &mut Draw) {
    let inside: Vec<usize> = history.changes(span);
    if inside.is_empty() {
        return;
    }
    let index = draw.pick(&inside);
    let most = draw.pick(&[2, 20, 120]) * SECOND;
    history.load[index].0 += draw.between(-most, most);
    history.load.sort_by_key(|(at, _)| *at);
}

/// Between two changes the load was another one.
fn load_was_other(history: &mut History, span: &Span, draw: &mut Draw) {
    let inside: Vec<usize> = history.changes(span);
    if !inside.is_empty() {
        history.load[draw.pick(&inside)].1 = history.level(span, draw);
    }
}

/// What was drawn at an occasion was something else.
fn chance(history: &mut History, span: &Span, draw: &mut Draw) {
    let acts = history.acts_within(span);
    let salt = draw.next();
    let occasion = if !acts.is_empty() && draw.chance(60) {
        let (index, act) = (draw.pick(&acts), &history.acts);
        let kind = act[index].1;
        Occasion::Act(kind, act[..index].iter().filter(|(_, other)| *other == kind).count())
    } else if span.syncs.is_empty() {
        return;
    } else {
        let sync = draw.pick(&span.syncs);
        draw.pick(&[Occasion::Sync(sync), Occasion::Target(sync), Occasion::Later(sync)])
    };
    history.salts.insert(occasion, salt);
}

fn act_moves(history: &mut History, span: &Span, draw: &mut Draw) {
    let acts = history.acts_within(span);
    if !acts.is_empty() {
        let most = draw.pick(&[500, 5_000, 60_000]);
        let act = &mut history.acts[draw.pick(&acts)];
        act.0 = (act.0 + draw.between(-most, most)).max(span.from);
        history.acts.sort_by_key(|(at, _)| *at);
    }
}

fn act_is_other(history: &mut History, span: &Span, draw: &mut Draw) {
    let acts = history.acts_within(span);
    if !acts.is_empty() {
        history.acts[draw.pick(&acts)].1 = any_act(draw);
    }
}

fn act_is_new(history: &mut History, span: &Span, draw: &mut Draw) {
    let at = draw.between(span.from, span.to);
    history.acts.push((at, any_act(draw)));
    history.acts.sort_by_key(|(at, _)| *at);
}

fn act_is_not(history: &mut History, span: &Span, draw: &mut Draw) {
    let acts = history.acts_within(span);
    if !acts.is_empty() {
        history.acts.remove(draw.pick(&acts));
    }
}

fn any_act(draw: &mut Draw) -> usize {
    usize::try_from(draw.between(0, i64::try_from(ACTS.len()).expect("a count") - 1)).expect("an index")
}
