//! Whoever looks again and again at such a world, a few times in each sync period.

use kubectl_hpa_core::memory_bounds::{Look, Watch};
use kubectl_hpa_core::snapshot::Snapshot;
use kubectl_hpa_core::whatif::next_change;

use super::draw::Draw;
use super::judge::{Said, can_look, said};
use super::truth::Truth;
use super::view;
use super::world::{World, instant};

/// At most so many looks at one world.
const LOOKS: usize = 120;

/// What came of one look.
pub struct Watched {
    pub said: Said,
    pub truth: Truth,
    pub at: String,
    pub last: String,
}

/// Watches a world from its first planned look on.
pub fn watch(mut world: World, draw: &mut Draw) -> Vec<Watched> {
    let (mut watch, mut looks) = (Watch::new(), Vec::new());
    let mut at = world.plan.looks[0];
    for _ in 0..LOOKS {
        // What the API server keeps waiting, it keeps a look waiting, too.
        let begun = instant(at);
        world.pass(at);
        at += draw.between(world.plan.period / 5, world.plan.period / 3).max(50);
        if !can_look(&world) {
            watch.failed();
            continue;
        }
        let case = view::case(&world);
        let version = format!("{}.{}", world.hpas, world.hpa.as_ref().map_or(0, |hpa| hpa.fields.writes));
        let mut seen = Snapshot::freeze(case).expect("a snapshot");
        let now = instant(world.now);
        watch.see(Look { begun, ended: now, version: &version, snapshot: &seen }, &world.rules);
        seen.history.watched = watch.watched(now);
        let truth = Truth::of(&world);
        let (told, answer) = said(&mut seen, &world.rules);
        watch.note_answer(&answer, next_change(&seen, &world.rules, &answer.decision).map(|next| next.at));
        let last: Vec<String> = world.log.iter().rev().take(6).rev().map(ToString::to_string).collect();
        looks.push(Watched { said: told, truth, at: now.to_string(), last: last.join("; ") });
    }
    looks
}
