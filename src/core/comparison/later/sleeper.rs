//! An HPA that may scale to 0, played.

use super::Situation;
use crate::model::{Duration, Milli, Replicas};
use crate::play::{Assumptions, Curve, Measure, Player, Point, World};
use crate::rules::Rules;
use crate::run::rest;
use crate::snapshot::Snapshot;
use crate::status::advance;
use crate::trace::{HoldReason, Outcome};

/// Each half of a situation, until the target is at 0 and until it is awake again, is played for so long at most.
const OVER: Duration = Duration::from_seconds(2 * 3_600);

/// An HPA that may scale to 0.
pub(super) struct Sleeper {
    snapshot: Snapshot,
    /// Without load.
    idle: World,
    /// Under the load of now, and at least that of one replica.
    busy: World,
}

impl Sleeper {
    /// `None` if the HPA never scales to 0, or if too little is known to play it.
    pub fn of(snapshot: &Snapshot) -> Option<Self> {
        if snapshot.hpa.min != Replicas(0) || !snapshot.hpa.outlives_pods() {
            return None;
        }
        let stops = Curve { points: vec![Point { at: Duration::ZERO, ppm: 0 }], repeat: None };
        let assumptions = Assumptions { over: OVER, curves: vec![(None, stops)], ..Assumptions::default() };
        let idle = assumptions.world(snapshot).ok()?;
        let mut busy = idle.clone();
        for load in &mut busy.loads {
            load.curve = Curve::default();
            if load.demand == Milli(0)
                && let Measure::Metric(place) = load.measure
                && let Some(metric) = snapshot.hpa.metrics.get(place).filter(|metric| metric.outlives_pods())
            {
                let target = &metric.target;
                load.demand = target.average_milli().or(target.value_milli()).unwrap_or_default();
            }
        }
        Some(Self { snapshot: snapshot.clone(), idle, busy })
    }

    /// Whether the target is at 0 now.
    pub fn is_at_zero(&self) -> bool {
        is_at_zero(&self.snapshot)
    }

    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The replicas in the end, by the rules before and after the version changes; `None` if it does not come to the
    /// situation.
    pub fn end(&self, situation: Situation, before: &Rules, after: &Rules) -> Option<Replicas> {
        match situation {
            Situation::AtZeroBefore => settle(self.asleep(before)?, &self.busy, after),
            Situation::AtZeroAfter => settle(self.asleep(after)?, &self.busy, after),
            Situation::MinRaised => {
                let mut snapshot = self.asleep(after)?;
                snapshot.hpa.min = Replicas(1);
                snapshot.hpa.generation += 1;
                settle(snapshot, &self.idle, after)
            }
            Situation::ScaledByHand => {
                let mut snapshot = self.snapshot.clone();
                snapshot.scale.as_mut().ok()?.replicas = Replicas(0);
                settle(snapshot, &self.busy, after)
            }
        }
    }

    /// Plays without load until the target is at 0; `None` if it does not come to that.
    fn asleep(&self, rules: &Rules) -> Option<Snapshot> {
        let mut player = Player::start(self.snapshot.clone(), self.idle.clone(), rules).ok()?;
        // The first sync still looks at the load of now.
        player.sync()?;
        loop {
            player.sync()?;
            if is_at_zero(player.snapshot()) {
                return left(&player);
            }
        }
    }
}

fn is_at_zero(snapshot: &Snapshot) -> bool {
    snapshot.scale.as_ref().is_ok_and(|scale| scale.replicas == Replicas(0))
}

/// What the next sync finds.
fn left(player: &Player<'_>) -> Option<Snapshot> {
    let (mut snapshot, last) = (player.snapshot().clone(), player.last()?);
    advance(&mut snapshot, &last.decision, &last.report);
    snapshot.taken_at = snapshot.taken_at + player.sync_period();
    Some(snapshot)
}

/// Plays until nothing changes any more; the replicas then.
fn settle(snapshot: Snapshot, world: &World, rules: &Rules) -> Option<Replicas> {
    let mut player = Player::start(snapshot, world.clone(), rules).ok()?;
    // The first sync still looks at the load from before.
    player.sync()?;
    while let Some(sync) = player.sync() {
        let is_off = matches!(sync.decision.outcome, Outcome::Hold { reason: HoldReason::Disabled, .. });
        if is_off || player.last().is_some_and(|last| rest(player.snapshot(), &last.decision).is_some()) {
            break;
        }
    }
    player.last()?.decision.left()
}
