//! Random worlds.

use crate::draw::Draw;
use crate::hpa::Hpa;
use crate::judge::{Tally, judge};
use crate::target::Who;
use crate::watcher::{Watcher, Way};
use crate::world::{Millis, Pace, World};

const WORLDS: u64 = 60;
const SEED: u64 = 36_000_001;
/// How long each world lasts.
const END: Millis = 240_000;
const PERIOD: Millis = 5_000;

/// What comes next, and when.
struct Plan {
    draw: Draw,
    syncs: Vec<Millis>,
    act: Millis,
    look: Millis,
    looks: u64,
}

impl Plan {
    fn new(seed: u64) -> (Self, World) {
        let mut draw = Draw::new(seed);
        let mut hpas = vec![Hpa::new("web", 0)];
        for name in ["web-b", "web-c"] {
            if draw.chance(40) {
                hpas.push(Hpa { max: draw.count(3, 9), min: draw.count(1, 3), ..Hpa::new(name, 0) });
            }
        }
        let syncs = hpas.iter().map(|_| draw.between(0, PERIOD)).collect();
        let (act, look) = (draw.between(0, 20_000), draw.between(0, 1_000));
        (Self { draw, syncs, act, look, looks: 0 }, World::new(hpas))
    }

    fn play(&mut self, world: &mut World, watcher: &mut Watcher) {
        loop {
            let (due, sync) = self.syncs.iter().copied().zip(0..).min().expect("an HPA");
            let next = due.min(self.act).min(self.look);
            if next > END {
                return;
            }
            world.pass(next);
            if next == self.look {
                self.look(world, watcher);
            } else if next == self.act {
                self.act(world);
            } else {
                let pace = self.pace();
                world.sync(sync, pace);
                self.syncs[sync] = world.now + PERIOD + self.draw.between(0, 200);
            }
        }
    }

    /// Most syncs are quick; of some the API server is slow, drops the event or refuses the status.
    fn pace(&mut self) -> Pace {
        let draw = &mut self.draw;
        let slow = draw.chance(10);
        let mut within = |quick: Millis, late: Millis| draw.between(0, if slow { late } else { quick });
        let (write, event, status) = (within(30, 800), within(3, 300), within(30, 4_000));
        Pace { write, event, status, drops_event: draw.chance(8), refuses_status: draw.chance(5) }
    }

    fn look(&mut self, world: &mut World, watcher: &mut Watcher) {
        let draw = &mut self.draw;
        let takes = if draw.chance(10) { draw.between(30, 500) } else { draw.between(1, 30) };
        let way =
            Way { takes, fails: draw.chance(2), rereads: self.looks.is_multiple_of(5) || draw.chance(20) };
        self.looks += 1;
        watcher.look(world, way);
        let pause = if draw.chance(4) { draw.between(3_000, 20_000) } else { 1_000 };
        self.look = world.now + pause;
    }

    fn act(&mut self, world: &mut World) {
        let draw = &mut self.draw;
        let rest = if draw.chance(20) { draw.between(1, 400) } else { draw.between(500, 15_000) };
        self.act = world.now + rest;
        let target = if draw.chance(80) { world.hpas[0].target } else { usize::from(draw.chance(50)) };
        let hpa = if draw.chance(60) { 0 } else { usize::try_from(draw.between(0, 2)).expect("a place") };
        let hpa = hpa.min(world.hpas.len() - 1);
        let people = [Who::Scaler("kubectl"), Who::Editor("kubectl-edit"), Who::Editor("argocd-controller")];
        let who = draw.pick(&people);
        match draw.between(0, 11) {
            0..=2 => world.set(target, who, draw.count(0, 12)),
            3 => {
                world.set(
                    target,
                    who,
                    if world.targets[target].replicas == 0 { draw.count(1, 9) } else { 0 },
                );
            }
            4 | 5 => world.hpas[hpa].wish = draw.count(1, 12),
            6 => world.edit(hpa, |it| it.max = draw.count(it.min, 12)),
            7 => world.edit(hpa, |it| it.min = draw.count(1, it.max)),
            8 => world.edit(hpa, |it| it.target = 1 - it.target),
            9 => world.targets[target].join(Who::Editor("flux"), world.now),
            10 => world.targets[target].touch(),
            _ => world.targets[target].clear(),
        }
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

#[test]
#[expect(clippy::print_stdout, reason = "people read the figures")]
fn no_change_is_credited_to_somebody_who_did_not_make_it() {
    let (worlds, seed) = (setting("KUBECTL_HPA_WORLDS"), setting("KUBECTL_HPA_SEED").unwrap_or(SEED));
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for seed in seed..seed + worlds.unwrap_or(WORLDS) {
        let (mut plan, mut world) = Plan::new(seed);
        let mut watcher = Watcher::default();
        plan.play(&mut world, &mut watcher);
        watcher.end();
        if let Err(error) = judge(&world, &watcher, &mut tally) {
            wrong.push(format!("seed {seed}: {error}"));
        }
    }
    println!("{tally:?}");
    assert!(wrong.is_empty(), "{} worlds are wrong:\n{}", wrong.len(), wrong.join("\n\n"));
}
