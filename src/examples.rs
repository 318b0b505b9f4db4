//! Recorded cases that the binary carries, so that a newcomer sees whole explanations without a cluster.

/// A recorded case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// By which it is asked for.
    pub name: &'static str,
    /// What it shows.
    pub description: &'static str,
    /// The case file.
    pub text: &'static str,
}

macro_rules! examples {
    ($($name:literal: $description:literal,)+) => {
        /// All of them, the first thing to look at first.
        pub const EXAMPLES: &[Example] = &[$(Example {
            name: $name,
            description: $description,
            text: include_str!(concat!("examples/", $name, ".yaml")),
        },)+];
    };
}

examples! {
    "missing-samples": "three of five pods report 90 % against a target of 50 %, two have no sample yet: nothing changes",
    "scale-up-limited": "a burst wants 27 replicas; without spec.behavior one sync at most doubles the count",
    "held-by-window": "five replicas would do, but a recommendation of ten is still in the stabilization window",
    "behavior-limited": "one replica would do; spec.behavior lets 10 % go in a minute",
    "resting-at-min": "little to do: the autoscaler rests at minReplicas, which is healthy",
    "rollout": "a rolling update: pods that are starting up do not count with their start-up load",
    "foreign-pods": "the selector also matches the pod of a Job, and it pulls the count up",
    "scale-to-zero": "the queue is empty and minReplicas is 0: the last replica goes",
    "missing-request": "a sidecar without a cpu request stops the autoscaler",
    "broken-metric": "one of two metrics cannot be read: the count may rise, but not fall",
    "ambiguous": "two autoscalers select the same pods, so neither runs",
    "switched-off": "somebody scaled the target to zero: the autoscaler takes that for a pause",
}

/// The example of a name.
#[must_use]
pub fn find(name: &str) -> Option<Example> {
    EXAMPLES.iter().copied().find(|example| example.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Case;

    #[test]
    fn the_list_says_what_the_files_say() {
        for example in EXAMPLES {
            let case: Result<Case, _> = serde_yaml::from_str(example.text);
            let metadata = case.map(|case| case.metadata).unwrap_or_default();
            assert_eq!((metadata.name.as_str(), metadata.description.as_str()), (example.name, example.description));
            assert_eq!(find(example.name), Some(*example));
        }
    }
}
