//! The parts of a sentence about a metric.

use serde::Serialize;

use super::values::{Amount, Ratio};

/// Over which others a metric decides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(in crate::render) enum Lead {
    /// It is the only one with a proposal.
    Only,
    /// Of so many that work it wants the most; `failed` do not.
    MostOf { metrics: usize, failed: usize },
    /// Of so many that work another wants more, which is 0 or less: what follows a 0 counts.
    AfterZero { metrics: usize, failed: usize },
    /// Others want the same; `takes` says whether the controller takes the `first` of them or the `last`.
    Tied { metrics: Vec<String>, replicas: i32, takes: &'static str },
}

/// What a metric reads. Amounts are in thousandths.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum Reading {
    /// A share of the requests of the pods that have a sample.
    Utilization { percent: Option<i32>, target: i32 },
    /// A mean over samples; `foreign` of them are of no selected pod.
    Mean { mean: Amount, target: Amount, samples: usize, foreign: Option<usize> },
    /// One value, compared as a whole.
    Value { value: Amount, target: Amount },
    /// A value divided by status.replicas; no mean at zero.
    Average { value: Amount, replicas: i32, mean: Option<Amount>, target: Amount },
    /// A sum below zero, which counts as the largest int64.
    NegativeSum { sum: Amount, after: usize, series: usize, target: Amount },
}

/// Whose tolerance it is: the HPA's field or the controller's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(in crate::render) struct Tolerance(pub &'static str);

/// To which side a ratio leads, before pods are filled in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum Tendency {
    More,
    Fewer,
    OnTarget,
    /// What follows says it.
    Untold,
}

/// What follows from a reading.
#[serde_with::skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum Conclusion {
    /// The ratio is exactly 1.
    OnTarget,
    /// The ratio is inside the tolerance; `keeps` are the replicas of status.replicas if those are others.
    Within { ratio: Ratio, lowest: Ratio, highest: Ratio, tolerance: Tolerance, keeps: Option<i32> },
    /// 0 of 0, which no comparison finds outside the tolerance.
    NoRatio { keeps: Option<i32> },
    /// Pods are filled in.
    Ratio { ratio: Ratio, tendency: Tendency },
    /// It needs none; `ready` pods are what an Object or External value is multiplied by, if they are not the replicas.
    NoneNeeded { ready: Option<usize> },
    /// A result below zero.
    Negative { replicas: i32 },
    /// More than now.
    More { replicas: i32, ready: Option<usize> },
    /// As many as now, since the product is rounded up.
    RoundedUp { exact: f64, replicas: i32 },
    /// As many as now; `counted` pods are multiplied, if they are not the replicas.
    JustRight { replicas: i32, counted: Option<usize> },
    /// Fewer than now.
    Fewer { replicas: i32, ready: Option<usize> },
}

/// Pods without a sample, and as what they count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct Filled {
    pub pods: usize,
    pub assumed: Assumed,
}

/// As what a pod without a sample counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum Assumed {
    /// 0, when scaling up.
    Zero,
    /// Of old controllers, where there is no way up.
    ZeroAlways,
    /// So much of the request, when scaling down.
    Request { percent: i32 },
    /// The target, when scaling down.
    Target,
}

/// What the ratio over all counted pods leads to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum FillEnd {
    /// Inside the tolerance.
    Within { lowest: Ratio, highest: Ratio, tolerance: Tolerance },
    /// On the other side of 1.
    OtherSide,
    /// Multiplied by the pods it leads to the other side of the replicas.
    OtherWay { pods: usize },
    /// Replicas.
    Leads { to: Conclusion },
}
