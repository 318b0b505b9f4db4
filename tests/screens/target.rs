//! A manifest beside the one of its target: what was not typed is read from it.

use serde_json::Value;

use crate::cli::{kubectl_hpa, stderr, stdout};

const HPA: &str = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  maxReplicas: 9\n  \
                   scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  metrics:\n  - type: Resource\n    \
                   resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}\n";
const NOTE: &str = "note: -: replicas and requests that were not typed are those of Deployment web\n";

/// A Deployment whose pods have these containers.
fn deployment(name: &str, replicas: &str, containers: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{{replicas}template: {{spec: {{containers: \
         [{containers}]}}}}}}\n"
    )
}

/// The replicas before and after, and what is said of the files.
fn simulated(deployment: &str, flags: &str) -> (Option<(i64, i64)>, String) {
    let args: Vec<&str> = "simulate -f - -o json".split(' ').chain(flags.split_whitespace()).collect();
    let answers = [format!("{deployment}---\n{HPA}"), format!("{HPA}---\n{deployment}")].map(|input| {
        let output = kubectl_hpa(&args, &input);
        let json = serde_json::from_str::<Value>(stdout(&output)).unwrap_or_default();
        let of = |name: &str| json["then"][name].as_i64();
        (of("currentReplicas").zip(of("desiredReplicas")), stderr(&output).to_owned())
    });
    let [one, other] = &answers;
    assert_eq!(one.0, other.0, "whichever comes first");
    one.clone()
}

const APP: &str = "{name: app, resources: {requests: {cpu: 500m}}}";
const SIDECAR: &str = "{name: proxy, resources: {requests: {cpu: 500m}}}";

#[test]
fn replicas_and_requests_are_those_of_the_target() {
    let said = || NOTE.to_owned();
    for (replicas, containers, flags, expected) in [
        ("replicas: 4, ", APP.to_owned(), "--usage cpu=90%", (4, 8)),
        ("replicas: 4, ", APP.to_owned(), "--usage cpu=450m", (4, 8)),
        // As the API server fills it in.
        ("", APP.to_owned(), "--usage cpu=90%", (1, 2)),
        ("replicas: null, ", APP.to_owned(), "--usage cpu=90%", (1, 2)),
        ("replicas: 4, ", format!("{APP}, {SIDECAR}"), "--usage cpu=90%", (4, 8)),
        // A limit alone is the request, too.
        (
            "replicas: 4, ",
            "{name: app, resources: {limits: {cpu: 500m}}}".to_owned(),
            "--usage cpu=90%",
            (4, 8),
        ),
        // What is typed goes before.
        ("replicas: 4, ", APP.to_owned(), "--usage cpu=90% --replicas 2", (2, 4)),
        ("replicas: 4, ", APP.to_owned(), "--usage cpu=450m --request cpu=900m", (4, 4)),
        ("replicas: 0, ", APP.to_owned(), "--usage cpu=90% --replicas 3", (3, 6)),
    ] {
        let told = simulated(&deployment("web", replicas, &containers), flags);
        assert_eq!(told, (Some(expected), said()), "{replicas}{containers} {flags}");
    }
}

/// A zero of the manifest is a pause, and one that is typed may be the HPA's own.
#[test]
fn a_zero_of_the_manifest_is_a_pause() {
    let kept = |file: &str, flags: &str| {
        let flags = flags.split_whitespace();
        let args: Vec<&str> = ["simulate", "-o", "json", "-f", file].into_iter().chain(flags).collect();
        let json: Value = serde_json::from_str(stdout(&kubectl_hpa(&args, ""))).expect("JSON");
        json["then"]["desiredReplicas"].as_i64()
    };
    let file = "tests/documents/E-kep-new-deployment-replicas-0.yaml";
    assert_eq!(kept(file, "--metric queue_length=7"), Some(0));
    assert_eq!(kept(file, "--metric queue_length=7 --replicas 0"), Some(2));
    // Up to 1.35 the controller does not ask whose zero it is.
    assert_eq!(kept(file, "--metric queue_length=7 --as-version 1.35"), Some(2));
}

/// How much of a quantity is one container's nobody says, and in a share each has the same.
#[test]
fn the_usage_of_one_container_among_several_is_a_share() {
    let hpa = HPA.replace("type: Resource", "type: ContainerResource");
    let hpa = hpa.replace("resource: {name: cpu", "containerResource: {container: proxy, name: cpu");
    let both = deployment("web", "replicas: 4, ", &format!("{APP}, {SIDECAR}"));
    let simulated = |usage: &str| {
        let output = kubectl_hpa(
            &["simulate", "-f", "-", "-o", "json", "--usage", usage],
            &format!("{hpa}---\n{both}"),
        );
        let json = serde_json::from_str::<Value>(stdout(&output)).unwrap_or_default();
        (json["then"]["desiredReplicas"].as_i64(), stderr(&output).to_owned())
    };
    assert_eq!(simulated("cpu=90%"), (Some(8), NOTE.to_owned()));
    let (replicas, said) = simulated("cpu=450m");
    assert!(replicas.is_none() && said.ends_with("--usage cpu=PERCENT%\n"), "{said}");
}

#[test]
fn the_usage_is_asked_for_alone() {
    let (_, said) = simulated(&deployment("web", "replicas: 4, ", APP), "");
    assert!(said.ends_with("type what it measures: --usage cpu=PERCENT%\n"), "{said}");
}

#[test]
fn a_target_without_a_request_cannot_decide() {
    let without = deployment("web", "replicas: 4, ", "{name: app}");
    let (replicas, said) = simulated(&without, "--usage cpu=90%");
    assert!(replicas.is_none() && said.contains("request"), "{said}");
    let (replicas, _) = simulated(&without, "--usage cpu=450m");
    assert_eq!(replicas, Some((4, 4)));
}

#[test]
fn another_workload_is_of_no_use_and_said() {
    let typed = "--usage cpu=90% --replicas 2 --request cpu=1";
    for other in [deployment("api", "replicas: 4, ", APP), deployment("web", "replicas: 4, ", "")] {
        let (replicas, said) = simulated(&other, typed);
        assert_eq!((replicas, &*said), (Some((2, 4)), "note: -: only the HPA is used, not: Deployment\n"));
    }
    let elsewhere = deployment("web", "", APP).replace("{name: web}", "{name: web, namespace: other}");
    assert_eq!(simulated(&elsewhere, typed).1, "note: -: only the HPA is used, not: Deployment\n");
}
