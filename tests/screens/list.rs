//! The list of HPAs: each case's state, its screen, and its JSON. `UPDATE_SCREENS=1` writes the screens anew; read them
//! before they are committed.

use std::path::Path;

use kubectl_hpa::render::{self, Detail, Fleet, Glyphs, Listed, Options, Paint};
use kubectl_hpa_core::model::{HpaState, Replicas};
use serde_json::Value;

use crate::screens::{all, at, check};

/// Every example and every case of `screens/cases.yaml`, and one that could not be read.
fn rows() -> Vec<Listed> {
    let mut rows: Vec<Listed> = all().iter().map(|case| Listed::of(&case.explanation)).collect();
    let error = "hpa/gone: no HPA \"gone\" in namespace shop";
    rows.push(Listed::failed("shop".into(), "gone".into(), error.into()));
    rows
}

fn text(fleet: &Fleet, options: Options) -> String {
    let mut out = Vec::new();
    render::fleet(&mut out, fleet, &options).expect("a vector can be written to");
    String::from_utf8(out).expect("text is UTF-8")
}

/// Which rule fits: a case of each for every reason that the page names.
#[test]
fn each_state_is_that_of_its_cases() {
    use HpaState::{Asleep, AtMax, AtMin, Broken, Held, Idle, Scaling, SwitchedOff, Unknown};
    let expected = [
        (Broken, &["no-scale", "ambiguous", "missing-request", "rescale-failed", "no-samples"][..]),
        // One of two metrics fails: a scale-down is blocked, a scale-up is not.
        (Broken, &["broken-metric", "invalid-metric-allows-up"]),
        (Held, &["held-by-window", "scale-up-stabilized", "scale-down-disabled"]),
        (Held, &["missing-samples", "rollout"]),
        (AtMax, &["at-max", "above-max"]),
        (Asleep, &["scale-to-zero", "asleep", "asleep-beside-cpu", "tied-at-zero"]),
        (AtMin, &["resting-at-min", "below-min", "on-target"]),
        (Scaling, &["scale-up-limited", "behavior-limited"]),
        (Idle, &["wide-tolerance", "missing-left-out"]),
        (SwitchedOff, &["switched-off"]),
        (Unknown, &["unread-pods", "unread-scale"]),
    ];
    let all = all();
    for (state, names) in expected {
        for name in names {
            let case = all.iter().find(|case| case.name == *name).unwrap_or_else(|| panic!("no case {name}"));
            assert_eq!(case.explanation.state(), state, "{name}");
        }
    }
    for state in HpaState::ALL {
        assert!(expected.iter().any(|(tried, _)| *tried == state), "no case of {state:?}");
    }
}

/// A memory that is not known leaves the count open, or an update that was refused, and the row says so.
#[test]
fn an_open_count_is_an_interval_and_held_if_it_may_stay() {
    let mut seen = 0;
    for case in all() {
        let (Some((low, high)), Some(current)) = (case.explanation.interval(), case.explanation.current())
        else {
            continue;
        };
        let may_stay = low <= current && current <= high;
        let held = if may_stay { HpaState::Held } else { HpaState::Scaling };
        let expected = if case.explanation.attested().failed_last() { HpaState::Broken } else { held };
        assert_eq!(case.explanation.state(), expected, "{}", case.name);
        let row = Fleet::of(vec![Listed::of(&case.explanation)], &[], false);
        let joint = if case.explanation.answer().is_either { " or " } else { "–" };
        let shown = format!("{} → {}{joint}{}", current.0, low.0, high.0);
        assert!(text(&row, at(120)).contains(&shown), "{}: {}", case.name, text(&row, at(120)));
        seen += 1;
    }
    assert!(seen > 1, "only {seen} cases with an interval");
}

/// As the headline says: it stays at 0, where nothing is wanted or a policy allows nothing, or scales.
#[test]
fn an_hpa_at_its_own_zero_is_asleep_or_scales() {
    let mut states = std::collections::BTreeSet::new();
    for case in all() {
        let explanation = &case.explanation;
        if explanation.current() == Some(Replicas(0)) && explanation.decision().choice.is_some() {
            let stays = explanation.range() == Some((Replicas(0), Replicas(0)));
            let wants_none = explanation.decision().choice.is_some_and(|choice| choice.after == Replicas(0));
            let expected = match (stays, wants_none) {
                (true, true) => HpaState::Asleep,
                (true, false) => HpaState::Held,
                (false, _) => HpaState::Scaling,
            };
            assert_eq!(explanation.state(), expected, "{}", case.name);
            states.insert(expected);
        }
    }
    assert_eq!(states.len(), 3);
}

#[test]
fn every_reason_has_at_most_six_words() {
    let fleet = Fleet::of(rows(), &[], false);
    let view = serde_json::to_value(render::fleet_view(&fleet)).expect("a view is JSON");
    for item in view["items"].as_array().expect("items") {
        let why = item["why"].as_str().expect("why");
        assert!(why.split_whitespace().count() <= 6, "{item}");
        // At minReplicas there is nothing to say.
        assert!(!why.is_empty() || item["state"] == "at-min", "{item}");
    }
}

/// A window that ends before a rate does is not what the replicas wait for.
#[test]
fn the_time_of_a_reason_is_that_of_the_next_change() {
    let mut told = std::collections::BTreeSet::new();
    for case in all() {
        let row = Fleet::of(vec![Listed::of(&case.explanation)], &[], false);
        let view = serde_json::to_value(render::fleet_view(&row)).expect("a view is JSON");
        let why = view["items"][0]["why"].as_str().expect("why");
        let Some((by, until)) = why.split_once(" until ") else { continue };
        if let Some(next) = case.explanation.outlook().next {
            assert!(next.at.to_string().contains(until), "{}: {why}, and {} is next", case.name, next.at);
            told.insert(by.rsplit(' ').next().expect("a word").to_owned());
        }
    }
    assert!(told.iter().eq(["rate", "window"]), "{told:?}");
}

#[test]
fn the_screens_of_the_list() {
    let fleet = Fleet::of(rows(), &[], true);
    check("list", &text(&fleet, at(100)));
    check("list.80", &text(&fleet, at(80)));
    check("list.80.ascii", &text(&fleet, Options { glyphs: Glyphs::Ascii, ..at(80) }));
    check("list.200.wide", &text(&fleet, Options { detail: Detail::Wide, ..at(200) }));
    for width in [80, 100] {
        let text = text(&fleet, at(width));
        assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
    }
}

#[test]
fn a_list_of_none_is_its_total() {
    let text = text(&Fleet::of(Vec::new(), &[], true), at(80));
    assert!(text.starts_with("Total"), "{text}");
}

/// What a wide list has more of takes no room from the rest, however narrow the screen is.
#[test]
fn a_wide_list_shows_no_less_than_another() {
    let fleet = Fleet::of(rows(), &[], true);
    for width in [60, 80, 100, 120, 140, 160, 200] {
        let wide = text(&fleet, Options { detail: Detail::Wide, ..at(width) });
        let flat = wide.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in text(&fleet, at(width))
            .lines()
            .filter(|line| line.starts_with("  ") && !line.contains("REPLICAS"))
        {
            for cell in line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()) {
                let is_there = cell.split([' ', '…']).all(|word| flat.contains(word));
                assert!(is_there, "{width}: {cell:?} of {line:?}\n{wide}");
            }
        }
        assert!(flat.contains("Deployment/web") && wide.lines().all(|line| line.chars().count() <= width));
    }
}

#[test]
fn red_comes_first_and_yellow_before_the_rest() {
    let shown = text(&Fleet::of(rows(), &[], false), Options { paint: Paint::Colored, ..at(300) });
    let color = |line: &str| match line {
        _ if line.contains("\u{1b}[31;1m") || line.contains("\u{1b}[1;31m") => 0,
        _ if line.contains("\u{1b}[33m") => 1,
        _ => 2,
    };
    let states = ["broken", "held", "at max", "at min", "scaling", "idle", "switched off", "unknown"];
    let is_row = |line: &&str| states.iter().any(|state| line.contains(state)) && !line.contains("Total");
    let colors: Vec<i32> = shown.lines().filter(is_row).map(color).collect();
    assert!(colors.is_sorted() && colors.contains(&0) && colors.contains(&1), "{colors:?}\n{shown}");
}

#[test]
fn only_hides_rows_and_nothing_else() {
    let fleet = Fleet::of(rows(), &[HpaState::AtMax], false);
    let view = serde_json::to_value(render::fleet_view(&fleet)).expect("a view is JSON");
    let states: Vec<&Value> =
        view["items"].as_array().expect("items").iter().map(|it| &it["state"]).collect();
    assert!(!states.is_empty() && states.iter().all(|state| *state == "at-max"), "{states:?}");
    assert_eq!(view["errors"][0]["name"], "gone");
    assert!(fleet.count(HpaState::Broken) > 0 && text(&fleet, at(100)).contains(" not shown"));
}

#[test]
fn the_json_keeps_to_its_schema() {
    let schema: Value = serde_json::from_str(include_str!("../../src/render/schema/list.schema.json"))
        .expect("the schema is JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let fleet = Fleet::of(rows(), &[], false);
    let mut view = serde_json::to_value(render::fleet_view(&fleet)).expect("a view is JSON");
    let problems: Vec<String> = schema.iter_errors(&view).map(|error| error.to_string()).collect();
    assert!(problems.is_empty(), "{problems:#?}");
    view["items"][0]["state"] = "unwell".into();
    assert!(!schema.is_valid(&view));
    let mut csv = Vec::new();
    render::fleet_csv(&mut csv, &fleet).expect("a vector can be written to");
    let csv = String::from_utf8(csv).expect("UTF-8");
    assert_eq!(csv.lines().count(), 1 + view["items"].as_array().map_or(0, Vec::len));
}

#[test]
fn the_page_names_every_state_in_order_and_shows_the_screen_of_now() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core/explanation/states.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let named: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|rest| rest.split('`').next())
        .collect();
    assert_eq!(named, HpaState::ALL.map(HpaState::as_str));
    crate::pages::check(&path, |line| Some(crate::pages::answer(Path::new("."), line)));
}

#[test]
fn the_exit_code_tells_of_a_state_that_was_named() {
    let ends = |words: &str| {
        let text = crate::pages::answer(Path::new("."), &format!("kubectl hpa list {words}"));
        text.lines().last().filter(|line| line.starts_with("exit ")).map(str::to_owned)
    };
    for (words, exit) in [
        ("--example", None),
        ("--example --fail-on idle", None),
        ("--example --fail-on idle,held", Some("exit 5")),
        ("--example --only at-min --fail-on broken", Some("exit 5")),
        ("--example rollout --fail-on held -o name", Some("exit 5")),
        ("--example --only unwell", Some("exit 2")),
        ("web -A", Some("exit 2")),
        ("-f no-such-file", Some("exit 1")),
    ] {
        assert_eq!(ends(words).as_deref(), exit, "{words}");
    }
}
