//! What a look is judged by: the replicas that the target has after the controller's next sync.

use kubectl_hpa_core::trace::{Decision, Outcome};

use super::judge::Said;
use super::refusal::Refusal;
use super::review::reviewed;
use super::world::World;

/// The replicas, `None` if nobody can read them. Nothing may show that something is refused to the controller, or no longer,
/// until a sync comes upon it: until then either is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// If what the last status shows as refused still is, and nothing else.
    pub foreseen: Option<i32>,
    /// As it is.
    pub actual: Option<i32>,
}

impl Truth {
    pub fn of(world: &World) -> Self {
        let left = |refused: &[Refusal]| world.left(&world.decided_under(refused).1);
        let mut refused = world.refused();
        if world.faults.scale_writes > 0 {
            refused.push(Refusal::Unable);
        }
        let foreseen = world.foreseen();
        let actual = left(&refused);
        Self { foreseen: if foreseen == refused { actual } else { left(&foreseen) }, actual }
    }

    /// Whether an answer excludes both.
    pub fn is_missed(self, said: &Said) -> bool {
        said.is_wrong(self.foreseen) && said.is_wrong(self.actual)
    }

    pub fn is_foreseeable(self) -> bool {
        self.foreseen == self.actual
    }
}

impl World {
    /// What whoever looks can know to be refused: what the last status shows, unless a review shows that it no longer is.
    fn foreseen(&self) -> Vec<Refusal> {
        let refused = self.refused();
        let reviewed: Vec<Refusal> = reviewed(self).into_iter().map(Refusal::Right).collect();
        let still = |refusal: &&Refusal| refused.contains(refusal) || !reviewed.contains(refusal);
        self.met.iter().filter(still).copied().collect()
    }

    /// Whether all that is refused, and nothing else, can be known. What fails for the next few syncs only cannot.
    pub fn shows_all_refused(&self) -> bool {
        let (refused, foreseen) = (self.refused(), self.foreseen());
        refused.iter().all(|refusal| foreseen.contains(refusal))
            && foreseen.iter().all(|refusal| refused.contains(refusal))
    }

    /// The replicas that a decision leaves: those that there are if the controller may not read or write them.
    pub fn left(&self, decision: &Decision) -> Option<i32> {
        let is_shown = self.faults.scale_reads == 0 && !self.misses_target();
        let stays = matches!(decision.outcome, Outcome::NoScale) && is_shown;
        let left = decision.unwritten().or(decision.desired()).map(|left| left.0);
        left.or(stays.then_some(self.target.replicas))
    }
}
