//! The text of a code.

/// The versions for which there are rules, as most entries name them.
pub(super) const VERSIONS: &str = "1.23 to 1.37";

/// The text about a code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// In a few words.
    pub title: &'static str,
    /// In full; one paragraph a line.
    pub text: &'static str,
    /// The functions of `pkg/controller/podautoscaler` in which it happens.
    pub upstream: &'static [&'static str],
    /// The minor versions of Kubernetes that it holds for.
    pub versions: &'static str,
}
