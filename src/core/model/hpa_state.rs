//! The state of an HPA in one word, for a list of many. [`explanation`](crate::explanation) has the rule of each.

/// What an HPA is doing. Of several states that fit, the first one of [`HpaState::ALL`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HpaState {
    /// The controller cannot decide or cannot scale, or at least one metric fails.
    Broken,
    /// The replicas stay, or may stay, although the metrics want more or fewer within the bounds.
    Held,
    /// The count is `maxReplicas` or becomes it now, and the metrics want no fewer.
    AtMax,
    /// The count is 0 or becomes it now, as no metric wants a replica; the HPA scales up again by itself.
    Asleep,
    /// The count is `minReplicas` or becomes it now, and the metrics want no more.
    AtMin,
    /// The replicas change now.
    Scaling,
    /// The replicas stay, and the metrics want just that.
    Idle,
    /// The target is scaled to zero by hand, which pauses the HPA.
    SwitchedOff,
    /// What the controller reads could not be read here.
    Unknown,
}

/// How much attention a state needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The HPA does not work.
    Stops,
    /// It works, but something keeps it from what it wants, or nobody knows.
    Holds,
    /// Nothing is wrong.
    Calm,
}

impl HpaState {
    /// All states, in the order in which they are tried.
    pub const ALL: [Self; 9] = [
        Self::Broken,
        Self::Held,
        Self::AtMax,
        Self::Asleep,
        Self::AtMin,
        Self::Scaling,
        Self::Idle,
        Self::SwitchedOff,
        Self::Unknown,
    ];

    /// As programs and flags write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Held => "held",
            Self::AtMax => "at-max",
            Self::Asleep => "asleep",
            Self::AtMin => "at-min",
            Self::Scaling => "scaling",
            Self::Idle => "idle",
            Self::SwitchedOff => "switched-off",
            Self::Unknown => "unknown",
        }
    }

    /// How much attention it needs.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::Broken => Severity::Stops,
            Self::Held | Self::AtMax | Self::SwitchedOff | Self::Unknown => Severity::Holds,
            Self::Asleep | Self::AtMin | Self::Scaling | Self::Idle => Severity::Calm,
        }
    }
}
