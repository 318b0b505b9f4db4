//! What the API shows of a world, in the parts that a script determines.

use std::collections::{BTreeMap, BTreeSet};

use kubectl_hpa_core::api::{Event, HpaStatus, ManagedFields};
use kubectl_hpa_core::model::Instant;
use serde::Deserialize;

use super::view;
use super::world::{World, instant};

/// As the real control plane showed it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    hpa: RecordedHpa,
    target: RecordedMeta,
    replicas: i32,
    events: Option<Vec<Event>>,
    target_events: Option<Vec<Event>>,
}

#[derive(Deserialize)]
struct RecordedHpa {
    metadata: RecordedMeta,
    status: HpaStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordedMeta {
    #[serde(default)]
    generation: i64,
    managed_fields: Vec<ManagedFields>,
}

/// Each sign by a name: its words, and the seconds since the script began.
#[derive(Debug, Default)]
pub struct Shown(BTreeMap<String, (String, Vec<Option<i64>>)>);

/// Who creates the HPA and the target there, and here.
const CREATORS: [&str; 2] = ["e2e.test", "kubectl-client-side-apply"];

impl Shown {
    pub fn of_real(recorded: &Recorded, origin: i128) -> Self {
        let events = recorded.events.iter().chain(&recorded.target_events).flatten();
        Self::default()
            .with_status(recorded.hpa.metadata.generation, &recorded.hpa.status, origin)
            .with_fields(&recorded.hpa.metadata.managed_fields, origin)
            .with_target(recorded.replicas, &recorded.target, origin)
            .with_events(&events.collect::<Vec<_>>(), origin)
    }

    pub fn of(world: &World) -> Self {
        let case = view::case(world);
        let hpa = &case.hpa.0;
        let target = case.history.target.and_then(|target| target.object).expect("a target").metadata;
        let target = RecordedMeta { generation: target.generation, managed_fields: target.managed_fields };
        let events = [case.events, case.history.target_events].into_iter().flatten();
        let events: Vec<Event> = events.flat_map(|events| events.items.unwrap_or_default()).collect();
        let origin = instant(0).unix_nanoseconds() / 1_000_000;
        Self::default()
            .with_status(hpa.metadata.generation, &hpa.status, origin)
            .with_fields(&hpa.metadata.managed_fields, origin)
            .with_target(world.target.replicas, &target, origin)
            .with_events(&events.iter().collect::<Vec<_>>(), origin)
    }

    fn with(mut self, name: &str, words: String, times: Vec<Option<i64>>) -> Self {
        self.0.insert(name.to_owned(), (words, times));
        self
    }

    fn with_status(self, generation: i64, status: &HpaStatus, origin: i128) -> Self {
        let counts = (status.current_replicas, status.desired_replicas);
        let shown = self
            .with("generation", format!("{generation} {:?}", status.observed_generation), Vec::new())
            .with("status", format!("{counts:?}"), vec![since(status.last_scale_time, origin)]);
        status.conditions.iter().fold(shown, |shown, condition| {
            let words = format!("{} {}", condition.status, condition.reason);
            shown.with(&condition.kind, words, vec![since(condition.last_transition_time, origin)])
        })
    }

    fn with_fields(self, fields: &[ManagedFields], origin: i128) -> Self {
        fields.iter().fold(self, |shown, entry| {
            let spec: BTreeSet<&String> = entry.fields.iter().flat_map(|fields| &fields.spec).collect();
            let times = vec![since(entry.time, origin)];
            shown.with(&format!("fields of {}", who(entry)), format!("{spec:?}"), times)
        })
    }

    fn with_target(self, replicas: i32, target: &RecordedMeta, origin: i128) -> Self {
        let setters = target.managed_fields.iter().filter(|entry| entry.sets("replicas") == Some(true));
        let words = format!("{replicas}, generation {}", target.generation);
        setters.fold(self.with("target", words, Vec::new()), |shown, entry| {
            // Here the target is older than the script.
            let time = since(entry.time, origin).filter(|_| !CREATORS.contains(&entry.manager.as_str()));
            shown.with(&format!("target set by {}", who(entry)), String::new(), vec![time])
        })
    }

    /// Where some are folded, which ones is drawn: then all of a kind are taken together.
    fn with_events(self, events: &[&Event], origin: i128) -> Self {
        let is_folded = |reason: &str| {
            events.iter().any(|event| event.reason == reason && event.message.starts_with('('))
        };
        let mut told: BTreeMap<String, (i32, Option<i64>, Option<i64>)> = BTreeMap::new();
        for event in events {
            let name = if is_folded(&event.reason) { event.reason.clone() } else { brief(event) };
            let (first, last) = (since(event.first_timestamp, origin), since(event.last_timestamp, origin));
            let sum = told.entry(name).or_insert((0, first, last));
            *sum = (sum.0 + event.count, sum.1.min(first), sum.2.max(last));
        }
        told.into_iter().fold(self, |shown, (name, (count, first, last))| {
            shown.with(&format!("event {name}"), format!("{count} times"), vec![first, last])
        })
    }
}

/// Whole seconds since an origin in milliseconds.
fn since(at: Option<Instant>, origin: i128) -> Option<i64> {
    at.map(|at| {
        i64::try_from((at.unix_nanoseconds() / 1_000_000 - origin).div_euclid(1_000)).expect("seconds")
    })
}

fn who(entry: &ManagedFields) -> String {
    let manager = if CREATORS.contains(&entry.manager.as_str()) { CREATORS[0] } else { &entry.manager };
    format!("{manager} {} {}", entry.operation, entry.subresource)
}

/// An event's message without what is named otherwise here: the metric, the ReplicaSet, an error's text.
fn brief(event: &Event) -> String {
    let message = event.message.strip_prefix("(combined from similar events): ");
    let (combined, message) = message.map_or(("", event.message.as_str()), |message| ("combined ", message));
    let told = match event.reason.as_str() {
        "SuccessfulRescale" => {
            let (size, reason) = message.split_once("; reason: ").unwrap_or((message, ""));
            format!("{size}, {}", reason.rsplit(' ').take(2).collect::<Vec<_>>().join(" "))
        }
        "ScalingReplicaSet" => message.split(' ').skip(5).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    };
    format!("{} {combined}{told}", event.reason)
}

/// What two worlds show otherwise. A time may be of the second before or after.
pub fn same(real: &Shown, world: &Shown) -> Vec<String> {
    let names: BTreeSet<&String> = real.0.keys().chain(world.0.keys()).collect();
    let mut differences = Vec::new();
    for name in names {
        let (one, other) = (real.0.get(name), world.0.get(name));
        let is_same = match (one, other) {
            (Some((words, times)), Some((others, their))) => {
                words == others && times.iter().zip(their).all(|(one, other)| are_near(*one, *other))
            }
            _ => false,
        };
        if !is_same {
            differences.push(format!("{name}: real {one:?}, here {other:?}"));
        }
    }
    differences
}

fn are_near(one: Option<i64>, other: Option<i64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1,
        (None, None) => true,
        _ => false,
    }
}
