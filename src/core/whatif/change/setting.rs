//! What a knob is set to, read once from what was typed.

use super::metrics::{self, Addition, Target};
use super::number::{self, Named};
use super::target_pods::{self, PodChange};
use super::usage::{self, Amount};
use super::{Knob, Problem, behavior};
use crate::api::ScalingRules;
use crate::model::Quantity;

/// A value of each [`Knob`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    RemoveMetric(String),
    AddMetric(Addition),
    Container(String),
    Target(Target),
    Min(i32),
    Max(i32),
    /// What is not named is `None`.
    ScaleUp(ScalingRules),
    ScaleDown(ScalingRules),
    Replicas(i32),
    Pods(Vec<PodChange>),
    OnlyOwnPods,
    Request(Named<Quantity>),
    Usage(Named<Amount>),
    Metric(Named<Quantity>),
    /// In thousandths of a percent of what there is.
    Load(i64),
    NoMemory,
}

impl Setting {
    pub fn parse(knob: Knob, text: &str) -> Result<Self, Problem> {
        Ok(match knob {
            Knob::RemoveMetric => Self::RemoveMetric(text.to_owned()),
            Knob::AddMetric => Self::AddMetric(metrics::addition(text)?),
            Knob::Container => Self::Container(text.to_owned()),
            Knob::Target => Self::Target(metrics::target(text)?),
            Knob::Min => Self::Min(number::replicas(text)?),
            Knob::Max => Self::Max(number::replicas(text)?),
            Knob::ScaleUp => Self::ScaleUp(behavior::rules(text)?),
            Knob::ScaleDown => Self::ScaleDown(behavior::rules(text)?),
            Knob::Replicas => Self::Replicas(number::replicas(text)?),
            Knob::Pods => Self::Pods(target_pods::read(text)?),
            Knob::OnlyOwnPods => Self::OnlyOwnPods,
            Knob::Request => Self::Request(number::named(text, number::quantity)?),
            Knob::Usage => Self::Usage(number::named(text, usage::amount)?),
            Knob::Metric => Self::Metric(number::named(text, number::quantity)?),
            Knob::Load => Self::Load(usage::parts(text)?),
            Knob::NoMemory => Self::NoMemory,
        })
    }

    /// Whether anybody could mean it, whatever the case. The controller itself takes what is refused here.
    pub fn check(&self) -> Result<(), Problem> {
        match self {
            Self::AddMetric(Addition::Short(it)) => {
                check_resource(it)?;
                check_short(it)
            }
            Self::Target(Target::Of(it)) if it.value.percent.is_none() => {
                it.value.quantity.iter().try_for_each(|quantity| number::check_countable(&it.typed, quantity))
            }
            Self::Request(it) => {
                number::check_countable(&it.typed, &it.value)?;
                check_resource(it)
            }
            Self::Usage(Named { typed, value: Amount::Quantity(quantity), .. })
            | Self::Metric(Named { typed, value: quantity, .. }) => number::check_countable(typed, quantity),
            _ => Ok(()),
        }
    }
}

/// Only of cpu and memory everybody knows what they are; of another name an HPA would ask the resource metrics in vain.
fn check_short<T>(metric: &Named<T>) -> Result<(), Problem> {
    match metric.name.as_str() {
        "cpu" | "memory" => Ok(()),
        name => Err(Problem::NoShortForm(name.to_owned(), metric.typed.clone())),
    }
}

/// Names of resources are written small.
fn check_resource<T>(Named { name, typed, .. }: &Named<T>) -> Result<(), Problem> {
    let (before, resource) = name.rsplit_once('/').map_or(("", &**name), |(_, resource)| {
        // With the slash.
        (&name[..name.len() - resource.len()], resource)
    });
    let known = ["cpu", "memory"].into_iter().find(|known| known.eq_ignore_ascii_case(resource));
    match known.filter(|known| *known != resource) {
        Some(known) => {
            Err(Problem::ResourceInCapitals(resource.to_owned(), format!("{before}{known}={typed}")))
        }
        None => Ok(()),
    }
}
