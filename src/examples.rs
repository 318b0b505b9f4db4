//! Recorded cases that the binary carries, so that a newcomer sees whole explanations without a cluster.

/// An example.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its name.
    pub name: &'static str,
    /// The case file.
    pub text: &'static str,
}

macro_rules! examples {
    ($($name:literal)*) => {
        /// All examples: first what holds the replicas, then what moves them, then what stops the HPA.
        pub const ALL: &[Example] =
            &[$(Example { name: $name, text: include_str!(concat!("examples/", $name, ".yaml")) },)*];
    };
}

examples! {
    "missing-samples" "held-by-window" "behavior-limited" "resting-at-min"
    "scale-up-limited" "rollout" "foreign-pods" "scale-to-zero"
    "missing-request" "broken-metric" "ambiguous" "switched-off"
}

/// The case of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Example> {
    ALL.iter().find(|example| example.name == name)
}

impl Example {
    /// What the case shows: the line `description:` of its file.
    #[must_use]
    pub fn description(&self) -> &'static str {
        let line = self.text.lines().find_map(|line| line.trim_start().strip_prefix("description: "));
        line.unwrap_or_default().trim_matches('"')
    }
}
