//! The table: the newest row, and each older one as what it has of its own.

use super::release::Release;
use super::{
    AbsentContainer, AmbiguousText, FromZero, GapWords, MissingShare, NoSampleWords, ObjectErrorOrder,
    RateEvents, Rules, UnmeasuredContainer, Wrapping,
};
use crate::model::{SelectorWords, ToleranceTest};

/// The oldest minor with rules.
pub(super) const OLDEST_MINOR: u32 = 23;
/// The minor of the newest row.
pub(super) const NEWEST_MINOR: u32 = 37;

/// The rules of a release with the defaults of its gates; `None` where it is older than the oldest row.
pub(super) fn row(release: Release) -> Option<Rules> {
    let row = match release.minor {
        ..OLDEST_MINOR => return None,
        23 | 24 => ROW_1_23,
        25 => ROW_1_25,
        26 => ROW_1_26,
        27 => ROW_1_27,
        28 => ROW_1_28,
        29 => ROW_1_29,
        30..=32 => ROW_1_30,
        33 => ROW_1_33,
        34 => ROW_1_34,
        35 => ROW_1_35,
        36 => ROW_1_36,
        37.. => ROW_1_37,
    };
    Some(Rules {
        formats_twice: !release.has(32, &[(31, 6), (30, 10), (29, 14)]),
        checks_object_target: release.has(29, &[(28, 3), (27, 7), (26, 10)]),
        drops_types_apart: release.has(32, &[]),
        ..row
    })
}

const ROW_1_37: Rules = Rules {
    row: "1.37",
    from_zero: FromZero::Condition,
    tolerance_test: ToleranceTest::Band,
    unmeasured_container: UnmeasuredContainer::MissingPod,
    absent_container: AbsentContainer::FailsMetric,
    sidecar_requests: true,
    total_capped: true,
    average_capped: true,
    fills_values_at_target: false,
    missing_share: MissingShare::RequestOrTarget,
    rate_events: RateEvents::Both,
    scale_up_factor: Some(2),
    requests_first: false,
    checks_object_target: true,
    ambiguous: Some(AmbiguousText::MoreThanOne),
    object_error: ObjectErrorOrder::Straight,
    selector_words: SelectorWords::JsonList,
    formats_twice: false,
    returns_partial_error: true,
    renews_metrics_on_failure: true,
    names_average_object: true,
    binary_memory: true,
    names_container_metric: true,
    speaks_of_usage: true,
    wrapping: Wrapping::All,
    no_sample_words: NoSampleWords::TargetedPods,
    gap_words: GapWords::ContainerAndPod,
    stored_in_v1: false,
    drops_types_apart: true,
    scale_to_zero: true,
    configurable_tolerance: true,
    pod_level_resources: true,
    container_metrics: true,
    ambiguous_limit: true,
    observed_generation: true,
};

const ROW_1_36: Rules = Rules {
    row: "1.36",
    ambiguous: Some(AmbiguousText::Multiple),
    object_error: ObjectErrorOrder::Swapped,
    scale_to_zero: false,
    ambiguous_limit: false,
    observed_generation: false,
    ..ROW_1_37
};

const ROW_1_35: Rules = Rules { row: "1.35", from_zero: FromZero::MinReplicas, ..ROW_1_36 };

const ROW_1_34: Rules = Rules {
    row: "1.34",
    absent_container: AbsentContainer::Zero,
    total_capped: false,
    configurable_tolerance: false,
    ..ROW_1_35
};

const ROW_1_33: Rules = Rules {
    row: "1.33",
    average_capped: false,
    selector_words: SelectorWords::GoList,
    binary_memory: false,
    pod_level_resources: false,
    ..ROW_1_34
};

const ROW_1_30: Rules = Rules {
    row: "1.30-1.32",
    tolerance_test: ToleranceTest::Distance,
    unmeasured_container: UnmeasuredContainer::FailsMetric,
    names_average_object: false,
    ..ROW_1_33
};

/// The gate `HPAContainerMetrics` can still be switched off.
const ROW_1_29: Rules = Rules { row: "1.29", ..ROW_1_30 };

const ROW_1_28: Rules =
    Rules { row: "1.28", sidecar_requests: false, renews_metrics_on_failure: false, ..ROW_1_29 };

const ROW_1_27: Rules = Rules { row: "1.27", fills_values_at_target: true, ..ROW_1_28 };

const ROW_1_26: Rules = Rules {
    row: "1.26",
    stored_in_v1: true,
    returns_partial_error: false,
    names_container_metric: false,
    no_sample_words: NoSampleWords::AnyReadyPods,
    ..ROW_1_27
};

const ROW_1_25: Rules = Rules {
    row: "1.25",
    missing_share: MissingShare::Request,
    rate_events: RateEvents::OwnDirection,
    requests_first: true,
    ambiguous: None,
    selector_words: SelectorWords::PodOperator,
    speaks_of_usage: false,
    gap_words: GapWords::Resource,
    ..ROW_1_26
};

const ROW_1_23: Rules = Rules { row: "1.23-1.24", wrapping: Wrapping::ObjectAndPods, ..ROW_1_25 };
