//! Blame holds: on the recorded cases of the real controller each cause is taken out of the case by hand, in the API
//! objects, and the case decided on again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::sync::Arc;

use serde_json::json;

use crate::recorded::{frozen, recorded};
use kubectl_hpa_core::api::{Behavior, PodCondition, PodMetrics, PodStatus, Policy, ScalingRules};
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::memory_bounds::answer;
use kubectl_hpa_core::model::{Duration, Evidenced, Format, MetricSpec, Quantity, Replicas, Source};
use kubectl_hpa_core::snapshot::case::{MemoryCase, OtherHpas};
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use kubectl_hpa_core::trace::{
    Calculation, Decision, Direction, Failure, Group, GroupedPod, Measure, MetricTrace, RequestGapKind,
    Verdict,
};
use kubectl_hpa_core::whatif::{Change, Knob, Removal, blame, change, like};

use crate::root::root;

/// Of the recorded sequences every fourth is looked at.
const EVERY: usize = 4;

/// The case without one thing.
pub fn without(case: &Case, snapshot: &Snapshot, decision: &Decision, removal: Removal) -> Option<Case> {
    let mut case = case.clone();
    match removal {
        Removal::MissingPods(_) => {
            drop_pods(&mut case, &names(snapshot, decision, |it| matches!(it, Group::Missing(_))));
        }
        Removal::UnreadyPods(_) => {
            drop_pods(&mut case, &names(snapshot, decision, |it| matches!(it, Group::Unready(_))));
        }
        Removal::Unreadiness(_) => {
            let names = places(snapshot, &removal.pods(snapshot, decision)?);
            let lacks = decision.metrics.iter().filter_map(|it| it.groups.as_ref()).any(|groups| {
                let mut members = groups.pods.iter();
                members.any(|it| matches!(it.group, Group::Unready(_)) && it.sample.is_none())
            });
            if lacks {
                let unsampled =
                    |it: &GroupedPod| matches!(it.group, Group::Unready(_)) && it.sample.is_none();
                sample_like_others(&mut case, snapshot, decision, unsampled)?;
            }
            settle(&mut case, &names);
        }
        Removal::SurplusPods(_) => {
            drop_pods(&mut case, &places(snapshot, &removal.pods(snapshot, decision)?));
        }
        Removal::AbsentPods(number) => {
            add_pods(&mut case, &snapshot.pods.as_ref().ok()?[like(snapshot, decision)?].name, number);
        }
        Removal::StatusReplicas => {
            let scale = case.scale.as_mut()?.object.as_mut()?;
            scale.status.replicas = scale.spec.replicas;
        }
        Removal::Load(place) => put_on_target(&mut case, snapshot, decision, place)?,
        Removal::ForeignPods(_) => change(&mut case, &[Change::new(Knob::OnlyOwnPods, "").ok()?]).ok()?,
        Removal::Filling(_) => {
            sample_like_others(&mut case, snapshot, decision, |it| matches!(it.group, Group::Missing(_)))?;
            settle(&mut case, &places(snapshot, &removal.pods(snapshot, decision)?));
        }
        Removal::ForeignSamples(_) => drop_foreign_samples(&mut case, snapshot),
        Removal::BareContainers(_) => drop_containers(&mut case, snapshot, decision)?,
        Removal::Tolerance => {
            case.controller.tolerance = Some(given(0.0));
            let without = |rules: ScalingRules| ScalingRules { tolerance: None, ..rules };
            if let Some(behavior) = &mut case.hpa.0.spec.behavior {
                behavior.scale_up = behavior.scale_up.take().map(without);
                behavior.scale_down = behavior.scale_down.take().map(without);
            }
        }
        Removal::Metric(place) => {
            case.hpa.0.spec.metrics.remove(place);
        }
        Removal::OtherHpas(_) => case.other_hpas = OtherHpas::default(),
        Removal::Window(_) if case.hpa.0.spec.behavior.is_none() => {
            case.controller.downscale_stabilization = Some(given(Duration::from_nanoseconds(-1)));
        }
        Removal::Window(direction) => rules(&mut case, direction).stabilization_window_seconds = Some(0),
        Removal::Policy(direction, place) => {
            rules(&mut case, direction).policies.get_or_insert_with(|| defaults(direction)).remove(place);
        }
        Removal::Rate(Direction::Down) => {
            let rules = rules(&mut case, Direction::Down);
            rules.policies = Some(vec![policy("Percent", 100)]);
            rules.select_policy = Some("Max".to_owned());
        }
        // It is a constant of the controller (`scaleUpLimitFactor`), which no sync has used.
        Removal::ScaleUpCap => case.history.synced_spec = Some(Box::new(case.hpa.0.spec.clone())),
        Removal::Rate(Direction::Up) => {
            let rules = rules(&mut case, Direction::Up);
            rules.policies = Some(vec![policy("Pods", 1_000_000_000)]);
            rules.select_policy = Some("Max".to_owned());
        }
        Removal::Min => {
            let may_sleep =
                case.hpa.0.spec.metrics.iter().any(|it| it.kind == "Object" || it.kind == "External");
            let is_one = case.hpa.0.spec.min_replicas.is_none_or(|min| min == 1);
            case.hpa.0.spec.min_replicas = (may_sleep && is_one).then_some(0);
        }
        Removal::Max => case.hpa.0.spec.max_replicas = i32::MAX,
        Removal::Memory => case.memory = Some(MemoryCase::default()),
    }
    Some(case)
}

fn milli(value: i64) -> Quantity {
    Quantity::from_milli(value, Format::DecimalSI)
}

fn given<T>(value: T) -> Evidenced<T> {
    Evidenced::given(value, "")
}

fn rules(case: &mut Case, direction: Direction) -> &mut ScalingRules {
    let behavior = case.hpa.0.spec.behavior.get_or_insert_with(Behavior::default);
    let rules = match direction {
        Direction::Up => &mut behavior.scale_up,
        Direction::Down => &mut behavior.scale_down,
    };
    rules.get_or_insert_with(ScalingRules::default)
}

fn policy(kind: &str, value: i32) -> Policy {
    Policy { kind: kind.to_owned(), value, period_seconds: 15 }
}

/// `pkg/apis/autoscaling/v2/defaults.go`.
fn defaults(direction: Direction) -> Vec<Policy> {
    match direction {
        Direction::Up => vec![policy("Pods", 4), policy("Percent", 100)],
        Direction::Down => vec![policy("Percent", 100)],
    }
}

/// The names of the pods that fall into a group for any metric.
fn names(snapshot: &Snapshot, decision: &Decision, is: fn(Group) -> bool) -> BTreeSet<String> {
    let pods = snapshot.pods.as_ref().expect("the pods");
    let groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    let members = groups.flat_map(|groups| pods.iter().zip(&groups.pods));
    members.filter(|(_, member)| is(member.group)).map(|(pod, _)| pod.name.to_string()).collect()
}

fn drop_pods(case: &mut Case, gone: &BTreeSet<String>) {
    case.pods
        .iter_mut()
        .flat_map(|it| &mut it.items)
        .for_each(|it| it.retain(|pod| !gone.contains(&pod.metadata.name)));
    keep_samples(case, &|name| !gone.contains(name));
}

/// Keeps the samples of some pods.
pub fn keep_samples(case: &mut Case, is_kept: &dyn Fn(&str) -> bool) {
    for items in case.pod_metrics.iter_mut().flat_map(|it| &mut it.items) {
        items.retain(|item| is_kept(&item.metadata.name));
    }
    for answer in case.custom_metrics.iter_mut().filter(|it| it.query.described_object.is_none()) {
        answer.items.iter_mut().for_each(|items| items.retain(|item| is_kept(&item.described_object.name)));
    }
}

/// The names of pods.
pub fn places(snapshot: &Snapshot, places: &BTreeSet<usize>) -> BTreeSet<String> {
    let pods = snapshot.pods.as_ref().expect("the pods");
    places.iter().map(|place| pods[*place].name.to_string()).collect()
}

/// Running and ready since before the period that the controller gives a pod to start in.
pub fn settle(case: &mut Case, names: &BTreeSet<String>) {
    let period = case.controller.cpu_initialization_period.as_ref().map(|it| it.value);
    let (now, period) = (case.at, period.unwrap_or(Duration::from_seconds(300)));
    let since = now - period - Duration::from_seconds(1);
    for pod in case.pods.iter_mut().flat_map(|it| &mut it.items).flatten() {
        if names.contains(&pod.metadata.name) {
            let status = &mut Arc::make_mut(pod).status;
            let started = status.start_time.map_or(since, |at| at.min(since));
            let kept = status.conditions.drain(..).filter(|it| it.kind != "Ready");
            let ready = PodCondition {
                kind: "Ready".into(),
                status: "True".into(),
                last_transition_time: Some(since),
                ..PodCondition::default()
            };
            let conditions = kept.chain([ready]).collect();
            let phase = "Running".into();
            *status = PodStatus { phase, start_time: Some(started), conditions, ..PodStatus::default() };
        }
    }
    for item in case.pod_metrics.iter_mut().flat_map(|it| &mut it.items).flatten() {
        if names.contains(&item.metadata.name) {
            Arc::make_mut(item).timestamp = Some(now);
        }
    }
}

/// So many pods like one, each with its samples.
fn add_pods(case: &mut Case, like: &str, number: usize) {
    for added in 0..number {
        let name = format!("{like}-{added}-more");
        for pods in case.pods.iter_mut().filter_map(|it| it.items.as_mut()) {
            let pod = pods.iter().find(|pod| pod.metadata.name == like).map(|pod| (**pod).clone());
            pods.extend(pod.map(|mut pod| {
                pod.metadata.name.clone_from(&name);
                Arc::new(pod)
            }));
        }
        for items in case.pod_metrics.iter_mut().filter_map(|it| it.items.as_mut()) {
            let item = items.iter().rfind(|item| item.metadata.name == like).map(|item| (**item).clone());
            items.extend(item.map(|mut item| {
                item.metadata.name.clone_from(&name);
                Arc::new(item)
            }));
        }
        for answer in case.custom_metrics.iter_mut().filter(|it| it.query.described_object.is_none()) {
            if let Some(items) = &mut answer.items {
                let item = items.iter().rfind(|item| item.described_object.name == like).cloned();
                items.extend(item.map(|mut item| {
                    item.described_object.name.clone_from(&name);
                    item
                }));
            }
        }
    }
}

/// Lets a metric read exactly its target: the first of the pods that count uses it all, or one value is all there is.
fn put_on_target(case: &mut Case, snapshot: &Snapshot, decision: &Decision, place: usize) -> Option<()> {
    let spec = &snapshot.hpa.metrics[place];
    if snapshot.hpa.metrics.iter().filter(|it| it.source == spec.source).count() > 1 {
        return None;
    }
    let trace = decision.metrics.iter().find(|it| it.index == place)?;
    let value = match &trace.proposal()?.calculation {
        Calculation::PerPod(_) => return use_target(case, snapshot, trace, spec),
        Calculation::Total(it) => it.target.0,
        Calculation::PerReplica(it) => it.target.0.checked_mul(it.replicas.0.into())?,
    };
    let value = milli(value);
    match &spec.source {
        Source::Object { metric, object } => {
            let answer = case.custom_metrics.iter_mut().find(|it| {
                it.query.metric.name == *metric.name
                    && it
                        .query
                        .described_object
                        .as_ref()
                        .is_some_and(|it| *it.name == *object.name && it.kind == *object.kind)
                    && it.query.metric.selector.is_none() == metric.selector.is_none()
            })?;
            let items = answer.items.as_mut()?;
            items.truncate(1);
            items.first_mut()?.value = value;
        }
        Source::External(metric) => {
            let mut answers =
                case.external_metrics.iter_mut().filter(|it| it.query.metric.name == *metric.name);
            let (answer, others) = (answers.next()?, answers.count());
            let items = answer.items.as_mut().filter(|_| others == 0)?;
            items.truncate(1);
            items.first_mut()?.value = value;
        }
        Source::Resource(_) | Source::ContainerResource { .. } | Source::Pods(_) => return None,
    }
    Some(())
}

fn use_target(case: &mut Case, snapshot: &Snapshot, trace: &MetricTrace, spec: &MetricSpec) -> Option<()> {
    let (Calculation::PerPod(it), Some(groups)) = (&trace.proposal()?.calculation, &trace.groups) else {
        return None;
    };
    let pods = snapshot.pods.as_ref().ok()?.iter().zip(&groups.pods);
    let ready: Vec<_> = pods.filter(|(_, it)| matches!(it.group, Group::Ready(_))).collect();
    let (resource, container) = match &spec.source {
        Source::Resource(resource) => (resource, None),
        Source::ContainerResource { resource, container } => (resource, Some(&**container)),
        Source::Pods(metric) => {
            let Measure::Value(target) = it.measure else { return None };
            let mut answers = case
                .custom_metrics
                .iter_mut()
                .filter(|it| it.query.metric.name == *metric.name && it.query.described_object.is_none());
            let (answer, others) = (answers.next()?, answers.count());
            let items = answer.items.as_mut().filter(|_| others == 0)?;
            for item in items {
                item.value = milli(target.0);
            }
            return Some(());
        }
        Source::Object { .. } | Source::External(_) => return None,
    };
    let requests: i128 = ready.iter().map(|(_, it)| it.request.map_or(0, |it| i128::from(it.0))).sum();
    for (place, (pod, _)) in ready.iter().enumerate() {
        let amount = match it.measure {
            Measure::Value(target) => target.0,
            Measure::Utilization(target) if place == 0 => {
                let all = requests * i128::from(target.0);
                i64::try_from((all + 99).div_euclid(100)).ok()?
            }
            Measure::Utilization(_) => 0,
        };
        let items = case.pod_metrics.as_mut()?.items.as_mut()?;
        let item = items.iter_mut().rfind(|item| *item.metadata.name == *pod.name)?;
        let mut left = amount;
        for measured in &mut Arc::make_mut(item).containers {
            if container.is_none_or(|container| measured.name == container) {
                measured.usage.set(resource.as_str(), milli(std::mem::take(&mut left)));
            }
        }
    }
    Some(())
}

/// Takes the containers that a failed metric lacks a request of out of the pods and their samples.
fn drop_containers(case: &mut Case, snapshot: &Snapshot, decision: &Decision) -> Option<()> {
    let pods = snapshot.pods.as_ref().ok()?;
    let mut bare = BTreeSet::new();
    for metric in &decision.metrics {
        let Verdict::Failed(Failure::RequestGaps(gaps)) = &metric.verdict else { continue };
        for gap in gaps {
            if let RequestGapKind::Container(place) = gap.kind {
                bare.insert((
                    pods[gap.pod].name.to_string(),
                    pods[gap.pod].containers[place].name.to_string(),
                ));
            }
        }
    }
    let is_bare = |pod: &str, container: &str| bare.contains(&(pod.to_owned(), container.to_owned()));
    for pod in case.pods.iter_mut().flat_map(|it| &mut it.items).flatten() {
        let pod = Arc::make_mut(pod);
        let name = pod.metadata.name.clone();
        let spec = Arc::make_mut(&mut pod.spec);
        spec.containers.retain(|it| !is_bare(&name, &it.name));
        spec.init_containers.retain(|it| !it.is_sidecar() || !is_bare(&name, &it.name));
    }
    for item in case.pod_metrics.iter_mut().flat_map(|it| &mut it.items).flatten() {
        let name = item.metadata.name.clone();
        Arc::make_mut(item).containers.retain(|it| !is_bare(&name, &it.name));
    }
    Some(())
}

fn drop_foreign_samples(case: &mut Case, snapshot: &Snapshot) {
    let pods: BTreeSet<&str> = snapshot.pods.iter().flatten().map(|pod| &*pod.name).collect();
    keep_samples(case, &|name| pods.contains(name));
}

/// Writes the item that the metrics API would return for each such pod of a single resource metric: that of the
/// ready pod in the middle, measured now.
fn sample_like_others(
    case: &mut Case,
    snapshot: &Snapshot,
    decision: &Decision,
    lacks: fn(&GroupedPod) -> bool,
) -> Option<()> {
    let [metric] = decision.metrics.as_slice() else { return None };
    if matches!(snapshot.hpa.metrics.get(metric.index)?.source, Source::Pods(_)) {
        return None;
    }
    let groups = metric.groups.as_ref()?;
    let pods = snapshot.pods.as_ref().ok()?;
    let mut ready: Vec<_> = pods.iter().zip(&groups.pods).enumerate().collect();
    ready.retain(|(_, (_, member))| matches!(member.group, Group::Ready(_)));
    ready.sort_by_key(|(place, (_, member))| (member.sample, *place));
    let like = ready.get(ready.len() / 2)?.1.0.name.to_string();
    let missing: BTreeSet<String> = pods
        .iter()
        .zip(&groups.pods)
        .filter(|(_, member)| lacks(member))
        .map(|(pod, _)| pod.name.to_string())
        .collect();
    let at = case.at;
    let items = case.pod_metrics.as_mut()?.items.as_mut()?;
    let template = items.iter().find(|item| item.metadata.name == like)?.clone();
    items.retain(|item| !missing.contains(&item.metadata.name));
    for name in missing {
        let mut item = PodMetrics::clone(&template);
        item.metadata.name = name;
        item.timestamp = Some(at);
        item.window = Duration::default();
        items.push(Arc::new(item));
    }
    Some(())
}

/// What is decided, and whether anything can be.
pub fn range(case: Case, removal: Removal, is_known: bool) -> (Option<(Replicas, Replicas)>, bool) {
    let (mut snapshot, mut rules) = frozen(case);
    if removal == Removal::ScaleUpCap {
        rules.scale_up_factor = None;
    }
    if is_known {
        let decision = decide(&snapshot, &rules);
        return (decision.left().map(|left| (left, left)), !decision.outcome.is_stopped());
    }
    let answer = answer(&mut snapshot, &rules);
    (answer.range(), !answer.decision.outcome.is_stopped())
}

/// How often each cause was taken out by hand.
fn check(is_known: bool) -> BTreeMap<String, usize> {
    let mut checked = BTreeMap::new();
    for (place, mut case) in recorded("1.37", EVERY).enumerate() {
        if !is_known {
            case.memory = None;
        }
        if place % 4 == 0 {
            give_owners(&mut case);
        }
        let (mut snapshot, rules) = frozen(case.clone());
        let answer = answer(&mut snapshot, &rules);
        let blame = blame(&snapshot, &rules, &answer);
        let (now, is_stopped) = (answer.range(), answer.decision.outcome.is_stopped());
        let frees: Vec<bool> = blame.causes.iter().map(|blamed| blamed.frees).collect();
        let others = blame.others.iter().map(|removal| (*removal, now));
        let causes = blame.causes.iter().map(|blamed| (blamed.removal, blamed.replicas));
        for (place, (removal, expected)) in causes.chain(others).enumerate() {
            // Whoever states an empty memory states what the controller can do, too.
            if removal == Removal::Memory && answer.attested.is_unsteady() {
                continue;
            }
            let Some(mut changed) = without(&case, &snapshot, &answer.decision, removal) else { continue };
            // The controller has worked with the HPA as it is, not with the one that is only asked about.
            changed.keep_synced(&case.hpa.0);
            let is_exact = is_known || removal == Removal::Memory;
            let (found, decides) = range(changed, removal, is_exact);
            assert_eq!(found, expected, "{}: without {removal:?}", snapshot.hpa.key.name);
            let frees = frees.get(place).copied();
            assert_eq!(
                frees.unwrap_or_default(),
                is_stopped && decides,
                "{}: {removal:?}",
                snapshot.hpa.key.name
            );
            if let Some(frees) = frees {
                assert!(found != now || frees, "{removal:?} changes nothing");
                let name = format!("{removal:?}");
                let name = name.split('(').next().unwrap_or_default().to_owned();
                *checked.entry(name).or_default() += 1;
            }
        }
        let far = |(low, high): (Replicas, Replicas)| {
            let now = now.expect("a decision");
            now.0.0.abs_diff(low.0).max(now.1.0.abs_diff(high.0))
        };
        let far: Vec<u32> = blame.causes.iter().map(|blamed| blamed.replicas.map_or(0, far)).collect();
        assert!(far.is_sorted_by(|one, next| one >= next), "{far:?}");
    }
    checked
}

/// Makes all pods but the first one the target's own.
fn give_owners(case: &mut Case) {
    let target = &case.hpa.0.spec.scale_target_ref;
    let owner = match target.kind.as_str() {
        "Deployment" => {
            json!([{"kind": "ReplicaSet", "name": format!("{}-1", target.name), "controller": true}])
        }
        kind => json!([{"kind": kind, "name": target.name, "controller": true}]),
    };
    let owner: Vec<_> = serde_json::from_value(owner).expect("an owner");
    let pods = case.pods.as_mut().and_then(|pods| pods.items.as_mut());
    for pod in pods.into_iter().flatten().skip(1) {
        Arc::make_mut(pod).metadata.owner_references = owner.as_slice().into();
    }
}

/// Every cause that the recorded cases can have at all was found to be one.
#[track_caller]
fn are_all_there(checked: &BTreeMap<String, usize>) {
    let causes = [
        "MissingPods",
        "Filling",
        "UnreadyPods",
        "Unreadiness",
        "SurplusPods",
        "AbsentPods",
        "StatusReplicas",
        "Load",
        "ForeignPods",
        "ForeignSamples",
        "BareContainers",
        "Tolerance",
        "Metric",
        "OtherHpas",
        "Window",
        "Policy",
        "Rate",
        "ScaleUpCap",
        "Min",
        "Max",
        "Memory",
    ];
    for cause in causes {
        assert!(checked.get(cause).is_some_and(|count| *count > 0), "never {cause}: {checked:?}");
    }
}

#[test]
fn each_cause_taken_out_by_hand_gives_the_same_decision() {
    are_all_there(&check(true));
}

#[test]
fn causes_hold_for_an_interval_too() {
    let checked = check(false);
    assert!(checked.values().sum::<usize>() > 500, "{checked:?}");
}

fn example(name: &str) -> serde_json::Value {
    let path = root(&format!("src/examples/{name}.yaml"));
    serde_yaml::from_reader(File::open(path).expect("an example")).expect("YAML")
}

/// The example's app has a request, its proxy none; two HPAs select the pods of the other.
#[test]
fn what_stops_an_hpa_is_blamed() {
    for (name, causes) in [
        ("missing-request", &[Removal::BareContainers(3)][..]),
        ("ambiguous", &[Removal::OtherHpas(1), Removal::ForeignPods(2)]),
    ] {
        let (mut snapshot, rules) = frozen(serde_json::from_value(example(name)).expect("a case"));
        let answer = answer(&mut snapshot, &rules);
        let blame = blame(&snapshot, &rules, &answer);
        let mut found: Vec<Removal> =
            blame.causes.iter().filter(|it| it.frees).map(|it| it.removal).collect();
        found.sort_by_key(|removal| causes.iter().position(|cause| cause == removal));
        assert_eq!(found, causes, "{name}");
    }
}

/// The pods that lack samples are those of the Job: removing them is one cause, whatever it is called.
#[test]
fn a_cause_is_named_once() {
    let mut case = example("foreign-pods");
    let is_of_job = |pod: &serde_json::Value| pod["metadata"]["ownerReferences"][0]["kind"] == "Job";
    let pods = case["pods"]["items"].as_array().expect("pods").clone();
    let of_job: BTreeSet<&str> =
        pods.iter().filter(|it| is_of_job(it)).filter_map(|it| it["metadata"]["name"].as_str()).collect();
    let samples = case["podMetrics"]["items"].as_array_mut().expect("samples");
    samples.retain(|item| !of_job.contains(item["metadata"]["name"].as_str().expect("a name")));
    case["hpa"]["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] = 40.into();
    let (mut snapshot, rules) = frozen(serde_json::from_value(case).expect("a case"));
    let answer = answer(&mut snapshot, &rules);
    let blame = blame(&snapshot, &rules, &answer);
    let of_pods = |removal: &Removal| {
        matches!(removal, Removal::MissingPods(_) | Removal::Filling(_) | Removal::ForeignPods(_))
    };
    let named = |repeats: bool| {
        blame.causes.iter().filter(|it| of_pods(&it.removal) && it.repeats == repeats).count()
    };
    assert_eq!(named(false), 1, "{blame:?}");
    assert!(named(true) > 0, "{blame:?}");
}

/// Without `spec.behavior` old recommendations raise the replicas, too: they still do without the cap.
#[test]
fn without_the_cap_the_window_stays_as_it_is() {
    let mut case = crate::advice::example("scale-up-limited");
    case["memory"]["recommendations"] = serde_json::json!([{"replicas": 30, "at": "2026-11-21T10:40:00Z"}]);
    let (mut snapshot, rules) = frozen(serde_json::from_value(case).expect("a case"));
    let answer = answer(&mut snapshot, &rules);
    let blame = blame(&snapshot, &rules, &answer);
    let cap = blame.causes.iter().find(|it| it.removal == Removal::ScaleUpCap).expect("a cause");
    assert_eq!(cap.replicas, Some((Replicas(30), Replicas(30))));
}
