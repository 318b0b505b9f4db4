//! `kubectl hpa simulate`, command by command: `simulate/*.md` hold what was typed and what is answered.
//! `UPDATE_SCREENS=1` writes the answers anew; read them before they are committed.

use std::path::Path;
use std::process::Command;

fn check(page: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simulate");
    crate::pages::check(&folder.join(page), |line| Some(crate::pages::answer(&folder, line)));
}

#[test]
fn every_knob_does_what_its_page_says() {
    check("knobs.md");
}

#[test]
fn more_load_gives_fewer_replicas_as_its_page_says() {
    check("more-load.md");
}

#[test]
fn a_higher_target_can_take_more_pods_as_its_page_says() {
    check("higher-target.md");
}

#[test]
fn what_it_comes_to_in_the_end_is_as_its_page_says() {
    check("ends.md");
}

#[test]
fn a_change_of_many_looks_as_on_its_page() {
    check("fleet.md");
}

#[test]
fn json_of_a_change_of_many_keeps_to_its_schema() {
    let schema = include_str!("../../src/render/schema/fleet-simulation.schema.json");
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    for change in [["--target", "70"], ["--max", "3"], ["--load", "+50%"], ["--min", "50"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["simulate", "--example", "-o", "json"])
            .args(change)
            .output()
            .expect("runs");
        let value = serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON");
        assert!(schema.is_valid(&value), "{:?}", schema.iter_errors(&value).collect::<Vec<_>>());
        let of = |list: &str| value[list].as_array().map_or(0, Vec::len);
        assert_eq!(of("items") + of("misfits"), kubectl_hpa::examples::ALL.len(), "{change:?}");
        // The sum is that of the items that change.
        let changed = || value["items"].as_array().expect("items").iter().filter(|it| it["same"] != true);
        for (side, end) in [("now", "lowest"), ("now", "highest"), ("then", "lowest"), ("then", "highest")] {
            let sum: i64 = changed().filter_map(|it| it[side]["replicas"][end].as_i64()).sum();
            assert_eq!(value["sum"][side]["replicas"][end], sum, "{change:?}");
        }
    }
}

#[test]
fn sweeps_look_as_on_their_page() {
    check("sweeps.md");
}

#[test]
fn what_is_to_come_looks_as_on_its_page() {
    check("future.md");
}

#[test]
fn bad_knobs_get_one_clear_line() {
    check("refusals.md");
}

#[test]
fn versions_stand_side_by_side_as_on_their_page() {
    check("versions.md");
}

#[test]
fn a_zero_without_its_gate_is_noted_as_on_its_page() {
    check("zero.md");
}

#[test]
fn json_of_a_zero_without_its_gate_keeps_to_its_schemas() {
    let note = |schema: &str, asked: &str| {
        let schema = serde_json::from_str(schema).expect("the schema is JSON");
        let schema = jsonschema::draft202012::new(&schema).expect("a schema");
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args("simulate -f E-min0-external.yaml --replicas 1 --metric queue_length=0 -o json".split(' '))
            .args(asked.split_whitespace())
            .current_dir("tests/documents")
            .output()
            .expect("runs");
        let value = serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON");
        assert!(schema.is_valid(&value), "{:?}", schema.iter_errors(&value).collect::<Vec<_>>());
        value["notes"].clone()
    };
    let simulation = include_str!("../../src/render/schema/simulation.schema.json");
    let future = include_str!("../../src/render/schema/future.schema.json");
    for (schema, over) in [(simulation, ""), (future, "--over 1m")] {
        let refused = note(schema, &format!("{over} --as-version 1.36"));
        assert_eq!(
            (&refused[0]["code"], &refused[0]["version"]),
            (&"zero-needs-gate".into(), &"1.36".into())
        );
        assert_eq!((&refused[0]["isGateKnown"], &refused[0]["neverWakes"]), (&false.into(), &true.into()));
        assert!(note(schema, &format!("{over} --as-version 1.37")).is_null());
    }
}

#[test]
fn json_of_several_versions_keeps_to_its_schemas() {
    let schema = |text: &str| {
        let schema = serde_json::from_str(text).expect("the schema is JSON");
        jsonschema::draft202012::new(&schema).expect("a schema")
    };
    let versions = schema(include_str!("../../src/render/schema/versions.schema.json"));
    let decision = schema(include_str!("../../src/render/schema/decision.schema.json"));
    let run_on = |file: &str, asked: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["explain", "-f", file, "-o", "json"])
            .args(asked.split(' '))
            .current_dir("tests/simulate")
            .output()
            .expect("runs");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let run = |asked: &str| run_on("upgrade.yaml", asked);
    let upgrade = run("--upgrade-to 1.37");
    assert!(versions.is_valid(&upgrade), "{:?}", versions.iter_errors(&upgrade).collect::<Vec<_>>());
    assert_eq!((&upgrade["kind"], &upgrade["hpas"]), (&"Upgrade".into(), &7.into()));
    assert_eq!(upgrade["undecided"], serde_json::json!(["shop/hidden"]));
    assert_eq!(
        (&upgrade["later"][0]["subject"]["name"], &upgrade["refused"]),
        (&"asleep".into(), &serde_json::json!([]))
    );
    let rollback = run_on("zero.yaml", "--upgrade-to 1.36");
    assert!(versions.is_valid(&rollback), "{:?}", versions.iter_errors(&rollback).collect::<Vec<_>>());
    assert_eq!(rollback["refused"], serde_json::json!(["shop/worker", "shop/mailer"]));
    let raised = &rollback["later"][0]["differences"][1];
    assert_eq!(
        (&raised["situations"][0], &raised["now"], &raised["then"]),
        (&"minRaised".into(), &1.into(), &0.into())
    );
    let side_by_side = run("--as-version 1.25,1.32,1.37");
    let items = side_by_side["items"].as_array().expect("a list");
    assert_eq!((items.len(), &side_by_side["kind"]), (7, &"VersionsList".into()));
    for item in items.iter().chain(upgrade["items"].as_array().expect("a list")) {
        assert!(versions.is_valid(item), "{:?}", versions.iter_errors(item).collect::<Vec<_>>());
        for decided in item["decisions"].as_array().expect("a list") {
            assert!(decision.is_valid(&decided["decision"]), "{decided:#}");
        }
    }
    let edge = &items[1]["differences"][1];
    assert_eq!(
        (&edge["extent"], &edge["rules"]["items"][0]["name"]),
        (&"outcome".into(), &"tolerance-test".into())
    );
}

#[test]
fn json_holds_both_sides() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa")).args(arguments).output().expect("runs");
        (output.status.code(), serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON"))
    };
    let (code, value) = run(&["simulate", "--example", "missing-samples", "--load", "+50%", "-o", "json"]);
    assert_eq!(code, Some(3));
    assert_eq!(value["kind"], "Simulation");
    assert_eq!(value["same"], false);
    assert_eq!((&value["now"]["desiredReplicas"], &value["then"]["kind"]), (&5.into(), &"Decision".into()));
    assert!(value["then"]["desiredReplicas"].as_i64() > Some(5), "{value:#}");
    let slowly =
        ["simulate", "--example", "scale-up-limited", "--scale-up", "Pods=2/60s,select=Max", "-o", "json"];
    let steps = &run(&slowly).1["projection"]["steps"];
    assert_eq!((&steps[0]["at"], &steps[0]["replicas"]), (&"2026-11-21T10:43:00Z".into(), &8.into()));
    let (code, value) =
        run(&["simulate", "--example", "missing-samples", "--sweep", "load=+0%..+20%:10%", "-o", "json"]);
    assert_eq!(code, Some(0));
    assert_eq!(value["points"].as_array().map(Vec::len), Some(3));
}

#[test]
fn json_of_what_is_to_come_keeps_to_its_schema() {
    let schema = include_str!("../../src/render/schema/future.schema.json");
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let asked: [&[&str]; 4] = [
        &["--over", "30m", "--load-curve", "spike:300%@5m/5m"],
        &["--over", "30m", "--load", "+50%"],
        &["--over", "30m", "--target", "40", "--ready-delay", "5s..60s"],
        &["--over", "8h", "--sweep", "max=10..30:10", "--load-curve", "sine:10%..400%/1h"],
    ];
    for asked in asked {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["simulate", "--example", "held-by-window", "-o", "json"])
            .args(asked)
            .output()
            .expect("runs");
        assert_eq!(output.status.code(), Some(0), "{asked:?}");
        let value = serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON");
        assert!(schema.is_valid(&value), "{:?}", schema.iter_errors(&value).collect::<Vec<_>>());
        let run = &value["runs"][0];
        let changes = run["changes"].as_array().expect("changes");
        assert_eq!(run["totals"]["rescales"], changes.len(), "{asked:?}");
        assert_eq!(run["load"][0]["pods"]["measured"], 10, "{asked:?}");
        // Only the target and the bounds leave load and pods as they are.
        let is_comparable = asked.contains(&"--target") || asked.contains(&"--sweep");
        assert_eq!(value["better"].is_object(), is_comparable, "{asked:?}");
    }
}

/// Nothing of a page is loaded or runs, and no name can make it otherwise.
#[test]
fn a_page_for_a_browser_stands_by_itself() {
    let hostile = "<script src=//evil>alert(1)</script>\"'&";
    let text = std::fs::read_to_string("tests/simulate/at-target.yaml").expect("readable");
    let path = std::env::temp_dir().join(format!("kubectl-hpa-hostile-{}.yaml", std::process::id()));
    let quoted = serde_json::to_string(hostile).expect("a string");
    std::fs::write(&path, text.replace("name: web-1", &format!("name: {quoted}"))).expect("written");
    for verb in [&["explain"][..], &["simulate", "--max", "40"], &["simulate", "--over", "10m"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(verb)
            .args(["-o", "html", "-f"])
            .arg(&path)
            .output()
            .expect("runs");
        let page = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
        for forbidden in ["<script", "<link", "<img", "url(", "@import", "onload"] {
            assert!(!page.contains(forbidden), "{forbidden} in {page}");
        }
        // A name may hold any text; no tag may.
        for tag in page.split('<').skip(1).filter_map(|tag| tag.split_once('>')) {
            assert!(["src", "href", "on"].iter().all(|it| !tag.0.contains(&format!(" {it}"))), "<{}>", tag.0);
        }
        if verb == ["explain"] {
            let shown = "&lt;script src=//evil&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;";
            assert!(page.contains(shown), "{page}");
        }
    }
    std::fs::remove_file(&path).expect("there");
}

/// The title is what a browser's tab and a list of attachments show.
#[test]
fn a_page_is_called_after_its_screen_its_hpa_and_its_time() {
    let case = "tests/simulate/at-target.yaml";
    let titles: [(&[&str], &str); 5] = [
        (&["explain"], "Explanation of shop/web, 2026-11-21 10:42:00 UTC"),
        (&["simulate", "--max", "40"], "Simulation of shop/web, 2026-11-21 10:42:00 UTC"),
        (&["simulate", "--over", "10m"], "Simulation over time of shop/web, 2026-11-21 10:42:00 UTC"),
        (&["explain", "-f", case], "Explanation, 2026-11-21 10:42:00 UTC"),
        (&["explain", "--upgrade-to", "1.37"], "Upgrade to 1.37"),
    ];
    for (verb, title) in titles {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(verb)
            .args(["-o", "html", "-f", case])
            .output()
            .expect("runs");
        let page = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(page.contains(&format!("<title>{title} – kubectl hpa</title>")), "{page}");
        let screens = if verb == ["explain", "-f", case] { 2 } else { 1 };
        assert_eq!(page.matches("<article>").count(), screens, "{page}");
        assert_eq!(page.matches("<h1>").count(), screens, "{page}");
    }
}

/// Two lines that read alike tell no difference.
#[test]
fn no_difference_is_shown_that_reads_alike() {
    let examples = kubectl_hpa::examples::ALL.iter().map(|example| example.name);
    for (example, count) in examples.flat_map(|name| ["3", "12"].map(|count| (name, count))) {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["simulate", "--example", example, "--replicas", count])
            .env("COLUMNS", "160")
            .output()
            .expect("runs");
        let screen = String::from_utf8(output.stdout).expect("UTF-8");
        let sides = screen.lines().skip_while(|line| !line.starts_with("Decision")).skip(3);
        let sides: Vec<&str> =
            sides.filter_map(|line| line.split_once("  now   ").map(|(_, now)| now)).collect();
        for now in sides {
            assert!(!screen.contains(&format!("  then  {now}")), "{example} {count}: {screen}");
        }
    }
}

#[test]
fn what_is_not_written_is_said_on_its_page() {
    check("apply.md");
}

/// What a simulation changes is green, in the answer and among the pods; what stays has no color of its own.
#[test]
fn what_changes_is_colored() {
    let colored = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["simulate", "--example", "missing-samples", "--color", "always"])
            .args(args)
            .output()
            .expect("runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let changed = colored(&["--load", "+50%"]);
    assert!(changed.contains("\u{1b}[32m5 replicas → 9"), "{changed}");
    let moved = colored(&["--pods", "web-6c8f9d7b54-4kq2x=pending"]);
    assert!(moved.contains("\u{1b}[32munready"), "{moved}");
    let as_before = colored(&["--pods", "web-6c8f9d7b54-4kq2x=not-ready"]);
    assert!(!as_before.contains("count differently"), "{as_before}");
    let same = colored(&["--max", "30"]);
    assert!(!same.contains("\u{1b}[32m"), "{same}");
}
