//! Which version decides, as a cluster shows it, and what other versions would make of what it holds.

use kubectl_hpa::commands::Ending;
use kubectl_hpa_core::model::Evidence;
use serde_json::{Value, json};

use crate::cluster::{Cluster, MANAGERS, POD_METRICS, PODS, hpa, list, pod_metrics, scale};
use crate::server::Reply;

fn manager(name: &str, tag: &str) -> Value {
    let image = format!("registry.example/kube-controller-manager:{tag}");
    json!({"metadata": {"name": name, "namespace": "kube-system"}, "spec": {"containers": [
        {"name": "kube-controller-manager", "image": image, "command": ["kube-controller-manager"]}]}})
}

fn managed_by(managers: &[Value], server: &str) -> Cluster {
    Cluster::shop()
        .with(MANAGERS, list("PodList", json!(managers)))
        .with("/version", json!({"gitVersion": server}))
}

/// What the screen says of versions: its head, and the section about an upgrade.
fn told(cluster: Cluster) -> (String, String) {
    let told = cluster.run(&["explain", "web"]);
    assert_eq!(told.err, "");
    let head = told.out.split("controller ").nth(1).and_then(|rest| rest.split(" ·").next());
    let note = told.out.split("\nUpgrade  ").nth(1).and_then(|rest| rest.split("\n\n").next());
    let flat = note.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    (head.unwrap_or_default().to_owned(), flat)
}

#[test]
fn an_api_server_of_another_version_is_told() {
    assert_eq!(
        told(managed_by(&[manager("kcm-a", "v1.37.1")], "v1.37.1")),
        ("v1.37.1".into(), String::new())
    );
    let same = managed_by(&[manager("kcm-a", "v1.36.2-rke2r1-build20260101")], "v1.36.2+rke2r1");
    assert_eq!(told(same), ("v1.36.2-rke2r1-build20260101".into(), String::new()));
    let note = "kube-controller-manager, which decides, is v1.36.2; the API server is v1.37.1. --as-version \
                v1.36.2,v1.37.1 compares both.";
    assert_eq!(told(managed_by(&[manager("kcm-a", "v1.36.2")], "v1.37.1")), ("v1.36.2".into(), note.into()));
}

#[test]
fn replicas_of_several_versions_leave_open_which_one_decides() {
    let managers = [manager("kcm-a", "v1.36.2"), manager("kcm-b", "v1.37.1")];
    let case = managed_by(&managers, "v1.37.1").ask("web").expect("a case");
    let version = case.controller.version.expect("a version");
    assert_eq!((version.value.as_str(), version.evidence), ("v1.36.2", Evidence::Assumed));
    let note = "replicas differ in version: kube-system/kcm-a has v1.36.2, kube-system/kcm-b has v1.37.1. Which of \
                them decides is not known; this uses v1.36.2. --as-version compares both.";
    assert_eq!(told(managed_by(&managers, "v1.37.1")), ("v1.36.2 (assumed)".into(), note.into()));
    let unknown = [manager("kcm-a", "latest"), manager("kcm-b", "v1.37.1")];
    let version =
        managed_by(&unknown, "v1.37.1").ask("web").expect("a case").controller.version.expect("a version");
    assert_eq!((version.value.as_str(), version.evidence), ("v1.37.1", Evidence::Assumed));
    assert!(version.from.contains("kube-system/kcm-a has an unknown one"), "{}", version.from);
}

#[test]
fn managed_clusters_name_their_version_in_their_own_way() {
    for (server, row) in [("v1.33.4-gke.1057000", "1.33"), ("v1.32.9-eks-3cfe0ce", "1.30-1.32")] {
        let told = managed_by(&[], server).run(&["explain", "web", "-o", "json"]);
        let controller = &told.json()["controller"];
        assert_eq!(controller["version"]["value"], server);
        assert_eq!(controller["version"]["evidence"], "Inferred");
        assert_eq!(controller["rules"], row);
        let told = managed_by(&[], server).run(&["explain", "web", "--as-version", "1.25", "-o", "json"]);
        assert_eq!(told.json()["controller"]["rules"], "1.25");
    }
}

#[test]
fn the_architecture_is_taken_from_the_api_server_or_typed() {
    let on = |platform: &str, more: &[&str]| {
        let version = json!({"gitVersion": "v1.37.1", "platform": platform});
        let told = Cluster::shop()
            .with("/version", version)
            .run(&[&["explain", "web", "-o", "json"], more].concat());
        let architecture = told.json()["controller"]["architecture"].clone();
        ["value", "evidence"].map(|name| architecture[name].as_str().unwrap_or_default().to_owned()).join(" ")
    };
    assert_eq!(on("linux/arm64", &[]), "arm64 Inferred");
    assert_eq!(on("linux/amd64", &[]), "amd64 Inferred");
    assert_eq!(on("linux/s390x", &[]), "amd64 Assumed");
    assert_eq!(on("", &[]), "amd64 Assumed");
    assert_eq!(on("linux/amd64", &["--architecture", "arm64"]), "arm64 Given");
}

/// `web` on the edge of the tolerance, `api` with nothing to measure.
fn on_the_edge() -> Cluster {
    let cpu = json!([{"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}]);
    let sample = |name: &str| {
        let mut sample = pod_metrics(name);
        sample["containers"][0]["usage"]["cpu"] = json!("55m");
        sample
    };
    let deployment = |name: &str| hpa(name, "apps/v1", "Deployment", name, cpu.clone());
    managed_by(&[], "v1.32.9-eks-3cfe0ce")
        .with_hpas(&[deployment("web"), deployment("api")])
        .with("/apis/apps/v1/namespaces/shop/deployments/api/scale", scale("app=api"))
        .with(POD_METRICS, list("PodMetricsList", json!([sample("web-1"), sample("web-2")])))
}

#[test]
fn an_upgrade_lists_the_hpas_that_it_changes() {
    let told = on_the_edge().run(&["explain", "--all", "--upgrade-to", "1.33"]);
    assert_eq!((told.err.as_str(), told.ending), ("", Ending::Different));
    assert!(told.out.starts_with("Upgrade  v1.32.9-eks-3cfe0ce → 1.33\n"), "{}", told.out);
    assert!(told.out.contains("shop/web") && !told.out.contains("shop/api"), "{}", told.out);
    assert!(told.out.contains("tolerance-test"), "{}", told.out);
    assert!(told.out.ends_with("Total  2 HPAs: 1 decided differently\n"), "{}", told.out);
    let told = on_the_edge().run(&["explain", "web", "api", "--upgrade-to", "1.32"]);
    assert_eq!(told.ending, Ending::Done);
    assert!(told.out.ends_with("Total  2 HPAs: 0 decided differently\n"), "{}", told.out);
}

#[test]
fn what_cannot_be_read_is_counted_among_the_undecided() {
    let told = on_the_edge().reply(PODS, Reply::forbidden("not for you")).run(&[
        "explain",
        "web",
        "gone",
        "--upgrade-to",
        "1.33",
        "-o",
        "json",
    ]);
    assert_eq!(told.ending, Ending::Failed);
    assert!(told.err.starts_with("error: hpa/gone: "), "{}", told.err);
    let upgrade = told.json();
    assert_eq!((&upgrade["hpas"], &upgrade["items"]), (&json!(2), &json!([])));
    assert_eq!(upgrade["undecided"], json!(["shop/web", "shop/gone"]));
}

#[test]
fn a_gate_that_was_given_holds_for_both_versions() {
    let asked = ["explain", "web", "--as-version", "1.36,1.37", "-o", "json"];
    let gates = |told: crate::run::Told| {
        let decisions = told.json()["decisions"].clone();
        [0, 1].map(|place| decisions[place]["decision"]["controller"]["featureGates"].clone())
    };
    assert_eq!(gates(on_the_edge().run(&asked)), [json!({}), json!({})]);
    let given = [&asked[..], &["--feature-gates", "HPAScaleToZero=false"]].concat();
    let [one, other] = gates(on_the_edge().run(&given));
    assert_eq!(one["HPAScaleToZero"]["value"], false);
    assert_eq!(one, other);
}
