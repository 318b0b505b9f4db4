//! What only the controller meets: cases that were saved before the real 1.37.1 control plane, each with what came, and what
//! follows if one sign in them is another.

use kubectl_hpa_core::advice::{Advice, AdviceCode};
use kubectl_hpa_core::api::Condition;
use kubectl_hpa_core::attested::{About, IdleSign};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Evidence, Evidenced, HpaState, Instant};
use kubectl_hpa_core::snapshot::case::{AccessCase, LeaseCase};
use kubectl_hpa_core::snapshot::{Case, Cases};

use crate::root::root;

pub fn case(name: &str) -> Case {
    let folder = root("tests/decisions/attested");
    let text = std::fs::read(folder.join(format!("{name}.yaml"))).expect("a file");
    Cases::new(name, text.as_slice()).next().expect("a case").expect("a good case")
}

fn explained(case: Case) -> Explanation {
    Explanation::of(case).expect("a decision")
}

/// Lowest and highest replicas.
fn range(case: Case) -> (i32, i32) {
    let (low, high) = explained(case).range().expect("replicas");
    (low.0, high.0)
}

/// Each file, the replicas that its answer leaves open, and its state; the first is what really came.
const CAME: &[(&str, i32, (i32, i32), HpaState)] = &[
    ("no-right-to-list-the-queue", 4, (4, 4), HpaState::Broken),
    ("no-right-to-update-the-scale", 4, (4, 4), HpaState::Broken),
    ("pod-metrics-refused", 2, (2, 2), HpaState::Broken),
    ("scale-refused", 2, (2, 2), HpaState::Broken),
    ("scale-refused-once", 2, (2, 6), HpaState::Broken),
    ("adapter-refuses-the-controller", 2, (2, 3), HpaState::Broken),
    ("update-denied-20-times", 20, (20, 20), HpaState::Broken),
    ("update-denied-3-times", 2, (2, 2), HpaState::Broken),
    ("policy-refuses-the-size", 2, (2, 2), HpaState::Broken),
    ("rival-below-the-replicas", 4, (2, 4), HpaState::Held),
    ("rival-on-a-missing-target", 4, (4, 4), HpaState::Broken),
    ("no-sync-since-the-start", 4, (4, 8), HpaState::Held),
];

#[test]
fn no_answer_excludes_what_came() {
    for (name, came, expected, state) in CAME {
        let explanation = explained(case(name));
        let (low, high) = explanation.range().expect("replicas");
        assert_eq!(((low.0, high.0), explanation.state()), (*expected, *state), "{name}");
        assert!((low.0..=high.0).contains(came), "{name}");
    }
    let files = std::fs::read_dir(root("tests/decisions/attested"));
    assert_eq!(files.expect("the folder").count(), CAME.len());
}

#[test]
fn of_several_controllers_nobody_knows_which_has_written_what_shows() {
    for (name, ..) in CAME {
        let one = range(case(name));
        let mut several = case(name);
        several.controller.unelected = vec!["kube-system/a".to_owned(), "kube-system/b".to_owned()];
        let answer = explained(several);
        let (low, high) = answer.range().expect("replicas");
        assert!(low.0 <= one.0 && one.1 <= high.0, "{name}: {one:?} is not within {low:?} to {high:?}");
        assert!(answer.attested().is_unsteady(), "{name}");
    }
    // The window of a status that says that nothing is held back would end at once if it were of this controller.
    let base = include_str!("../../src/examples/held-by-window.yaml");
    let mut case = Cases::new("held", base.as_bytes()).next().expect("a case").expect("a good case");
    case.memory = None;
    let one = range(case.clone());
    case.controller.unelected = vec!["kube-system/a".to_owned(), "kube-system/b".to_owned()];
    let (low, high) = range(case);
    assert!(high - low > one.1 - one.0, "{low} to {high}, {one:?}");
}

fn of_right(verb: &str, group: &str, resource: &str, allowed: bool) -> Vec<AccessCase> {
    let [user, verb, group, resource] = ["viewer", verb, group, resource].map(str::to_owned);
    vec![AccessCase { user, verb, group, resource, allowed }]
}

#[test]
fn a_right_that_was_given_since_is_believed() {
    let queue = |allowed| {
        let access = of_right("list", "external.metrics.k8s.io", "queue", allowed);
        range(Case { access, ..case("no-right-to-list-the-queue") })
    };
    assert_eq!((queue(true), queue(false)), ((8, 8), (4, 4)));
    let update = |allowed| {
        let access = of_right("update", "apps", "deployments/scale", allowed);
        range(Case { access, ..case("no-right-to-update-the-scale") })
    };
    assert_eq!((update(true), update(false)), ((8, 8), (4, 4)));
}

#[test]
fn the_decision_without_the_fault_is_beside_it() {
    let explanation = explained(case("no-right-to-list-the-queue"));
    let attested = explanation.attested();
    assert_eq!(attested.faults.iter().map(|fault| fault.about).collect::<Vec<_>>(), [About::Metric(0)]);
    assert_eq!(attested.otherwise.map(|(low, high)| (low.0, high.0)), Some((8, 8)));
    assert_eq!(explanation.advice().iter().map(|it| it.code().as_str()).collect::<Vec<_>>(), ["grant-right"]);
}

/// A fault that one sync has met may be over at the next one, unless the API server says that the right is missing.
#[test]
fn a_status_that_two_syncs_have_not_left_is_an_interval() {
    let young = |mut case: Case, access| {
        let written = Instant::parse("2026-11-26T17:57:33Z").expect("a time");
        for entry in &mut case.hpa.0.metadata.managed_fields {
            entry.time = entry.time.map(|_| written);
        }
        for condition in &mut case.hpa.0.status.conditions {
            condition.last_transition_time = Some(written);
        }
        case.events = None;
        range(Case { access, ..case })
    };
    let case = || case("no-right-to-list-the-queue");
    assert_eq!(young(case(), Vec::new()), (4, 8));
    assert_eq!(young(case(), of_right("list", "external.metrics.k8s.io", "queue", false)), (4, 4));
}

/// An error that names nobody may have been everybody's: the reader's own answer may be newer. That of a server which nobody can
/// reach was.
#[test]
fn an_error_without_a_user_may_be_over() {
    let with = |words: &str| {
        let mut case = case("no-right-to-list-the-queue");
        for condition in &mut case.hpa.0.status.conditions {
            let message = condition.message.split_once("queue.external.metrics.k8s.io is forbidden");
            condition.message = message.map_or_else(String::new, |(before, _)| format!("{before}{words}"));
        }
        range(case)
    };
    assert_eq!(with("Internal error occurred: quota exceeded"), (4, 8));
    assert_eq!(with("the server is currently unable to handle the request (get queue)"), (8, 8));
}

fn condition(kind: &str, status: &str, reason: &str) -> Condition {
    let [kind, status, reason] = [kind, status, reason].map(Into::into);
    Condition { kind, status, reason, ..Condition::default() }
}

/// A rival with its bounds, the replicas of its target, its generation and the conditions of its status.
fn rival(case: &mut Case, max: i32, replicas: i32, generation: i64, conditions: Vec<Condition>) {
    let mut other = case.other_hpas.all()[0].clone();
    let hpa = &mut other.hpa.0;
    hpa.spec.max_replicas = max;
    hpa.metadata.generation = generation;
    hpa.status.observed_generation = Some(generation);
    hpa.status.conditions = conditions;
    hpa.status.current_replicas = replicas;
    hpa.status.current_metrics = Some(Vec::new());
    if let Some(scale) = other.scale.as_mut().and_then(|scale| scale.object.as_mut()) {
        scale.spec.replicas = replicas;
    }
    case.other_hpas = vec![other].into();
}

/// The store has an HPA's selector once a sync of it has come as far as its metrics.
#[test]
fn a_rival_that_never_came_to_its_metrics_is_not_known() {
    let mut case = case("rival-below-the-replicas");
    rival(&mut case, 1, 2, 1, vec![condition("AbleToScale", "True", "SucceededRescale")]);
    let explanation = explained(case);
    assert_eq!(explanation.range().map(|(low, high)| (low.0, high.0)), Some((4, 4)));
    assert_eq!(explanation.attested().unknown_rivals().len(), 1);
    assert_eq!(explanation.advice().first().map(Advice::code), Some(AdviceCode::SeparateSelectors));
}

#[test]
fn a_rival_whose_last_sync_came_to_its_metrics_stops_both() {
    let mut case = case("rival-below-the-replicas");
    let reached = vec![
        condition("AbleToScale", "True", "ReadyForNewScale"),
        condition("ScalingActive", "True", "ValidMetricFound"),
    ];
    rival(&mut case, 5, 2, 1, reached);
    // It wrote that after the last status of this HPA, which was of a good selector.
    let mut other = case.other_hpas.all()[0].clone();
    let mut entry = case.hpa.0.metadata.managed_fields[1].clone();
    entry.time = Some(Instant::parse("2026-11-26T17:34:26Z").expect("a time"));
    other.hpa.0.metadata.managed_fields = vec![entry];
    case.other_hpas = vec![other].into();
    let explanation = explained(case);
    assert_eq!(explanation.range().map(|(low, high)| (low.0, high.0)), Some((2, 2)));
}

#[test]
fn an_ambiguous_selector_stays_until_the_rival_can_have_another() {
    assert_eq!(range(case("rival-on-a-missing-target")), (4, 4));
    // With the rival gone, nothing is left of it.
    let gone = Case { other_hpas: Vec::new().into(), ..case("rival-on-a-missing-target") };
    assert_eq!(range(gone), (8, 8));
}

fn lease(renewed: &str) -> LeaseCase {
    let renewed = Instant::parse(renewed).expect("a time");
    LeaseCase {
        holder: "n1_1".to_owned(),
        renewed,
        lasts: kubectl_hpa_core::model::Duration::from_seconds(15),
    }
}

#[test]
fn without_a_controller_at_work_the_replicas_stay() {
    let with = |change: fn(&mut Case)| {
        let mut case = case("no-sync-since-the-start");
        change(&mut case);
        let explanation = explained(case);
        let sign = explanation.attested().idle.as_ref().map(|idle| idle.sign.clone());
        let range = explanation.range().map(|(low, high)| (low.0, high.0)).expect("replicas");
        (range, explanation.state(), sign)
    };
    let holder = "n1_1".into();
    let off = with(|case| {
        case.controller.runs = Some(Evidenced::new(false, Evidence::Observed, "--controllers"));
    });
    assert_eq!(off, ((4, 4), HpaState::Broken, Some(IdleSign::LeftOut)));
    // It was renewed a minute ago, and lasts 15 seconds.
    let expired = with(|case| case.controller.lease = Some(lease("2026-11-26T18:00:47Z")));
    assert_eq!(expired, ((4, 4), HpaState::Broken, Some(IdleSign::LeaseExpired { holder })));
    let led = with(|case| case.controller.lease = Some(lease("2026-11-26T18:01:45Z")));
    assert_eq!(led, ((8, 8), HpaState::Scaling, None));
}
