//! A history: what happens in a world between two instants and is not shown by itself.

use std::collections::BTreeMap;

use super::draw::Draw;
use super::inherit::Before;
use super::replay::Occasion;
use super::span::Span;
use super::world::Millis;

/// What may be otherwise between two instants.
#[derive(Clone, Debug)]
pub struct History {
    pub load: Vec<(Millis, Option<i64>)>,
    pub acts: Vec<(Millis, usize)>,
    pub salts: BTreeMap<Occasion, u64>,
    /// When syncs are to begin, and when they began the first time.
    pub syncs: Vec<(Millis, Millis)>,
    /// When somebody sets the replicas besides, and to how many.
    pub sizes: Vec<(Millis, i32)>,
    /// Another HPA of the same name was there before.
    pub before: Option<Before>,
}

impl History {
    /// Any load, nearly the one at the end, or about another one that there was.
    pub fn level(&self, span: &Span, draw: &mut Draw) -> Option<i64> {
        let before = self.load.iter().filter(|(at, _)| *at <= span.to).rev().take(8);
        let levels: Vec<i64> = before.filter_map(|(_, level)| *level).collect();
        let beside =
            |level: i64, draw: &mut Draw| Some((level + draw.pick(&[-3, -2, -1, -1, 0, 1, 1, 2, 3])).max(1));
        match (draw.between(0, 19), levels.first()) {
            (0, _) => None,
            (1..=4, Some(last)) => beside(*last, draw),
            (5..=7, Some(_)) => beside(draw.pick(&levels), draw),
            (8..=15, _) if !span.levels.is_empty() => beside(draw.pick(&span.levels), draw),
            _ => Some(draw.between(1, 200)),
        }
    }

    /// From one instant until before a later one the load differs; metrics that failed may still fail.
    pub fn set_load(&mut self, from: Millis, to: Millis, level: Option<i64>, keeps_failures: bool) {
        let at = |at: Millis| self.load.iter().rev().find(|(from, _)| *from <= at).map(|(_, level)| *level);
        let (before, after) = (at(from), at(to));
        let inside = |at: Millis| from <= at && at <= to;
        if keeps_failures {
            for (at, old) in &mut self.load {
                *old = if inside(*at) { old.and(level) } else { *old };
            }
            self.load.retain(|(at, _)| *at != from && *at != to);
        } else {
            self.load.retain(|(at, _)| !inside(*at));
        }
        let fails = keeps_failures && before == Some(None);
        self.load.push((from, level.filter(|_| !fails)));
        self.load.extend(after.map(|level| (to, level)));
        self.load.sort_by_key(|(at, _)| *at);
    }

    /// The changes of the load within a span, by their places.
    pub fn changes(&self, span: &Span) -> Vec<usize> {
        let inside = |index: &usize| (span.from..span.to).contains(&self.load[*index].0);
        (0..self.load.len()).filter(inside).collect()
    }

    /// The acts within it, by their places.
    pub fn acts_within(&self, span: &Span) -> Vec<usize> {
        let inside = |index: &usize| (span.from..span.to).contains(&self.acts[*index].0);
        (0..self.acts.len()).filter(inside).collect()
    }
}
