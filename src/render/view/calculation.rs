//! A proposal with its arithmetic.

use serde::Serialize;

use super::number::Number;
use kubectl_hpa_core::trace::{
    Calculation, Filler, Measure, Pass, PerPod, PerReplica, Proposal, Refill, Total, TotalBasis,
};

/// What a metric proposes, and how it came to that.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProposalView {
    replicas: i32,
    /// The comparison with the target.
    code: &'static str,
    /// The way from the last ratio to the replicas.
    ending: &'static str,
    /// The band of ratios that keep the replicas; both ends belong to it.
    tolerance: BandView,
    calculation: CalculationView,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct BandView {
    down: Number,
    up: Number,
    lowest: Number,
    highest: Number,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum CalculationView {
    PerPod(PerPodView),
    Total(TotalView),
    PerReplica(PerReplicaView),
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PerPodView {
    target_percent: Option<i32>,
    target_milli: Option<i64>,
    first: PassView,
    refill: Option<RefillView>,
    guard: Option<&'static str>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PassView {
    usage_milli: i64,
    requests_milli: i64,
    samples: usize,
    utilization_percent: Option<i32>,
    mean_milli: i64,
    ratio: Number,
    multiplier: usize,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RefillView {
    codes: Vec<&'static str>,
    /// What a missing pod counts as: percent of its request.
    missing_request_percent: Option<i32>,
    /// What a missing pod counts as.
    missing_milli: Option<i64>,
    unready_as_zero: bool,
    pass: PassView,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TotalView {
    usage_milli: i64,
    series: usize,
    target_milli: i64,
    ratio: Number,
    ready_pods: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PerReplicaView {
    usage_milli: i64,
    series: usize,
    target_milli: i64,
    status_replicas: i32,
    ratio: Number,
    mean_milli: i64,
}

impl ProposalView {
    pub fn of(proposal: &Proposal) -> Self {
        let band = proposal.tolerances;
        Self {
            replicas: proposal.replicas.0,
            code: proposal.code().as_str(),
            ending: proposal.ending().as_str(),
            tolerance: BandView {
                down: Number(band.down),
                up: Number(band.up),
                lowest: Number(band.lowest().0),
                highest: Number(band.highest().0),
            },
            calculation: match &proposal.calculation {
                Calculation::PerPod(it) => CalculationView::PerPod(PerPodView::of(it)),
                Calculation::Total(it) => CalculationView::Total(TotalView::of(it)),
                Calculation::PerReplica(it) => CalculationView::PerReplica(PerReplicaView::of(it)),
            },
        }
    }
}

impl PerPodView {
    fn of(per_pod: &PerPod) -> Self {
        let (target_percent, target_milli) = match per_pod.measure {
            Measure::Utilization(percent) => (Some(percent.0), None),
            Measure::Value(value) => (None, Some(value.0)),
        };
        Self {
            target_percent,
            target_milli,
            first: PassView::of(&per_pod.first),
            refill: per_pod.refill.as_ref().map(RefillView::of),
            guard: per_pod.guard.map(|guard| guard.code().as_str()),
        }
    }
}

impl PassView {
    fn of(pass: &Pass) -> Self {
        Self {
            usage_milli: pass.usage.0,
            requests_milli: pass.requests.0,
            samples: pass.samples,
            utilization_percent: pass.utilization.map(|percent| percent.0),
            mean_milli: pass.mean.0,
            ratio: Number(pass.ratio.0),
            multiplier: pass.multiplier,
        }
    }
}

impl RefillView {
    fn of(refill: &Refill) -> Self {
        let (missing_request_percent, missing_milli) = match refill.missing {
            Some(Filler::Zero) => (None, Some(0)),
            Some(Filler::Request) => (Some(100), None),
            Some(Filler::Share(percent)) => (Some(percent.0), None),
            Some(Filler::Target(target)) => (None, Some(target.0)),
            None => (None, None),
        };
        Self {
            codes: refill.codes().into_iter().flatten().map(kubectl_hpa_core::trace::Code::as_str).collect(),
            missing_request_percent,
            missing_milli,
            unready_as_zero: refill.unready_as_zero,
            pass: PassView::of(&refill.pass),
        }
    }
}

impl TotalView {
    fn of(total: &Total) -> Self {
        Self {
            usage_milli: total.usage.0,
            series: total.series,
            target_milli: total.target.0,
            ratio: Number(total.ratio.0),
            ready_pods: match total.basis {
                TotalBasis::ReadyPods(pods) => Some(pods),
                TotalBasis::WithinTolerance | TotalBasis::FromZero => None,
            },
        }
    }
}

impl PerReplicaView {
    fn of(per_replica: &PerReplica) -> Self {
        Self {
            usage_milli: per_replica.usage.0,
            series: per_replica.series,
            target_milli: per_replica.target.0,
            status_replicas: per_replica.replicas.0,
            ratio: Number(per_replica.ratio.0),
            mean_milli: per_replica.mean.0,
        }
    }
}
