//! Advice: given where something is wrong and nowhere else, and what it says would come of it does come of it: the
//! changes of each piece are made to the API objects of the case, which is decided on again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::sync::Arc;

use crate::blame::{keep_samples, places, settle, without};
use crate::recorded::{frozen, recorded};
use crate::versions::versions;
use kubectl_hpa_core::advice::{Advice, AdviceCode, Remedy, ReplicasSetter, advise};
use kubectl_hpa_core::api::{
    ContainerResourceSource, MetricSpec, ObjectReference, ObjectSource, OwnerReference, Pod, Policy,
    ResourceSource, ScalingRules,
};
use kubectl_hpa_core::causes::principal;
use kubectl_hpa_core::memory_bounds::{Answer, answer};
use kubectl_hpa_core::model::{Duration, Replicas};
use kubectl_hpa_core::play::{Assumptions, Player};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::case::OtherHpas;
use kubectl_hpa_core::snapshot::{Case, Snapshot, validate, validate_change};
use kubectl_hpa_core::trace::{Failure, Gate, HoldReason, LimitReason, Outcome, Verdict};
use kubectl_hpa_core::whatif::{Knob, Removal};
use serde_json::{Value, json};

use crate::root::root;

fn answered(case: Case) -> (Snapshot, Rules, Answer) {
    let (mut snapshot, rules) = frozen(case);
    let answer = answer(&mut snapshot, &rules);
    (snapshot, rules, answer)
}

/// What no recorded case has: pods without a node, a container that no pod has, finished pods, flapping.
fn made() -> impl Iterator<Item = Case> {
    let cases = [
        flapping(&[]),
        finished(),
        waiting(2),
        unscheduled(&["SchedulingGated"]),
        waiting_containers(&["", "", "", "CrashLoopBackOff", "CrashLoopBackOff"]),
        wrong_container(),
        leaderless(),
        at_max(4),
        unscaled("apps/v1", "DaemonSet", "Get"),
        absent("web"),
        example("foreign-pods"),
        run_elsewhere(),
    ];
    let made = cases.into_iter().map(|case| serde_json::from_value(case).expect("a case"));
    made.chain([crate::attested::case("no-right-to-list-the-queue")])
}

/// A Deployment at 0 whose pods the `ReplicaSet` of a Rollout runs.
fn run_elsewhere() -> Value {
    let mut case = example("foreign-pods");
    case["scale"]["object"]["spec"]["replicas"] = 0.into();
    for pod in case["pods"]["items"].as_array_mut().expect("pods") {
        pod["metadata"]["ownerReferences"] =
            json!([{"kind": "ReplicaSet", "name": "report-rollout-7f8d9", "controller": true}]);
    }
    case
}

/// A Lease that has expired, of an HPA whose status a controller wrote before.
fn leaderless() -> Value {
    let mut case = example("held-by-window");
    case["hpa"]["metadata"]["managedFields"] = json!([
        {"manager": "kube-controller-manager", "operation": "Update", "subresource": "status", "time": "2026-11-21T10:39:45Z"}
    ]);
    case["controller"]["lease"] =
        json!({"holder": "n1_4f1c", "renewed": "2026-11-21T10:39:50Z", "lasts": "15s"});
    case
}

/// A target whose scale cannot be read.
fn unscaled(api_version: &str, kind: &str, stage: &str) -> Value {
    let mut case = example("held-by-window");
    case["hpa"]["spec"]["scaleTargetRef"] = json!({"apiVersion": api_version, "kind": kind, "name": "web"});
    case["scale"] = json!({"error": {"message": "the server could not find it", "stage": stage}});
    case
}

/// A target that is not there, as the API server says of a name.
fn absent(name: &str) -> Value {
    let mut case = unscaled("apps/v1", "Deployment", "Get");
    case["scale"]["error"]["code"] = 404.into();
    case["scale"]["error"]["message"] = format!("deployments.apps {name:?} not found").into();
    case
}

/// 4 pods that want 27, and so large a bound.
fn at_max(max: i32) -> Value {
    let mut case = example("scale-up-limited");
    case["hpa"]["spec"]["maxReplicas"] = max.into();
    case
}

/// Events of a count that went up and down, newest last: each at so many minutes ago.
fn flapping(window: &[i32]) -> Value {
    let mut case = example("resting-at-min");
    let reasons =
        ["cpu resource utilization (percentage of request) above target", "All metrics below target"];
    let event = |(place, minutes): (usize, i32)| {
        let (size, reason) = ([8, 3][place % 2], reasons[place % 2]);
        json!({
            "metadata": {"name": format!("e{place}"), "namespace": "shop"},
            "involvedObject": {"kind": "HorizontalPodAutoscaler", "name": "search"},
            "type": "Normal", "reason": "SuccessfulRescale", "count": 1,
            "message": format!("New size: {size}; reason: {reason}"),
            "lastTimestamp": format!("2026-11-21T10:{:02}:00Z", 41 - minutes),
            "firstTimestamp": format!("2026-11-21T10:{:02}:00Z", 41 - minutes),
        })
    };
    let events: Vec<Value> = [40, 30, 20, 10].into_iter().enumerate().map(event).collect();
    case["events"] = json!({"items": events});
    if let [seconds] = window {
        case["hpa"]["spec"]["behavior"] = json!({"scaleDown": {"stabilizationWindowSeconds": seconds}});
    }
    case
}

/// The pods of the Job have ended, and have no sample any more.
fn finished() -> Value {
    let mut case = example("foreign-pods");
    let mut gone = Vec::new();
    for pod in case["pods"]["items"].as_array_mut().expect("pods") {
        if pod["metadata"]["ownerReferences"][0]["kind"] == "Job" {
            pod["status"] = json!({"phase": "Succeeded"});
            gone.push(pod["metadata"]["name"].clone());
        }
    }
    let samples = case["podMetrics"]["items"].as_array_mut().expect("samples");
    samples.retain(|item| !gone.contains(&item["metadata"]["name"]));
    case["hpa"]["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] = 40.into();
    case
}

/// Some of the pods wait for a node.
fn waiting(number: usize) -> Value {
    unscheduled(&vec!["Unschedulable"; number])
}

/// The first of the pods are not scheduled, each for a reason.
fn unscheduled(reasons: &[&str]) -> Value {
    let mut case = example("resting-at-min");
    for (place, reason) in reasons.iter().enumerate() {
        case["pods"]["items"][place]["status"] = json!({
            "phase": "Pending",
            "conditions": [{"type": "PodScheduled", "status": "False", "reason": reason,
                            "lastTransitionTime": format!("2026-11-21T10:3{place}:00Z")}],
        });
    }
    case
}

fn wrong_container() -> Value {
    let mut case = example("resting-at-min");
    case["hpa"]["spec"]["metrics"] = json!([{"type": "ContainerResource", "containerResource": {
        "name": "cpu", "container": "serach", "target": {"type": "Utilization", "averageUtilization": 70}}}]);
    case
}

fn advised(case: Case) -> Vec<Advice> {
    let (snapshot, rules, answer) = answered(case);
    advise(&snapshot, &rules, &answer, principal(&snapshot, &rules, &answer))
}

fn codes(case: Value) -> Vec<&'static str> {
    let advice = advised(serde_json::from_value(case).expect("a case"));
    advice.iter().map(|piece| piece.code().as_str()).collect()
}

pub fn example(name: &str) -> Value {
    let path = root(&format!("src/examples/{name}.yaml"));
    serde_yaml::from_reader(File::open(path).expect("an example")).expect("YAML")
}

/// The case once advice was taken, in the API objects, as a person would do it; `None` where it is not a change of the case.
fn taken(case: &Case, piece: &Advice) -> Option<Case> {
    let mut then = case.clone();
    for change in &piece.changes {
        carry_out(&mut then, change.knob(), change.typed());
    }
    let metrics = &mut then.hpa.0.spec.metrics;
    match &piece.remedy {
        _ if !piece.changes.is_empty() => {}
        Remedy::SeparateSelectors => then.other_hpas = OtherHpas::default(),
        Remedy::DivideTotal { metric } => {
            let spec = metrics.get_mut(*metric)?;
            let of_object = spec.object.as_mut().map(|it| &mut it.target);
            let target = of_object.or(spec.external.as_mut().map(|it| &mut it.target))?;
            "AverageValue".clone_into(&mut target.kind);
            target.average_value = target.value.take();
        }
        Remedy::NameContainer { metric, there, .. } => {
            let [only] = there.as_slice() else { return None };
            metrics.get_mut(*metric)?.container_resource.as_mut()?.container = only.to_string();
        }
        Remedy::FixOrRemoveMetric { metrics: failed } => {
            piece.then?;
            failed.iter().rev().for_each(|place| drop(metrics.remove(*place)));
        }
        Remedy::RestoreSamples { missing, .. } => {
            let (snapshot, _, answer) = answered(case.clone());
            then = without(case, &snapshot, &answer.decision, Removal::Filling(missing.len()))?;
        }
        Remedy::GetReady { unready } => {
            let (snapshot, ..) = answered(case.clone());
            settle(&mut then, &places(&snapshot, &unready.iter().copied().collect()));
        }
        Remedy::StartController { .. } => {
            let (snapshot, _, answer) = answered(case.clone());
            then = without(case, &snapshot, &answer.decision, Removal::Memory)?;
            (then.controller.lease, then.controller.runs) = (None, None);
        }
        Remedy::SelectOwnPods { .. } => {
            let target = case.hpa.0.spec.scale_target_ref.clone();
            keep_pods(&mut then, |pod| controller(pod).is_none() || is_own(&target, pod));
        }
        Remedy::DeleteFinishedPods { finished, .. } => {
            let (snapshot, ..) = answered(case.clone());
            let name = |place: &usize| snapshot.pods.as_ref().expect("pods")[*place].name.clone();
            let gone: Vec<std::sync::Arc<str>> = finished.iter().map(name).collect();
            keep_pods(&mut then, |pod| !gone.iter().any(|name| **name == *pod.metadata.name));
        }
        _ => return None,
    }
    then.keep_synced(&case.hpa.0);
    Some(then)
}

/// Makes a change in the API objects, as far as advice has any such.
fn carry_out(case: &mut Case, knob: Knob, typed: &str) {
    let spec = &mut case.hpa.0.spec;
    if spec.metrics.is_empty() {
        // What the API server fills in.
        let cpu = json!({"type": "Resource", "resource": {"name": "cpu", "target":
            {"type": "Utilization", "averageUtilization": 80}}});
        spec.metrics.push(serde_json::from_value(cpu).expect("a metric"));
    }
    match knob {
        Knob::Max => spec.max_replicas = typed.parse().expect("a number"),
        Knob::ScaleUp => set_rule(&mut spec.behavior.get_or_insert_default().scale_up, typed),
        Knob::ScaleDown => set_rule(&mut spec.behavior.get_or_insert_default().scale_down, typed),
        Knob::RemoveMetric => {
            let place = spec.metrics.iter().position(|metric| names(metric).iter().any(|it| it == typed));
            spec.metrics.remove(place.expect("a metric of the name"));
        }
        Knob::Container => {
            for metric in spec.metrics.iter_mut().filter(|metric| metric.kind == "Resource") {
                let ResourceSource { name, target } = *metric.resource.take().expect("a resource");
                "ContainerResource".clone_into(&mut metric.kind);
                let of_container = ContainerResourceSource { name, container: typed.to_owned(), target };
                metric.container_resource = Some(Box::new(of_container));
            }
        }
        Knob::OnlyOwnPods => {
            let target = spec.scale_target_ref.clone();
            keep_pods(case, |pod| is_own(&target, pod));
        }
        Knob::Pods => {
            let gone = |pod: &str| typed.split(',').any(|it| it.strip_suffix("=gone") == Some(pod));
            keep_pods(case, |pod| !gone(&pod.metadata.name));
        }
        _ => panic!("{knob:?} {typed}: advice that nobody carried out yet"),
    }
}

/// `Percent=300/15s`, `tolerance=0.05` or `window=300s`.
fn set_rule(rules: &mut Option<ScalingRules>, typed: &str) {
    let rules = rules.get_or_insert_default();
    let (key, value) = typed.split_once('=').expect("a rule");
    match key {
        "Percent" => {
            let (value, period) = value.split_once("/15").expect("a rate");
            assert_eq!(period, "s");
            let value = value.parse().expect("a number");
            rules.policies = Some(vec![Policy { kind: "Percent".to_owned(), value, period_seconds: 15 }]);
        }
        "tolerance" => rules.tolerance = Some(value.parse().expect("a quantity")),
        "window" => {
            let seconds = value.strip_suffix('s').expect("seconds");
            rules.stabilization_window_seconds = Some(seconds.parse().expect("a number"));
        }
        _ => panic!("{typed}"),
    }
}

/// What a metric is called: by its full name, too.
fn names(metric: &MetricSpec) -> Vec<String> {
    let MetricSpec { object, pods, resource, container_resource, external, .. } = metric;
    let mut names = Vec::new();
    names.extend(resource.iter().map(|it| it.name.clone()));
    names.extend(container_resource.iter().map(|it| format!("{}/{}", it.container, it.name)));
    names.extend(pods.iter().map(|it| it.metric.name.clone()));
    names.extend(external.iter().map(|it| it.metric.name.clone()));
    let of_object = |it: &ObjectSource| {
        format!("{}@{}/{}", it.metric.name, it.described_object.kind, it.described_object.name)
    };
    names.extend(object.iter().map(|it| of_object(it)));
    names
}

fn controller(pod: &Pod) -> Option<&OwnerReference> {
    pod.metadata.owner_references.iter().find(|owner| owner.controller == Some(true))
}

/// A Deployment's pods are those of its ReplicaSets, which it names after itself; anything else owns its pods itself.
fn is_own(target: &ObjectReference, pod: &Pod) -> bool {
    controller(pod).is_some_and(|owner| match target.kind.as_str() {
        "Deployment" => owner.kind == "ReplicaSet" && owner.name.starts_with(&format!("{}-", target.name)),
        kind => owner.kind == kind && owner.name == target.name,
    })
}

/// Takes pods out, with their samples.
fn keep_pods(case: &mut Case, is_kept: impl Fn(&Pod) -> bool) {
    let pods = case.pods.as_mut().and_then(|pods| pods.items.as_mut()).expect("the pods");
    let (kept, gone) = std::mem::take(pods).into_iter().partition(|pod| is_kept(pod));
    *pods = kept;
    let gone: BTreeSet<String> = gone.into_iter().map(|pod| pod.metadata.name.clone()).collect();
    keep_samples(case, &|name| !gone.contains(name));
}

/// The replicas after so many hours in which the load stays, and pods are ready and measured at once.
fn played(snapshot: &Snapshot, rules: &Rules) -> Option<Replicas> {
    let hours = Duration::from_seconds(3 * 3_600);
    let world = Assumptions { over: hours, ..Assumptions::default() }.world(snapshot).ok()?;
    let mut player = Player::start(snapshot.clone(), world, rules).ok()?;
    let mut left = None;
    while let Some(sync) = player.sync() {
        left = sync.decision.desired();
    }
    left
}

/// What one piece of advice was carried out to.
#[derive(Default)]
struct Carried {
    decided: usize,
    played: usize,
    /// Of those, where other instants of the syncs let the tolerance keep other replicas.
    elsewhere: usize,
}

/// Carries out each piece of advice on a case, and tries the laws of advice on it.
fn carry_all_out(case: &Case, carried: &mut BTreeMap<AdviceCode, Carried>) {
    let (snapshot, rules, answer) = answered(case.clone());
    let advice = advise(&snapshot, &rules, &answer, principal(&snapshot, &rules, &answer));
    assert!(advice.len() <= 2, "{advice:?}");
    for piece in advice {
        is_no_harm(&snapshot, &answer, &piece);
        let count = carried.entry(piece.code()).or_default();
        let Some(then) = taken(case, &piece) else {
            assert!(piece.changes.is_empty(), "{}: {piece:?}", case.hpa.0.metadata.name);
            continue;
        };
        is_applied(case, &then, &piece, &answer);
        let Some(said) = piece.then else { continue };
        let (snapshot, rules, answer) = answered(then);
        assert_eq!(answer.range(), Some(said.next), "{}: {piece:?}", case.hpa.0.metadata.name);
        count.decided += 1;
        if let Some(settles) = said.settles {
            count.played += 1;
            count.elsewhere += usize::from(played(&snapshot, &rules) != Some(settles));
        }
    }
}

/// What no advice does, whatever would come of it.
fn is_no_harm(snapshot: &Snapshot, answer: &Answer, piece: &Advice) {
    let name = &snapshot.hpa.key.name;
    if snapshot.hpa.scaled_object().is_some() {
        assert_ne!(piece.code(), AdviceCode::WakeUp, "{name}: KEDA wakes it up");
    }
    if answer.decision.gate == Gate::Disabled {
        assert!(piece.then.is_none_or(|then| then.next.1 == Replicas(0)), "{name}: {piece:?}");
    }
    if snapshot.idle_pods().is_some() {
        assert_ne!(piece.code(), AdviceCode::RestoreSamples, "{name}: no pod runs");
        if let Remedy::AskMetricsApi { metrics } = &piece.remedy {
            let failed = answer.decision.metrics.iter().filter(|it| metrics.contains(&it.index));
            let mut failures = failed.filter_map(|it| match &it.verdict {
                Verdict::Failed(failure) => Some(failure),
                Verdict::Proposal(_) | Verdict::Unknown(_) => None,
            });
            assert!(!failures.any(Failure::lacks_samples_of_pods), "{name}: no pod runs, {piece:?}");
        }
    }
}

/// A manifest that was changed is one that the API server takes, and asks for no higher bound while the load is below its
/// target.
fn is_applied(case: &Case, then: &Case, piece: &Advice, answer: &Answer) {
    let (now, then) = (&case.hpa.0.spec, &then.hpa.0.spec);
    let name = &case.hpa.0.metadata.name;
    assert_eq!(validate(then), [], "{name}: {piece:?}");
    assert_eq!(validate_change(now, then), [], "{name}: {piece:?}");
    let is_below = answer.decision.winner().is_some_and(|(_, it)| it.calculation.ratios().0.is_below());
    if is_below {
        assert!(then.max_replicas <= now.max_replicas, "{name}: {piece:?}");
        assert!(then.min_replicas <= now.min_replicas, "{name}: {piece:?}");
    }
}

/// Of the recorded sequences every third is looked at; all of them with `KUBECTL_HPA_ALL`.
fn every() -> usize {
    if std::env::var_os("KUBECTL_HPA_ALL").is_some() { 1 } else { 3 }
}

#[test]
fn advice_that_is_carried_out_by_hand_comes_to_what_it_says() {
    let mut carried = BTreeMap::new();
    let all = versions().into_iter().flat_map(|version| recorded(&version, every()));
    for (place, mut case) in all.chain(made()).enumerate() {
        if place % 2 == 1 {
            case.memory = None;
        }
        carry_all_out(&case, &mut carried);
    }
    let never: Vec<_> = AdviceCode::ALL.iter().filter(|code| !carried.contains_key(code)).collect();
    assert!(never.is_empty(), "never {never:?}");
    let sum = |of: fn(&Carried) -> usize| carried.values().map(of).sum::<usize>();
    assert!(sum(|it| it.decided) > 1_500, "only {} pieces were decided on", sum(|it| it.decided));
    assert!(sum(|it| it.played) > 150, "only {} ends were played", sum(|it| it.played));
    let elsewhere = sum(|it| it.elsewhere);
    assert!(elsewhere * 100 <= sum(|it| it.played), "{elsewhere} plays end elsewhere");
}

/// The recorded cases as they would be asleep by KEDA, and with no pod that runs.
#[test]
fn no_advice_wakes_what_keda_put_to_sleep_or_asks_of_pods_that_do_not_run() {
    let mut carried = BTreeMap::new();
    let keda = |case: &mut Case| {
        let owner = json!([{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "name": "so", "uid": "1",
                            "controller": true}]);
        case.hpa.0.metadata.owner_references = serde_json::from_value(owner).expect("owners");
    };
    let idle = |case: &mut Case| {
        for (place, pod) in case.pods.iter_mut().flat_map(|it| &mut it.items).flatten().enumerate() {
            let pod = Arc::make_mut(pod);
            pod.status.phase = ["Pending", "Failed"][place % 2].into();
            pod.status.conditions.retain(|it| it.kind != "Ready");
        }
        case.pod_metrics.iter_mut().flat_map(|it| &mut it.items).for_each(Vec::clear);
        for answer in case.custom_metrics.iter_mut().filter(|it| it.query.described_object.is_none()) {
            answer.items.iter_mut().for_each(Vec::clear);
        }
    };
    for case in recorded("1.37", every()) {
        for change in [keda as fn(&mut Case), idle, |case: &mut Case| case.memory = None] {
            let mut other = case.clone();
            change(&mut other);
            carry_all_out(&other, &mut carried);
        }
    }
    assert!(carried.contains_key(&AdviceCode::StartPods), "no pod runs, and nobody is told");
}

#[test]
fn nothing_is_advised_where_it_rests_as_it_was_told_to() {
    let mut resting = 0;
    let cases = versions().into_iter().flat_map(|version| recorded(&version, 1));
    for case in cases {
        let (snapshot, rules, answer) = answered(case);
        let decision = &answer.decision;
        let decided = matches!(decision.outcome, Outcome::Hold { reason: HoldReason::Decided, .. });
        let is_whole = decision.metrics.iter().filter_map(|it| it.groups.as_ref()).all(|it| it.missing == 0);
        let wants_more = decision.choice.is_some_and(|choice| choice.after > snapshot.hpa.max);
        let at_bound = decision.limited.as_ref().is_some_and(|limited| {
            matches!(limited.reason, LimitReason::TooFewReplicas | LimitReason::TooManyReplicas)
        });
        let at_bound = at_bound && decision.stabilized.as_ref().is_some_and(|it| it.before == it.after);
        let own = snapshot.pods.iter().flatten().all(|pod| !snapshot.is_foreign(pod));
        let there = snapshot.pods.iter().flatten().filter(|pod| pod.is_active()).count();
        let is_full =
            decision.found().is_some_and(|found| usize::try_from(found.0).is_ok_and(|it| it <= there));
        if decided && is_whole && is_full && at_bound && own && answer.interval.is_none() {
            let advice = advise(&snapshot, &rules, &answer, principal(&snapshot, &rules, &answer));
            let is_feedback = |piece: &Advice| piece.code() == AdviceCode::DivideTotal;
            // At the upper bound with more wanted, the bound is what holds it.
            let is_raise = |piece: &Advice| wants_more && piece.code() == AdviceCode::RaiseMax;
            // With a metric that fails it never scales down, whatever the bound is.
            let fails = |piece: &Advice| {
                use AdviceCode::{FixOrRemoveMetric, MeasureOneContainer, NameContainer, SetRequests};
                matches!(piece.code(), FixOrRemoveMetric | MeasureOneContainer | NameContainer | SetRequests)
            };
            let is_expected = |piece: &Advice| is_feedback(piece) || is_raise(piece) || fails(piece);
            assert!(advice.iter().all(is_expected), "{}: {advice:?}", snapshot.hpa.key.name);
            resting += 1;
        }
    }
    assert!(resting > 10, "only {resting} cases rest");
    for name in ["resting-at-min", "behavior-limited", "held-by-window", "scale-to-zero", "rollout"] {
        assert_eq!(codes(example(name)), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn each_trouble_has_its_advice() {
    let troubles: [(&str, &[&str]); 5] = [
        ("missing-request", &["measure-one-container"]),
        ("foreign-pods", &["select-own-pods"]),
        ("broken-metric", &["fix-or-remove-metric"]),
        ("ambiguous", &["separate-selectors"]),
        ("switched-off", &["wake-up"]),
    ];
    for (name, expected) in troubles {
        assert_eq!(codes(example(name)), expected, "{name}");
    }
}

/// A kind that has a scale, or may have one, is never the trouble.
#[test]
fn a_target_of_another_kind_is_advised_where_this_one_has_no_scale() {
    let advised = |api_version, kind, stage| codes(unscaled(api_version, kind, stage)) == ["name-scalable"];
    for (api_version, kind) in [
        ("apps/v1", "DaemonSet"),
        ("batch/v1", "Job"),
        ("batch/v1", "CronJob"),
        ("v1", "Pod"),
        ("v1", "Event"),
    ] {
        assert!(advised(api_version, kind, "Get") && advised(api_version, kind, "Mapping"), "{kind}");
    }
    for (api_version, kind) in [
        ("apps/v1", "Deployment"),
        ("apps/v1", "deployment"),
        ("apps/v1", "StatefulSet"),
        ("apps/v1", "ReplicaSet"),
        ("v1", "ReplicationController"),
        ("argoproj.io/v1alpha1", "Rollout"),
    ] {
        assert!(!advised(api_version, kind, "Get") && !advised(api_version, kind, "Mapping"), "{kind}");
    }
    // Only where the API does not know it either is a kind known to be none.
    for (api_version, kind) in [("v1", "Deployment"), ("apps/v1", "Fleet"), ("batch/v1", "JobSet")] {
        assert!(!advised(api_version, kind, "Get") && advised(api_version, kind, "Mapping"), "{kind}");
    }
}

/// A 404 that names no object is of a kind without a scale, or of an API that is gone.
#[test]
fn a_target_that_is_not_there_is_to_be_created() {
    assert_eq!(codes(absent("web")), ["create-target"]);
    assert_eq!(codes(absent("b-web")), Vec::<&str>::new());
    for (field, value) in [("code", json!(403)), ("message", json!("the server could not find it"))] {
        let mut case = absent("web");
        case["scale"]["error"][field] = value;
        assert_eq!(codes(case), Vec::<&str>::new(), "{field}");
    }
}

/// The app uses 95m of 101m beside a proxy that requests as much and idles: 47% in all, on target.
#[test]
fn sidecars_that_hide_the_main_container_are_told_of() {
    let mut case = example("missing-request");
    let (pods, metrics) = (
        case["pods"]["items"].as_array().expect("pods").len(),
        case["podMetrics"]["items"].as_array().expect("metrics").len(),
    );
    let give = |containers: &mut Value, app: [&str; 2], proxy: [&str; 2], field: [&str; 2]| {
        for container in containers.as_array_mut().expect("containers") {
            let [cpu, idle] = if container["name"] == "app" { app } else { proxy };
            let place = if field[0].is_empty() {
                &mut container[field[1]]
            } else {
                &mut container[field[0]][field[1]]
            };
            *place = json!({"cpu": cpu, "memory": idle});
        }
    };
    for place in 0..pods {
        give(
            &mut case["pods"]["items"][place]["spec"]["containers"],
            ["101m", "1Mi"],
            ["100m", "1Mi"],
            ["resources", "requests"],
        );
    }
    for place in 0..metrics {
        give(
            &mut case["podMetrics"]["items"][place]["containers"],
            ["95m", "1Mi"],
            ["1m", "1Mi"],
            ["", "usage"],
        );
    }
    case["hpa"]["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] = json!(48);
    assert_eq!(codes(case.clone()), ["leave-out-sidecars"]);
    // What idles without being asked for dilutes nothing.
    for place in 0..pods {
        give(
            &mut case["pods"]["items"][place]["spec"]["containers"],
            ["198m", "1Mi"],
            ["1m", "1Mi"],
            ["resources", "requests"],
        );
    }
    assert_eq!(codes(case), Vec::<&str>::new());
}

/// 4 → 8 → 16 → 27 takes two syncs more; 4 → 40 takes three.
#[test]
fn a_scale_up_that_is_soon_there_needs_no_advice() {
    let mut case = example("scale-up-limited");
    assert_eq!(codes(case.clone()), Vec::<&str>::new());
    case["hpa"]["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] = 40.into();
    assert_eq!(codes(case), ["allow-faster-scale-up"]);
}

#[test]
fn a_request_that_only_a_foreign_pod_lacks_is_not_the_targets_fault() {
    let mut case = example("foreign-pods");
    let pods = case["pods"]["items"].as_array_mut().expect("pods");
    let job =
        pods.iter_mut().find(|pod| pod["metadata"]["ownerReferences"][0]["kind"] == "Job").expect("a job's");
    job["spec"]["containers"][0]["resources"] = json!({});
    assert_eq!(codes(case), ["select-own-pods"]);
}

#[test]
fn a_tolerance_of_its_own_was_chosen() {
    let mut case = example("scale-up-limited");
    case["hpa"]["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] = 370.into();
    assert_eq!(codes(case.clone()), ["narrow-tolerance"]);
    case["hpa"]["spec"]["behavior"] = json!({"scaleUp": {"tolerance": "0.1"}});
    assert_eq!(codes(case.clone()), Vec::<&str>::new());
    case["hpa"]["spec"]["behavior"] = Value::Null;
    case["hpa"]["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] = 385.into();
    assert_eq!(codes(case), Vec::<&str>::new(), "400 of 385 is on target");
}

#[test]
fn at_the_upper_bound_a_higher_one_is_offered_with_what_comes_of_it() {
    let advice = |case: Value| advised(serde_json::from_value(case).expect("a case"));
    let told = advice(at_max(4));
    let [Advice { remedy: Remedy::RaiseMax, changes, then }] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(changes.iter().map(ToString::to_string).collect::<Vec<_>>(), ["--max 27"]);
    assert_eq!(
        then.map(|then| then.next),
        Some((Replicas(8), Replicas(8))),
        "the rate still lets it double only"
    );
    assert_eq!(codes(at_max(27)), Vec::<&str>::new(), "27 are wanted, and 27 are allowed");
    // A rate that forbids to scale up at all holds it whatever the bound is.
    let mut held = at_max(4);
    held["hpa"]["spec"]["behavior"] = json!({"scaleUp": {"selectPolicy": "Disabled"}});
    assert_eq!(codes(held), Vec::<&str>::new());
}

#[test]
fn pods_without_a_node_are_told_of() {
    let advice = advised(serde_json::from_value(waiting(2)).expect("a case"));
    let [first, ..] = advice.as_slice() else { panic!("no advice") };
    assert_eq!(first.remedy, Remedy::MakeRoom { waiting: vec![0, 1] });
    // Scheduled, and still Pending: its image is pulled.
    let mut pulling = waiting(2);
    for place in 0..2 {
        pulling["pods"]["items"][place]["status"]["conditions"][0]["status"] = "True".into();
    }
    assert!(!codes(pulling).contains(&"make-room"));
    // Somebody else's pods wait for a node of their own.
    let mut foreign = waiting(1);
    foreign["pods"]["items"][0]["metadata"]["ownerReferences"] =
        json!([{"kind": "Job", "name": "report", "controller": true}]);
    assert!(!codes(foreign).contains(&"make-room"));
}

/// With as many pods as replicas, each like those that are there, the decision is another, and nothing is advised.
#[test]
fn pods_that_do_not_exist_are_told_of() {
    let pods_of = |replicas: i32, pods: usize| {
        let mut case = example("scale-up-limited");
        case["hpa"]["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] = 250.into();
        case["scale"]["object"]["spec"]["replicas"] = replicas.into();
        for list in ["pods", "podMetrics"] {
            let items = case[list]["items"].as_array_mut().expect("items");
            let first = items[0].clone();
            let named = |place: usize| {
                let mut one = first.clone();
                one["metadata"]["name"] = format!("checkout-{place}").into();
                one
            };
            *items = (0..pods).map(named).collect();
        }
        case
    };
    assert!(codes(pods_of(10, 10)).iter().all(|code| *code != "create-pods"));
    let advice = advised(serde_json::from_value(pods_of(10, 4)).expect("a case"));
    assert!(advice.iter().any(|piece| piece.remedy == Remedy::CreatePods { absent: 6, ended: 0 }));
    // One that is being deleted may have another in its place soon.
    let mut leaving = pods_of(10, 5);
    leaving["pods"]["items"][4]["metadata"]["deletionTimestamp"] = "2026-11-21T10:41:50Z".into();
    assert!(!codes(leaving).contains(&"create-pods"));
    let mut scaled = pods_of(10, 4);
    scaled["hpa"]["status"]["lastScaleTime"] = "2026-11-21T10:41:30Z".into();
    assert!(!codes(scaled).contains(&"create-pods"));
}

#[test]
fn pods_that_gates_hold_back_are_no_sign_of_a_full_cluster() {
    let remedies = |reasons: &[&str]| {
        let case: Case = serde_json::from_value(unscheduled(reasons)).expect("a case");
        // As it was read, and as it is saved.
        let saved = serde_json::to_value(&case).and_then(serde_json::from_value).expect("a case");
        let advice = advised(case);
        assert_eq!(advised(saved), advice);
        advice.into_iter().map(|piece| piece.remedy).collect::<Vec<_>>()
    };
    let room = |place| Remedy::MakeRoom { waiting: vec![place] };
    let gates = Remedy::CheckSchedulingGates { gated: vec![0] };
    assert_eq!(remedies(&["SchedulingGated"])[0], gates);
    assert_eq!(remedies(&["SchedulingGated", "Unschedulable"])[..2], [room(1), gates]);
    // Cases of before have no reason, and other schedulers may give one of their own.
    for reason in ["", "SchedulerError", "Later"] {
        assert_eq!(remedies(&[reason])[0], room(0), "{reason:?}");
    }
    let mut old = unscheduled(&["Unschedulable"]);
    let condition = &mut old["pods"]["items"][0]["status"]["conditions"][0];
    condition.as_object_mut().expect("a condition").remove("reason");
    assert!(codes(old).contains(&"make-room"));
}

/// The containers of the first pods wait; each as kubectl shows it of the pod.
fn waiting_containers(reasons: &[&str]) -> Value {
    let mut case = example("missing-samples");
    for (pod, reason) in case["pods"]["items"].as_array_mut().expect("pods").iter_mut().zip(reasons) {
        let name = pod["spec"]["containers"][0]["name"].clone();
        let (list, reason) = reason
            .strip_prefix("Init:")
            .map_or(("containerStatuses", *reason), |reason| ("initContainerStatuses", reason));
        pod["status"][list] = json!([{"name": name, "state": {"waiting": {"reason": reason}}}]);
    }
    case
}

#[test]
fn containers_that_wait_are_told_of_and_not_the_metrics_api() {
    let remedies = |reasons: &[&str]| {
        let case: Case = serde_json::from_value(waiting_containers(reasons)).expect("a case");
        // As it was read, and as it is saved.
        let saved = serde_json::to_value(&case).and_then(serde_json::from_value).expect("a case");
        let advice = advised(case);
        assert_eq!(advised(saved), advice);
        advice.into_iter().map(|piece| piece.remedy).collect::<Vec<_>>()
    };
    let groups = example("missing-samples");
    let sampled: Vec<&str> = groups["podMetrics"]["items"]
        .as_array()
        .expect("samples")
        .iter()
        .filter_map(|item| item["metadata"]["name"].as_str())
        .collect();
    let pods = groups["pods"]["items"].as_array().expect("pods");
    let missing: Vec<usize> = (0..pods.len())
        .filter(|place| !sampled.contains(&pods[*place]["metadata"]["name"].as_str().expect("a name")))
        .collect();
    let reasons = |reason: &'static str| -> Vec<&'static str> {
        (0..pods.len()).map(|place| if missing.contains(&place) { reason } else { "" }).collect()
    };
    for reason in
        ["CrashLoopBackOff", "ImagePullBackOff", "CreateContainerConfigError", "Init:CrashLoopBackOff"]
    {
        let told = remedies(&reasons(reason));
        assert_eq!(told, [Remedy::StartContainers { stuck: missing.clone() }], "{reason}");
    }
    // Every container waits before it first runs.
    for reason in ["ContainerCreating", "PodInitializing", ""] {
        let told = remedies(&reasons(reason));
        let metric = 0;
        assert_eq!(told, [Remedy::RestoreSamples { metric, missing: missing.clone() }], "{reason}");
    }
}

#[test]
fn a_container_that_no_pod_has_is_told_of() {
    let advice = advised(serde_json::from_value(wrong_container()).expect("a case"));
    let [Advice { remedy: Remedy::NameContainer { metric: 0, there, lacks: None }, then: Some(_), .. }] =
        advice.as_slice()
    else {
        panic!("{advice:?}")
    };
    assert_eq!(there.len(), 1);
    // Another name alone would leave it failing.
    let mut case = wrong_container();
    for pod in case["pods"]["items"].as_array_mut().expect("pods") {
        pod["spec"]["containers"][0]["resources"] = json!({});
    }
    let advice = advised(serde_json::from_value(case).expect("a case"));
    let [Advice { remedy: Remedy::NameContainer { lacks: Some(lacks), .. }, then: None, .. }] =
        advice.as_slice()
    else {
        panic!("{advice:?}")
    };
    assert_eq!(lacks.as_str(), "cpu");
}

#[test]
fn each_failing_api_is_asked() {
    let mut case = example("broken-metric");
    case["podMetrics"] = json!({"items": null, "error": {"code": 503, "reason": "ServiceUnavailable",
        "message": "down", "path": "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods"}});
    let advice = advised(serde_json::from_value(case).expect("a case"));
    assert_eq!(
        advice,
        [Advice { remedy: Remedy::AskMetricsApi { metrics: vec![0, 1] }, changes: Vec::new(), then: None }]
    );
}

#[test]
fn a_count_that_flaps_is_told_of() {
    assert_eq!(codes(flapping(&[])), ["widen-window"]);
    assert_eq!(codes(flapping(&[3_600])), ["widen-window"], "although no longer window can be set");
    let window = |window: &[i32]| {
        let advice = advised(serde_json::from_value(flapping(window)).expect("a case"));
        advice[0].changes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(window(&[0]), ["--scale-down window=300s"]);
    assert_eq!(window(&[]), ["--scale-down window=600s"], "twice the controller's");
    assert_eq!(window(&[3_600]), Vec::<String>::new());
    // One peak: up, up, down, down.
    let mut peak = flapping(&[]);
    for (place, like) in [(1, 0), (2, 3)] {
        let message = peak["events"]["items"][like]["message"].clone();
        peak["events"]["items"][place]["message"] = message;
    }
    assert_eq!(codes(peak), Vec::<&str>::new());
    // Equal events are folded into one with a count.
    let mut folded = flapping(&[]);
    let events = folded["events"]["items"].as_array_mut().expect("events");
    for (place, minute) in [(0, "21"), (1, "31")] {
        events[place]["count"] = 2.into();
        events[place]["lastTimestamp"] = format!("2026-11-21T10:{minute}:00Z").into();
    }
    events.truncate(2);
    let advice = advised(serde_json::from_value(folded).expect("a case"));
    let [Advice { remedy: Remedy::WidenWindow(flapping), .. }] = advice.as_slice() else {
        panic!("{advice:?}")
    };
    assert_eq!((flapping.ups, flapping.downs), (2, 2));
}

#[test]
fn a_finished_pod_that_counts_as_missing_is_told_of() {
    let case = finished();
    let of_job = |pod: &&Value| pod["metadata"]["ownerReferences"][0]["kind"] == "Job";
    let number = case["pods"]["items"].as_array().expect("pods").iter().filter(of_job).count();
    let advice = advised(serde_json::from_value(case.clone()).expect("a case"));
    let [Advice { remedy: Remedy::DeleteFinishedPods { finished, .. }, .. }] = advice.as_slice() else {
        panic!("{advice:?}")
    };
    assert_eq!(finished.len(), number);
}

/// Up one pod a minute, so that what is wanted comes later.
#[test]
fn without_finished_pods_the_replicas_settle_where_it_is_said() {
    let mut case = finished();
    case["hpa"]["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] = 25.into();
    let policy = json!({"type": "Pods", "value": 1, "periodSeconds": 60});
    case["hpa"]["spec"]["behavior"] = json!({"scaleUp": {"policies": [policy]}});
    // A sample without its pod counts as soon as there are others.
    let pods = case["pods"]["items"].as_array().expect("pods").clone();
    let is_there = |item: &Value| pods.iter().any(|pod| pod["metadata"]["name"] == item["metadata"]["name"]);
    case["podMetrics"]["items"].as_array_mut().expect("samples").retain(is_there);
    let case: Case = serde_json::from_value(case).expect("a case");
    let then = advised(case.clone())[0].then.expect("what follows");
    assert_eq!((then.next, then.settles), ((Replicas(3), Replicas(3)), Some(Replicas(4))));
    let mut carried = BTreeMap::new();
    carry_all_out(&case, &mut carried);
    let it = &carried[&AdviceCode::DeleteFinishedPods];
    assert_eq!((it.decided, it.played, it.elsewhere), (1, 1, 0));
}

#[test]
fn a_pod_without_an_owner_is_nobodys() {
    let mut case = example("foreign-pods");
    for pod in case["pods"]["items"].as_array_mut().expect("pods") {
        if pod["metadata"]["ownerReferences"][0]["kind"] == "Job" {
            pod["metadata"].as_object_mut().expect("metadata").remove("ownerReferences");
        }
    }
    assert_eq!(codes(case), Vec::<&str>::new());
}

/// Who set the replicas is said as far as it is known.
#[test]
fn somebody_else_sets_replicas_only_where_that_is_seen() {
    let setter = |case: Value| {
        let advice = advised(serde_json::from_value(case).expect("a case"));
        advice.into_iter().find_map(|piece| match piece.remedy {
            Remedy::LeaveReplicasOut { by } => Some(by),
            _ => None,
        })
    };
    let mut case = example("scale-up-limited");
    case["hpa"]["status"]["desiredReplicas"] = json!(9);
    assert_eq!(setter(case.clone()), Some(ReplicasSetter::NotKnown));
    case["events"] = json!({"items": []});
    assert_eq!(setter(case.clone()), Some(ReplicasSetter::Somebody));
    let set = |manager: &str, subresource: &str| {
        let fields = json!({"f:spec": {"f:replicas": {}}});
        json!({"object": {"metadata": {"managedFields": [
            {"manager": manager, "operation": "Update", "subresource": subresource, "fieldsV1": fields}]}}})
    };
    case["history"]["target"] = set("helm", "");
    assert!(matches!(setter(case.clone()), Some(ReplicasSetter::Manager(set)) if &*set.by == "helm"));
    case["history"]["target"] = set("kube-controller-manager", "scale");
    assert_eq!(setter(case), None);
}
