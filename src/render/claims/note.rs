//! What the controller does not look at and a reader should know of, as data, and its words.

use serde::Serialize;

use super::{Amount, Way};
use crate::render::units::{count, few};

/// The most names that are told.
const NAMES: usize = 3;

/// One note.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum Note {
    /// Values are the smallest int64 in thousandths.
    SmallestInteger { metric: String, odd: usize, values: usize, read_as: Amount },
    /// A value is more than an int64 of thousandths holds.
    TooLarge { metric: String, value: String, read_as: Amount },
    /// The answer has other names.
    OtherNames { metric: String, names: Vec<String> },
    /// Several series have the same name and labels.
    SameSeries { metric: String, series: usize, different: usize },
    /// Several values are of one pod.
    SamePod { metric: String, pod: String },
    /// The value of a Namespace is that of the HPA's own.
    OwnNamespace { metric: String, namespace: String },
    /// The average over no replicas.
    DividedByZero { metric: String },
    /// A container has other requests than its spec, and so have `others` pods.
    Resizing {
        metric: String,
        container: String,
        pod: String,
        spec: Option<Amount>,
        actual: Option<Amount>,
        pending: Option<String>,
        others: usize,
    },
    /// A disabled direction, in which a bound moves the replicas.
    DisabledButBound { direction: Way, field: &'static str },
}

/// One note on proposed settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum ProposalNote {
    /// The API server refuses minReplicas 0 while a gate is off. The code is that of the same finding of lint.
    ZeroNeedsGate { version: String, is_gate_known: bool, never_wakes: bool },
}

impl ProposalNote {
    /// In sentences.
    pub fn text(&self) -> String {
        let Self::ZeroNeedsGate { version, is_gate_known, never_wakes } = self;
        let wakes = if *never_wakes {
            " With the gate off the controller, too, takes each 0 for a pause, and never scales up from it."
        } else {
            ""
        };
        if *is_gate_known {
            return format!(
                "minReplicas 0 needs the feature gate HPAScaleToZero, which is off: the API server of {version} refuses this HPA.{wakes}"
            );
        }
        format!(
            "minReplicas 0 needs the feature gate HPAScaleToZero, which is off by default before 1.37: without it the API server of {version} refuses this HPA.{wakes} If the gate is on, add --feature-gates HPAScaleToZero=true"
        )
    }
}

impl Note {
    /// In a sentence.
    pub fn text(&self) -> String {
        match self {
            Self::SmallestInteger { metric, odd, values, read_as } => {
                let (are, each) = if *odd == 1 { ("is", "it") } else { ("are", "each") };
                let (values, read_as) = (count(*values, "value"), read_as.text());
                format!(
                    "{metric}: {odd} of {values} {are} the smallest int64, which is usually what an adapter makes of NaN. The controller reads {each} as {read_as}"
                )
            }
            Self::TooLarge { metric, value, read_as } => format!(
                "{metric}: {value} is more than an int64 of thousandths holds, and the controller reads it as {}",
                read_as.text()
            ),
            Self::OtherNames { metric, names } => format!(
                "{metric}: the API answers with the metric {}, and the controller takes it",
                few(names, NAMES)
            ),
            Self::SameSeries { metric, series, different } => {
                let combinations = if *different == 1 { "combination" } else { "combinations" };
                format!(
                    "{metric}: the answer has {series} series, but only {different} different {combinations} of name and labels. The controller adds all of them"
                )
            }
            Self::SamePod { metric, pod } => {
                format!(
                    "{metric}: the API answers with several values for pod {pod}, and the last one counts"
                )
            }
            Self::OwnNamespace { metric, namespace } => format!(
                "{metric}: this is the value of namespace {namespace}. The controller asks for its HPA's own namespace, whatever describedObject.name says"
            ),
            Self::DividedByZero { metric } => format!(
                "{metric}: the status and kubectl get hpa show -9223372036854775808m, the smallest int64, as the controller divides by 0 replicas on amd64"
            ),
            Self::Resizing { metric, container, pod, spec, actual, pending, others } => {
                let amount = |it: &Option<Amount>| it.map_or_else(|| "none".to_owned(), Amount::text);
                let pending = pending.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
                let others = match others {
                    0 => String::new(),
                    1 => "; so does 1 other pod".to_owned(),
                    more => format!("; so do {more} other pods"),
                };
                format!(
                    "{metric}: container {container} of pod {pod} requests {} and still has {}{pending}{others}. The controller divides by what is requested",
                    amount(spec),
                    amount(actual),
                )
            }
            Self::DisabledButBound { direction, field } => format!(
                "spec.behavior.{direction} is Disabled, but that does not protect from {field}: the bounds come first"
            ),
        }
    }
}
