//! Text that the real kubectl prints for people (`tests/described/README.md` says how it was made) is read as the objects that it was
//! printed of, but for what it lacks; cut off, indented or changed it is never read as anything else.

use std::fs::File;
use std::io::{self, Read};

use flate2::read::GzDecoder;
use kubectl_hpa_core::api::{self, MetricStatus};
use kubectl_hpa_core::assembly::{self, Stock};
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::case::HpaCase;
use kubectl_hpa_core::snapshot::{Case, LoadError, Piece, Pieces, Snapshot};
use serde_json::{Value, json};

use crate::root::root;

fn unpacked(name: &str) -> String {
    let file = File::open(root("tests/described").join(name)).expect("a recorded text");
    io::read_to_string(GzDecoder::new(file)).expect("text")
}

fn hpa(object: &Value) -> api::Hpa {
    let HpaCase(hpa) = serde_json::from_str(&object.to_string()).expect("an HPA");
    hpa
}

/// The HPAs of a stream of text.
fn read(text: impl Read) -> Result<Vec<api::Hpa>, Box<LoadError>> {
    let mut found = Vec::new();
    for piece in Pieces::new("text", text) {
        let Piece::Object(list, _) = piece? else { panic!("a case") };
        let items = list["items"].as_array().into_iter().flatten();
        found.extend(items.filter_map(|item| item.get("hpa")).map(hpa));
    }
    Ok(found)
}

/// The objects that were printed, as far as kubectl prints them.
fn printed() -> Vec<api::Hpa> {
    unpacked("hpas.jsonl.gz").lines().map(|line| shown(serde_json::from_str(line).expect("JSON"))).collect()
}

fn shown(mut object: Value) -> api::Hpa {
    for at in ["/spec/metrics", "/status/currentMetrics"] {
        for metric in object.pointer_mut(at).and_then(Value::as_array_mut).into_iter().flatten() {
            for (part, field) in [
                ("/pods/metric", "selector"),
                ("/object/metric", "selector"),
                ("/object/describedObject", "apiVersion"),
                ("/external/metric", "selector"),
            ] {
                metric.pointer_mut(part).and_then(Value::as_object_mut).map(|it| it.remove(field));
            }
        }
    }
    let mut hpa = hpa(&object);
    hpa.spec.scale_target_ref.api_version.clear();
    let behavior = hpa.spec.behavior.iter_mut();
    for rules in behavior.flat_map(|it| [&mut it.scale_up, &mut it.scale_down]).flatten() {
        rules.tolerance = None;
        // None is that.
        rules.select_policy.get_or_insert("Max".to_owned());
    }
    // One that failed is printed as one without a status.
    let has_value = |metric: &MetricStatus| !metric.kind.is_empty();
    hpa.status.current_metrics = hpa.status.current_metrics.filter(|all| all.iter().any(has_value));
    for condition in &mut hpa.status.conditions {
        condition.last_transition_time = None;
    }
    hpa
}

#[test]
fn what_kubectl_describes_is_read_back() {
    let (printed, text) = (printed(), unpacked("described.txt.gz"));
    let read = read(text.as_bytes()).expect("text of kubectl");
    assert_eq!(read.len(), printed.len());
    for (read, printed) in read.iter().zip(&printed) {
        assert_eq!(read, printed);
    }
}

/// The first HPAs of the text.
fn first(count: usize) -> String {
    let text = unpacked("described.txt.gz");
    let ends = text.match_indices("\n\n\nName: ").map(|(at, _)| at + 1);
    text[..ends.skip(count - 1).chain([text.len()]).next().expect("an end")].to_owned()
}

#[test]
fn however_it_was_pasted_it_is_the_same() {
    let (printed, text) = (printed(), first(30));
    let indented = format!("    {}", text.replace('\n', "\n    "));
    let hpa = r#"{"apiVersion": "v1", "kind": "List", "items": []}"#;
    let top = unpacked("top.txt.gz");
    for pasted in [
        text.replace('\n', "\r\n"),
        text.replace("\n\n\n", "\n"),
        text.lines().map(|line| line.trim_end().to_owned() + "\n").collect(),
        format!("---\n{text}"),
        format!("```text\n$ kubectl describe hpa -A\nWarning: v2beta2 is old\n{text}```\n"),
        format!("me@host:~$ kubectl describe hpa -A\r\n{text}\nme@host:~$ kubectl top pods\n{top}"),
        format!("{top}{text}{top}"),
        format!("{hpa}\n{text}{hpa}\n{top}"),
        format!("# shop\n{text}apiVersion: v1\nkind: List\nitems: []\n---\n{top}"),
        indented,
    ] {
        let read = read(pasted.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{pasted}"));
        assert!(read == printed[..30], "{pasted}");
    }
}

/// The HPAs of a text that ends early: of each HPA all that the whole text has, but for conditions.
#[test]
fn a_text_that_is_cut_is_no_other() {
    let (printed, text) = (printed(), first(6));
    let mut parts = 0;
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let Ok(read) = read(&text.as_bytes()[..end]) else { continue };
        parts += 1;
        for (read, printed) in read.into_iter().zip(&printed) {
            let (mut read, mut printed) = (read, printed.clone());
            let conditions = std::mem::take(&mut read.status.conditions);
            let all = std::mem::take(&mut printed.status.conditions);
            assert_eq!(read, printed, "{end}");
            for (read, printed) in conditions.into_iter().zip(all) {
                let is_empty = read.message.is_empty();
                // Of an error of several lines the first ones are a part that says so little as all of them.
                let is_begun = printed.message.starts_with(&(read.message.clone() + "\n"));
                let message =
                    if is_empty || is_begun { read.message.clone() } else { printed.message.clone() };
                assert_eq!(read, api::Condition { message, ..printed }, "{end}");
            }
        }
    }
    assert!(parts > 1_000, "{parts}");
}

#[test]
fn no_text_makes_it_panic() {
    let text = first(12).into_bytes();
    let hostile = [
        "\u{1b}[2J",
        "\0",
        "\"",
        "\\",
        ": ",
        "/",
        "  ",
        "\n",
        "99999999999999999999",
        "-1",
        "<unknown>",
        "ü",
    ];
    let mut read_at_all = 0;
    for (index, at) in (0..text.len()).step_by(7).enumerate() {
        let with = hostile[index % hostile.len()].as_bytes();
        for until in [at, (at + with.len()).min(text.len())] {
            let changed = [&text[..at], with, &text[until..]].concat();
            read_at_all += usize::from(read(changed.as_slice()).is_ok());
        }
    }
    assert!(read_at_all > 100, "{read_at_all}");
}

#[test]
fn an_api_server_without_v2_has_cpu_alone() {
    let text = unpacked("old.txt.gz");
    let expected = shown(json!({
        "apiVersion": "autoscaling/v1",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "old", "namespace": "shop", "creationTimestamp": "2026-11-20T17:15:00Z"},
        "spec": {
            "scaleTargetRef": {"kind": "Deployment", "name": "old"},
            "minReplicas": 2, "maxReplicas": 7, "targetCPUUtilizationPercentage": 80,
        },
        "status": {"currentReplicas": 3, "desiredReplicas": 4, "currentCPUUtilizationPercentage": 92},
    }));
    assert_eq!(read(text.as_bytes()).expect("text of kubectl"), [expected]);
    let hidden = text.replace("<none>\nCreation", "autoscaling.alpha.kubernetes.io/metrics: [{}]\nCreation");
    assert!(read(hidden.as_bytes()).is_err());
}

/// The cases of a stream.
fn cases(text: &str) -> Vec<Case> {
    let mut stock = Stock::default();
    for piece in Pieces::new("text", text.as_bytes()) {
        let Piece::Object(object, _) = piece.expect("objects") else { panic!("a case") };
        stock.add(object).expect("objects");
    }
    assembly::cases(stock, Instant::parse("2026-11-21T10:42:00Z").expect("a time")).collect()
}

/// Beside the text are all other objects, and a table that rounds.
#[test]
fn a_decision_is_made_of_objects_and_not_of_text() {
    let described = "Name:  web\nNamespace:  shop\nReference:  Deployment/web\nMetrics:  ( current / target )\n  \
        resource cpu on pods  (as a percentage of request):  90% (90m) / 50%\nMin replicas:  1\nMax replicas:  20\n\
        Deployment pods:  1 current / 1 desired\nEvents:  <none>\n";
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}}, "status": {"replicas": 1},
    });
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "web-0", "namespace": "shop", "labels": {"app": "web"}},
        "spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "100m"}}}]},
        "status": {"phase": "Running", "startTime": "2026-11-21T10:00:00Z"},
    });
    let top = unpacked("top.txt.gz");
    let [case] = cases(&format!("{described}{deployment}\n{pod}\n{top}")).try_into().expect("one");
    let snapshot = Snapshot::freeze(case).expect("a case");
    assert!(snapshot.scale.expect_err("no scale").is_described());
    assert!(
        snapshot.usages.expect_err("no samples").message.contains("kubectl get pods.metrics.k8s.io -n shop")
    );

    // The object says more than the text, in whatever order they come.
    let object = json!({
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web", "namespace": "shop", "generation": 3},
        "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "maxReplicas": 20},
        "status": {"currentReplicas": 1, "desiredReplicas": 1},
    });
    for text in [
        format!("{described}{object}\n{deployment}\n{pod}"),
        format!("{object}\n{deployment}\n{pod}\n{described}{top}"),
    ] {
        let [case] = cases(&text).try_into().expect("one");
        let snapshot = Snapshot::freeze(case).expect("a case");
        assert!(snapshot.scale.is_ok(), "{text}");
        assert_eq!(snapshot.usages.expect_err("no samples").is_rounded(), text.contains("CPU(cores)"));
    }
}
