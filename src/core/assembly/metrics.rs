//! Metric values by the query that they answer. An answer does not say what was asked, so a value counts for a query only if no
//! other query of the HPAs may have got it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::missing;
use crate::api;
use crate::model::LabelSelector;
use crate::snapshot::ReadError;
use crate::snapshot::case::{MetricAnswer, MetricQuery};

/// The values that were given. Of two answers that have values of one metric the later counts.
#[derive(Clone, Default)]
pub(super) struct Given {
    /// With the selector, if the adapter tells it.
    custom: BTreeMap<Asked, BTreeMap<Option<String>, Answer<api::MetricValue>>>,
    external: BTreeMap<String, Answer<api::ExternalMetricValue>>,
}

/// The values that one list has.
#[derive(Clone, Default)]
struct Answer<T> {
    list: usize,
    values: Vec<T>,
}

impl Given {
    pub fn is_empty(&self) -> bool {
        self.custom.is_empty() && self.external.is_empty()
    }
}

impl<T> Answer<T> {
    fn add(&mut self, list: usize, value: T) {
        if self.list != list {
            *self = Self { list, values: Vec::new() };
        }
        self.values.push(value);
    }
}

impl Given {
    /// Adds the value of an object of a namespace, by the number of its list.
    pub fn add(&mut self, list: usize, namespace: &str, value: api::MetricValue) {
        let asked = Asked::of_object(namespace, &value.described_object, &value.metric.name);
        let selector = value.metric.selector.as_ref().and_then(|_| value.metric.queried_selector());
        self.custom.entry(asked).or_default().entry(selector).or_default().add(list, value);
    }

    /// Adds a value of an external metric.
    pub fn add_external(&mut self, list: usize, value: api::ExternalMetricValue) {
        self.external.entry(value.metric_name.clone()).or_default().add(list, value);
    }
}

/// The values, and what may have asked for them.
pub(super) struct Values {
    given: Given,
    /// The selectors with which the HPAs ask for a metric of objects.
    selectors: BTreeMap<Asked, BTreeSet<String>>,
    /// Those for an external metric, each with the namespace.
    external_selectors: BTreeMap<String, BTreeSet<(String, String)>>,
}

/// A metric of an object, but for its selector.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    namespace: String,
    metric: String,
    group: String,
    kind: String,
    /// That of an object; of pods it is empty where any is asked for.
    name: String,
}

impl Asked {
    fn of_pods(namespace: &str, metric: &str) -> Self {
        Self::of_pod(namespace, metric, "")
    }

    fn of_pod(namespace: &str, metric: &str, name: &str) -> Self {
        let (group, kind) = (String::new(), "Pod".to_owned());
        Self {
            namespace: namespace.to_owned(),
            metric: metric.to_owned(),
            group,
            kind,
            name: name.to_owned(),
        }
    }

    /// The value of a Namespace is asked of the HPA's own, whatever its name.
    fn of_object(namespace: &str, object: &api::ObjectReference, metric: &str) -> Self {
        Self {
            namespace: namespace.to_owned(),
            metric: metric.to_owned(),
            group: object.group().to_owned(),
            kind: object.kind.clone(),
            name: if object.is_namespace() { String::new() } else { object.name.clone() },
        }
    }
}

impl Values {
    pub fn of(hpas: &BTreeMap<(String, String), api::Hpa>, given: Given) -> Self {
        let mut found = Self { given, selectors: BTreeMap::new(), external_selectors: BTreeMap::new() };
        for ((namespace, _), hpa) in hpas {
            hpa.spec.metrics.iter().for_each(|metric| found.ask(namespace, metric));
        }
        found
    }

    fn ask(&mut self, namespace: &str, metric: &api::MetricSpec) {
        let selector = |metric: &api::MetricIdentifier| metric.queried_selector().unwrap_or_default();
        if let Some(source) = &metric.pods {
            let asked = Asked::of_pods(namespace, &source.metric.name);
            self.selectors.entry(asked).or_default().insert(selector(&source.metric));
        }
        if let Some(source) = &metric.object {
            let asked = Asked::of_object(namespace, &source.described_object, &source.metric.name);
            self.selectors.entry(asked).or_default().insert(selector(&source.metric));
        }
        if let Some(source) = &metric.external {
            let asked = self.external_selectors.entry(source.metric.name.clone()).or_default();
            asked.insert((namespace.to_owned(), selector(&source.metric)));
        }
    }

    /// The answers of the custom metrics API to the queries of an HPA. `pods` are those that `of_pods` selects.
    pub fn custom(
        &self,
        namespace: &str,
        metrics: &[api::MetricSpec],
        pods: &[Arc<api::Pod>],
        of_pods: &str,
    ) -> Vec<MetricAnswer<api::MetricValue>> {
        let of_pods = metrics.iter().filter_map(|metric| metric.pods.as_ref()).filter_map(|source| {
            let metric = &source.metric;
            let selector = metric.queried_selector()?;
            let is_alone = self.is_alone(&Asked::of_pods(namespace, &metric.name));
            let own = pods.iter().map(|pod| Asked::of_pod(namespace, &metric.name, &pod.metadata.name));
            let values = own.flat_map(|asked| self.values(&asked, &selector, is_alone)).collect();
            let command = || missing::pods_metric(namespace, &metric.name, of_pods, &selector);
            Some(answered(MetricQuery { metric: metric.clone(), described_object: None }, values, command))
        });
        let of_objects = metrics.iter().filter_map(|metric| metric.object.as_ref()).filter_map(|source| {
            let (object, metric) = (&source.described_object, &source.metric);
            let selector = metric.queried_selector()?;
            let asked = Asked::of_object(namespace, object, &metric.name);
            let values = self.values(&asked, &selector, self.is_alone(&asked));
            let command = || missing::object_metric(namespace, object, &metric.name, &selector);
            let query = MetricQuery { metric: metric.clone(), described_object: Some(object.clone()) };
            Some(answered(query, values, command))
        });
        distinct(of_pods.chain(of_objects))
    }

    /// True if all HPAs ask for a metric with one selector.
    fn is_alone(&self, asked: &Asked) -> bool {
        self.selectors.get(asked).is_some_and(|selectors| selectors.len() == 1)
    }

    /// The values of a metric with a selector. Not every adapter tells the selector: such a value counts if there is only one.
    fn values(&self, asked: &Asked, selector: &str, is_alone: bool) -> Vec<api::MetricValue> {
        let Some(answers) = self.given.custom.get(asked) else { return Vec::new() };
        let told = answers.get(&Some(selector.to_owned()));
        let answer = told.or_else(|| answers.get(&None).filter(|_| is_alone));
        answer.map_or_else(Vec::new, |answer| answer.values.clone())
    }

    /// The answers of the external metrics API to the queries of an HPA.
    pub fn external(
        &self,
        namespace: &str,
        metrics: &[api::MetricSpec],
    ) -> Vec<MetricAnswer<api::ExternalMetricValue>> {
        distinct(metrics.iter().filter_map(|metric| metric.external.as_ref()).filter_map(|source| {
            let metric = &source.metric;
            let selector = metric.queried_selector()?;
            let is_alone = self.external_selectors.get(&metric.name).is_some_and(|asked| asked.len() == 1);
            let values = self.given.external.get(&metric.name).into_iter().flat_map(|it| &it.values);
            let parsed = metric.selector.as_ref().and_then(|it| LabelSelector::to_selector(it).ok());
            // Not every adapter tells the labels of a series.
            let is_meant = |value: &&api::ExternalMetricValue| {
                value.metric_labels.is_empty()
                    || parsed.as_ref().is_none_or(|selector| selector.matches(&value.metric_labels))
            };
            let values = values.filter(|_| is_alone).filter(is_meant).cloned().collect();
            let command = || missing::external_metric(namespace, &metric.name, &selector);
            let query = MetricQuery { metric: metric.clone(), described_object: None };
            Some(answered(query, values, command))
        }))
    }
}

fn answered<T>(query: MetricQuery, values: Vec<T>, command: impl Fn() -> String) -> MetricAnswer<T> {
    if values.is_empty() {
        return MetricAnswer { query, items: None, error: Some(ReadError::not_given(command())) };
    }
    MetricAnswer { query, items: Some(values), error: None }
}

/// One query is asked once, however many metrics need its answer.
fn distinct<T>(answers: impl Iterator<Item = MetricAnswer<T>>) -> Vec<MetricAnswer<T>> {
    let mut distinct: Vec<MetricAnswer<T>> = Vec::new();
    for answer in answers {
        if distinct.iter().all(|other| other.query != answer.query) {
            distinct.push(answer);
        }
    }
    distinct
}
