//! The situations that the rules about 0 replicas are about.

/// Something that happens to an HPA with minReplicas 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// The HPA has scaled its target to 0 when the version changes; then the load comes back.
    AtZeroBefore,
    /// It scales its target to 0 after the version has changed; then the load comes back.
    AtZeroAfter,
    /// minReplicas becomes 1 while the HPA has its target at 0, and no load comes.
    MinRaised,
    /// Somebody scales the target to 0 under load.
    ScaledByHand,
}

impl Situation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::AtZeroBefore, Self::AtZeroAfter, Self::MinRaised, Self::ScaledByHand];

    /// Whether it can still come, of a target that is at 0 now or not.
    pub(super) fn is_possible(self, is_at_zero: bool) -> bool {
        match self {
            Self::AtZeroBefore | Self::MinRaised => true,
            Self::AtZeroAfter | Self::ScaledByHand => !is_at_zero,
        }
    }

    /// Whether it comes from the load alone: nobody has to do anything.
    pub(super) fn is_its_own(self) -> bool {
        matches!(self, Self::AtZeroBefore | Self::AtZeroAfter)
    }
}
