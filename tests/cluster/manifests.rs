//! `simulate -f` with a manifest, stored or not.

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use crate::cluster::{Cluster, EVENTS, HPA, SCALE, Waves, hpa, list, scale};
use crate::run::{Told, file, run_on};
use crate::server::Reply;

const MANIFEST: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, creationTimestamp: null}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 1
  maxReplicas: 10
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 25}}
";

fn simulate(cluster: Cluster, name: &str, manifest: &str, more: &[&str]) -> Told {
    let path = file(name, manifest);
    let told = cluster.run(&[&["simulate", "-f", &path], more].concat());
    std::fs::remove_file(&path).expect("to remove the manifest");
    Told { out: told.out.replace(&path, "hpa.yaml"), err: told.err.replace(&path, "hpa.yaml"), ..told }
}

/// A namespace without an HPA.
pub fn no_hpa() -> Cluster {
    let status = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 404,
        "message": "horizontalpodautoscalers.autoscaling \"web\" not found", "reason": "NotFound"});
    Cluster::shop().with_hpas(&[]).reply(HPA, Reply { code: 404, ..Reply::json(status) })
}

#[test]
fn a_stored_autoscaler_is_decided_on_with_the_spec_of_the_manifest() {
    let told = simulate(Cluster::shop(), "stored.yaml", MANIFEST, &["-o", "json"]);
    assert_eq!((told.err.as_str(), told.ending), ("", Ending::Different));
    let view = told.json();
    assert_eq!(view["changes"], json!(["-f hpa.yaml"]));
    // 50m of 100m each: the stored target is 50%, the manifest's 25%.
    assert_eq!((&view["now"]["desiredReplicas"], &view["then"]["desiredReplicas"]), (&2.into(), &4.into()));
}

/// As the API server's field validation tells kubectl.
#[test]
fn a_field_that_the_version_does_not_know_is_warned_of() {
    let slips = MANIFEST
        .replace("minReplicas: 1", "minreplicas: 1\n  behavior: {scaleDown: {stabilisationWindowSeconds: 0}}")
        .replace("name: cpu,", "name: cpu, contaner: app,")
        .replace("{name: web, creation", "{name: web, label: {a: b}, annotations: {c: d}, creation");
    let told = simulate(Cluster::shop(), "slips.yaml", &format!("{slips}stauts: {{}}\n"), &["-o", "json"]);
    assert_eq!(
        told.err,
        "Warning: unknown field \"metadata.label\"\nWarning: unknown field \"spec.minreplicas\"\n\
         Warning: unknown field \"spec.behavior.scaleDown.stabilisationWindowSeconds\"\n\
         Warning: unknown field \"spec.metrics[0].resource.contaner\"\nWarning: unknown field \"stauts\"\n"
    );
    assert_eq!(told.json()["then"]["desiredReplicas"], 4);
    let old = "---\n{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {\
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 10, metrics: [], \
        targetCPUUtilizationPercentage: 25}}";
    let told = simulate(Cluster::shop(), "old.yaml", old, &["-o", "json"]);
    assert_eq!(told.err, "Warning: unknown field \"spec.metrics\"\n");
}

#[test]
fn status_and_memory_stay_and_knobs_apply_on_top() {
    // The status is the stored one; the manifest's does not count.
    let mut stored = hpa("web", "apps/v1", "Deployment", "web", json!([]));
    stored["metadata"]["generation"] = json!(3);
    stored["status"] = json!({"currentReplicas": 2, "desiredReplicas": 2, "observedGeneration": 3,
        "lastScaleTime": "2026-11-21T08:00:00Z", "currentMetrics": [{"type": ""}], "conditions": [
            {"type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale"},
            {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound"},
            {"type": "ScalingLimited", "status": "False", "reason": "DesiredWithinRange"}]});
    let manifest =
        format!("{MANIFEST}status: {{currentReplicas: 7, desiredReplicas: 7, currentMetrics: null}}\n");
    let told = simulate(
        Cluster::shop().with_hpas(&[stored]),
        "knobs.yaml",
        &manifest,
        &["--target", "cpu=50", "-o", "json"],
    );
    let then = told.json()["then"].clone();
    assert_eq!(told.json()["changes"], json!(["-f hpa.yaml", "--target cpu=50"]));
    assert_eq!(then["desiredReplicas"], 2);
    assert_eq!(then["status"]["lastScaleTime"], "2026-11-21T08:00:00Z");
    assert_eq!(then["status"]["observedGeneration"], 4);
}

#[test]
fn a_new_autoscaler_is_decided_on_as_the_first_reconcile_would() {
    let told = simulate(no_hpa(), "new.yaml", MANIFEST, &["-o", "json"]);
    assert_eq!((told.err.as_str(), told.ending), ("", Ending::Different));
    let view = told.json();
    assert_eq!((view.get("now"), view["same"].as_bool()), (None, Some(false)));
    assert_eq!(view["projection"]["steps"], json!([]), "{}", view["projection"]);
    let then = &view["then"];
    assert_eq!(then["desiredReplicas"], 4);
    assert_eq!(then["interval"], Value::Null);
    assert_eq!(then["events"][0]["reason"], "SuccessfulRescale");
    assert_eq!(then["memory"]["recommendations"].as_array().map(Vec::len), Some(2));
    assert_eq!(then["status"]["currentReplicas"], 2);

    let told = simulate(no_hpa(), "quiet.yaml", MANIFEST, &["--target", "50"]);
    assert_eq!(told.ending, Ending::Done, "{}", told.err);
}

#[test]
fn what_an_earlier_one_of_that_name_did_is_forgotten() {
    let event = json!({"reason": "SuccessfulRescale", "message": "New size: 9; reason: old", "count": 1,
        "lastTimestamp": "2026-11-21T10:41:30Z", "firstTimestamp": "2026-11-21T10:41:30Z",
        "involvedObject": {"kind": "HorizontalPodAutoscaler", "name": "web", "namespace": "shop"}});
    let shop = no_hpa().with(EVENTS, list("EventList", json!([event])));
    let down = MANIFEST.replace("averageUtilization: 25", "averageUtilization: 100");
    let told = simulate(shop, "again.yaml", &down, &["-o", "json"]);
    // The controller notes the replicas that it finds, and its window holds them: it does not scale down at once.
    assert_eq!(told.json()["then"]["desiredReplicas"], 2);
    // In the end it does.
    assert_eq!(
        (&told.json()["projection"]["steps"][0]["replicas"], told.ending),
        (&1.into(), Ending::Different)
    );
}

#[test]
fn the_screen_of_a_new_one_has_no_side_of_now() {
    let told = simulate(no_hpa(), "screen.yaml", MANIFEST, &["--max", "3"]);
    let lines: Vec<&str> = told.out.lines().take(6).collect();
    assert!(lines.contains(&"Changed  -f hpa.yaml --max 3"), "{}", told.out);
    assert!(lines.contains(&"Decision  new HPA"), "{}", told.out);
    assert!(told.out.contains("\n  now   2 replicas      there is no such HPA yet\n"), "{}", told.out);
    assert!(told.out.contains("\n  then  2 replicas → 3"), "{}", told.out);
    assert!(!told.out.contains("First difference"), "{}", told.out);
}

#[test]
fn a_new_one_takes_no_fourth_round_trip_and_can_be_swept() {
    let path = file("waves.yaml", MANIFEST);
    let waves = Waves::of(no_hpa());
    let told = run_on(&waves.server, &["simulate", "-f", &path]);
    assert_eq!((told.err.as_str(), waves.count()), ("", 3));
    let told = no_hpa().run(&["simulate", "-f", &path, "--sweep", "target=25..50:25", "-o", "json"]);
    assert_eq!(told.json()["points"][0]["replicas"]["lowest"], 4, "{}", told.err);
    assert_eq!(told.json()["points"][1]["replicas"]["lowest"], 2);
    std::fs::remove_file(path).expect("to remove the manifest");
}

#[test]
fn another_target_is_read_for_the_side_that_has_it() {
    let mut api = scale("app=web");
    api["spec"]["replicas"] = json!(5);
    let shop = Cluster::shop().with(&SCALE.replace("/web/", "/api/"), api);
    let moved = MANIFEST.replace("name: web}\n  min", "name: api}\n  min");
    let view = simulate(shop, "moved.yaml", &moved, &["-o", "json"]).json();
    assert_eq!((&view["now"]["currentReplicas"], &view["then"]["currentReplicas"]), (&2.into(), &5.into()));
}

#[test]
fn every_version_and_both_formats_are_taken() {
    let v1 = "apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\nspec:\n  \
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  maxReplicas: 10\n  \
        targetCPUUtilizationPercentage: 25\n";
    let as_json = json!({"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web"}, "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "maxReplicas": 10,
            "metrics": [{"type": "Resource", "resource": {
                "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 25}}}]}});
    let v2beta1 = v1.replace("/v1\nkind", "/v2beta1\nkind").replace(
        "targetCPUUtilizationPercentage: 25",
        "metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 25}}]",
    );
    let v2beta2 = MANIFEST.replace("autoscaling/v2", "autoscaling/v2beta2");
    let of_git = format!("# of Git\n---\n{MANIFEST}---\n");
    for manifest in [v1.to_owned(), v2beta1, v2beta2, as_json.to_string(), of_git] {
        let told = simulate(no_hpa(), "forms", &manifest, &["-o", "json"]);
        assert_eq!(told.json()["then"]["desiredReplicas"], 4, "{manifest}: {}", told.err);
    }
}

#[test]
fn what_is_read_before_its_version_is_known_is_refused() {
    let manifest = "spec: {maxReplicas: 3}\nkind: HorizontalPodAutoscaler\napiVersion: autoscaling/v2beta1\n";
    let told = simulate(no_hpa(), "late.yaml", manifest, &[]);
    assert!(told.err.contains("autoscaling/v2beta1 must stand before `spec` and `status`"), "{}", told.err);
}

/// cpu first in the manifest; before 1.27 it comes back as the last.
#[test]
fn before_1_27_metrics_come_back_as_they_are_stored_in_v1() {
    let external = "  - type: External\n    external: {metric: {name: q}, target: {type: Value, value: 5}}\n";
    let manifest = format!("{MANIFEST}{external}");
    let names = |version: &str, more: &[&str], manifest: &str| {
        let told = simulate(
            no_hpa(),
            &format!("order-{version}.yaml"),
            manifest,
            &[&["--as-version", version, "-o", "json"], more].concat(),
        );
        let metrics = told.json()["then"]["metrics"].clone();
        let names = metrics.as_array().expect("metrics").iter().map(|it| it["source"]["name"].as_str());
        names.map(Option::unwrap_or_default).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("1.27", &[], &manifest), "cpu q");
    assert_eq!(names("1.26", &[], &manifest), "q cpu");
    let add = ["--add-metric", "memory=50"];
    assert_eq!(names("1.27", &add, &manifest), "cpu q memory");
    assert_eq!(names("1.26", &add, MANIFEST), "memory cpu");
}

/// API servers that kept it in v1 show a zero beside the average, which none would accept.
#[test]
fn a_zero_that_an_api_server_gives_out_is_no_value() {
    let metric = |value: &str| {
        json!([{"type": "Object", "object": {
            "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "web"}, "metric": {"name": "hits"},
            "target": {"type": "AverageValue", "value": value, "averageValue": "10"}}}])
    };
    let explain = |value: &str, resource_version: &str| {
        let mut stored = hpa("web", "apps/v1", "Deployment", "web", metric(value));
        stored["metadata"]["resourceVersion"] = json!(resource_version);
        Cluster::shop().with_hpas(&[stored]).run(&["explain", "web"])
    };
    assert_eq!(explain("0", "7").err, "");
    let refused = "hpa.spec.metrics[0].object.target.value: Invalid value";
    assert!(explain("0", "").err.contains(refused), "{}", explain("0", "").err);
    assert!(explain("-1", "7").err.contains(refused), "{}", explain("-1", "7").err);
}

#[test]
fn the_namespace_is_the_manifests_or_the_typed_one() {
    let elsewhere = MANIFEST.replace("{name: web,", "{name: web, namespace: elsewhere,");
    let hpas = "/apis/autoscaling/v2/namespaces/elsewhere/horizontalpodautoscalers/web";
    let told = simulate(Cluster::shop(), "elsewhere.yaml", &elsewhere, &[]);
    assert_eq!(told.asked(hpas), 1);
    let told = simulate(Cluster::shop(), "typed.yaml", MANIFEST, &["-n", "elsewhere"]);
    assert_eq!(told.asked(hpas), 1);
    let told = simulate(Cluster::shop(), "both.yaml", &elsewhere, &["-n", "shop"]);
    assert_eq!(told.ending, Ending::Failed);
    assert_eq!(told.err, "error: hpa.yaml: the manifest has namespace elsewhere, but -n is shop\n");
}

#[test]
fn what_the_api_server_refuses_is_refused_in_its_words() {
    for (wrong, right, words) in [
        (
            "maxReplicas: 10",
            "maxReplicas: 0",
            "spec.maxReplicas: Required value: must be set and greater than 0\n",
        ),
        (
            "name: web, c",
            "name: Web, c",
            "metadata.name: Invalid value: \"Web\": a lowercase RFC 1123 subdomain must ",
        ),
        ("name: web, c", "c", "metadata.name: Required value: name or generateName is required\n"),
        (
            "minReplicas: 1",
            "minReplicas: 0",
            "spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero",
        ),
        (
            "apiVersion: apps/v1",
            "apiVersion: v1",
            "spec.scaleTargetRef.apiVersion: Invalid value: \"v1\": apiVersion must specify API group\n",
        ),
    ] {
        let told = simulate(no_hpa(), "refused.yaml", &MANIFEST.replace(wrong, right), &[]);
        assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""), "{right}");
        assert!(told.err.starts_with(&format!("error: hpa.yaml: {words}")), "{}", told.err);
    }
    for played in [&["--min", "0"][..], &["--min", "0", "--over", "10m"]] {
        let told = simulate(no_hpa(), "typed.yaml", MANIFEST, played);
        assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""), "{played:?}");
        assert!(told.err.contains("with the changes: spec.metrics: Forbidden: must specify"), "{}", told.err);
    }
}

#[test]
fn other_kinds_are_passed_over_in_a_word() {
    let deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n";
    let told = simulate(no_hpa(), "kinds.yaml", &format!("{deployment}---\n{MANIFEST}"), &["-o", "json"]);
    assert_eq!(told.ending, Ending::Different);
    assert_eq!(told.err, "note: hpa.yaml: only the HPA is used, not: Deployment\n");
    assert_eq!(told.json()["then"]["desiredReplicas"], 4);
    let told = simulate(no_hpa(), "old.yaml", &MANIFEST.replace("/v2", "/v2alpha2"), &[]);
    assert!(told.err.contains("must be autoscaling/v2, v2beta2, v2beta1 or v1"), "{}", told.err);
}

#[test]
fn an_autoscaler_that_may_not_be_read_is_not_taken_for_none() {
    let told = simulate(
        Cluster::shop().reply(HPA, Reply::forbidden("not for you")),
        "forbidden.yaml",
        MANIFEST,
        &[],
    );
    assert_eq!(told.ending, Ending::Failed);
    assert!(told.err.contains("not for you (403 from "), "{}", told.err);
    assert!(
        told.err.contains("\nhint: needed: the permission to get horizontalpodautoscalers"),
        "{}",
        told.err
    );
}

#[test]
fn explain_takes_no_manifest_and_says_who_does() {
    let path = file("explain.yaml", MANIFEST);
    let told = Cluster::shop().run(&["explain", "-f", &path]);
    std::fs::remove_file(&path).expect("to remove the manifest");
    assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""));
    assert!(
        told.err.contains("not a Case of kubectl-hpa/v1\nhint: kubectl hpa simulate -f FILE"),
        "{}",
        told.err
    );
}

/// One metric of each kind.
const METRICS: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 20
  metrics:
  - {type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 100Mi}}}
  - {type: ContainerResource, containerResource: {name: cpu, container: srv,
      target: {type: Utilization, averageUtilization: 60}}}
  - {type: Pods, pods: {metric: {name: rps}, target: {type: AverageValue, averageValue: 100}}}
  - {type: Object, object: {metric: {name: hits}, describedObject: {apiVersion: v1, kind: Service, name: web},
      target: {type: Value, value: 1k}}}
  - {type: External, external: {metric: {name: queue}, target: {type: AverageValue, averageValue: 30}}}
";
const TYPED: [&str; 14] = [
    "--replicas",
    "4",
    "--usage",
    "memory=50Mi",
    "--usage",
    "cpu=90%",
    "--request",
    "cpu=500m",
    "--usage",
    "rps=120",
    "--metric",
    "hits=1500",
    "--metric",
    "queue=210",
];

#[test]
fn what_is_typed_as_a_whole_is_decided_without_a_cluster() {
    let told = simulate(Cluster::shop(), "typed.yaml", METRICS, &[&TYPED[..], &["-o", "json"]].concat());
    assert_eq!((told.err.as_str(), told.ending, told.requests.len()), ("", Ending::Different, 0));
    let view = told.json();
    assert_eq!((&view["isTyped"], &view["now"]), (&true.into(), &Value::Null));
    // By hand: memory 4 × 50/100 = 2, cpu 4 × 90/60 = 6, rps 4 × 120/100 = 4.8 → 5, hits 4 × 1.5 = 6, queue 210/30 = 7.
    let proposals = view["then"]["metrics"].as_array().expect("metrics");
    let proposed: Vec<&Value> = proposals.iter().map(|metric| &metric["proposal"]["replicas"]).collect();
    assert_eq!(proposed, [2, 6, 5, 6, 7].map(Value::from).iter().collect::<Vec<_>>(), "{}", told.out);
    assert_eq!(view["then"]["desiredReplicas"], 7);
    let told = simulate(Cluster::shop(), "typed-text.yaml", METRICS, &TYPED);
    let now = "\n  now   4 replicas      as given, for ready pods; no cluster was read\n";
    assert!(told.out.contains("\nDecision  first sync\n") && told.out.contains(now), "{}", told.out);
}

/// An empty queue, an HPA that may scale to zero, and the API server's default metric.
#[test]
fn zero_and_the_default_metric_can_be_typed() {
    let (head, metrics) = METRICS.split_once("  metrics:\n").expect("metrics");
    let queue = metrics.lines().find(|line| line.contains("queue")).expect("a queue");
    let zero = format!("{head}  minReplicas: 0\n  metrics:\n{queue}\n");
    // Of 7 that are wanted the default policies allow 4 pods at once.
    for (value, then) in [("queue=0", 0), ("queue=1", 1), ("queue=90", 3), ("queue=210", 4)] {
        let typed = ["--replicas", "0", "--metric", value, "-o", "json"];
        let told = simulate(Cluster::shop(), "typed-zero.yaml", &zero, &typed);
        assert_eq!((told.err.as_str(), told.requests.len()), ("", 0), "{value}");
        assert_eq!(told.json()["then"]["desiredReplicas"], then, "{value}: {}", told.out);
    }
    let told =
        simulate(Cluster::shop(), "typed-zero.yaml", &zero, &["--replicas", "0", "--metric", "queue=1"]);
    assert!(
        told.out.contains("0 replicas      as typed, as the HPA's own zero; any other is a pause"),
        "{}",
        told.out
    );
    // The default of the API server: 80% of the cpu request.
    let typed = ["--replicas", "3", "--usage", "cpu=120%", "--request", "cpu=100m", "-o", "json"];
    let told = simulate(Cluster::shop(), "typed-default.yaml", head, &typed);
    assert_eq!((told.err.as_str(), told.requests.len()), ("", 0));
    assert_eq!(told.json()["then"]["desiredReplicas"], 5, "{}", told.out);
}

#[test]
fn pods_that_are_typed_can_be_changed_and_swept() {
    let changed = [&TYPED[..], &["--pods", "web-1=no-sample", "-o", "json"]].concat();
    let told = simulate(Cluster::shop(), "typed-pods.yaml", METRICS, &changed);
    assert_eq!((told.err.as_str(), told.requests.len()), ("", 0));
    assert_eq!(told.json()["then"]["metrics"][1]["census"]["missing"], 1, "{}", told.out);
    let swept = [&TYPED[..], &["--sweep", "usage.cpu=60%..120%:60%", "-o", "json"]].concat();
    let told = simulate(Cluster::shop(), "typed-sweep.yaml", METRICS, &swept);
    assert_eq!(told.json()["points"][1]["replicas"]["lowest"], 8, "{}", told.err);
}

#[test]
fn what_is_not_typed_is_asked_of_the_cluster() {
    for left_out in ["4", "memory=50Mi", "cpu=90%", "cpu=500m", "rps=120", "hits=1500", "queue=210"] {
        let pairs = TYPED.chunks(2).filter(|pair| pair[1] != left_out).flatten();
        let told = simulate(
            Cluster::shop(),
            &format!("{left_out}.yaml"),
            METRICS,
            &pairs.copied().collect::<Vec<_>>(),
        );
        assert!(!told.requests.is_empty(), "{left_out}: {}", told.out);
    }
    let written = [&TYPED[..], &["--apply", "--yes", "--dry-run=client"]].concat();
    assert!(!simulate(Cluster::shop(), "typed-apply.yaml", METRICS, &written).requests.is_empty());
}

#[test]
fn without_a_cluster_it_says_what_could_be_typed() {
    let path = file("nowhere.yaml", METRICS);
    let env = [("KUBECONFIG", "/no/such/file"), ("HOME", "/no/such/home")];
    let output = crate::connections::kubectl_hpa(&["simulate", "-f", &path], &env);
    std::fs::remove_file(&path).expect("to remove the manifest");
    let told = crate::connections::stderr(&output).replace(&path, "hpa.yaml");
    let words = "error: hpa.yaml: the manifest is valid; without a cluster, type what it measures: --replicas N \
                 --usage memory=QUANTITY --usage cpu=PERCENT% --request cpu=QUANTITY --usage rps=QUANTITY \
                 --metric hits=QUANTITY --metric queue=QUANTITY\n";
    assert_eq!(told, words);
}
