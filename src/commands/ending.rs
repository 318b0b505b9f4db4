//! How a run ends: the exit codes.

use std::process::ExitCode;

use kubectl_hpa_core::comparison::Comparison;

/// How a run ended: the process' exit code, as `--help` lists them. Wrong command lines never come this far. Over
/// several HPAs the later one of this list counts: [`Ord::max`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Ending {
    /// Decided, and alike where two decisions are compared.
    #[default]
    Done,
    /// Another decision: with the changes, or by another version.
    Different,
    /// A decision is not known: what the controller reads could not be read.
    Unknown,
    /// An HPA is in a state that `list --fail-on` names, or lint finds what its `--fail-on` names.
    Found,
    /// Something failed or was not written; standard error says why.
    Failed,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Done => Self::SUCCESS,
            Ending::Failed => Self::FAILURE,
            Ending::Different => Self::from(3),
            Ending::Unknown => Self::from(4),
            Ending::Found => Self::from(5),
        }
    }
}

impl From<Comparison> for Ending {
    fn from(comparison: Comparison) -> Self {
        match comparison {
            Comparison::Same => Self::Done,
            Comparison::Different => Self::Different,
            Comparison::Unknown => Self::Unknown,
        }
    }
}

impl Ending {
    /// Counts one more.
    pub(super) fn count(&mut self, other: impl Into<Self>) {
        *self = (*self).max(other.into());
    }
}

#[cfg(test)]
mod tests {
    use super::Ending;

    #[test]
    fn a_failure_beats_a_state_that_beats_the_unknown_and_that_a_difference() {
        let mut ending = Ending::Done;
        for (next, expected) in [
            (Ending::Different, Ending::Different),
            (Ending::Done, Ending::Different),
            (Ending::Unknown, Ending::Unknown),
            (Ending::Different, Ending::Unknown),
            (Ending::Found, Ending::Found),
            (Ending::Unknown, Ending::Found),
            (Ending::Failed, Ending::Failed),
            (Ending::Unknown, Ending::Failed),
        ] {
            ending.count(next);
            assert_eq!(ending, expected);
        }
    }
}
