//! Case files: what is read, what is refused and in which words, and that nothing makes the reader panic.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Quantity;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Cases, Snapshot};
use kubectl_hpa_core::trace::Outcome;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

use crate::root::root;

const YAML: &str = "\
apiVersion: kubectl-hpa/v1
kind: Case
at: 2026-11-21T10:42:00.000000001Z
controller: {version: {value: 1.37}, tolerance: {value: 0.1}}
hpa:
  apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata: {name: web, namespace: shop}
  spec:
    maxReplicas: 10
    scaleTargetRef: {kind: Deployment, name: web, apiVersion: apps/v1}
scale: {object: {spec: {replicas: 5}, status: {replicas: 5, selector: app=web}}}
pods:
  items:
  - metadata: {name: web-1, labels: {app: web, version: 1.10}}
    spec: {containers: [{name: app, resources: {requests: {cpu: 0.1, memory: 1Gi}}}]}
";

/// Reads a stream and freezes what it holds: the errors, and `ok` for each good case.
fn read(bytes: &[u8]) -> Vec<String> {
    let told =
        |case: Case| Snapshot::freeze(case).map_or_else(|error| error.to_string(), |_| "ok".to_owned());
    let cases = Cases::new("case.yaml", bytes);
    cases.map(|case| case.map_or_else(|error| error.to_string(), told)).collect()
}

/// The YAML case with a part of it replaced.
fn with(part: &str, other: &str) -> String {
    assert!(YAML.contains(part), "{part}");
    YAML.replacen(part, other, 1)
}

fn json() -> String {
    let case = Cases::new("case.yaml", YAML.as_bytes()).next().expect("a case").expect("a good case");
    serde_json::to_string(&case).expect("JSON")
}

/// One error, whose first line is `expected`.
#[track_caller]
fn refused(input: impl AsRef<[u8]>, expected: &str) {
    let told = read(input.as_ref());
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].lines().next().unwrap_or_default(), expected);
}

#[test]
fn scalars_mean_what_a_person_expects() {
    let case = Cases::new("case.yaml", YAML.as_bytes()).next().expect("a case").expect("a good case");
    assert_eq!(case.controller.version.expect("a version").value, "1.37");
    assert_eq!(case.at.to_rfc3339_nano(), "2026-11-21T10:42:00.000000001Z");
    let pod = &case.pods.expect("pods").items.expect("items")[0];
    assert_eq!(pod.metadata.labels.get("version"), Some("1.10"));
    let requests = &pod.spec.containers[0].resources.requests;
    let cpu = Quantity::parse("100m").expect("a quantity");
    assert!(requests.iter().any(|(name, quantity)| name == "cpu" && *quantity == cpu), "{requests:?}");
}

#[test]
fn a_stream_holds_any_number_of_documents() {
    let json = json();
    assert_eq!(read(YAML.as_bytes()), ["ok"]);
    assert_eq!(read(format!("\u{feff}{YAML}").as_bytes()), ["ok"]);
    assert_eq!(
        read(format!("# c\n%YAML 1.2\n---\n{YAML}---\n# nothing\n---\n{YAML}...\n---\n").as_bytes()),
        ["ok"; 2]
    );
    assert_eq!(read(format!("{json}\n\n  {json}{json}\n").as_bytes()), ["ok"; 3]);
    assert_eq!(read(format!("{json}\n---\n{YAML}---\n{json}").as_bytes()), ["ok"; 3]);
    let pretty: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(read(format!("{pretty:#}\n{pretty:#}").as_bytes()), ["ok"; 2]);
}

#[test]
fn a_wrong_document_does_not_hide_the_next() {
    let json = json();
    let told =
        read(format!("{json}\n{}\nnull\n{json}", json.replace("\"kind\":\"Case\"", "\"kind\":7")).as_bytes());
    assert_eq!(told.len(), 4);
    assert_eq!([&told[0], &told[3]], ["ok"; 2]);
    assert!(
        told[1].starts_with("case.yaml:2:")
            && told[1].contains(": document 2: kind: must be a string, not 7"),
        "{}",
        told[1]
    );
    assert!(told[2].starts_with("case.yaml:3:4: document 3: must be an object, not null"), "{}", told[2]);
    let told =
        read(format!("{YAML}---\n{}---\n{YAML}", with("maxReplicas: 10", "maxReplicas: ten")).as_bytes());
    assert_eq!(
        told[1].lines().next(),
        Some(
            "case.yaml:27:18: document 2: hpa.spec.maxReplicas: must be a whole number from -2147483648 to 2147483647, not the string \"ten\""
        )
    );
    assert_eq!([&told[0], &told[2]], ["ok"; 2]);
}

#[test]
fn wrong_types_are_named_with_their_place() {
    let max = |value: &str| with("maxReplicas: 10", &format!("maxReplicas: {value}"));
    refused(
        max("10.0"),
        "case.yaml:10:18: hpa.spec.maxReplicas: must be a whole number from -2147483648 to 2147483647, not 10.0",
    );
    refused(
        max("'10'"),
        "case.yaml:10:18: hpa.spec.maxReplicas: must be a whole number from -2147483648 to 2147483647, not the string \"10\"",
    );
    refused(
        max("99999999999"),
        "case.yaml:10:18: hpa.spec.maxReplicas: must be a whole number from -2147483648 to 2147483647, not 99999999999",
    );
    let tolerance = |value: &str| with("value: 0.1", &format!("value: {value}"));
    for odd in [".nan", ".inf", "-.inf", "1e999"] {
        refused(
            tolerance(odd),
            &format!("case.yaml:4:57: controller.tolerance.value: `{odd}` is not a finite number"),
        );
    }
    refused(tolerance("-0.1"), "controller.tolerance.value: must be a number of at least 0");
    refused(
        with("value: 1.37", "value: null"),
        "case.yaml:4:31: controller.version.value: must be a string, not null",
    );
    refused(with("pods:\n  items:\n", "pods:\n"), "case.yaml:14:3: pods: must be an object, not a list");
    refused(
        with("spec: {replicas: 5}", "spec: [5]"),
        "case.yaml:12:24: scale.object.spec: must be an object, not a list",
    );
    let list = json().replace("\"spec\":{\"replicas\":5}", "\"spec\":[5]");
    assert!(read(list.as_bytes())[0].contains("scale.object.spec: must be an object, not a list"));
}

/// Rust's and Go's names of types mean nothing to whoever writes a case.
#[test]
fn wrong_values_are_told_in_the_words_of_the_api() {
    let told = |part: &str, other: &str| {
        read(with(part, other).as_bytes())[0].lines().next().unwrap_or_default().to_owned()
    };
    let case = [
        (
            "tolerance: {value: 0.1}",
            "tolerance: {value: yes}",
            "4:57: controller.tolerance.value: must be a number, not true",
        ),
        (
            "tolerance: {value: 0.1}",
            "syncPeriod: {value: 15}",
            "4:58: controller.syncPeriod.value: must be a duration such as \"30s\" or \"5m0s\", not the string \"15\"",
        ),
        (
            "tolerance: {value: 0.1}",
            "featureGates: {HPAScaleToZero: {value: 1}}",
            "4:77: controller.featureGates.HPAScaleToZero.value: must be true or false, not 1",
        ),
        (
            "tolerance: {value: 0.1}",
            "tolerance: {value: 0.1, evidence: Seen}",
            "4:72: controller.tolerance.evidence: must be Given, Observed, Inferred, Assumed or Unknown, not the string \
             \"Seen\"",
        ),
        (
            "name: web, namespace: shop",
            "name: {a: b}, namespace: shop",
            "8:20: hpa.metadata.name: must be a string",
        ),
        (
            "  items:\n  - metadata",
            "  items: 3\n  error:\n  - metadata",
            "14:10: pods.items: must be a list, not 3",
        ),
        (
            "cpu: 0.1",
            "cpu: [1]",
            "16:65: pods.items[0].spec.containers[0].resources.requests.cpu: must be a quantity such as \"250m\", \"1.5Gi\" or 2, not a list",
        ),
    ];
    for (part, other, expected) in case {
        assert_eq!(told(part, other), format!("case.yaml:{expected}"));
    }
    let code = json().replace(
        "\"scale\":{\"object\":",
        "\"scale\":{\"error\":{\"code\":70000,\"message\":\"\"},\"object\":",
    );
    assert!(
        read(code.as_bytes())[0]
            .contains("scale.error.code: must be a whole number from 0 to 65535, not 70000")
    );
}

/// Null is absent, in our own fields as in the API's; in a list of objects it is one without fields, as in Go.
#[test]
fn null_is_absent() {
    const NULLS: &str = "metadata: null\ncontroller: {version: null, tolerance: {value: 0.1, evidence: null, from: null}, \
        syncPeriod: null, featureGates: {HPAScaleToZero: null}}\nmemory: {evidence: null, recommendations: null, \
        scaleUpEvents: [{change: 1, at: 2026-11-21T10:40:00Z, outdated: null}], scaleDownEvents: null}\n\
        customMetrics: null\nexternalMetrics: null\notherHPAs: null\nevents: null\nwrites: {scale: null, status: null}\n\
        podMetrics: {items: null, error: {message: refused, code: null, reason: null, path: null, scope: null, stage: null}}\n";
    let yaml = with("controller: {version: {value: 1.37}, tolerance: {value: 0.1}}\n", NULLS);
    let yaml =
        yaml.replace("{name: web-1, labels", "{ownerReferences: [null, {kind: null}], name: web-1, labels");
    assert_eq!(read(yaml.as_bytes()), ["ok"]);
    let value: Value = serde_yaml::from_str(&yaml.replace("version: 1.10", "version: v1")).expect("YAML");
    assert_eq!(read(value.to_string().as_bytes()), ["ok"]);
    let memory = Cases::new("", yaml.as_bytes()).next().expect("a case").expect("a good case").memory;
    assert_eq!(memory.expect("a memory").scale_up_events.len(), 1);
    refused(with("kind: Case", "kind: null"), "case.yaml:2:7: kind: must be a string, not null");
    refused(
        with("controller: {", "memory: {recommendations: [null]}\ncontroller: {"),
        "case.yaml:4:28: memory.recommendations[0]: missing field `replicas`",
    );
}

#[test]
fn what_the_controller_cannot_hold_is_refused_in_its_place() {
    let memory = |part: &str| with("controller: {", &format!("memory: {{{part}}}\ncontroller: {{"));
    let at = "at: 2026-11-21T10:40:00Z";
    refused(
        memory(&format!("recommendations: [{{replicas: 0, {at}}}, {{replicas: -1, {at}}}]")),
        "case.yaml:4:80: memory.recommendations[1].replicas: must be a whole number from 0 to 2147483647, not -1",
    );
    for change in ["0", "-2"] {
        refused(
            memory(&format!("scaleDownEvents: [{{change: {change}, {at}}}]")),
            &format!(
                "case.yaml:4:37: memory.scaleDownEvents[0].change: must be a whole number from 1 to 2147483647, not {change}"
            ),
        );
    }
    for period in ["0s", "-15s"] {
        let told = read(
            with("controller: {", &format!("controller: {{syncPeriod: {{value: {period}}}, ")).as_bytes(),
        );
        let place = "case.yaml:4:";
        let words = format!("controller.syncPeriod: `value` must be longer than 0s, not {period}");
        assert!(told[0].starts_with(place) && told[0].contains(&words), "{told:?}");
    }
    // The controller's flags take these.
    let windows = "downscaleStabilization: {value: -5m}, cpuInitializationPeriod: {value: 0s}, initialReadinessDelay: {value: -1ns}";
    assert_eq!(read(with("controller: {", &format!("controller: {{{windows}, ")).as_bytes()), ["ok"]);
}

/// Go's times reach further than a file can say; their differences are cut to 292 years, as here.
#[test]
fn a_decision_can_be_made_at_any_instant() {
    let instants = [
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00.000000001Z",
        "1677-09-21T00:12:43Z",
        "9999-12-31T23:59:59.999999999Z",
    ];
    for (at, other) in instants.iter().flat_map(|at| instants.map(|other| (at, other))) {
        let memory = format!(
            "memory: {{recommendations: [{{replicas: 5, at: {other}}}], scaleUpEvents: [{{change: 1, at: {other}}}]}}\n\
             podMetrics: {{items: [{{metadata: {{name: web-1}}, timestamp: {other}, window: 2562047h, containers: [{{name: app, \
             usage: {{cpu: 90m}}}}]}}]}}\ncontroller: {{"
        );
        let yaml = with("2026-11-21T10:42:00.000000001Z", at).replacen("controller: {", &memory, 1);
        let pod = format!(
            "  - status: {{phase: Running, startTime: {other}, conditions: [{{type: Ready, status: 'True', \
            lastTransitionTime: {other}}}]}}\n    metadata"
        );
        let yaml = yaml.replacen("  - metadata", &pod, 1);
        let case = Cases::new("case.yaml", yaml.as_bytes()).next().expect("a case");
        let snapshot = Snapshot::freeze(case.unwrap_or_else(|error| panic!("{error}"))).expect("a good case");
        let rules = Rules::for_version("v1.37.1", &snapshot.controller.feature_gates).expect("rules");
        let decision = decide(&snapshot, &rules);
        assert!(!matches!(decision.outcome, Outcome::Unknown(_)), "{at} {other}: {:?}", decision.outcome);
    }
}

#[test]
fn times_are_times() {
    let at = |text: &str| with("2026-11-21T10:42:00.000000001Z", text);
    assert_eq!(read(at("0000-01-01T00:00:00Z").as_bytes()), ["ok"]);
    assert_eq!(read(at("9999-12-31T23:59:59.999999999Z").as_bytes()), ["ok"]);
    for none in ["null", "0001-01-01T00:00:00Z"] {
        let told = "at: must be a time, for example 2026-11-21T10:42:00Z; null and 0001-01-01T00:00:00Z mean no time";
        refused(at(none), told);
    }
    refused(at("17"), "case.yaml:3:5: at: must be a time such as \"2026-11-21T10:42:00Z\", not 17");
    for odd in ["2026-11-21", "10000-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "-001-01-01T00:00:00Z"] {
        let told = format!("must be a time such as \"2026-11-21T10:42:00Z\", not the string \"{odd}\"");
        refused(at(odd), &format!("case.yaml:3:5: at: {told}"));
    }
}

#[test]
fn what_is_no_case_is_called_by_its_name() {
    refused("", "case.yaml: there is no case in it");
    refused("\n# nothing\n---\n", "case.yaml: there is no case in it");
    refused("hello", "case.yaml:1:1: must be an object, not the string \"hello\"");
    refused(
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nspec: {}\n",
        "case.yaml is a HorizontalPodAutoscaler of autoscaling/v2, not a Case of kubectl-hpa/v1",
    );
    for (kind, version, hint) in [
        ("Pod", "v1", "explain NAME --save case.yaml"),
        ("List", "v1", "explain NAME --save case.yaml"),
        ("HorizontalPodAutoscaler", "autoscaling/v2", "simulate -f FILE"),
    ] {
        let yaml = format!("apiVersion: {version}\nitems: []\nkind: {kind}\nmetadata: {{name: web}}\n");
        let told = read(yaml.as_bytes()).join("");
        let is = format!("case.yaml is a {kind} of {version}, not a Case");
        assert!(told.starts_with(&is) && told.contains(&format!("\nhint: kubectl hpa {hint}")), "{told}");
    }
    refused(
        with("kubectl-hpa/v1", "kubectl-hpa/v2"),
        "apiVersion: `kubectl-hpa/v2` is not known; expected kubectl-hpa/v1",
    );
    refused(
        with("autoscaling/v2", "autoscaling/v2alpha2"),
        "case.yaml:6:15: hpa.apiVersion: must be autoscaling/v2, v2beta2, v2beta1 or v1 (`kubectl get hpa.v2.autoscaling \
         NAME -o yaml` prints one), not the string \"autoscaling/v2alpha2\"",
    );
    refused(b"\x1f\x8b\x08\0", "case.yaml is compressed");
    refused(b"a: \xff\n", "case.yaml:1:4 is not UTF-8 text");
    refused(b"a\0b: 1\n", "case.yaml:1:2: unexpected character: `\\u{0}'");
    refused(b"kind: Case\n", "case.yaml is a Case without an apiVersion, not a Case of kubectl-hpa/v1");
    for bytes in [YAML.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(), b"\xff\xfea\0".to_vec()]
    {
        refused(bytes, "case.yaml is UTF-16 or UTF-32 text, not UTF-8");
    }
}

#[test]
fn keys_stand_once_and_are_known() {
    refused(with("kind: Case", "kind: Case\nkind: Case"), "case.yaml:3:1: duplicate key `kind`");
    refused(
        with("{app: web, version", "{app: web, app: x, version"),
        "case.yaml:15:48: pods.items[0].metadata.labels: duplicate key `app`",
    );
    let twice = json().replace("\"maxReplicas\":10", "\"maxReplicas\":10,\"maxReplicas\":11");
    assert!(read(twice.as_bytes())[0].contains(": hpa.spec: duplicate field `maxReplicas`"));
    assert!(
        read(with("scale:", "scales:").as_bytes())[0]
            .starts_with("case.yaml:12:1: scales: unknown field `scales`")
    );
    assert_eq!(read(with("maxReplicas: 10", "maxReplicas: 10\n    new: {}").as_bytes()), ["ok"]);
}

#[test]
fn a_file_that_was_cut_off_says_so() {
    let json = json();
    for end in [1, json.len() / 3, json.len() / 2, json.len() - 1] {
        let told = read(&json.as_bytes()[..end]);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("EOF while parsing"), "{told:?}");
        assert!(told[0].contains("\nhint: the document ends in the middle"), "{told:?}");
    }
    refused(&YAML[..330], "case.yaml:11:21: hpa.spec.scaleTargetRef: unclosed bracket '{'");
}

#[test]
fn what_the_api_server_would_not_store_is_refused() {
    refused(
        with("cpu: 0.1", "cpu: -1"),
        "pods.items[0].spec.containers[0].resources.requests[cpu]: Invalid value: \"-1\": must be greater than or equal to 0",
    );
    let told = read(with("maxReplicas: 10", "maxReplicas: 0\n    minReplicas: -3").as_bytes());
    assert_eq!(
        told,
        ["hpa.spec.minReplicas: Invalid value: -3: must be greater than or equal to 0\n\
          hpa.spec.maxReplicas: Required value: must be set and greater than 0"]
    );
    let twice = with("  - metadata", "  - metadata: {name: web-1, labels: {app: web}}\n  - metadata");
    refused(twice, "pods.items[1].metadata.name: pod web-1 is listed twice");
}

/// Hostile files are refused fast, in few words, without a control character.
#[test]
fn hostile_files_are_refused_in_a_few_words() {
    let long = "9".repeat(10_000_000);
    let bomb = (b'b'..=b'k').fold("a: &a [x,x,x,x,x,x,x,x,x]".to_owned(), |bomb, name| {
        let aliases = vec![format!("*{}", char::from(name - 1)); 9].join(",");
        format!("{bomb}\n    {0}: &{0} [{aliases}]", char::from(name))
    });
    let inside = |part: &str| with("    maxReplicas: 10", &format!("    {part}\n    maxReplicas: 10"));
    let files = [
        inside(&bomb),
        inside(&format!("a: {}", "[".repeat(1_000_000))),
        inside(&format!(
            "a:\n{}",
            (0..5000).flat_map(|depth| [" ".repeat(6 + depth), "-\n".to_owned()]).collect::<String>()
        )),
        with("1Gi", &long),
        with("1Gi", &format!("{long}x")),
        with("web-1", &long),
        with("maxReplicas: 10", &format!("maxReplicas: '{long}'")),
        with("maxReplicas: 10", "maxReplicas: \"\\e[31m\\u202e\""),
        json().replace("\"maxReplicas\":10", &format!("\"maxReplicas\":\"{long}\"")),
        inside(&format!("a: [{}]", "1,".repeat(4_000_000))),
        "{\"a\":".repeat(500_000),
        format!("{{\"hpa\":{{\"a\":{}", "[".repeat(1_000_000)),
        "\u{1}".repeat(1_000_000),
        "&a ".repeat(100_000),
        "---\n- ".repeat(3),
    ];
    for file in files {
        let start = &file[..file.len().min(200)];
        let started = Instant::now();
        let told = read(file.as_bytes());
        // A hang, and no race: a build without optimization on a busy machine is slow.
        assert!(started.elapsed() < Duration::from_secs(180), "{start}");
        assert!(told.iter().all(|told| told != "ok"), "{start}: {told:?}");
        for told in told {
            assert!(told.len() < 2000, "{start}: {told}");
            assert!(!told.chars().any(|char| char != '\n' && char.is_control()), "{start}: {told:?}");
        }
    }
}

/// Upstream writes every digit out here, and never ends.
#[test]
fn amounts_far_apart_are_added_at_once() {
    let odd = [
        "1e2000000000",
        "1",
        "0",
        "0.1n",
        "1e-2000000000",
        "0e2000000000",
        "0e-2000000000",
        "0e08000088080004210",
    ];
    for (left, right) in odd.iter().flat_map(|left| odd.map(|right| (left, right))) {
        let mut sum = Quantity::parse(left).expect("a quantity");
        let right = Quantity::parse(right).expect("a quantity");
        let larger = sum.clone().max(right.clone());
        sum.add(&right);
        assert!(sum >= larger && sum.to_string().len() < 40, "{left} + {right} = {sum}");
    }
}

fn saved_and_read(case: &Case) {
    for text in [serde_json::to_string(case).expect("JSON"), serde_yaml::to_string(case).expect("YAML")] {
        let mut read = Cases::new("saved", text.as_bytes());
        let again = read.next().expect("a case").unwrap_or_else(|error| panic!("{error}"));
        let equal = again == *case;
        let (again, saved) = (format!("{again:?}"), format!("{case:?}"));
        let differing = again.chars().zip(saved.chars()).take_while(|(again, saved)| again == saved).count();
        let around =
            |text: &str| text.chars().skip(differing.saturating_sub(100)).take(200).collect::<String>();
        assert!(equal, "\n{}\n{}", around(&again), around(&saved));
        assert!(read.next().is_none());
    }
}

#[test]
fn saved_cases_of_the_vectors_are_read_back() {
    #[derive(Deserialize)]
    struct Sequence {
        steps: Vec<Step>,
    }
    #[derive(Deserialize)]
    struct Step {
        case: Case,
    }
    let path = root("tests/oracle/vectors/v1.37.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(File::open(path).expect("vectors"))).lines();
    let mut cases = 0;
    for line in lines.take(500) {
        let sequence: Sequence = serde_json::from_str(&line.expect("a line")).expect("a sequence");
        sequence.steps.iter().for_each(|step| saved_and_read(&step.case));
        cases += sequence.steps.len();
    }
    assert!(cases > 1000, "{cases} cases");
}

/// Texts that YAML likes to take for something else.
fn text() -> impl Strategy<Value = String> {
    const ODD: &[&str] = &[
        "",
        " ",
        "~",
        "null",
        "yes",
        "No",
        "on",
        "true",
        "1.10",
        "1e3",
        "0x10",
        "010",
        ".nan",
        "-",
        "- a",
        "---",
        "...",
        "a: b",
        "a #b",
        "#a",
        "{a",
        "[",
        "*a",
        "&a",
        "!a",
        "|",
        ">",
        "%a",
        "@a",
        "`a",
        "\"",
        "'",
        "\\",
        "\n",
        " a",
        "a ",
        "a\nb\n",
        "\n a\n  b",
        "\t",
        "a\tb",
        "\r\n",
        "\u{0}",
        "\u{1b}[31m",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "2026-11-21",
        "<<",
        "=",
        "12:30",
    ];
    prop_oneof![any::<String>(), proptest::sample::select(ODD).prop_map(str::to_owned)]
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(!read(&bytes).is_empty());
    }

    #[test]
    fn a_mutilated_case_is_read_or_refused(
        yaml in any::<bool>(),
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0_usize..20, any::<Vec<u8>>()), 1..4),
    ) {
        let mut bytes = if yaml { YAML.as_bytes().to_vec() } else { json().into_bytes() };
        for (at, length, other) in cuts {
            let start = at.index(bytes.len().max(1)).min(bytes.len());
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, other.into_iter().take(20));
        }
        prop_assert!(!read(&bytes).is_empty());
    }

    #[test]
    fn any_text_survives_saving(
        texts in proptest::collection::vec(text(), 8),
        tolerance in any::<f64>().prop_filter("finite", |value| value.is_finite()),
        nanoseconds in 0..4_000_000_000_000_000_000_i64,
        replicas in any::<i32>(),
    ) {
        let mut case = Cases::new("case.yaml", YAML.as_bytes()).next().expect("a case").expect("a good case");
        case.at = kubectl_hpa_core::model::Instant::from_unix_nanoseconds(nanoseconds.into());
        case.controller.tolerance.as_mut().expect("a tolerance").value = tolerance;
        case.controller.version.as_mut().expect("a version").value.clone_from(&texts[0]);
        case.metadata.name.clone_from(&texts[1]);
        case.metadata.description.clone_from(&texts[2]);
        let hpa = &mut case.hpa.0;
        hpa.spec.min_replicas = Some(replicas);
        hpa.spec.scale_target_ref.name.clone_from(&texts[3]);
        hpa.metadata.labels = [(texts[4].clone(), texts[5].clone())].into_iter().collect();
        hpa.status.conditions.push(kubectl_hpa_core::api::Condition { message: texts[6].clone(), ..Default::default() });
        let pod = &mut case.pods.as_mut().expect("pods").items.as_mut().expect("items")[0];
        Arc::make_mut(pod).metadata.name.clone_from(&texts[7]);
        saved_and_read(&case);
    }
}

/// What `explain --example NAME --save FILE` of each release wrote is still a case, and decides as it did.
#[test]
fn a_case_saved_by_an_earlier_release_still_loads() {
    let folder = root("tests/saved/0.1.0");
    for (name, desired) in [
        ("ambiguous", Some(4)),
        ("broken-metric", Some(6)),
        ("held-by-window", Some(10)),
        ("missing-samples", Some(5)),
        ("scale-to-zero", Some(0)),
    ] {
        let file = File::open(folder.join(name).with_extension("yaml")).expect("a saved case");
        let case = Cases::new(name, file).next().expect("one document").expect("a case");
        let explanation = Explanation::of(case).expect("a decision");
        let decided = explanation.decision().desired().map(|it| it.0);
        assert_eq!((decided, explanation.interval()), (desired, None), "{name}");
    }
}
