//! Advice: given where something is wrong and nowhere else, and what it says would come of it does come of it: the
//! changes of each piece are made to the API objects of the case, which is decided on again.

#[path = "oracle/recorded.rs"]
mod recorded;
#[path = "oracle/versions.rs"]
mod versions;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use kubectl_hpa::advice::{Advice, AdviceCode, Remedy, advise};
use kubectl_hpa::recall::{Answer, answer};
use kubectl_hpa::rules::Rules;
use kubectl_hpa::snapshot::{Case, Snapshot};
use kubectl_hpa::trace::{HoldReason, LimitReason, Outcome};
use kubectl_hpa::whatif::change;
use recorded::{frozen, recorded};
use serde_json::{Value, json};
use versions::versions;

/// The cases of the newest controllers.
fn all() -> impl Iterator<Item = Case> {
    ["1.37", "1.36", "1.35"].into_iter().flat_map(|version| recorded(version, 1))
}

fn answered(case: Case) -> (Snapshot, Rules, Answer) {
    let (mut snapshot, rules) = frozen(case);
    let answer = answer(&mut snapshot, &rules);
    (snapshot, rules, answer)
}

fn advised(case: Case) -> Vec<Advice> {
    let (snapshot, rules, answer) = answered(case);
    advise(&snapshot, &rules, &answer)
}

fn codes(case: Value) -> Vec<&'static str> {
    let advice = advised(serde_json::from_value(case).expect("a case"));
    advice.iter().map(|piece| piece.code().as_str()).collect()
}

fn example(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/examples/{name}.yaml"));
    serde_yaml::from_reader(File::open(path).expect("an example")).expect("YAML")
}

/// The case once advice was taken, in the API objects; `None` where it is not a change of the case.
fn taken(mut case: Case, piece: &Advice) -> Option<Case> {
    match &piece.remedy {
        Remedy::SeparateSelectors => case.other_hpas.clear(),
        Remedy::DivideTotal { metric } => {
            let spec = case.hpa.0.spec.metrics.get_mut(*metric)?;
            let of_object = spec.object.as_mut().map(|it| &mut it.target);
            let target = of_object.or(spec.external.as_mut().map(|it| &mut it.target))?;
            "AverageValue".clone_into(&mut target.kind);
            target.average_value = target.value.take();
        }
        _ if piece.changes.is_empty() => return None,
        _ => change(&mut case, &piece.changes).unwrap_or_else(|error| panic!("{error}: {piece:?}")),
    }
    Some(case)
}

#[test]
fn what_advice_says_would_come_of_it_does() {
    let (mut found, mut checked) = (BTreeSet::new(), 0);
    for (place, mut case) in all().enumerate() {
        if place % 2 == 1 {
            case.memory = None;
        }
        let advice = advised(case.clone());
        assert!(advice.len() <= 2, "{advice:?}");
        for piece in advice {
            found.insert(piece.code());
            let Some(then) = taken(case.clone(), &piece) else { continue };
            if let Some(said) = piece.then {
                assert_eq!(answered(then).2.range(), Some(said), "{}: {piece:?}", case.hpa.0.metadata.name);
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "only {checked} pieces were checked");
    let never: Vec<_> = AdviceCode::ALL.iter().filter(|code| !found.contains(code)).collect();
    assert!(never.is_empty(), "never {never:?}");
}

#[test]
fn nothing_is_advised_where_it_rests_as_it_was_told_to() {
    let mut resting = 0;
    let cases = versions().into_iter().flat_map(|version| recorded(&version, 1));
    for case in cases {
        let (snapshot, rules, answer) = answered(case);
        let decision = &answer.decision;
        let decided = matches!(decision.outcome, Outcome::Hold { reason: HoldReason::Decided, .. });
        let is_whole = decision.metrics.iter().filter_map(|it| it.census.as_ref()).all(|it| it.missing == 0);
        let at_bound = decision.limited.as_ref().is_some_and(|limited| {
            matches!(limited.reason, LimitReason::TooFewReplicas | LimitReason::TooManyReplicas)
        });
        let at_bound = at_bound && decision.stabilized.as_ref().is_some_and(|it| it.before == it.after);
        let own = snapshot.pods.iter().flatten().all(|pod| !kubectl_hpa::whatif::is_foreign(&snapshot, pod));
        if decided && is_whole && at_bound && own && answer.interval.is_none() {
            let advice = advise(&snapshot, &rules, &answer);
            let is_feedback = |piece: &Advice| piece.code() == AdviceCode::DivideTotal;
            assert!(advice.iter().all(is_feedback), "{}: {advice:?}", snapshot.hpa.key.name);
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
        ("broken-metric", &["mend-or-remove-metric"]),
        ("ambiguous", &["separate-selectors"]),
        ("switched-off", &["wake-up"]),
    ];
    for (name, expected) in troubles {
        assert_eq!(codes(example(name)), expected, "{name}");
    }
}

/// The app uses 95m of 101m beside a proxy that requests as much and idles: 47 % in all, on target.
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
