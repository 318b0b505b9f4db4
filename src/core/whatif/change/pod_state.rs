//! States into which pods are put.

/// Adding more than this is treated as a typo.
pub(super) const MOST: usize = 100_000;

/// The states, as they are typed.
pub const POD_STATES: [&str; 9] =
    ["ready", "not-ready", "starting", "pending", "no-sample", "median-sample", "failed", "deleting", "gone"];

/// The state into which a pod is put. Only what is named here is set; all else stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Running, started and ready for an hour, not being deleted. Ready is the only condition, here and below.
    Ready,
    /// Running, and not ready since now.
    NotReady,
    /// Running, started now, and not ready since now.
    Starting,
    /// Pending without a start and without conditions; its samples are left out.
    Pending,
    /// As it is, but its samples are left out.
    NoSample,
    /// As it is, but the samples that it lacks are the median of those of the target's other pods.
    MedianSample,
    /// Failed.
    Failed,
    /// Being deleted since now.
    Deleting,
    /// Left out, with its samples.
    Gone,
}

impl State {
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "ready" => Self::Ready,
            "not-ready" => Self::NotReady,
            "starting" => Self::Starting,
            "pending" => Self::Pending,
            "no-sample" => Self::NoSample,
            "median-sample" => Self::MedianSample,
            "failed" => Self::Failed,
            "deleting" => Self::Deleting,
            "gone" => Self::Gone,
            _ => return None,
        })
    }

    pub const fn has_samples(self) -> bool {
        !matches!(self, Self::Pending | Self::NoSample | Self::Gone)
    }
}
