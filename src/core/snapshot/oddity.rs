//! Oddities in the answers of adapters, which the controller does not look at but a reader should know of.

use std::collections::BTreeSet;

use crate::api;
use crate::model::{Milli, Quantity};

/// Something odd in the answer for one metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// Values are the smallest int64 in thousandths: what NaN becomes on amd64, which has no integer for it.
    SmallestInteger {
        /// How many values are.
        odd: usize,
        /// Of how many.
        values: usize,
        /// As which the controller reads each of them.
        read_as: Milli,
    },
    /// A value is more than an int64 of thousandths holds.
    TooLarge {
        /// The first such value, as the API writes it.
        value: Box<str>,
        /// As which the controller reads it.
        read_as: Milli,
    },
    /// Items have another metric's name.
    OtherNames(Vec<Box<str>>),
    /// Several external series have the same name and labels. The controller adds all of them.
    SameSeries {
        /// How many series there are.
        series: usize,
        /// How many different ones.
        different: usize,
    },
    /// Several values are of the same pod. The last of them counts.
    SamePod {
        /// The first such pod.
        pod: Box<str>,
    },
}

/// The oddities of an answer of the custom metrics API for pods.
pub(super) fn of_pods(name: &str, items: &[api::MetricValue]) -> Vec<Oddity> {
    let mut seen = BTreeSet::new();
    let twice = items.iter().map(|item| item.described_object.name.as_str()).find(|pod| !seen.insert(*pod));
    let mut odd = of_object(name, items);
    odd.extend(twice.map(|pod| Oddity::SamePod { pod: pod.into() }));
    odd
}

/// The oddities of an answer of the custom metrics API for an object.
pub(super) fn of_object(name: &str, items: &[api::MetricValue]) -> Vec<Oddity> {
    let odd = [
        smallest(items.iter().map(|item| &item.value)),
        too_large(items.iter().map(|item| &item.value)),
        other_names(name, items.iter().map(|item| item.metric.name.as_str())),
    ];
    odd.into_iter().flatten().collect()
}

/// The oddities of an answer of the external metrics API.
pub(super) fn of_external(name: &str, items: &[api::ExternalMetricValue]) -> Vec<Oddity> {
    let different: BTreeSet<_> =
        items.iter().map(|item| (item.metric_name.as_str(), &item.metric_labels)).collect();
    let same = Oddity::SameSeries { series: items.len(), different: different.len() };
    let odd = [
        smallest(items.iter().map(|item| &item.value)),
        too_large(items.iter().map(|item| &item.value)),
        other_names(name, items.iter().map(|item| item.metric_name.as_str())),
        (different.len() < items.len()).then_some(same),
    ];
    odd.into_iter().flatten().collect()
}

fn smallest<'a>(values: impl Iterator<Item = &'a Quantity> + Clone) -> Option<Oddity> {
    let is_smallest = |value: &&Quantity| value.is_smallest_integer();
    let first = values.clone().find(is_smallest)?;
    let (odd, values) = (values.clone().filter(is_smallest).count(), values.count());
    Some(Oddity::SmallestInteger { odd, values, read_as: Milli(first.milli_value()) })
}

fn too_large<'a>(mut values: impl Iterator<Item = &'a Quantity>) -> Option<Oddity> {
    let large = values.find(|value| value.overflows_milli())?;
    Some(Oddity::TooLarge { value: large.to_string().into(), read_as: Milli(large.milli_value()) })
}

/// An adapter may leave the name out.
fn other_names<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<Oddity> {
    let others: BTreeSet<&str> =
        names.filter(|it| !it.is_empty() && !it.eq_ignore_ascii_case(name)).collect();
    (!others.is_empty()).then(|| Oddity::OtherNames(others.into_iter().map(Into::into).collect()))
}
