//! The binary as a person runs it: README's screen, several cases, exit codes, a closed pipe.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub fn kubectl_hpa(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(args)
        .env("COLUMNS", "100")
        .env_remove("KUBECONFIG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // It may end without reading what it does not want.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text")
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}

pub fn example(name: &str) -> &'static str {
    kubectl_hpa::examples::find(name).expect("an example").text
}

#[test]
fn readme_shows_the_screen_of_its_first_command() {
    let readme = include_str!("../../README.md");
    let output = kubectl_hpa(&["explain", "--example", "missing-samples"], "");
    assert!(output.status.success());
    assert!(readme.contains(&format!("```text\n{}```", stdout(&output))), "README shows another screen");
}

#[test]
fn examples_are_listed_and_each_one_is_explained() {
    let list = kubectl_hpa(&["explain", "--example"], "");
    let names: Vec<&str> = stdout(&list).lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let output = kubectl_hpa(&["explain", "--example", name], "");
        assert!(output.status.success() && stdout(&output).contains("Why"), "{name}: {}", stderr(&output));
    }
}

/// A newcomer's first case to edit: what is saved decides as the example does.
#[test]
fn an_example_is_saved_as_a_case() {
    let file = std::env::temp_dir().join(format!("kubectl-hpa-example-{}.yaml", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    let shown = kubectl_hpa(&["explain", "--example", "missing-samples", "--save", path], "");
    let again = kubectl_hpa(&["explain", "-f", path], "");
    let saved = std::fs::read_to_string(&file).expect("the case was saved");
    std::fs::remove_file(&file).expect("it can be removed");
    assert!(shown.status.success(), "{}", stderr(&shown));
    assert!(saved.starts_with("apiVersion: kubectl-hpa/v1\nkind: Case\n"), "{saved}");
    assert_eq!(stdout(&again), stdout(&shown));
}

#[test]
fn standard_input_is_read_once() {
    for args in
        [&["explain", "-f", "-", "-f", "-"][..], &["simulate", "-f", "-", "-f", "-"], &["test", "-", "-"]]
    {
        let output = kubectl_hpa(args, example("missing-samples"));
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{args:?}");
        assert_eq!(stderr(&output), "error: standard input (-) is given twice, but can only be read once\n");
    }
}

#[test]
fn several_documents_of_one_stream_are_several_decisions() {
    let stream = format!("{}\n---\n{}", example("missing-samples"), example("switched-off"));
    let output = kubectl_hpa(&["explain", "-f", "-", "-o", "jsonl"], &stream);
    assert!(output.status.success(), "{}", stderr(&output));
    let decisions: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("a decision")).collect();
    let desired: Vec<&Value> = decisions.iter().map(|decision| &decision["desiredReplicas"]).collect();
    assert_eq!(desired, [5, 0]);
    let list = kubectl_hpa(&["explain", "-f", "-", "-o", "json"], &stream);
    let list: Value = serde_json::from_str(stdout(&list)).expect("JSON");
    assert_eq!(list["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(list["items"][0], decisions[0]);
}

/// As kubectl's `get -f`: several files are a list, however many of them can be read; one object is none.
#[test]
fn several_files_are_a_list_also_where_one_cannot_be_read() {
    let each = ["-o", "jsonpath={range .items[*]}{.kind} {end}"];
    let file = "src/examples/ambiguous.yaml";
    for (verb, kind) in [("explain", "Decision "), ("simulate", "Simulation ")] {
        let both = kubectl_hpa(&[&[verb, "-f", file, "-f", "/no/such/file"][..], &each].concat(), "");
        assert_eq!((both.status.code(), stdout(&both)), (Some(1), kind), "{}", stderr(&both));
        let one = kubectl_hpa(&[&[verb, "-f", file][..], &each].concat(), "");
        assert_eq!((one.status.code(), stdout(&one)), (Some(0), ""), "{verb}: {}", stderr(&one));
    }
}

#[test]
fn a_run_is_carried_from_case_to_case() {
    let case = example("scale-up-limited");
    let output =
        kubectl_hpa(&["explain", "-f", "-", "-o", "jsonl", "--carry"], &format!("{case}\n---\n{case}"));
    assert!(output.status.success(), "{}", stderr(&output));
    let current: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a decision")["currentReplicas"].clone())
        .collect();
    assert_eq!(current, [4, 8]);
}

#[test]
fn a_broken_case_is_complained_of_and_the_next_one_is_explained() {
    let stream =
        format!("apiVersion: kubectl-hpa/v1\nkind: Case\nat: yesterday\n---\n{}", example("missing-samples"));
    let output = kubectl_hpa(&["explain", "-f", "-"], &stream);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: standard input:3:5: at: "), "{}", stderr(&output));
    assert!(stderr(&output).contains("\n  | at: yesterday\n"), "{}", stderr(&output));
    assert!(stdout(&output).contains("stays at 5"));
}

/// A case without a top-level block.
fn without(name: &str, block: &str) -> String {
    let mut skips = false;
    let kept = example(name).lines().filter(|line| {
        if !line.starts_with([' ', '-']) {
            skips = line.starts_with(&format!("{block}:"));
        }
        !skips
    });
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_answer_that_depends_on_the_hidden_memory_is_an_interval_and_no_number() {
    let output = kubectl_hpa(&["explain", "-f", "-", "-o", "json"], &without("held-by-window", "memory"));
    let decision: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(decision["desiredReplicas"], Value::Null);
    assert_eq!(decision["interval"], serde_json::json!({"lowest": 5, "highest": 10}));
}

#[test]
fn a_case_that_lacks_what_its_decision_needs_is_an_error_with_its_place() {
    for (block, what) in [
        ("scale", "the target's scale"),
        ("pods", "the pods"),
        ("podMetrics", "the pods' usage (podMetrics)"),
    ] {
        let output = kubectl_hpa(&["explain", "-f", "-"], &without("missing-samples", block));
        assert_eq!(output.status.code(), Some(1), "{block}");
        let words = format!("error: -: the case does not have {what}, and");
        assert!(stderr(&output).starts_with(&words), "{}", stderr(&output));
    }
}

#[test]
fn what_cannot_be_done_is_one_error_and_an_exit_code() {
    for (args, code, words) in [
        (&["explain", "--kubeconfig", "/no/such/file"][..], 1, "/no/such/file"),
        (&["simulate", "--max", "3", "--kubeconfig", "/no/such/file"], 1, "/no/such/file"),
        (&["explain", "web", "--all"], 2, "error: --all selects every HPA: leave out the names"),
        (&["explain", "deploy/web", "-A"], 2, "error: --all-namespaces selects every HPA"),
        (&["simulate", "web", "-l", "app=web"], 2, "error: --selector selects every HPA"),
        (&["explain", "hpa", "deploy/web"], 2, "error: deploy/web already has a type: leave out the hpa"),
        (&["explain", "--all", "--save", "x"], 2, "error: --save needs one HPA"),
        (&["explain", "web", "api", "--save", "x"], 2, "error: --save needs one HPA"),
        (&["explain", "-A", "--why"], 2, "cannot be used with"),
        (&["explain", "web", "--request-timeout", "soon"], 2, "expected seconds or a duration"),
        (&["explain", "web", "-o", "jsonpath={.a"], 2, "error: -o jsonpath={.a: unclosed action"),
        (&["explain", "web", "-o", "table"], 2, "jsonpath="),
        (&["explain", "-l", "a in (", "--kubeconfig", "/no/such/file"], 2, "error: --selector \"a in (\": "),
        (&["simulate", "-A", "-f", "x"], 2, "cannot be used with"),
        (&["explain", "--all", "-f", "x"], 2, "cannot be used with"),
        (&["list", "-A", "-f", "x"], 2, "cannot be used with"),
        (&["explain", "-l", "a in (", "-f", "x"], 2, "error: --selector \"a in (\": "),
        (&["explain", "a/b/c", "-f", "x"], 2, "error: \"a/b/c\" is neither NAME nor TYPE/NAME"),
        (&["simulate", "web", "-f", "x"], 1, "cannot open x"),
        (&["explain", "web", "-f", "x"], 1, "cannot open x"),
        (&["explain", "--tolerance", "NaN", "web"], 2, "at least 0"),
        (&["explain", "-f", "x", "--save", "y"], 2, "cannot be used with"),
        (&["explain", "--example", "rollout", "--carry"], 2, "cannot be used with"),
        (&["explain", "--example", "nothing"], 2, "no example \"nothing\"; explain --example lists them"),
        (
            &["explain", "--example", "missing-sample"],
            2,
            "no example \"missing-sample\"; did you mean missing-samples?",
        ),
        (&["simulate", "--example", "held", "--max", "3"], 2, "did you mean held-by-window?"),
        (&["explain", "web", "-o", "patch"], 2, "invalid value 'patch' for '--output <FORMAT>'"),
        (&["explain", "--example", "--save", "x"], 2, "error: --save needs one example: name it"),
        (&["explain", "--example", "-o", "json"], 2, "error: -o needs one example: name it"),
        (&["explain", "--example", "--blame"], 2, "error: --blame needs one example: name it"),
        (
            &["explain", "--example", "--tolerance", "0.2"],
            2,
            "error: a setting of the controller needs one example",
        ),
        (
            &["explain", "--why", "within-tolerance", "-o", "json"],
            2,
            "error: --why prints a text: leave out -o",
        ),
        (&["explain", "--why", "-o", "yaml"], 2, "error: --why prints a text: leave out -o"),
        (
            &["simulate", "web"],
            2,
            "error: simulate needs a change: --remove-metric, --add-metric, --container, --target",
        ),
        (
            &["simulate", "--example", "rollout"],
            2,
            "--no-memory, --sweep, a setting of the controller, or a manifest with -f",
        ),
        (&["explain", "--why", "within-tolerence"], 2, "did you mean within-tolerance"),
        (&["explain", "--why", "zzzzzzzz"], 2, "error: no code \"zzzzzzzz\"; explain --why lists them"),
        (&["explain", "--carry"], 2, "error: --carry needs -f FILE"),
        (
            &["simulate", "--example", "broken-metric", "--max", "33", "--as-version", "1.26", "-o", "patch"],
            2,
            "error: --as-version changes nothing in what is stored: leave it out with -o patch",
        ),
        (
            &["simulate", "web", "--sweep", "target=1..400:1", "--sweep", "max=1..400:1"],
            2,
            "error: both --sweep together give 160000 values; at most 100000 are allowed",
        ),
        (&["explain", "web", "--redact"], 2, "error: --redact needs --save FILE"),
        (&["explain", "-f", "/no/such/file"], 1, "cannot open /no/such/file"),
        (&["explain", "web", "--kubeconfig", "/no/such/file"], 1, "/no/such/file"),
        (&["explain", "a/b/c", "--kubeconfig", "/no/such/file"], 2, "TYPE/NAME"),
    ] {
        let output = kubectl_hpa(args, "");
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

/// What several cases have in common are their names: each row says its case, and programs are told, too.
#[test]
fn rows_of_several_cases_name_them() {
    let items = |args: &[&str]| -> Vec<Value> {
        let output = kubectl_hpa(&[args, &["-o", "json"]].concat(), "");
        let list: Value = serde_json::from_str(stdout(&output)).expect("JSON");
        list["items"].as_array().expect("items").clone()
    };
    let names: Vec<&str> = kubectl_hpa::examples::ALL.iter().map(|example| example.name).collect();
    for (args, field) in [
        (&["list", "--example"][..], "/case"),
        (&["simulate", "--example", "--load", "+50%"], "/subject/case"),
    ] {
        let items = items(args);
        let mut cases: Vec<&str> =
            items.iter().filter_map(|item| item.pointer(field).and_then(Value::as_str)).collect();
        cases.sort_unstable_by_key(|case| names.iter().position(|name| name == case));
        assert_eq!(cases, names, "{args:?}");
        let screen = kubectl_hpa(args, "");
        assert!(stdout(&screen).lines().any(|line| line.starts_with("  CASE ")), "{}", stdout(&screen));
        let csv = kubectl_hpa(&[args, &["-o", "csv"]].concat(), "");
        assert!(stdout(&csv).starts_with("case,namespace,name,"), "{}", stdout(&csv));
    }
    let [one, other] = ["src/examples/rollout.yaml", "src/examples/ambiguous.yaml"];
    let files = items(&["list", "-f", one, "-f", other]);
    assert_eq!(files.iter().map(|item| item["case"].as_str()).collect::<Vec<_>>(), [Some(other), Some(one)]);
    assert_eq!(items(&["list", "-f", one])[0]["case"], Value::Null);
    assert_eq!(items(&["list", "--example", "rollout"])[0]["case"], Value::Null);
}

/// A file that cannot be read is an error and no HPA.
#[test]
fn a_file_that_is_not_there_has_no_row() {
    let (file, error) =
        ("src/examples/rollout.yaml", "error: cannot open /no/such/file: no such file or directory\n");
    let none = kubectl_hpa(&["list", "-f", "/no/such/file"], "");
    assert_eq!((none.status.code(), stdout(&none), stderr(&none)), (Some(1), "", error));
    let some = kubectl_hpa(&["list", "-f", file, "-f", "/no/such/file"], "");
    assert_eq!((some.status.code(), stderr(&some)), (Some(1), error));
    assert!(
        stdout(&some).contains("Total  1 HPA: 1 held; read 2026-11-21 10:42:00 UTC\n"),
        "{}",
        stdout(&some)
    );
    let list = kubectl_hpa(&["list", "-f", file, "-f", "/no/such/file", "-o", "json"], "");
    let list: Value = serde_json::from_str(stdout(&list)).expect("JSON");
    assert_eq!([&list["items"], &list["errors"]].map(|it| it.as_array().map(Vec::len)), [Some(1); 2]);
}

/// An HPA that is broken with the change as without it does not change, and does not merely stay as it is.
#[test]
fn a_change_of_many_tells_broken_hpas_apart() {
    let args = ["simulate", "--example", "--max", "9"];
    let all = kubectl_hpa(&[&args[..], &["-o", "json"]].concat(), "");
    let all: Value = serde_json::from_str(stdout(&all)).expect("JSON");
    let is_broken = |item: &&Value| item["staysBroken"] == true;
    let broken: Vec<&str> = all["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter(is_broken)
        .filter_map(|item| item["subject"]["case"].as_str())
        .collect();
    assert_eq!(broken, ["missing-request", "broken-metric", "ambiguous"]);
    let screen = kubectl_hpa(&args, "");
    let flat = stdout(&screen).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(", 3 cannot decide (missing-request, broken-metric and ambiguous)"), "{flat}");
}

/// What lies beside an HPA in a file is passed over, and said; alone it is an error.
#[test]
fn a_manifest_may_stand_beside_objects_of_other_kinds() {
    let deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";
    let hpa = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  maxReplicas: 9\n  \
               scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  metrics:\n  - type: Resource\n    \
               resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}\n";
    let world = ["simulate", "-f", "-", "--replicas", "4", "--usage", "cpu=90%", "--request", "cpu=500m"];
    let alone = kubectl_hpa(&[&world[..], &["-o", "name"]].concat(), hpa);
    for input in [format!("{deployment}---\n{hpa}"), format!("{hpa}---\n{deployment}")] {
        let both = kubectl_hpa(&[&world[..], &["-o", "name"]].concat(), &input);
        assert_eq!((both.status.code(), stdout(&both)), (alone.status.code(), stdout(&alone)));
        assert_eq!(stderr(&both), "note: -: only the HPA is used, not: Deployment\n");
    }
    let none = kubectl_hpa(&world, deployment);
    assert_eq!((none.status.code(), stdout(&none)), (Some(1), ""));
    assert!(
        stderr(&none).starts_with("error: standard input is a Deployment of apps/v1, neither"),
        "{}",
        stderr(&none)
    );
}

#[test]
fn a_state_of_the_list_has_its_text() {
    use kubectl_hpa_core::model::HpaState;
    for state in HpaState::ALL {
        let told = kubectl_hpa(&["explain", "--why", state.as_str()], "");
        assert!(
            told.status.success() && stdout(&told).starts_with("State: "),
            "{state:?}: {}",
            stderr(&told)
        );
    }
}

/// All examples are a list like any other.
#[test]
fn an_upgrade_of_all_examples_is_one_list() {
    let told = kubectl_hpa(&["explain", "--example", "--upgrade-to", "1.23"], "");
    let all = kubectl_hpa::examples::ALL.len();
    assert!(stdout(&told).contains(&format!("{all} HPAs: ")), "{}", stdout(&told));
}

/// Why no replicas are told is said once, below the table.
#[test]
fn a_sweep_says_why_it_does_not_know_where_replicas_settle() {
    let sweep = |example: &str| {
        let output = kubectl_hpa(&["simulate", "--example", example, "--sweep", "target=40..90:25"], "");
        stdout(&output).to_owned()
    };
    let open = sweep("rollout");
    assert!(
        open.matches(" ?  ").count() > 1
            && open.matches("\nSettles  ? is not known: not every pod").count() == 1,
        "{open}"
    );
    let known = sweep("held-by-window");
    assert!(!known.contains('?'), "{known}");
}

#[test]
fn the_help_of_a_list_is_that_of_a_list() {
    let help = kubectl_hpa(&["list", "--help"], "");
    for words in
        ["An explanation for a terminal", "one document a case", "how it went", "a list of several cases"]
    {
        assert!(!stdout(&help).contains(words), "{words}");
    }
    let help = kubectl_hpa(&["simulate", "--help"], "");
    assert!(!stdout(&help).contains("explain lists them") && !stdout(&help).contains("explain compares"));
}

/// No cluster is asked, and no file read, for a value that nothing could make right.
#[test]
fn a_value_that_fits_no_autoscaler_is_a_wrong_command_line() {
    for (flag, value, words) in [
        ("--add-metric", "cpu", "expected NAME=VALUE"),
        ("--add-metric", "{", "invalid metric: "),
        ("--target", "abc", "invalid percentage \"abc\""),
        ("--target", "cpu=abc", "invalid target \"abc\""),
        ("--min", "-1", "invalid replicas \"-1\""),
        ("--max", "many", "invalid replicas \"many\""),
        ("--replicas", "1.5", "invalid replicas \"1.5\""),
        ("--scale-up", "Percent=10", "invalid rate \"10\""),
        ("--scale-down", "window=soon", "invalid period \"soon\""),
        ("--pods", "+2 sleepy", "invalid pod state \"sleepy\""),
        ("--pods", "+1 gone", "a pod that is gone cannot be added"),
        ("--request", "cpu=zz", "invalid quantity \"zz\""),
        ("--usage", "cpu=zz", "invalid quantity \"zz\""),
        ("--usage", "cpu=-5%", "invalid usage: "),
        ("--metric", "queue", "expected NAME=VALUE"),
        ("--load", "50%", "invalid load change \"50%\""),
        ("--load", "50%", "did you mean +50% or 0.5x?"),
        ("--load", "7.5%", "did you mean +7.5% or 0.075x?"),
        ("--load", "-2x", "invalid load change \"-2x\""),
        ("--load", "2kx", "invalid load change \"2kx\""),
        ("--load", "2", "invalid load change \"2\""),
        ("--load", "-101%", "invalid load change \"-101%\""),
        ("--request", "CPU=200m", "no resource is called CPU; did you mean cpu=200m?"),
        ("--request", "app/Memory=200Mi", "did you mean app/memory=200Mi?"),
        (
            "--add-metric",
            "queue=30",
            "only cpu and memory have a short form; expected an entry of spec.metrics in JSON",
        ),
        ("--add-metric", "CPU=30", "no resource is called CPU; did you mean cpu=30?"),
        ("--scale-up", "Percent=10%%/60s", "invalid rate \"10%%/60s\""),
        ("--scale-up", "Pods=10%/60s", "invalid rate \"10%/60s\""),
        ("--scale-up", "selectPolicy=Most", "invalid policy \"Most\""),
        ("--pods", "+1 median-sample", "already has a sample"),
        ("--sweep", "target=90..40:5", "90 is more than 40"),
        ("--as-version", "foo", "--as-version foo: "),
        ("--as-version", "1.12", "older than 1.23"),
        ("--output", "jsonpath={.a", "unclosed action"),
    ] {
        let typed = format!("{flag}={value}");
        let output = kubectl_hpa(&["simulate", "-f", "/no/such/file", &typed], "");
        assert_eq!(output.status.code(), Some(2), "{typed}");
        assert!(stderr(&output).contains(words), "{typed}: {}", stderr(&output));
        assert_eq!(stderr(&output).matches("error: ").count(), 1, "{typed}: {}", stderr(&output));
    }
}

/// Said in other words than ours, and meant as clearly.
#[test]
fn what_is_typed_in_the_apis_words_is_taken_as_it_is_meant() {
    let run = |example: &str, flag: &str, value: &str| {
        let args = ["simulate", "--example", example, &format!("{flag}={value}"), "-o", "json"];
        let output = kubectl_hpa(&args, "");
        let mut json: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        // The words are those that were typed.
        json["changes"] = Value::Null;
        (output.status.code(), json)
    };
    for (example, flag, ours, others) in [
        ("missing-samples", "--load", "+50%", &["1.5x", "1.5X", "150%", "+50.0%"][..]),
        ("missing-samples", "--load", "-50%", &["0.5x", ".5x"]),
        ("missing-samples", "--load", "+0%", &["1x", "100%"]),
        (
            "scale-up-limited",
            "--scale-up",
            "disabled",
            &["Disabled", "DISABLED", "select=Disabled", "selectPolicy=disabled"],
        ),
        (
            "scale-up-limited",
            "--scale-up",
            "Percent=10/60s,Pods=1/15s,select=Min,window=60s",
            &["percent=10%/60s,pods=1/15,selectPolicy=min,stabilizationWindowSeconds=60"],
        ),
        ("scale-up-limited", "--scale-up", "Percent=100/15s", &["Percent=100%/15s", "PERCENT=100% / 15"]),
    ] {
        let meant = run(example, flag, ours);
        for other in others {
            assert_eq!(run(example, flag, other), meant, "{flag} {other}");
        }
    }
}

/// What is hardly meant is refused, with what may be; what no other pod tells is not made up.
#[test]
fn what_fits_this_autoscaler_and_is_hardly_meant_is_refused() {
    for (flag, value, words) in [
        ("--request", "app=500m", "app is a container; name its resource, for example app/cpu=500m"),
        ("--request", "disk=500m", "no resource is called disk; expected for example cpu=500m"),
        ("--request", "app/disk=500m", "no resource is called disk"),
        (
            "--usage",
            "cpu=90",
            "90 without a unit is 90 cores, but no pod uses more than 90m now; for example cpu=90% of the \
             request, cpu=90m, or cpu=90000m if you mean 90 cores",
        ),
        ("--usage", "cpu=9.001", "cpu=9001m if you mean 9.001 cores"),
    ] {
        let output = kubectl_hpa(&["simulate", "--example", "missing-samples", flag, value], "");
        assert_eq!(output.status.code(), Some(1), "{flag} {value}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{flag} {value}: {}", stderr(&output));
    }
    for (flag, value) in [
        ("--usage", "cpu=9"),
        ("--usage", "cpu=90000m"),
        ("--request", "ephemeral-storage=1Gi"),
        ("--request", "example.com/gpu=1"),
        ("--request", "app/cpu=500m"),
    ] {
        let output = kubectl_hpa(&["simulate", "--example", "missing-samples", flag, value], "");
        let is_unknown =
            stderr(&output).contains("is called disk") || stderr(&output).contains("without a unit");
        assert!(!is_unknown, "{flag} {value}: {}", stderr(&output));
    }
}

/// A name where a command belongs, and the words of other tools, lead to the command that was meant.
#[test]
fn what_is_no_command_gets_the_command_that_was_likely_meant() {
    for (line, hint) in [
        ("web", "kubectl hpa explain web"),
        ("deploy/web -n shop", "kubectl hpa explain deploy/web -n shop"),
        ("ls -A", "kubectl hpa list -A"),
        ("get -n shop", "kubectl hpa list -n shop"),
        ("why web -n shop", "kubectl hpa explain web -n shop"),
        ("why", "kubectl hpa explain --why"),
        ("why within-tolerance", "kubectl hpa explain --why within-tolerance"),
        ("watch web", "kubectl hpa explain --watch web"),
        ("describe web", "kubectl hpa explain web"),
        (
            "explian web",
            "did you mean kubectl hpa explain? For an HPA of that name: kubectl hpa explain explian web",
        ),
        ("web;reboot $(x) -n it's", r"kubectl hpa explain 'web;reboot' '$(x)' -n 'it'\''s'"),
    ] {
        let output = kubectl_hpa(&line.split(' ').collect::<Vec<_>>(), "");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{line}");
        let said = stderr(&output);
        assert_eq!(said.lines().nth(1), Some(format!("hint: {hint}").as_str()), "{line}: {said}");
        assert!(
            said.starts_with("error: there is no command \"") && !said.contains("unrecognized"),
            "{said}"
        );
    }
    for args in [&["web\nhint: x"][..], &["web", "\u{1b}[2J\u{3164}"]] {
        let output = kubectl_hpa(args, "");
        let said = stderr(&output);
        assert_eq!(said.matches("\nhint: ").count(), 1, "{said}");
        assert!(!said.contains(['\u{1b}', '\u{3164}']), "{said}");
    }
}

#[test]
fn a_version_without_rules_is_complained_of_once() {
    let case = example("missing-samples");
    let gate = "--feature-gates=HPAConfigurableTolerance=false";
    for (flags, words) in [
        (&["--as-version", "1.12"][..], "error: --as-version 1.12: Kubernetes 1.12 is older than 1.23"),
        (&["--as-version", "1.36,foo"], "error: --as-version foo: "),
        (&["--upgrade-to", "1.12"], "error: --upgrade-to 1.12: "),
        (&["--upgrade-to", "1.37", gate], "error: --upgrade-to 1.37: feature gate HPAConfigurableTolerance"),
    ] {
        let output = kubectl_hpa(&[&["explain", "-f", "-"], flags].concat(), &format!("{case}\n---\n{case}"));
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(stderr(&output).starts_with(words), "{flags:?}: {}", stderr(&output));
        assert_eq!((stderr(&output).lines().count(), stdout(&output)), (1, ""), "{flags:?}");
    }
}

/// As kubectl's: what is switched off is as if it were not there, also for flags that exclude it or need it.
#[test]
fn a_switch_takes_a_value_as_those_of_kubectl() {
    let case = example("missing-samples");
    let off = [
        "explain",
        "-f",
        "-",
        "--watch=false",
        "-A=false",
        "--apply=false",
        "--ascii=f",
        "--blame",
        "--blame=0",
    ];
    let output = kubectl_hpa(&off, case);
    assert_eq!((stdout(&output), stderr(&output)), (stdout(&kubectl_hpa(&["explain", "-f", "-"], case)), ""));
    let on = kubectl_hpa(&["explain", "-f", "-", "--ascii=true"], case);
    assert!(on.status.success() && stdout(&on).is_ascii(), "{}", stderr(&on));
    for (flags, words) in [
        (&["--watch=maybe"][..], "maybe"),
        (&["--watch=true", "-f", "-"], "cannot be used with"),
        (&["--apply=false", "--yes"], "--apply"),
    ] {
        let output = kubectl_hpa(&[&["explain", "web"], flags].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(stderr(&output).contains(words), "{flags:?}: {}", stderr(&output));
    }
}

/// An address without a scheme is taken as kubectl takes it; what no request can hold is said before one is made.
#[test]
fn what_no_request_can_hold_is_one_clear_error() {
    for (flags, words) in [
        (&["--server", "localhost:1"][..], "error: http://localhost:1 does not answer"),
        (
            &["--server", "localhost:1", "--insecure-skip-tls-verify"],
            "error: https://localhost:1 does not answer",
        ),
        (&["--server", "/"], "invalid address of an API server \"/\""),
        (&["--server", "ftp://localhost"], "invalid address of an API server \"ftp://localhost\""),
        (&["--server", "https://localhost:1", "--token", "a\nb"], "the token contains a line break"),
    ] {
        let output = kubectl_hpa(&[&["explain", "web", "--kubeconfig", "/dev/null"], flags].concat(), "");
        assert_eq!(output.status.code(), Some(1), "{flags:?}");
        assert!(stderr(&output).contains(words), "{flags:?}: {}", stderr(&output));
    }
}

/// All gates of a controller can be pasted; of those that change nothing one line tells, and the header has the others.
#[test]
fn gates_that_count_are_given_and_others_are_told_of() {
    let explain = |gates: &str| {
        let output = kubectl_hpa(&["explain", "--example", "missing-samples", "--feature-gates", gates], "");
        assert!(output.status.success(), "{}", stderr(&output));
        let header: Vec<&str> = stdout(&output).lines().take(3).collect();
        (header.join("\n"), stderr(&output).to_owned())
    };
    let (header, note) =
        explain("kube:HPAScaleToZero=True,CronJobsScheduledAnnotation=false,HPAScaleToNought=t");
    assert!(header.contains("· HPAScaleToZero given, the rest assumed ·"), "{header}");
    assert!(
        note.starts_with(
            "note: --feature-gates: no decision depends on CronJobsScheduledAnnotation, HPAScaleToNought; the \
             gates that matter are HPAScaleToZero, "
        ) && note.lines().count() == 1,
        "{note}"
    );
    let (header, note) = explain("CronJobsScheduledAnnotation=false");
    assert!(header.contains("default flags assumed") && note.starts_with("note: "), "{header}\n{note}");
    assert_eq!(explain("HPAScaleToZero=true,AllBeta=false").1, "");
}

#[test]
fn every_code_is_listed_with_a_few_words() {
    let list = kubectl_hpa(&["explain", "--why"], "");
    let rows: Vec<&str> = stdout(&list).lines().collect();
    let (branches, advice) = (kubectl_hpa_core::trace::Code::ALL, kubectl_hpa_core::advice::AdviceCode::ALL);
    let rules = kubectl_hpa_core::lint::Rule::ALL;
    let states = kubectl_hpa_core::model::HpaState::ALL;
    assert_eq!(rows.len(), branches.len() + advice.len() + rules.len() + states.len());
    assert!(
        rows.iter().all(|row| row.split_once("  ").is_some_and(|(_, words)| words.len() > 5)),
        "{rows:?}"
    );
}

#[test]
fn a_complaint_repeats_nothing_that_a_terminal_obeys() {
    for args in [
        &["explain", "--\u{202e}gnihton\u{1b}[31m"][..],
        &["\u{1b}]0;title\u{7}"],
        &["explain", "--tolerance", "\u{9b}2J\u{200b}", "web"],
        &["explain", "--example", "\u{1b}[2J"],
        &["explain", "-f", "/no/\u{202e}such"],
    ] {
        let output = kubectl_hpa(args, "");
        let words = stderr(&output);
        let obeyed = |it: char| {
            (it.is_control() && it != '\n') || matches!(it, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        };
        assert!(words.starts_with("error: ") && !words.contains(obeyed), "{words:?}");
    }
}

#[test]
fn a_closed_pipe_is_success() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(["explain", "--example", "rollout"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
}

/// Whatever it is that was asked for: what was not written was not answered.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_that_is_told_once() {
    for line in [
        "explain --example rollout",
        "explain --example rollout -o json",
        "explain --example rollout -o yaml",
        "explain --example rollout -o jsonpath={.kind}",
        "explain --example",
        "explain --why within-range",
        "explain --why",
        "explain -f src/examples/rollout.yaml -f src/examples/ambiguous.yaml",
        "simulate --example rollout --load +50%",
        "simulate --example rollout --max 9",
        "simulate --example rollout --sweep load=+0%..+50%:10%",
        "test src/examples",
        "rbac",
        "completion bash",
        "__complete -- explain --why=",
        "--help",
        "simulate --help",
        "--version",
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(line.split(' '))
            .stdout(full)
            .output()
            .expect("the binary runs");
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert_eq!(stderr(&output), "error: cannot write the output: no space left on device\n", "{line}");
    }
}

#[test]
fn readme_and_its_page_show_what_blame_and_advice_say() {
    let readme = include_str!("../../README.md").replace("\n```", "\n\n");
    let page = include_str!("../../src/render/reading.md").replace("\n```", "\n\n");
    let told = [
        (&["explain", "--example", "broken-metric", "--blame"][..], "Blame", &page),
        (&["explain", "--example", "missing-request"][..], "Advice", &page),
        (&["explain", "--example", "missing-request"][..], "Advice", &readme),
    ];
    for (arguments, title, text) in told {
        let screen = stdout(&kubectl_hpa(arguments, "")).to_owned();
        let section = screen.split("\n\n").find(|section| section.starts_with(title)).expect(title);
        assert!(text.contains(section), "another section {title} is shown:\n{section}");
    }
}

#[test]
fn blame_is_in_the_json_only_where_it_was_asked_for() {
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_slice(&kubectl_hpa(arguments, "").stdout).expect("JSON")
    };
    let plain = json(&["explain", "--example", "broken-metric", "-o", "json"]);
    assert_eq!(
        (&plain["blame"], &plain["advice"][0]["code"]),
        (&serde_json::Value::Null, &"fix-or-remove-metric".into())
    );
    let blamed = json(&["explain", "--example", "broken-metric", "-o", "json", "--blame"]);
    let cause = &blamed["blame"]["causes"][0];
    assert_eq!((&cause["kind"], &cause["without"]), (&"metric".into(), &"queue_depth".into()));
    assert_eq!(cause["replicas"], serde_json::json!({"lowest": 2, "highest": 2}));
}

#[test]
fn codes_of_advice_are_explained() {
    let output = kubectl_hpa(&["explain", "--why", "measure-one-container"], "");
    assert!(
        stdout(&output).starts_with("Advice: measure one container  measure-one-container\n"),
        "{}",
        stdout(&output)
    );
}

/// A stream whose reader has left, or a disk that is full.
fn piped_to(sink: &str, args: &str, input: &str) -> (Option<i32>, String) {
    let shell = format!("set -o pipefail; {} {args} {sink}", env!("CARGO_BIN_EXE_kubectl-hpa"));
    let mut command = Command::new("bash");
    command.args(["-c", &shell]).env("COLUMNS", "100").env_remove("KUBECONFIG");
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = streams.spawn().expect("bash starts");
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), stderr(&output).to_owned())
}

#[test]
fn a_reader_who_leaves_early_changes_no_exit_code() {
    let broken = format!("{}\n---\nkind: Case\n", example("missing-samples"));
    for sink in ["| true", "2> >(true)", "2>&1 | true"] {
        for (args, input, code) in [
            ("explain --example rollout", "", 0),
            ("simulate --example missing-samples --load +50%", "", 3),
            ("explain -f -", broken.as_str(), 1),
            ("test -", broken.as_str(), 1),
        ] {
            assert_eq!(piped_to(sink, args, input).0, Some(code), "{args} {sink}");
        }
    }
}

/// Where only the bounds of a decision are known, both sides may come to the same or not.
#[test]
fn bounds_that_overlap_are_not_called_the_same() {
    let case = without("held-by-window", "memory");
    for (args, code, words) in [
        (&["--max", "10"][..], Some(4), "Decision  may or may not change"),
        (&["--scale-down", "window=60s"], Some(4), "Decision  may or may not change"),
        // The same all the way, whatever is remembered.
        (&[], Some(0), "Decision  no change"),
        (&["--max", "40"], Some(0), "Decision  no change"),
        (&["--max", "4"], Some(3), "Decision  changes"),
    ] {
        let output = kubectl_hpa(&[&["simulate", "-f", "-"], args].concat(), &case);
        assert_eq!(output.status.code(), code, "{args:?}: {}", stdout(&output));
        assert!(stdout(&output).contains(words), "{args:?}: {}", stdout(&output));
    }
}

/// A document that nobody can read is not judged as a case: it may be anything.
#[test]
fn a_mistake_in_yaml_is_told_where_it_is() {
    let manifest = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\n\
                    spec:\n  minReplicas: 2\n  minReplicas: 3\n";
    for (text, told) in [
        (manifest, "6:3: spec: duplicate key `minReplicas`"),
        (&manifest.replace("  minReplicas: 3", " \tx: 3"), "6:"),
        (&manifest.replace("minReplicas: 3", "x: \"3"), "6:6: spec.x: unclosed quote"),
    ] {
        for command in ["explain", "simulate"] {
            let output = kubectl_hpa(&[command, "-f", "-"], text);
            assert!(stderr(&output).contains(told), "{command}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_case_without_a_version_has_none_to_compare() {
    let output = kubectl_hpa(&["explain", "-f", "-"], &without("held-by-window", "controller"));
    assert!(stdout(&output).contains("Assumed"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("Upgrade"), "{}", stdout(&output));
}

#[test]
fn a_load_that_no_integer_holds_is_refused() {
    for load in ["+1e16%", "+1e400%", "+922337203685477580700%", "92233720368547758070x"] {
        let output = kubectl_hpa(&["simulate", "--example", "missing-samples", "--load", load], "");
        assert_eq!(output.status.code(), Some(2), "{load}: {}", stdout(&output));
    }
}

/// Without a status there is no last status to speak of.
#[test]
fn the_first_reconcile_is_told_as_one() {
    let case = without("held-by-window", "memory");
    let (hpa, rest) = case.split_once("\n  status:\n").expect("a status");
    let rest = &rest[rest.find("\nscale:").expect("a scale")..];
    let output = kubectl_hpa(&["explain", "-f", "-"], &format!("{hpa}{rest}"));
    let told = stdout(&output);
    assert!(told.contains("first sync") && told.contains("max(5 now, 10 at 10:42:00) = 10"), "{told}");
    assert!(!told.contains("last status") && !told.contains("Not known"), "{told}");
}

#[test]
fn a_simulation_over_time_says_of_what_load() {
    let curve =
        ["simulate", "--example", "scale-up-limited", "--over", "5m", "--rollout", "1m", "--load-curve"];
    let output = kubectl_hpa(&[&curve[..], &["cpu=ramp:100%..200%/2m"]].concat(), "");
    let told = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("the load follows cpu=ramp:100%..200%/2m;"), "{told}");
    assert!(told.contains("a rolling update starts after 1m"), "{told}");
    let output = kubectl_hpa(&["simulate", "--example", "rollout", "--over", "5m", "--seed", "a"], "");
    assert!(
        stderr(&output).starts_with("error: invalid seed \"a\": expected a whole number"),
        "{}",
        stderr(&output)
    );
}

/// At zero replicas a status has the same average for every value, so it does not tell what the last sync saw.
#[test]
fn a_status_written_at_zero_tells_of_no_value() {
    let at_zero = without("scale-to-zero", "memory")
        .replace("    behavior:\n      scaleDown:\n        stabilizationWindowSeconds: 60\n", "")
        .replace("currentReplicas: 1", "currentReplicas: 0")
        .replace("desiredReplicas: 1", "desiredReplicas: 0")
        .replace("averageValue: \"0\"", "averageValue: \"-9223372036854775808m\"")
        .replace("spec: {replicas: 1}", "spec: {replicas: 0}")
        .replace("status: {replicas: 1,", "status: {replicas: 0,")
        .replace(
            "status: \"False\", lastTransitionTime: 2026-11-21T08:02:10Z, reason: NotScaledToZero",
            "status: \"True\", lastTransitionTime: 2026-11-21T10:41:15Z, reason: ScaledToZero",
        )
        .replace("reason: ScaleDownStabilized", "reason: ReadyForNewScale")
        .replace("value: \"0\"}]", "value: \"200\"}]");
    let output = kubectl_hpa(&["explain", "-f", "-"], &at_zero);
    assert!(stdout(&output).contains("0 replicas → 2 "), "{}", stdout(&output));
    assert!(!stdout(&output).contains("the same inputs"), "{}", stdout(&output));
}

/// What is decided, and each word of it, stays the same but for the names.
#[test]
fn a_redacted_case_tells_no_pod_and_decides_the_same() {
    let list = kubectl_hpa(&["explain", "--example"], "");
    let examples = stdout(&list).lines().filter_map(|line| line.split_whitespace().next());
    let mut masked = 0;
    for example in examples {
        let redacted = kubectl_hpa(&["explain", "--example", example, "--save", "-", "--redact"], "");
        let saved = kubectl_hpa(&["explain", "--example", example, "--save", "-"], "");
        let case: Value = serde_yaml::from_str(stdout(&saved)).expect("a case");
        let lists =
            ["/pods/items", "/podMetrics/items"].map(|list| case.pointer(list).and_then(Value::as_array));
        let pods = lists.into_iter().flatten().flatten();
        let names: BTreeSet<&str> = pods.filter_map(|pod| pod["metadata"]["name"].as_str()).collect();
        let width = names.len().to_string().len();
        let explained = |case: &str| {
            let told = kubectl_hpa(&["explain", "-f", "-", "-o", "json"], case);
            stdout(&told).to_owned()
        };
        let mut expected = explained(stdout(&saved));
        for (number, name) in names.iter().enumerate().rev() {
            expected = expected.replace(name, &format!("pod-{:0width$}", number + 1));
            assert!(!stdout(&redacted).contains(name), "{name} is in {}", stdout(&redacted));
            masked += 1;
        }
        assert_eq!(explained(stdout(&redacted)), expected, "{example}");
    }
    assert!(masked > 50, "{masked}");
}
