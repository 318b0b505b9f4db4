//! `kubectl hpa backtest` on files that say little, or what nobody expects.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration as Span, Instant as Moment};

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use kubectl_hpa_core::model::{Duration, Instant};
use kubectl_hpa_core::record::Recorder;
use kubectl_hpa_core::snapshot::Case;
use serde_json::{Value, json};

use crate::backtest_world::{World, record};
use crate::root::root;

/// The world of the page.
const SEED: u64 = 377;

fn looks() -> Vec<(Instant, Case)> {
    World::draw(SEED).looks(1, Duration::from_seconds(3))
}

/// A file of this process.
fn file(name: &str, text: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("kubectl-hpa-{}-{name}.jsonl", std::process::id()));
    fs::write(&file, text).expect("a file");
    file
}

fn run(file: &Path, args: &[&str]) -> Output {
    let begun = Moment::now();
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .arg("backtest")
        .args(args)
        .arg("-f")
        .arg(file)
        .output()
        .expect("the binary runs");
    assert!(begun.elapsed() < Span::from_secs(60), "{args:?} takes long");
    output
}

/// The exit code of a run on a record, and both its streams.
fn answered(name: &str, text: &str, args: &[&str]) -> (Option<i32>, String) {
    let file = file(name, text);
    let output = run(&file, args);
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("UTF-8").replace(file.to_str().expect("UTF-8"), "FILE");
    let _ = fs::remove_file(file);
    assert!(!text.contains("panicked"), "{text}");
    assert!(!text.chars().any(|it| it.is_control() && it != '\n'), "{text:?}");
    // Words may be folded anywhere.
    (output.status.code(), text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn is_answered(name: &str, text: &str, args: &[&str], expected: &str) {
    let (code, told) = answered(name, text, args);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains(expected), "{name}: {told}");
}

fn is_refused(name: &str, text: &str, args: &[&str], expected: &str) {
    assert_eq!(answered(name, text, args), (Some(1), format!("error: {expected}")), "{name}");
}

fn changed(looks: &[(Instant, Case)], change: impl Fn(usize, &mut Value)) -> Vec<(Instant, Case)> {
    let changed = looks.iter().enumerate().map(|(place, (at, case))| {
        let mut value = serde_json::to_value(case).expect("JSON");
        change(place, &mut value);
        (*at, serde_json::from_value(value).expect("a case"))
    });
    changed.collect()
}

#[test]
fn the_page_has_the_record_of_its_world() {
    let path = root("tests/simulate/hour.jsonl.gz");
    let made = record(looks());
    if std::env::var_os("UPDATE_SCREENS").is_some() {
        let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(made.as_bytes()).expect("packed");
        fs::write(&path, packed.finish().expect("packed")).expect("a file");
    }
    let mut text = String::new();
    let kept = fs::File::open(path).expect("the record is there");
    MultiGzDecoder::new(kept).read_to_string(&mut text).expect("it is unpacked");
    assert!(text == made, "the record differs from the page's");
    let folder = root("tests/simulate");
    crate::pages::check(&folder.join("backtest.md"), |line| Some(crate::pages::answer(&folder, line)));
}

#[test]
fn its_json_keeps_to_the_schema() {
    let schema = serde_json::from_str(include_str!("../../src/render/schema/future.schema.json"));
    let schema = jsonschema::draft202012::new(&schema.expect("the schema is JSON")).expect("a schema");
    let record = root("tests/simulate/hour.jsonl.gz");
    for change in [&[][..], &["--target", "80"], &["--request", "cpu=150m", "--min", "2"]] {
        let output = run(&record, &[change, &["-o", "json"]].concat());
        let value = serde_json::from_slice::<Value>(&output.stdout).expect("JSON");
        assert!(schema.is_valid(&value), "{:?}", schema.iter_errors(&value).collect::<Vec<_>>());
        assert_eq!(value["record"]["calibration"]["isClose"], json!(true), "{value}");
        assert_eq!(value["better"].is_object(), !change.is_empty());
    }
}

#[test]
fn a_record_that_is_cut_off_anywhere_is_played_up_to_there() {
    let whole = record(looks().into_iter().take(12));
    let (mut played, step) = (0, whole.len() / 150);
    for cut in (0..whole.len()).step_by(step.max(1)) {
        let (code, told) = answered("cut", &whole[..cut], &["--target", "80"]);
        played += usize::from(code == Some(0));
        assert!(code == Some(0) || told.contains("error: "), "cut at {cut}: {told}");
    }
    assert!(played > 50, "{played}");
}

#[test]
fn records_of_too_little_are_refused() {
    let looks = looks();
    let take = |count: usize| record(looks.iter().take(count).cloned());
    is_refused("empty", "", &[], "the record has no look");
    is_refused("header", &take(0), &[], "the record has no look");
    is_refused("named", &take(3), &["api"], "the record has no look at api; it has shop/web");
    let one = "the record can be played for 0s only, and a backtest needs at least one sync period, 15s";
    is_refused("one", &take(1), &[], one);
    let header = Recorder::header();
    is_refused("torn", &format!("{header}\nx\n"), &[], "FILE: line 2: expected value at line 1 column 1");
    let unread = changed(&looks[..9], |_, case| case["podMetrics"] = json!({"items": []}));
    let old = changed(&looks[..9], |_, case| case["controller"]["version"]["value"] = json!("v1.2.3"));
    let (code, told) = answered("old", &record(old), &[]);
    assert_eq!(code, Some(1));
    assert!(told.starts_with("error: no look of the record can be played from: "), "{told}");
    is_refused(
        "unread",
        &record(unread),
        &[],
        "no look of the record can be played from: each lacks the replicas, the pods or the value of a metric",
    );
}

#[test]
fn a_record_of_several_hpas_needs_a_name() {
    let looks = looks();
    let other = changed(&looks, |_, case| case["hpa"]["metadata"]["name"] = json!("api"));
    let both = record(looks.iter().cloned().zip(other).flat_map(|(one, other)| [one, other]));
    let several = "the record has several HPAs, and a backtest is of one: name one of shop/api, shop/web";
    is_refused("several", &both, &[], several);
    for name in ["web", "shop/api"] {
        is_answered("named", &both, &[name], "the HPA matches the record: replicas equal 100% of the time");
    }
}

#[test]
fn what_was_not_seen_or_was_another_hpa_is_told() {
    let looks = looks();
    let edited = changed(&looks, |place, case| {
        if place >= 60 {
            case["hpa"]["spec"]["maxReplicas"] = json!(30);
        }
    });
    is_answered("edited", &record(edited), &[], "; the spec of the HPA was edited before it.");
    let recreated = changed(&looks, |place, case| {
        if place >= 60 {
            case["hpa"]["metadata"]["creationTimestamp"] = json!("2026-11-21T10:15:00Z");
        }
    });
    is_answered("recreated", &record(recreated), &[], "; another HPA of this name was there before it.");

    let mut swapped = looks.clone();
    swapped.swap(20, 40);
    is_answered("swapped", &record(swapped), &[], "; 20 looks out of order left out");
    let gap = looks.iter().take(50).chain(looks.iter().skip(90)).cloned();
    is_answered(
        "gap",
        &record(gap),
        &[],
        "; not seen for 10m15s in 1 gap of more than 4 syncs (10m15s from 10:12:18)",
    );
    let unread = changed(&looks, |place, case| {
        if place < 3 || (50..55).contains(&place) {
            case["podMetrics"] = json!({"items": []});
        }
    });
    let told = "; looks before it lack a metric, the replicas or the pods; 8 looks without a metric, the replicas or the \
                pods, so their load is not known";
    is_answered("unread", &record(unread), &[], told);
    let limited = changed(&looks, |_, case| {
        for pod in case["pods"]["items"].as_array_mut().into_iter().flatten() {
            pod["spec"]["containers"][0]["resources"]["limits"] = json!({"cpu": "55m"});
        }
    });
    is_answered(
        "limited",
        &record(limited),
        &[],
        "; for 39m18s a container was at its limit and may have needed more.",
    );
    let sparse = looks.iter().step_by(3).cloned();
    let told = "; there are fewer looks than syncs: a short peak between them is not seen.";
    is_answered("sparse", &record(sparse), &[], told);
    let silent = looks.iter().take(20).chain(looks.iter().skip(200)).cloned();
    is_answered(
        "half",
        &record(silent),
        &["--target", "80"],
        "No comparison: of 1h only 14m48s can be compared.",
    );
    let short = looks.iter().take(20).cloned();
    let told = "No comparison: the record goes on for 4m48s, and at least 10m are needed.";
    is_answered("short", &record(short), &["--target", "80"], told);
}

#[test]
fn a_manifest_is_played_beside_the_record() {
    let text = record(looks());
    let mut hpa = serde_json::to_value(&looks()[0].1).expect("JSON")["hpa"].clone();
    hpa["spec"]["maxReplicas"] = json!(5);
    let manifest = file("manifest", &hpa.to_string());
    let path = manifest.to_str().expect("UTF-8");
    is_answered("beside", &text, &["-f", path], "manifest.jsonl: 4.69 pod-hours instead of 7.82 (-40%)");
    is_refused("twice", &text, &["-f", path, "-f", path], "a backtest compares with one manifest: give one");
    let case = file("case", "kind: Deployment");
    let path = case.to_str().expect("UTF-8");
    let (code, told) = answered("other", &text, &["-f", path]);
    assert!(code == Some(1) && told.contains("is a Deployment without an apiVersion"), "{told}");
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(["backtest", "-f", "-"])
        .stdin(fs::File::open(&case).expect("a file"))
        .output()
        .expect("the binary runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: standard input is not a record\n");
    for file in [manifest, case] {
        let _ = fs::remove_file(file);
    }
}

/// If somebody else sets the replicas, a play of the HPA does not match.
#[test]
fn a_play_that_does_not_match_compares_nothing() {
    let foreign = changed(&looks(), |_, case| case["scale"]["object"]["spec"]["replicas"] = json!(7));
    let text = record(foreign);
    is_answered("foreign", &text, &[], "the HPA does not match the record: replicas equal");
    let (code, told) = answered("foreign", &text, &["--target", "90"]);
    assert_eq!(code, Some(0));
    assert!(told.contains("No comparison: played again with its own settings"), "{told}");
    assert!(!told.contains("instead of") && !told.contains("better now"), "{told}");
}

#[test]
fn absurd_records_end_in_a_screen_or_an_error() {
    let mut looks = looks();
    looks.truncate(30);
    let far = Duration::from_seconds(366 * 86_400);
    let year: Vec<_> = looks
        .iter()
        .enumerate()
        .map(|(place, (at, case))| (if place < 20 { *at } else { *at + far }, case.clone()))
        .collect();
    let (code, told) = answered("year", &record(year.clone()), &[]);
    let long = "error: the record goes on for 8784h7m18s, and a backtest plays at most 30d: pass --since 30d";
    assert_eq!((code, told.as_str()), (Some(1), long));
    is_answered("since", &record(year), &["--since", "1h"], ": 10 looks.");

    for usage in ["0", "9223372036854775807m", "9e30", "-5", "1n"] {
        let huge = changed(&looks, |place, case| {
            for item in
                case["podMetrics"]["items"].as_array_mut().into_iter().flatten().filter(|_| place % 3 == 1)
            {
                item["containers"][0]["usage"] = json!({"cpu": usage, "memory": usage});
            }
        });
        let (_, told) = answered("huge", &record(huge), &["--target", "80"]);
        assert!(
            told.contains("No comparison") || told.contains("With --target") || told.contains("error: "),
            "{told}"
        );
    }
    let strange = changed(&looks, |_, case| {
        case["hpa"]["metadata"]["name"] = json!("web\u{1b}[31m\u{7}");
    });
    is_answered("strange", &record(strange.clone()), &[], "the HPA matches the record");
    let both = strange.into_iter().zip(looks).flat_map(|(one, other)| [one, other]);
    assert_eq!(answered("strangers", &record(both), &[]).0, Some(1));
}
