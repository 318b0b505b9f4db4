//! Every screen tells one cause: the JSON of a decision, its row in a list, the mark in its steps and its blame.

use std::collections::BTreeMap;
use std::path::Path;

use crate::recorded::recorded;
use crate::screens::{Screen, all, at, example, patched};
use kubectl_hpa::render::{Detail, Fleet, Listed, Options, fleet_view};
use kubectl_hpa_core::causes::{About, Weight};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::whatif::Removal;
use serde_json::{Value, json};

/// All kinds of a cause.
const KINDS: [&str; 28] = [
    "absent-pods",
    "controller-fault",
    "controller-idle",
    "crash",
    "disabled",
    "failed-metric",
    "foreign-pods",
    "foreign-samples",
    "idle-pods",
    "load",
    "max-replicas",
    "min-replicas",
    "missing-pods",
    "other-hpas",
    "own-zero",
    "rate",
    "refused-write",
    "rivals",
    "scale",
    "scale-up-cap",
    "selector",
    "status-replicas",
    "surplus-pods",
    "tolerance",
    "unknown-memory",
    "unready-pods",
    "window",
    "zero",
];

/// Of the recorded sequences every seventh is looked at, with the controller's memory and without.
pub fn drawn() -> impl Iterator<Item = Screen> {
    let cases = ["1.37", "1.36"].into_iter().flat_map(|version| recorded(version, 7));
    let both = cases.flat_map(|case: Case| [Case { memory: None, ..case.clone() }, case]);
    both.filter_map(|case| {
        let name = format!("{} at {}", case.hpa.0.metadata.name, case.at);
        Some(Screen { name, explanation: Explanation::of(case).ok()? })
    })
}

/// What neither the screens nor recorded cases have: a controller that does nothing, and a sample of a pod that is gone.
pub fn made() -> impl Iterator<Item = Screen> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decisions/attested");
    let idle = std::fs::read_to_string(folder.join("no-sync-since-the-start.yaml")).expect("a file");
    let idle: Value = serde_yaml::from_str(&idle).expect("YAML");
    let mut foreign = example("missing-samples");
    foreign["hpa"]["spec"]["metrics"][0]["resource"]["target"] =
        json!({"type": "AverageValue", "averageValue": "90m"});
    let samples = foreign["podMetrics"]["items"].as_array_mut().expect("samples");
    let mut gone = samples[0].clone();
    gone["metadata"] = json!({"name": "web-gone", "namespace": "shop"});
    gone["containers"][0]["usage"]["cpu"] = "450m".into();
    samples.push(gone);
    let rare = rare().map(|(name, patch)| (name, patched("held-by-window", &patch)));
    [("idle", idle), ("foreign", foreign), ("others", others())]
        .into_iter()
        .chain(rare)
        .map(|(name, case)| Screen::of(name, case))
}

/// Cases with a row that no other has.
fn rare() -> [(&'static str, Value); 4] {
    let unread = |reason: &str| {
        let error = json!({"reason": reason, "message": "no scale", "scope": "Reader"});
        json!({"object": null, "error": error})
    };
    let of_scale = |scale: Value| json!({"scale": scale, "hpa": {"status": null}});
    let started = json!({"value": "2026-11-21T10:32:00Z", "evidence": "Observed"});
    let bounds = json!({"minReplicas": 1, "maxReplicas": 2, "behavior": null});
    let written = json!({"manager": "kube-controller-manager", "operation": "Update", "subresource": "status", "time": "2026-11-21T09:42:00Z"});
    let before =
        json!({"metadata": {"managedFields": [written]}, "spec": bounds, "status": {"desiredReplicas": 3}});
    [
        ("kept", json!({"memory": null, "controller": {"started": started}, "hpa": before})),
        ("several", json!({"memory": null, "controller": {"unelected": ["a", "b"]}})),
        ("asked", of_scale(unread("NotGiven"))),
        ("unmapped", of_scale(unread("NoKindMatch"))),
    ]
}

/// A pod of a Job raises the replicas of a target that is below its own.
fn others() -> Value {
    let mut others = example("foreign-pods");
    others["hpa"]["spec"]["metrics"][0]["resource"]["target"] =
        json!({"type": "AverageValue", "averageValue": "79m"});
    let samples = others["podMetrics"]["items"].as_array_mut().expect("samples");
    samples.retain(|sample| sample["metadata"]["name"] != "report-nightly-29391390-kq2vz");
    for sample in samples {
        let is_of_job = sample["metadata"]["name"] == "report-nightly-29392110-t7ghx";
        sample["containers"][0]["usage"]["cpu"] = if is_of_job { "120m" } else { "40m" }.into();
    }
    others
}

/// The codes that are marked in the steps.
fn marked(screen: &Screen) -> Vec<String> {
    let text = screen.text(Options { detail: Detail::Wide, ..at(4_000) });
    let marks = text.lines().filter_map(|line| line.strip_suffix(" ←"));
    marks.filter_map(|line| Some(line.rsplit(' ').next()?.to_owned())).collect()
}

/// The row of a list, as programs read it.
fn row(explanation: &Explanation) -> Value {
    let fleet = Fleet::of(vec![Listed::of(explanation)], &[], true);
    serde_json::to_value(fleet_view(&fleet)).expect("a view is JSON")["items"][0].take()
}

fn check(screen: &Screen, kinds: &mut BTreeMap<&'static str, usize>) {
    let (name, explanation) = (&screen.name, &screen.explanation);
    explanation.blame();
    let (json, row) = (screen.json(), row(explanation));
    let Some(cause) = explanation.cause() else {
        assert_eq!(
            (&json["causes"], &row["cause"], marked(screen)),
            (&json!([]), &Value::Null, vec![]),
            "{name}"
        );
        return;
    };
    *kinds.entry(cause.about.as_str()).or_default() += 1;
    let (kind, code) = (json!(cause.about.as_str()), json!(cause.code.as_str()));
    let principal = &json["causes"][0];
    assert_eq!((&principal["kind"], &principal["code"]), (&kind, &code), "{name}");
    assert_eq!((&row["cause"], &row["code"]), (&kind, &code), "{name}");
    let marked = marked(screen);
    // The steps are those of a controller at work.
    let is_idle = cause.about == About::NobodyAtWork;
    assert!(
        marked.is_empty() == is_idle && marked.iter().all(|it| code == *it),
        "{name}: {cause:?}, {marked:?}"
    );
    // Blame takes the same away, and finds the same without it.
    let Some(removal) = cause.removal.filter(|_| cause.weight == Weight::Decides) else { return };
    // A cause counts the others that claim the same pods, blame all that it takes away.
    let is_same = |other: Removal| {
        other == removal || matches!((other, removal), (Removal::OtherHpas(_), Removal::OtherHpas(_)))
    };
    let blamed = explanation.blame().causes.iter().find(|blamed| is_same(blamed.removal));
    assert_eq!(blamed.map(|blamed| blamed.replicas), Some(cause.without), "{name}: {cause:?}");
}

#[test]
fn every_screen_tells_one_cause() {
    let mut kinds = BTreeMap::new();
    for screen in all().into_iter().chain(made()).chain(drawn()) {
        check(&screen, &mut kinds);
    }
    let never: Vec<&str> = KINDS.into_iter().filter(|kind| !kinds.contains_key(kind)).collect();
    assert!(never.is_empty(), "never {never:?} of {kinds:?}");
    assert_eq!(kinds.len(), KINDS.len(), "{kinds:?}");
}
