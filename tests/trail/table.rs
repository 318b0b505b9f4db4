//! Written worlds: what happens, and the lines that tell of it.

use serde_json::{Value, json};

use crate::hpa::Hpa;
use crate::judge::{Tally, judge};
use crate::target::Who;
use crate::watcher::{Watcher, Way};
use crate::world::{Millis, Pace, World};

const EDITOR: Who = Who::Editor("kubectl-edit");
const SCALER: Who = Who::Scaler("kubectl");

/// One thing that happens.
type Act = fn(&mut World);

/// Watches a world for half a minute, with a look each second, in which each act happens at its time. Returns what is told,
/// once it is judged.
fn watch(hpas: Vec<Hpa>, acts: &[(Millis, Act)]) -> Watcher {
    let (mut world, mut watcher) = (World::new(hpas), Watcher::default());
    let mut acts = acts.iter().peekable();
    for look in 1..30 {
        while let Some((at, act)) = acts.next_if(|(at, _)| *at < look * 1_000) {
            world.pass(*at);
            act(&mut world);
        }
        world.pass(look * 1_000);
        watcher.look(&mut world, Way { rereads: look % 5 == 0, ..Way::QUICK });
    }
    watcher.end();
    judge(&world, &watcher, &mut Tally::default()).expect("what happened");
    watcher
}

fn web() -> Vec<Hpa> {
    vec![Hpa::new("web", 0)]
}

fn with_rival() -> Vec<Hpa> {
    vec![Hpa { wish: 8, ..Hpa::new("web", 0) }, Hpa { max: 6, wish: 9, ..Hpa::new("web-b", 0) }]
}

fn quick(world: &mut World, hpa: usize) {
    world.sync(hpa, Pace::QUICK);
}

#[test]
fn a_rescale_that_somebody_undid_at_once_is_two_changes() {
    let acts: &[(Millis, Act)] = &[
        (3_100, |world| world.set(0, SCALER, 6)),
        (9_100, |world| world.hpas[0].wish = 2),
        (9_200, |world| quick(world, 0)),
        (9_600, |world| world.set(0, EDITOR, 0)),
    ];
    assert_eq!(
        watch(web(), acts).text(),
        [
            "2026-11-26T10:00:04Z  shop/web  4 → 6  by kubectl (field manager), after 10:00:03",
            "2026-11-26T10:00:09Z  shop/web  6 → 2  by the HPA: all metrics were below their targets",
            "2026-11-26T10:00:10Z  shop/web  2 → 0  by kubectl-edit (field manager), after 10:00:09",
        ]
    );
}

#[test]
fn a_decision_that_a_look_showed_has_its_code() {
    let acts: &[(Millis, Act)] = &[(3_100, |world| world.hpas[0].wish = 7), (5_500, |world| quick(world, 0))];
    let watcher = watch(web(), acts);
    let [line] = watcher.text().try_into().expect("one line");
    assert!(line.starts_with("2026-11-26T10:00:05Z  shop/web  4 → 7  queue"), "{line}");
    assert!(line.ends_with("  value-above-target"), "{line}");
}

#[test]
fn another_target_is_no_change_of_the_replicas() {
    let acts: &[(Millis, Act)] = &[
        (5_500, |world| world.edit(0, |it| it.target = 1)),
        (9_500, |world| world.set(1, EDITOR, 9)),
        (12_500, |world| world.edit(0, |it| it.target = 0)),
    ];
    let watcher = watch(web(), acts);
    assert_eq!(
        watcher.text(),
        [
            "2026-11-26T10:00:06Z  shop/web  Deployment/web → Deployment/api  scaleTargetRef was changed: the HPA now scales Deployment/api, which has 7 replicas, after 10:00:05",
            "2026-11-26T10:00:10Z  shop/web  7 → 9  by kubectl-edit (field manager), after 10:00:09",
            "2026-11-26T10:00:13Z  shop/web  Deployment/api → Deployment/web  scaleTargetRef was changed: the HPA now scales Deployment/web, which has 4 replicas, after 10:00:12",
        ]
    );
    let switched = &watcher.json()[0];
    let fields = ["by", "from", "to", "target", "code"].map(|field| switched[field].clone());
    assert_eq!(json!(fields), json!(["retarget", 4, 7, {"kind": "Deployment", "name": "api"}, null]));
}

/// Each undoes what the other has done. The other HPAs are read once in a sync period.
#[test]
fn another_hpa_of_the_target_is_named() {
    let acts: &[(Millis, Act)] = &[
        (4_100, |world| quick(world, 0)),
        (6_100, |world| quick(world, 1)),
        (9_100, |world| quick(world, 0)),
        (11_100, |world| quick(world, 1)),
    ];
    let watcher = watch(with_rival(), acts);
    let who: Vec<Value> =
        watcher.json().iter().map(|it| json!([it["from"], it["to"], it["by"], it["who"]])).collect();
    assert_eq!(
        json!(who),
        json!([
            [4, 8, "decision", null],
            [8, 6, "otherHpa", "web-b"],
            [6, 8, "decision", null],
            [8, 6, "otherHpa", "web-b"]
        ])
    );
    assert_eq!(watcher.text()[1], "2026-11-26T10:00:06Z  shop/web  8 → 6  by HPA web-b of the same target");
}

/// Also if just one HPA can have been: it may have been another one, which nobody has seen.
#[test]
fn without_an_event_and_a_status_nobody_is_named() {
    const SILENT: Pace = Pace { drops_event: true, refuses_status: true, ..Pace::QUICK };
    let acts: &[(Millis, Act)] = &[
        (3_100, |world| world.hpas[0].wish = 7),
        (5_500, |world| world.sync(0, SILENT)),
        (14_500, |world| world.set(0, EDITOR, 3)),
        (14_600, |world| world.targets[0].clear()),
    ];
    assert_eq!(
        watch(web(), acts).text(),
        [
            "2026-11-26T10:00:06Z  shop/web  4 → 7  by the controller, not known for which HPA, after 10:00:05",
            "2026-11-26T10:00:15Z  shop/web  7 → 3  not known by whom: no event, status or managed field shows it, after 10:00:14",
        ]
    );
}

/// What the HPA wanted, too.
#[test]
fn what_the_hpa_would_have_done_is_not_its_own() {
    let acts: &[(Millis, Act)] =
        &[(3_100, |world| world.hpas[0].wish = 7), (5_500, |world| world.set(0, SCALER, 7))];
    let line = "2026-11-26T10:00:06Z  shop/web  4 → 7  by kubectl (field manager), after 10:00:05";
    assert_eq!(watch(web(), acts).text(), [line]);
}

/// The event says "above maxReplicas", and the look before saw fewer.
#[test]
fn a_reason_that_the_replicas_rule_out_tells_of_others() {
    let acts: &[(Millis, Act)] = &[
        (5_500, |world| world.set(0, SCALER, 25)),
        (5_600, |world| quick(world, 0)),
        (12_500, |world| world.set(0, SCALER, 30)),
        (12_600, |world| world.sync(0, Pace { refuses_status: true, ..Pace::QUICK })),
        (12_800, |world| world.set(0, EDITOR, 5)),
    ];
    assert_eq!(
        watch(web(), acts).text(),
        [
            "2026-11-26T10:00:05Z  shop/web  4 → 10  by the HPA, which found 25 replicas: there were more than maxReplicas",
            "2026-11-26T10:00:13Z  shop/web  10 → 5  by kubectl-edit (field manager), after 10:00:12",
        ]
    );
}

#[test]
fn each_line_of_json_is_one_of_the_schema() {
    let acts: &[(Millis, Act)] = &[
        (3_100, |world| quick(world, 0)),
        (4_100, |world| quick(world, 1)),
        (5_500, |world| world.set(0, EDITOR, 0)),
        (6_500, |world| world.set(0, SCALER, 25)),
        (6_600, |world| quick(world, 0)),
        (9_500, |world| world.edit(0, |it| it.target = 1)),
        (14_500, |world| world.set(1, EDITOR, 3)),
        (14_600, |world| world.targets[1].clear()),
    ];
    let schema = include_str!("../../src/render/schema/replica-change.schema.json");
    let schema =
        jsonschema::draft202012::new(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
    let lines = watch(with_rival(), acts).json();
    assert_eq!(lines.len(), 6, "{lines:?}");
    for line in lines {
        assert!(schema.is_valid(&line), "{line}");
    }
}
