//! Pods, and what the metrics APIs answer.

use std::sync::Arc;

use kubectl_hpa_core::api::{
    self, ContainerMetrics, ExternalMetricValue, ObjectMeta, PodCondition, PodMetrics, PodStatus,
    ResourceList,
};
use kubectl_hpa_core::model::{Format, Quantity};
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::snapshot::case::{Many, MetricAnswer, MetricQuery};

use super::plan::Metric;
use super::view::refused;
use super::world::{Failing, World, seconds};

fn name(pod: usize) -> ObjectMeta {
    let labels = [("app", "web")].into_iter().collect();
    ObjectMeta { name: format!("p{pod}"), namespace: "shop".into(), labels, ..ObjectMeta::default() }
}

pub fn pods(world: &World) -> Vec<Arc<api::Pod>> {
    let shown = |pod: &super::world::Pod| {
        let is_ready = pod.ready <= world.seen_at();
        let condition = PodCondition {
            kind: "Ready".into(),
            status: if is_ready { "True" } else { "False" }.into(),
            last_transition_time: Some(seconds(pod.ready.min(world.seen_at()))),
            ..PodCondition::default()
        };
        let mut requests = ResourceList::default();
        requests.set("memory", milli(100));
        let resources = api::ResourceRequirements { requests, ..api::ResourceRequirements::default() };
        let container = api::Container { name: "app".to_owned(), resources, ..api::Container::default() };
        Arc::new(api::Pod {
            metadata: name(pod.name),
            spec: api::PodSpec { containers: vec![container], ..api::PodSpec::default() }.into(),
            status: PodStatus {
                phase: if is_ready { "Running" } else { "Pending" }.into(),
                start_time: Some(seconds(pod.ready - 1_000)),
                conditions: vec![condition],
                ..PodStatus::default()
            },
        })
    };
    world.pods.iter().map(shown).collect()
}

fn level(world: &World) -> Option<i64> {
    let passed = world.plan.load.iter().take_while(|(from, _)| *from <= world.seen_at());
    passed.last().and_then(|(_, level)| *level)
}

fn measured(world: &World) -> Vec<&super::world::Pod> {
    world.pods.iter().filter(|pod| pod.measured <= world.seen_at()).collect()
}

/// What is measured of all pods together.
pub fn used(world: &World) -> i64 {
    let mut case = Case::clone(&world.skeleton);
    measure(world, &mut case);
    let items = case.pod_metrics.and_then(|it| it.items).unwrap_or_default();
    let containers = items.iter().flat_map(|item| &item.containers);
    containers.filter_map(|container| Some(container.usage.get("memory")?.milli_value())).sum()
}

pub fn measure(world: &World, case: &mut Case) {
    let level = level(world);
    let whole = i64::from(world.plan.max) * 12 / 10;
    case.pod_metrics = Some(match level.filter(|_| !world.fails(Failing::Samples)) {
        None => Many {
            items: None,
            error: Some(refused("no endpoints available for service \"metrics-server\"")),
        },
        Some(level) => {
            let measured = measured(world);
            let count = i64::try_from(measured.len()).expect("a count").max(1);
            let usage = |place: usize| match (world.shared, world.plan.metric) {
                (Some(used), _) => {
                    used / count + i64::from(i64::try_from(place).is_ok_and(|place| place < used % count))
                }
                (None, Metric::MemoryOfEach) => level,
                (None, _) => (level * whole * 50 / 200 / count).min(1_000),
            };
            let pods = measured.iter().enumerate();
            Many {
                items: Some(
                    pods.map(|(place, pod)| Arc::new(sample(world, pod.name, usage(place)))).collect(),
                ),
                error: None,
            }
        }
    });
    let metric = api::MetricIdentifier { name: "queue".to_owned(), selector: None };
    let value = level.filter(|_| !world.fails(Failing::Queue)).map(|level| ExternalMetricValue {
        metric_name: "queue".to_owned(),
        timestamp: Some(seconds(world.now)),
        value: milli(level * whole * 10_000 / 200),
        ..ExternalMetricValue::default()
    });
    let error = value.is_none().then(|| refused("no matching metrics found"));
    case.external_metrics = vec![MetricAnswer {
        query: MetricQuery { metric, described_object: None },
        items: value.map(|value| vec![value]),
        error,
    }];
}

fn sample(world: &World, pod: usize, usage: i64) -> PodMetrics {
    let mut resources = ResourceList::default();
    resources.set("memory", milli(usage));
    PodMetrics {
        metadata: name(pod).into(),
        timestamp: Some(seconds(world.now)),
        window: kubectl_hpa_core::model::Duration::from_seconds(15),
        containers: vec![ContainerMetrics { name: "app".into(), usage: resources }],
    }
}

fn milli(value: i64) -> Quantity {
    Quantity::from_milli(value, Format::DecimalSI)
}
