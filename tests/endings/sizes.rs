//! Input that is large, or small and means much.

use std::fs;

use kubectl_hpa::examples;
use serde_json::{Value, json};

use super::limits::{Limits, run};

const LARGE: Limits = Limits { seconds: 20, megabytes: 800 };

fn hpa(name: &str, namespace: &str) -> Value {
    json!({"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}, "maxReplicas": 3}})
}

fn last_line(input: &[u8], args: &[&str]) -> String {
    let output = run(LARGE, args, input, false);
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn thousands_of_aliases_of_one_hpa_take_seconds() {
    let text = format!("apiVersion: v1\nkind: List\nitems:\n- &h {}\n", hpa("web", "shop"))
        + &"- *h\n".repeat(15_000);
    assert!(last_line(text.as_bytes(), &["lint", "-f", "-"]).starts_with("15001 HPAs"));
}

#[test]
fn thousands_of_hpas_of_one_target_take_seconds() {
    let of = |number: usize| {
        let mut hpa = hpa(&format!("web-{number}"), "shop");
        hpa["spec"]["scaleTargetRef"]["name"] = json!("web");
        hpa
    };
    let list = json!({"apiVersion": "v1", "kind": "List", "items": (0..5_000).map(of).collect::<Vec<_>>()});
    assert!(last_line(list.to_string().as_bytes(), &["lint", "-f", "-"]).starts_with("5000 HPAs"));
}

#[test]
fn a_list_of_a_whole_cluster_takes_seconds() {
    let mut items = Vec::new();
    for number in 0..2_000 {
        let (name, namespace) = (format!("web-{number}"), format!("team-{}", number % 20));
        let owner = json!([{"kind": "ReplicaSet", "name": name}]);
        let spec = json!({"containers": [{"name": "app", "image": "x".repeat(2_000), "resources": {"requests": {"cpu": "1"}}}]});
        let labels = json!({"app": name, "part-of": "shop"});
        items.push(hpa(&name, &namespace));
        items.push(json!({"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": name, "namespace": namespace}, "spec": {"selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": labels}, "spec": spec}}}));
        items.extend((0..5).map(|pod| {
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": format!("{name}-{pod}"),
                "namespace": namespace, "labels": labels, "ownerReferences": owner}, "spec": spec})
        }));
    }
    let list = json!({"apiVersion": "v1", "items": items, "kind": "List"}).to_string();
    assert!(last_line(list.as_bytes(), &["lint", "-f", "-"]).starts_with("2000 HPAs (14000 objects)"));
}

#[test]
fn a_list_of_millions_of_empty_objects_takes_seconds() {
    let list =
        format!("{{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{}{{}}]}}", "{},".repeat(3_000_000));
    assert_eq!(last_line(list.as_bytes(), &["lint", "-f", "-"]), "no HPA in 0 objects");
}

#[test]
fn folders_five_hundred_deep_take_seconds() {
    let top = format!("{}/deep", env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(top.clone() + &"/d".repeat(500)).expect("folders");
    for depth in 0..500 {
        let file = top.clone() + &"/d".repeat(depth) + "/hpa.json";
        fs::write(file, hpa("web", "shop").to_string()).expect("a file");
    }
    assert!(last_line(b"", &["lint", "-f", &top]).starts_with("500 HPAs"));
}

#[test]
fn a_rolling_update_of_thousands_of_pods_takes_seconds() {
    let args = [
        "simulate",
        "--example",
        "scale-up-limited",
        "--max",
        "100000",
        "--load",
        "500x",
        "--over",
        "10m",
        "--start-delay",
        "5s..90s",
        "--rollout",
        "1m",
    ];
    run(LARGE, &args, b"", false);
}

#[test]
fn a_sweep_over_time_has_a_bound() {
    let args = ["simulate", "--example", "held-by-window", "--over", "30d", "--sweep", "target=1..90:1"];
    let output = run(LARGE, &args, b"", false);
    assert!(String::from_utf8_lossy(&output.stderr).contains("try fewer values or a shorter --over"));
}

/// A case with so many pods.
fn case_of(pods: usize) -> String {
    let example = examples::ALL.iter().find(|it| it.name == "scale-up-limited").expect("the example");
    let mut case: Value = serde_yaml::from_str(example.text).expect("a case");
    for list in ["/pods/items", "/podMetrics/items"] {
        let items = case.pointer_mut(list).and_then(Value::as_array_mut).expect("a list");
        let first = items[0].clone();
        *items = (0..pods)
            .map(|pod| {
                let mut item = first.clone();
                item["metadata"]["name"] = json!(format!("checkout-{pod}"));
                item
            })
            .collect();
    }
    case.to_string()
}

/// Sizes of each kind of input, each under every command that reads files. What grows with the square of a size is over these
/// limits.
#[test]
fn each_size_takes_seconds_under_each_command() {
    let limits = Limits { seconds: 10, megabytes: 600 };
    let list = |items: String| format!("{{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{items}]}}");
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "y"}});
    let many = |number: usize| (0..number).map(|it| hpa(&format!("web-{it}"), "shop").to_string());
    let inputs = [
        case_of(5_000),
        format!("{}\n", case_of(4)).repeat(200),
        list(vec![map.to_string(); 40_000].join(",")),
        list(many(10_000).collect::<Vec<_>>().join(",")),
        many(5_000).collect::<Vec<_>>().join("\n"),
        // A comment makes YAML of it.
        many(500).flat_map(|it| ["---\n# YAML\n".to_owned(), it, "\n".to_owned()]).collect(),
        json!({"kind": "ConfigMap", "apiVersion": "v1", "data": {"a": "x".repeat(20 << 20)}}).to_string(),
        "[".repeat(1 << 20),
        (1..30).fold("a0: &a0 [x]\n".to_owned(), |text, it| {
            text + &format!("a{it}: &a{it} [*a{0}, *a{0}, *a{0}, *a{0}]\n", it - 1)
        }),
    ];
    for input in inputs {
        for command in [
            &["lint", "-f", "-"][..],
            &["explain", "-o", "json", "-f", "-"],
            &["simulate", "--target", "70", "-o", "json", "-f", "-"],
            &["list", "-f", "-"],
            &["test", "-"],
        ] {
            run(limits, command, input.as_bytes(), false);
        }
    }
}
