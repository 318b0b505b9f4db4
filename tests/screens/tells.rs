//! Each screen says of a kind of cause what belongs to that kind: headline, Why, state, advice, the lines of a watch and of its
//! changes, the pages for a browser, `simulate` and `--over`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::causes::{drawn, made};
use crate::screens::{Screen, all, at, patched};
use kubectl_hpa::render::{self, Detail, Fleet, Future, Listed, Options, Paint, Played, Simulation};
use kubectl_hpa_core::causes::{About, Cause};
use kubectl_hpa_core::comparison::{Look, Sides, Trail};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, HpaState};
use kubectl_hpa_core::play::Assumptions;
use kubectl_hpa_core::run::Run;
use kubectl_hpa_core::snapshot::{Rescale, RescaleEventReason};
use kubectl_hpa_core::trace::Outcome;
use serde_json::{Value, json};

/// What belongs to a kind of cause.
struct Kind {
    name: &'static str,
    /// The codes of the headline, one of which it has.
    headline: &'static [&'static str],
    /// The codes of Why, one of which it has.
    why: &'static [&'static str],
    /// The states that the list gives it; `broken` only if the status or another metric says so.
    states: &'static [&'static str],
}

const fn kind(
    name: &'static str,
    headline: &'static [&'static str],
    why: &'static [&'static str],
    states: &'static [&'static str],
) -> Kind {
    Kind { name, headline, why, states }
}

const BROKEN: &[&str] = &["broken"];
const KEPT: &[&str] = &["held", "scaling"];
const FILLED: &[&str] = &["filled-in", "filled-in-vain"];
const FAILS: &[&str] = &["metric-fails", "no-metric-works"];
/// What follows if something keeps the replicas from what is wanted for a time.
const FOLLOWS: &[&str] = &["wanted-at", "follows", "wanted"];

const TABLE: &[Kind] = &[
    kind("absent-pods", &["counts"], &["reads"], KEPT),
    kind(
        "controller-fault",
        &["update-refused", "last-sync-without-scale", "last-sync-without-value", "lacks-right"],
        &["may-come-again", "controller-says"],
        BROKEN,
    ),
    kind(
        "controller-idle",
        &["no-sync-seen", "no-sync-since-start", "controller-left-out", "no-controller"],
        &["never-synced", "no-sync-since-start", "controller-left-out", "lease-expired"],
        &["held", "broken"],
    ),
    kind("crash", &["controller-crash"], &["controller-crash"], BROKEN),
    kind("disabled", &["disabled"], &["direction-disabled"], &["held"]),
    kind(
        "failed-metric",
        &["metric-fails", "no-metric-works", "metrics-fail"],
        &["only-metric", "no-metric-works", "never-down"],
        BROKEN,
    ),
    kind("foreign-samples", &["foreign-samples"], &["reads"], KEPT),
    kind("idle-pods", FAILS, &["nothing-to-measure"], BROKEN),
    kind("load", &["reads", "on-target"], &["reads"], &["asleep", "at-max", "at-min", "idle", "scaling"]),
    kind(
        "max-replicas",
        &["max", "above-max"],
        &["above-max", "limited-by-max", "highest-counts", "stabilized", "either-way"],
        &["at-max"],
    ),
    kind(
        "min-replicas",
        &["min", "below-min"],
        &["below-min", "limited-by-min", "stays-at-min", "highest-counts", "either-way"],
        &["at-min"],
    ),
    kind("missing-pods", &["assumed"], FILLED, &["held"]),
    kind("other-hpas", &["ambiguous-selector"], &["selector-ambiguous"], BROKEN),
    kind("own-zero", &["straight-to-min"], &["zero-to-min"], &["scaling"]),
    kind("rate", &["wanted-at", "follows", "wanted", "percent-of-zero"], &["one-policy", "policies"], KEPT),
    kind("refused-write", &["write-refused"], &["write-refused", "write-would-be-refused"], BROKEN),
    kind(
        "rivals",
        &["same-selector", "earlier-selector"],
        &["rival-may-be-known", "earlier-rival-may-be-known"],
        &["held"],
    ),
    kind("scale", &["scale-unreadable", "target-cannot-scale"], &["nothing-without-scale"], BROKEN),
    kind("scale-up-cap", FOLLOWS, &["at-most-doubled"], &["scaling"]),
    kind(
        "selector",
        &["invalid-selector", "pods-unlisted"],
        &["selector-missing", "selector-invalid", "pods-unlisted"],
        BROKEN,
    ),
    kind("status-replicas", &["divided-by-status-replicas", "keeps-status-replicas"], &["reads"], KEPT),
    kind("foreign-pods", &["matches-others"], &["reads"], KEPT),
    kind("surplus-pods", &["counts"], &["reads"], KEPT),
    kind("tolerance", &["within-tolerance"], &["reads"], &["at-max", "at-min", "idle"]),
    kind(
        "unknown-memory",
        &["at-latest", "contradiction", "event-missing", "events-incomplete", "memory-unknown"],
        &["memory-unknown"],
        KEPT,
    ),
    kind("unready-pods", &["assumed"], FILLED, &["held"]),
    kind(
        "window",
        &["wanted-at", "follows", "window-has", "stays-after-window", "at-latest", "memory-unknown"],
        &["highest-counts", "stabilized", "memory-empty", "window-by-status", "either-way", "memory-unknown"],
        &["held", "scaling", "at-max"],
    ),
    kind(
        "zero",
        &["zero-of-keda", "zero-with-gate-off", "zero-replicas", "metric-fails", "no-metric-works"],
        &[
            "zero-of-keda",
            "zero-with-gate-off",
            "zero-without-metric",
            "zero-below-min",
            "zero-not-own",
            "nothing-to-measure",
        ],
        &["switched-off", "broken"],
    ),
];

/// Codes of the headline that stand beside those of any cause: what is wanted and follows, and what fails beside it.
const BESIDE: &[&str] = &[
    "also-at",
    "also-window",
    "also-disabled",
    "bounds",
    "wanted",
    "wanted-at",
    "follows",
    "metrics-fail",
    "failing-since",
    "would-be",
    "matches-others",
    "hidden",
    "set-by-others",
    "flaps",
];

/// Codes that stand beside those of one kind: pods that are counted in vain, and a memory on which the refused write depends.
const BESIDE_OF: &[(&str, &[&str])] = &[
    ("missing-pods", &["within-tolerance", "on-target"]),
    ("refused-write", &["memory-unknown"]),
    ("tolerance", &["assumed"]),
    ("unready-pods", &["within-tolerance", "on-target"]),
];

/// Advice, and the kinds of the cause that it removes.
const ADVICE: &[(&str, &[&str])] = &[
    ("allow-faster-scale-up", &["scale-up-cap"]),
    ("check-scheduling-gates", &["unready-pods"]),
    ("grant-right", &["controller-fault"]),
    ("leave-out-sidecars", &["load", "min-replicas", "rate", "tolerance", "window"]),
    ("make-room", &["unready-pods"]),
    ("name-scalable", &["scale"]),
    ("narrow-tolerance", &["tolerance"]),
    ("raise-max", &["max-replicas"]),
    ("shorten-window", &["window"]),
    ("start-controller", &["controller-idle"]),
    ("start-pods", &["idle-pods"]),
    ("scale-owner", &["zero"]),
    ("wake-up", &["zero"]),
];

/// Kinds that always come with one of some pieces of advice.
const ALWAYS: &[(&str, &[&str])] = &[
    ("other-hpas", &["separate-selectors"]),
    ("rivals", &["separate-selectors"]),
    ("zero", &["wake-up", "scale-owner"]),
];

/// So many whole pages of a kind are read.
const PAGES: usize = 25;

/// What `--over` says of a change, beside what the deciding metric reads.
const OVER: &[(&str, &[&str])] = &[
    ("absent-pods", &[" fewer than replicas"]),
    ("foreign-samples", &[" of other pods"]),
    ("load", &[" above target", " below target"]),
    ("max-replicas", &["maxReplicas"]),
    ("min-replicas", &["minReplicas"]),
    ("own-zero", &["minReplicas is "]),
    ("rate", &["scale-up rate allows ", "scale-down rate allows "]),
    ("scale-up-cap", &["scale-up rate allows "]),
    ("status-replicas", &["status.replicas is another number"]),
    ("foreign-pods", &[" of others"]),
    ("surplus-pods", &[" more than replicas"]),
    ("window", &["an earlier recommendation", "the window has "]),
];

/// One pod of ten replicas is there: above its target, and yet fewer are wanted.
fn absent() -> Screen {
    let pod = json!({"metadata": {"name": "web-0", "namespace": "shop", "labels": {"app": "web"}}, "spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "200m"}}}]}, "status": {"phase": "Running", "startTime": "2026-11-21T08:00:00Z", "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-21T08:00:10Z"}]}});
    let sample = json!({"metadata": {"name": "web-0", "namespace": "shop", "labels": {"app": "web"}}, "timestamp": "2026-11-21T10:41:50Z", "window": "15s", "containers": [{"name": "app", "usage": {"cpu": "360m"}}]});
    let patch = json!({
        "hpa": {"spec": {"behavior": {"scaleDown": {"stabilizationWindowSeconds": 0}}}},
        "pods": {"items": [pod]},
        "podMetrics": {"items": [sample]},
    });
    Screen::of("absent", patched("held-by-window", &patch))
}

fn codes(claims: &Value) -> BTreeSet<&str> {
    claims.as_array().into_iter().flatten().filter_map(|claim| claim["code"].as_str()).collect()
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("a vector can be written to");
    String::from_utf8(out).expect("UTF-8")
}

/// A page without its elements.
fn without_elements(html: &str) -> String {
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text = parts.collect::<Vec<_>>().join(" ");
    let text = ["&lt; <", "&gt; >", "&quot; \"", "&#39; '", "&amp; &"].iter().fold(text, |text, pair| {
        let (escaped, plain) = pair.split_once(' ').expect("a pair");
        text.replace(escaped, plain)
    });
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// True if a bound is the last thing that trims a change, and something else would trim it too.
fn is_trimmed(explanation: &Explanation, cause: &Cause) -> bool {
    matches!(explanation.decision().outcome, Outcome::Scale { .. })
        && explanation
            .brake()
            .is_some_and(|brake| brake != cause.about && matches!(brake, About::Max | About::Min))
}

/// Headline and Why.
fn check_claims(name: &str, explanation: &Explanation, cause: &Cause, kind: &Kind, json: &Value) {
    let headline = codes(&json["outcome"]["claims"]["because"]);
    let has = |codes: &BTreeSet<&str>, known: &[&str]| known.iter().any(|code| codes.contains(code));
    if !is_trimmed(explanation, cause) {
        assert!(has(&headline, kind.headline), "{name}: {} in the headline: {headline:?}", kind.name);
        let beside = BESIDE_OF.iter().find(|(of, _)| *of == kind.name).map_or(&[][..], |(_, beside)| beside);
        let known = [kind.headline, BESIDE, beside].concat();
        let strange: Vec<_> = headline.iter().filter(|code| !known.contains(code)).collect();
        assert!(strange.is_empty(), "{name}: {} has {strange:?} in its headline", kind.name);
    }
    let why = codes(&json["claims"]);
    let then = |claim: &Value| claim["then"]["by"] == kind.name;
    let is_told = has(&why, kind.why) || json["claims"].as_array().is_some_and(|it| it.iter().any(then));
    assert!(is_told, "{name}: {} in Why: {why:?}", kind.name);
}

/// The row of a list, the line of a watch, the page, and what `--fail-on` asks.
fn check_lists(name: &str, explanation: &Explanation, cause: &Cause, kind: &Kind) {
    let listed = Listed::of(explanation);
    let row = serde_json::to_value(render::listed_view(&listed, false)).expect("JSON");
    assert_eq!((&row["cause"], &row["code"]), (&json!(kind.name), &json!(cause.code.as_str())), "{name}");
    let (state, why) = (row["state"].as_str().expect("a state"), row["why"].as_str().expect("why"));
    let fails_beside = explanation.faulty().next().is_some() || explanation.attested().failed_last();
    let is_known = kind.states.contains(&state) || state == "broken" && fails_beside;
    assert!(is_known, "{name}: {} is {state}", kind.name);
    assert!(state != "broken" || !why.is_empty(), "{name}: broken, and no word why");
    let options = Options { detail: Detail::Wide, ..at(4_000) };
    let line = text(|out| render::listed_line(out, &listed, false, false, &options));
    assert!(
        line.contains(&format!("  {}", state.replace('-', " "))) && line.trim_end().ends_with(why.trim_end()),
        "{name}: {line}"
    );
    let fleet = Fleet::of(vec![listed], &[], true);
    let fails = HpaState::ALL.into_iter().filter(|state| fleet.count(*state) > 0);
    assert_eq!(fails.map(HpaState::as_str).collect::<Vec<_>>(), [state], "{name}");
    let page = text(|out| render::fleet(out, &fleet, &Options { paint: Paint::Html, ..options }));
    let page = without_elements(&page);
    let words = render::sanitize(why);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains(&words), "{name}: {words} in {page}");
}

fn check_advice(name: &str, kind: &Kind, json: &Value) {
    let advice = codes(&json["advice"]);
    for (code, kinds) in ADVICE.iter().filter(|(code, _)| advice.contains(code)) {
        assert!(kinds.contains(&kind.name), "{name}: {code} against {}", kind.name);
    }
    for (_, codes) in ALWAYS.iter().filter(|(of, _)| *of == kind.name) {
        let has = codes.iter().any(|code| advice.contains(code));
        assert!(has, "{name}: {} without {codes:?}: {advice:?}", kind.name);
    }
}

/// The line of a watch, the page for a browser and a simulation that changes nothing.
fn check_screens(screen: &Screen, cause: &Cause, json: &Value) {
    let (name, explanation) = (&screen.name, &screen.explanation);
    let options = Options { detail: Detail::Wide, ..at(4_000) };
    let reason = json["outcome"]["reason"].as_str().expect("a reason");
    let reason = render::sanitize(reason);
    let line = text(|out| render::line(out, explanation, &options));
    assert!(line.trim_end().ends_with(reason.as_ref()), "{name}: {line}");
    let page = without_elements(&screen.text(Options { paint: Paint::Html, ..options }));
    for claim in json["outcome"]["claims"]["because"].as_array().expect("claims") {
        let words = render::sanitize(claim["text"].as_str().expect("a text"));
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains(&words), "{name}: {words} in {page}");
    }
    // The steps of a controller that is not at work mark no cause.
    let is_marked = page.contains(&format!(" {} ←", cause.code.as_str()));
    assert_eq!(is_marked, cause.about != About::NobodyAtWork, "{name}: {page}");
    let simulation = Simulation { changes: &[], sides: Sides::of(explanation, explanation), is_typed: false };
    let view = serde_json::to_value(render::simulation_view(&simulation)).expect("JSON");
    for side in ["now", "then"] {
        assert_eq!(view[side]["causes"], json["causes"], "{name}");
    }
    let shown = text(|out| render::simulation(out, &simulation, &options));
    assert!(shown.matches(reason.as_ref()).count() >= 2, "{name}: {shown}");
}

/// The line of `--changes` when the controller does what was decided.
fn check_change(name: &str, explanation: &Explanation, cause: &Cause) -> bool {
    let Outcome::Scale { to, failed: None, .. } = explanation.decision().outcome else { return false };
    let mut snapshot = explanation.snapshot().clone();
    let (before, now) = (snapshot.taken_at, snapshot.taken_at + Duration::from_seconds(15));
    let Some(scale) = snapshot.scale.as_mut().ok().filter(|_| explanation.interval().is_none()) else {
        return false;
    };
    scale.replicas = to;
    snapshot.taken_at = now;
    let made = before + Duration::from_seconds(5);
    let reason = RescaleEventReason::Unclear;
    snapshot.history.rescales.push(Rescale {
        first: made,
        last: made,
        count: 1,
        to,
        reason,
        words: "".into(),
        is_combined: false,
    });
    let after = Rc::new(Explanation::by(snapshot, explanation.rules().clone()));
    let first = Rc::new(Explanation::by(explanation.snapshot().clone(), explanation.rules().clone()));
    let mut trail = Trail::default();
    let mut told = trail.see(Look { begun: before, explained: Rc::clone(&first) });
    told.extend(trail.see(Look { begun: now, explained: after }));
    told.extend(trail.end());
    let [(change, before)] = told.as_slice() else { panic!("{name}: {} changes", told.len()) };
    let changed = render::Changed::after(change, &before.explained);
    let view = text(|out| render::replica_change_json(out, &changed));
    let view: Value = serde_json::from_str(&view).expect("JSON");
    assert_eq!(
        (&view["by"], &view["code"]),
        (&json!("decision"), &json!(cause.code.as_str())),
        "{name}: {view}"
    );
    let line = text(|out| render::replica_change(out, &changed, &at(4_000)));
    assert!(line.trim_end().ends_with(cause.code.as_str()), "{name}: {line}");
    true
}

/// The changes of the next minute: that of the first sync has the cause of the decision.
fn check_future(name: &str, explanation: &Explanation, cause: &Cause, told: &mut BTreeSet<String>) {
    let assumptions = Assumptions { over: Duration::from_seconds(60), ..Assumptions::default() };
    let Ok(player) = explanation.player(&assumptions) else { return };
    let Ok(run) = Run::of(player, |_| ()) else { return };
    let runs = vec![Played { name: "now", explanation, run: &run }];
    let future = Future { runs, changes: &[], assumptions: &assumptions, is_sweep: false, record: None };
    let view = serde_json::to_value(render::future_view(&future)).expect("JSON");
    let shown = text(|out| render::future(out, &future, &at(4_000)));
    for change in view["runs"][0]["changes"].as_array().expect("changes") {
        let (kind, why) = (change["cause"].as_str().expect("a kind"), change["why"].as_str().expect("why"));
        let words =
            OVER.iter().find(|(of, _)| *of == kind).unwrap_or_else(|| panic!("{name}: no words for {kind}"));
        assert!(words.1.iter().any(|it| why.contains(it)), "{name}: {kind} in {why}");
        assert_eq!(why.contains("two rules lead here"), change["weight"] != "decides", "{name}: {why}");
        assert!(shown.contains(render::sanitize(why).as_ref()), "{name}: {why} in {shown}");
        told.insert(kind.to_owned());
        // What only the controller meets is not played, and a memory that is not known is taken for empty.
        let is_known = explanation.interval().is_none()
            && explanation.attested().faults.is_empty()
            && explanation.attested().idle.is_none();
        if change["after"] == 0 && is_known {
            let code = change["code"].as_str();
            assert_eq!(kind, cause.about.as_str(), "{name}");
            assert!(
                code == Some(cause.code.as_str()) || cause.code.as_str() == "memory-unknown",
                "{name}: {code:?}"
            );
        }
    }
}

fn never(known: impl IntoIterator<Item = &'static str>, seen: impl Fn(&str) -> bool) -> Vec<&'static str> {
    known.into_iter().filter(|it| !seen(it)).collect()
}

#[test]
fn each_screen_says_what_belongs_to_the_cause() {
    let (mut seen, mut changed, mut played) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    for screen in all().into_iter().chain(made()).chain([absent()]).chain(drawn()) {
        let (name, explanation) = (&screen.name, &screen.explanation);
        let Some(cause) = explanation.cause() else { continue };
        let about = cause.about.as_str();
        let kind = TABLE.iter().find(|it| it.name == about).unwrap_or_else(|| panic!("{name}: {about}"));
        let number = seen.entry(about).or_insert(0);
        *number += 1;
        let json = screen.json();
        check_claims(name, explanation, &cause, kind, &json);
        check_lists(name, explanation, &cause, kind);
        check_advice(name, kind, &json);
        if *number <= PAGES {
            check_screens(&screen, &cause, &json);
        }
        if check_change(name, explanation, &cause) {
            changed.insert(about);
        }
        check_future(name, explanation, &cause, &mut played);
    }
    assert_eq!(never(TABLE.iter().map(|it| it.name), |it| seen.contains_key(it)), [""; 0]);
    assert_eq!(never(OVER.iter().map(|it| it.0), |it| played.contains(it)), [""; 0]);
    assert_eq!(never(OVER.iter().map(|it| it.0), |it| changed.contains(it)), [""; 0]);
}
