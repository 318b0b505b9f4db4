//! What is read of a cluster, and what is made of it.

use std::time::Duration;

use kubectl_hpa::cluster::ConnectArgs;
use kubectl_hpa::commands::Screen;
use kubectl_hpa_core::model::{self, Evidence, Instant};
use kubectl_hpa_core::snapshot::{Scope, Snapshot};
use serde_json::{Value, json};

use crate::cluster::{
    Cluster, EVENTS, HPA, HPAS, MANAGERS, POD_METRICS, PODS, SCALE, Waves, ask, ask_as, discovery, hpa,
    kubeconfig_file, list, pod, scale,
};
use crate::run::{NOBODY, run_before};
use crate::server::{Reply, Request, Server};

#[test]
fn a_case_holds_all_that_the_decision_needs_and_nothing_secret() {
    let case = Cluster::shop().ask("web").expect("a case");
    let text = serde_json::to_string(&case).expect("JSON");
    assert!(!text.contains("secret"), "{text}");
    assert!(!text.contains("managedFields"), "{text}");
    assert!(!text.contains("PodScheduled"), "{text}");
    assert_eq!(case.at, Instant::parse("2026-11-21T10:42:00Z").expect("an instant"));
    assert_eq!(case.pods.as_ref().and_then(|pods| pods.items.as_ref()).map(Vec::len), Some(2));
    assert_eq!(case.pod_metrics.as_ref().and_then(|metrics| metrics.items.as_ref()).map(Vec::len), Some(2));
    let version = case.controller.version.clone().expect("a version");
    assert_eq!((version.value.as_str(), version.evidence), ("v1.37.1", Evidence::Inferred));
    let snapshot = Snapshot::freeze(case).expect("a snapshot");
    assert_eq!(snapshot.pods.expect("pods").iter().filter(|pod| pod.usage.is_some()).count(), 2);
}

#[test]
fn a_round_trip_is_never_the_fourth() {
    let metrics = json!([
        {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
        {"type": "Pods", "pods": {"metric": {"name": "rps"}, "target": {"type": "AverageValue", "averageValue": "1"}}},
        {"type": "External", "external": {"metric": {"name": "q"}, "target": {"type": "Value", "value": "1"}}},
        {"type": "Object", "object": {
            "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "web"},
            "metric": {"name": "hits"}, "target": {"type": "Value", "value": "1"}}},
    ]);
    let shop = Cluster::shop()
        .with_hpas(&[
            hpa("web", "apps/v1", "Deployment", "web", metrics),
            hpa("other", "apps/v1", "Deployment", "other", json!([])),
        ])
        .with(
            "/apis",
            discovery(&[
                ("apps", "v1", &[("deployments", "Deployment", "deploy")]),
                ("custom.metrics.k8s.io", "v1beta2", &[]),
            ]),
        );
    for subject in ["web", "deploy/web"] {
        let waves = Waves::of(shop.clone());
        let case = ask(&waves.server, subject).expect("a case");
        assert_eq!(case.custom_metrics.len(), 2);
        assert_eq!(case.external_metrics.len(), 1);
        assert_eq!(case.other_hpas.len(), 1);
        assert_eq!(waves.count(), 3, "{subject}");
    }
}

#[test]
fn only_what_the_metrics_need_is_read() {
    let metrics = json!([{"type": "External", "external": {
        "metric": {"name": "q"}, "target": {"type": "Value", "value": "1"}}}]);
    let shop = Cluster::shop().with_hpas(&[hpa("web", "apps/v1", "Deployment", "web", metrics)]);
    let server = shop.serve();
    let case = ask(&server, "web").expect("a case");
    assert!(case.pod_metrics.is_none());
    assert!(server.requests().iter().all(|request| request.path() != POD_METRICS));
}

#[test]
fn the_autoscaler_alone_makes_a_case() {
    let readable = Reply::json(hpa("web", "apps/v1", "Deployment", "web", json!([])));
    let server = Cluster::default().reply(HPA, readable).otherwise(Reply::forbidden("not for you")).serve();
    let case = ask(&server, "web").expect("a case");
    let scale = case.scale.and_then(|scale| scale.error).expect("an error");
    assert_eq!((scale.message.as_str(), scale.code, scale.scope), ("not for you", Some(403), Scope::Reader));
    assert_eq!(scale.path, SCALE);
    let events = case.events.and_then(|events| events.error).expect("an error");
    assert_eq!(events.scope, Scope::Reader);
    assert!(case.pods.is_none() && case.other_hpas.is_empty() && case.controller.version.is_none());
    for (error, path) in [(case.other_hpas_error, HPAS), (case.controller.error, MANAGERS)] {
        let error = error.expect("an error");
        assert_eq!((error.code, error.scope), (Some(403), Scope::Reader));
        assert!(error.path.starts_with(path), "{}", error.path);
    }
}

#[test]
fn what_only_the_reader_is_refused_is_told_apart() {
    let broken = Reply::new(503, Some("text/plain"), "service unavailable\n").signed();
    let case = Cluster::shop().reply(POD_METRICS, broken.clone()).ask("web").expect("a case");
    let error = case.pod_metrics.and_then(|metrics| metrics.error).expect("an error");
    assert_eq!(
        error.message,
        "the server is currently unable to handle the request (get pods.metrics.k8s.io)"
    );
    assert_eq!((error.code, error.reason.as_str()), (Some(503), "ServiceUnavailable"));
    assert_eq!(error.scope, Scope::Everyone);

    let case = Cluster::shop().reply(POD_METRICS, Reply::unserved()).ask("web").expect("a case");
    let error = case.pod_metrics.and_then(|metrics| metrics.error).expect("an error");
    assert_eq!(error.message, "the server could not find the requested resource (get pods.metrics.k8s.io)");
    assert_eq!(error.scope, Scope::Everyone);

    // The controller has its pods from a watch.
    let case = Cluster::shop().reply(PODS, broken).ask("web").expect("a case");
    let error = case.pods.and_then(|pods| pods.error).expect("an error");
    assert_eq!(error.scope, Scope::Reader);
}

#[test]
fn the_instant_is_the_api_servers() {
    let at = |cluster: Cluster| {
        cluster.ask("web").map(|case| case.at.to_string()).map_err(|error| error.to_string())
    };
    let later = "Sat, 21 Nov 2026 10:42:07 GMT";
    let pods = Reply::json(list("PodList", json!([]))).with_date(Some(later));
    assert_eq!(at(Cluster::shop().reply(PODS, pods)), Ok("2026-11-21T10:42:07Z".into()));
    // Even an error has a date; what an aggregated server says about the time has no weight.
    let refused = Reply::forbidden("no").with_date(Some(later));
    let other =
        Reply::json(list("PodMetricsList", json!([]))).with_date(Some("Sat, 21 Nov 2026 11:11:11 GMT"));
    assert_eq!(
        at(Cluster::shop().reply(PODS, refused).reply(POD_METRICS, other)),
        Ok("2026-11-21T10:42:07Z".into())
    );
    let dateless = Reply::json(list("PodList", json!([]))).with_date(None);
    assert_eq!(at(Cluster::shop().reply(PODS, dateless.clone())), Ok("2026-11-21T10:42:00Z".into()));
    let without = Cluster::shop()
        .reply(PODS, dateless)
        .reply(SCALE, Reply::json(scale("app=web")).with_date(None))
        .reply(
            HPA,
            Reply::json(hpa("web", "apps/v1", "Deployment", "web", json!([]))).with_date(Some("now")),
        );
    assert!(at(without).expect_err("no date").contains("Date"));
}

#[test]
fn values_of_the_older_custom_metrics_version_are_read_as_the_newer() {
    let metrics = json!([{"type": "Pods", "pods": {
        "metric": {"name": "rps"}, "target": {"type": "AverageValue", "averageValue": "1"}}}]);
    let value = json!({
        "describedObject": {"kind": "Pod", "namespace": "shop", "name": "web-1", "apiVersion": "/v1"},
        "metricName": "rps", "timestamp": "2026-11-21T10:41:55Z", "window": 30, "value": "1500m", "selector": null,
    });
    let case = Cluster::shop()
        .with_hpas(&[hpa("web", "apps/v1", "Deployment", "web", metrics)])
        .with("/apis", discovery(&[
            ("apps", "v1", &[("deployments", "Deployment", "deploy")]),
            ("custom.metrics.k8s.io", "v1beta1", &[]),
        ]))
        .with("/apis/custom.metrics.k8s.io/v1beta1/namespaces/shop/pods/%2A/rps", json!({
            "kind": "MetricValueList", "apiVersion": "custom.metrics.k8s.io/v1beta1", "metadata": {}, "items": [value],
        }))
        .ask("web")
        .expect("a case");
    let answer = case.custom_metrics.first().expect("an answer");
    assert_eq!(
        serde_json::to_value(&answer.items).expect("JSON"),
        json!([{
            "describedObject": {"kind": "Pod", "name": "web-1", "apiVersion": "/v1"},
            "metric": {"name": "rps"}, "timestamp": "2026-11-21T10:41:55Z", "windowSeconds": 30, "value": "1500m",
        }])
    );
}

#[test]
fn settings_come_from_the_controllers_pod() {
    let manager = |name: &str, arguments: &[&str]| {
        let image = "registry.example/kube-controller-manager:v1.36.2";
        json!({"metadata": {"name": name}, "spec": {"containers": [
            {"name": "kube-controller-manager", "image": image, "command": arguments}]}})
    };
    let flags = [
        "kube-controller-manager",
        "--horizontal-pod-autoscaler-tolerance=0.25",
        "--horizontal-pod-autoscaler-downscale-stabilization",
        "90s",
        "--horizontal_pod_autoscaler_sync_period=5s",
        "--feature-gates=HPAScaleToZero=true,Other=false",
        "--feature-gates=kube:HPAScaleToZero=false",
    ];
    let server = Cluster::shop().with(MANAGERS, list("PodList", json!([manager("kcm-a", &flags)]))).serve();
    let case = ask(&server, "web").expect("a case");
    assert_eq!(
        serde_json::to_value(&case.controller).expect("JSON"),
        json!({
            "version": {"value": "v1.36.2", "evidence": "Observed", "from": "image of pod kube-system/kcm-a"},
            "apiServerVersion": "v1.37.1",
            "tolerance": {"value": 0.25, "evidence": "Observed",
                "from": "--horizontal-pod-autoscaler-tolerance of pod kube-system/kcm-a"},
            "downscaleStabilization": {"value": "1m30s", "evidence": "Observed",
                "from": "--horizontal-pod-autoscaler-downscale-stabilization of pod kube-system/kcm-a"},
            "cpuInitializationPeriod": {"value": "5m0s", "evidence": "Inferred", "from":
                "default: pod kube-system/kcm-a without --horizontal-pod-autoscaler-cpu-initialization-period"},
            "initialReadinessDelay": {"value": "30s", "evidence": "Inferred", "from":
                "default: pod kube-system/kcm-a without --horizontal-pod-autoscaler-initial-readiness-delay"},
            "syncPeriod": {"value": "5s", "evidence": "Observed",
                "from": "--horizontal-pod-autoscaler-sync-period of pod kube-system/kcm-a"},
            "runs": {"value": true, "evidence": "Inferred",
                "from": "default: pod kube-system/kcm-a without --controllers"},
            "featureGates": {
                "HPAScaleToZero": {"value": false, "evidence": "Observed",
                    "from": "--feature-gates of pod kube-system/kcm-a"},
                "Other": {"value": false, "evidence": "Observed", "from": "--feature-gates of pod kube-system/kcm-a"},
            },
        })
    );

    let pods = json!([manager("kcm-a", &flags), manager("kcm-b", &["kube-controller-manager"])]);
    let case = Cluster::shop().with(MANAGERS, list("PodList", pods)).ask("web").expect("a case");
    let tolerance = case.controller.tolerance.expect("a tolerance");
    assert_eq!((tolerance.value, tolerance.evidence), (0.25, Evidence::Assumed));
    assert_eq!(
        &*tolerance.from,
        "replicas differ in horizontal-pod-autoscaler-tolerance: kube-system/kcm-a has 0.25, kube-system/kcm-b has \
         the default"
    );
    assert_eq!(case.controller.feature_gates["Other"].evidence, Evidence::Assumed);
}

/// The API servers' pods come with the controller's, by the same request.
#[test]
fn how_long_events_are_kept_comes_from_the_api_servers_pods() {
    let pod = |component: &str, flag: &str| {
        json!({"metadata": {"name": format!("{component}-n1")}, "spec": {"containers": [
            {"name": component, "command": [component, flag]}]}})
    };
    let manager = pod("kube-controller-manager", "--client-ca-file=/etc/kube-apiserver.crt");
    let kept = |servers: &[Value]| {
        let pods: Vec<&Value> = servers.iter().chain([&manager]).collect();
        let case = Cluster::shop().with(MANAGERS, list("PodList", json!(pods))).ask("web").expect("a case");
        case.controller.event_ttl.map(|it| (it.value, it.evidence, it.from.to_string()))
    };
    let minutes = |minutes: i64| model::Duration::from_seconds(60 * minutes);
    let of = "pod kube-system/kube-apiserver-n1";
    let server = pod("kube-apiserver", "--event-ttl=10m");
    let observed = (minutes(10), Evidence::Observed, format!("--event-ttl of {of}"));
    assert_eq!(kept(&[server]), Some(observed));
    let server = pod("kube-apiserver", "--v=2");
    let inferred = (minutes(60), Evidence::Inferred, format!("default: {of} without --event-ttl"));
    assert_eq!(kept(&[server]), Some(inferred));
    assert_eq!(kept(&[]), None);
}

#[test]
fn a_controller_that_runs_in_no_pod_is_told_from_one_that_is_hidden() {
    let case = Cluster::shop().ask("web").expect("a case");
    assert_eq!(case.controller.tolerance, None);
    let error = case.controller.error.expect("an error");
    assert_eq!((error.code, error.scope), (None, Scope::Reader));
    assert_eq!(error.message, "no pod of kube-system runs kube-controller-manager, as in managed clusters");
}

#[test]
fn events_are_of_this_autoscaler_and_in_the_order_of_their_last_time() {
    let event = |message: &str, last: &str| json!({"metadata": {}, "involvedObject": {"name": "web"}, "message": message, "lastTimestamp": last, "type": "Normal"});
    let events = json!([event("second", "2026-11-21T10:41:00Z"), event("first", "2026-11-21T10:40:00Z")]);
    let server = Cluster::shop().with(EVENTS, list("EventList", events)).serve();
    let case = ask(&server, "web").expect("a case");
    let events = case.events.and_then(|events| events.items).expect("events");
    let messages: Vec<&str> = events.iter().map(|event| event.message.as_str()).collect();
    assert_eq!(messages, ["first", "second"]);
    let asked = server.requests().into_iter().find(|request| request.path() == EVENTS).expect("a request");
    assert!(asked.target.ends_with(
        "?fieldSelector=involvedObject.kind%3DHorizontalPodAutoscaler%2CinvolvedObject.name%3Dweb"
    ));
}

#[test]
fn an_answer_that_does_not_come_is_waited_for_no_longer_than_told() {
    let shop = Cluster::shop();
    let slow = |request: &Request, shop: &Cluster| {
        if request.path() == POD_METRICS {
            std::thread::sleep(Duration::from_secs(3));
        }
        shop.answer(request)
    };
    let server = Server::start(move |request| slow(request, &shop));
    let args = ConnectArgs { request_timeout: Some(Duration::from_secs(1)), ..ConnectArgs::default() };
    let case = ask_as(&server, "web", args.clone()).expect("a case");
    let error = case.pod_metrics.and_then(|metrics| metrics.error).expect("an error");
    assert_eq!((error.message.as_str(), error.code), ("no answer within 1s", None));
    assert_eq!(error.scope, Scope::Reader);

    // The same for a body that stops coming: the head promises more than is sent.
    let stuck = Reply { withheld: 10, ..Reply::json(list("PodList", json!([pod("web-1")]))) };
    let server = Cluster::shop().reply(PODS, stuck).serve();
    let case = ask_as(&server, "web", args).expect("a case");
    let error = case.pods.and_then(|pods| pods.error).expect("an error");
    assert_eq!(error.message, "the answer was not complete within 1s");
}

#[test]
fn people_who_wait_for_long_lists_are_told_how_much_has_come() {
    let shop = Cluster::shop();
    let server = Server::start(move |request| {
        if request.path() == HPAS {
            std::thread::sleep(Duration::from_millis(1600));
        }
        shop.answer(request)
    });
    let file = kubeconfig_file(&server.url());
    let told = |screen| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        run_before(screen, &file, &["list"], &mut out, &mut err);
        String::from_utf8(err).expect("UTF-8")
    };
    assert_eq!(told(NOBODY), "");
    let told = told(Screen { can_tell: true, ..NOBODY });
    let line = "Reading lists: 0.0 MB so far\r\x1b[K";
    assert!(told.starts_with(line) && told.replace(line, "").is_empty(), "{told:?}");
}

#[test]
fn malformed_answers_are_errors_with_their_place() {
    let message = |body: &str| {
        let pods = Reply::new(200, Some("application/json"), body);
        let case = Cluster::shop().reply(PODS, pods).ask("web").expect("a case");
        case.pods.and_then(|pods| pods.error).map(|error| error.message).expect("an error")
    };
    let start = "cannot decode the answer: ";
    let whole = r#"{"metadata":{"name":"a","namespace":"shop"},"spec":{"containers":[{}]}}"#;
    let nested =
        format!(r#"{{"kind":"PodList","items":[{{"metadata":{}1{}}}]}}"#, "[".repeat(500), "]".repeat(500));
    let long =
        format!(r#"{{"kind":"PodList","items":[{{"metadata":{{"name":"{}"}}}}]}}"#, "x".repeat(17 << 20));
    for (body, end) in [
        (r#"{"kind":"PodList","items":[{"metadata":7}]}"#, "items[0]: invalid type: integer `7`"),
        (
            r#"{"kind":"PodList","items":[WHOLE,{"metadata":{"name":[]}}]}"#,
            "items[1]: invalid type: sequence",
        ),
        (r#"{"kind":"PodList","items":[WHOLE"#, "the list: it ends in a list at line 1 column "),
        (r#"{"kind":"PodList","items":[WHOLE,]}"#, "the list: trailing comma"),
        (r#"{"kind":"PodList","items":[WHOLE{}]}"#, "items[0]: trailing characters"),
        (r#"{"kind":"PodList","items":{"a":1}}"#, "the list: invalid type: map"),
        (r#"{"kind":"PodList","it\u0065ms":[{"metadata":{}}]}"#, "the list: invalid type: map"),
        (r#"{"kind":"PodList","items":[{}]}"#, "items[0]: missing field `metadata.name`"),
        (
            r#"{"kind":"PodList","items":[{"metadata":{"name":"a","namespace":"bank"}}]}"#,
            "items[0]: it is of namespace \"bank\", not \"shop\"",
        ),
        (
            r#"{"kind":"PodList","items":[{"metadata":{"name":"a","namespace":"shop"}}]}"#,
            "items[0]: missing field `spec.containers`",
        ),
        (r#"{"kind":"PodList","apiVersion":"v2","items":[]}"#, "the answer is of version \"v2\", not v1"),
        (r#"["PodList"]"#, "the list: invalid type: sequence, expected an object"),
        (r#"{"kind":"SecretList","items":[]}"#, "the answer is of kind \"SecretList\", not PodList"),
        ("<html>", "the list: expected value"),
        ("", "the list: it ends in a value at line 1 column 0"),
        (&nested, "items[0]: invalid type: sequence"),
        (&long, "items[0] is longer than 16777216 bytes"),
    ] {
        let message = message(&body.replace("WHOLE", whole));
        let body = &body[..body.len().min(100)];
        assert!(message.starts_with(&format!("{start}{end}")), "{body}: {message}");
    }
}

#[test]
fn a_list_of_null_is_empty_and_one_without_items_is_none() {
    let pods = |body| Cluster::shop().with(PODS, body).ask("web").expect("a case").pods.expect("an answer");
    let null = pods(json!({"kind": "PodList", "apiVersion": "v1", "items": null}));
    assert_eq!(null.items.map(|items| items.len()), Some(0));
    let absent = pods(json!({"kind": "PodList", "apiVersion": "v1"})).error.expect("an error");
    assert_eq!(
        absent.message,
        "cannot decode the answer: the list: missing field `items` at line 1 column 36"
    );
}

#[test]
fn impersonation_and_context_are_asked_for() {
    let server = Cluster::shop().serve();
    let args = ConnectArgs {
        context: Some("other".into()),
        namespace: Some("shop".into()),
        as_user: Some("eve".into()),
        as_groups: vec!["a".into(), "b".into()],
        ..ConnectArgs::default()
    };
    ask_as(&server, "web", args).expect("a case");
    let request = server.requests().into_iter().find(|request| request.path() == HPA).expect("a request");
    assert_eq!(request.header("impersonate-user"), ["eve"]);
    assert_eq!(request.header("impersonate-group"), ["a", "b"]);
    // As kubectl does it: nothing secret goes over a wire where everybody can read it.
    assert!(request.header("authorization").is_empty());
    assert!(request.header("user-agent")[0].starts_with("kubectl-hpa/"));
}
