//! `kubectl hpa lint` of a cluster: the same rules on what it has, from whole lists.

use std::collections::BTreeSet;
use std::process::Command;

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use crate::cluster::{Cluster, HPAS, discovery, hpa};
use crate::server::Reply;

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/shop/deployments";
const STATEFUL_SETS: &str = "/apis/apps/v1/namespaces/shop/statefulsets";
const LIMIT_RANGES: &str = "/api/v1/namespaces/shop/limitranges";
const QUOTAS: &str = "/api/v1/namespaces/shop/resourcequotas";
const NODES: &str = "/api/v1/nodes";
const CUSTOM: &str = "/apis/custom.metrics.k8s.io/v1beta1";

fn listed(kind: &str, version: &str, items: Value) -> Value {
    json!({"kind": kind, "apiVersion": version, "metadata": {}, "items": items})
}

fn cpu() -> Value {
    json!([{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}])
}

fn deployment(name: &str, requests: Value) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "shop", "uid": format!("of-{name}")},
        "spec": {"replicas": 2, "selector": {"matchLabels": {"app": name}}, "template": {
            "metadata": {"labels": {"app": name}},
            "spec": {"containers": [{"name": "app", "env": [{"name": "PASSWORD", "value": "secret"}],
                "resources": {"requests": requests}}]}}},
        "status": {},
    })
}

/// HPAs of Deployments of the same names, without requests.
fn shop(names: &[&str]) -> Cluster {
    let hpas: Vec<Value> = names.iter().map(|name| hpa(name, "apps/v1", "Deployment", name, cpu())).collect();
    let deployments: Vec<Value> = names.iter().map(|name| deployment(name, json!({}))).collect();
    Cluster::shop()
        .with_hpas(&hpas)
        .with(DEPLOYMENTS, listed("DeploymentList", "apps/v1", json!(deployments)))
        .with(STATEFUL_SETS, listed("StatefulSetList", "apps/v1", json!([])))
        .with(LIMIT_RANGES, listed("LimitRangeList", "v1", json!([])))
        .with(QUOTAS, listed("ResourceQuotaList", "v1", json!([])))
        .with(NODES, listed("NodeList", "v1", json!([])))
}

fn rules(view: &Value) -> BTreeSet<String> {
    let findings = view["findings"].as_array().expect("findings");
    findings.iter().map(|it| it["rule"].as_str().expect("a rule").to_owned()).collect()
}

#[test]
fn a_live_object_is_named_by_its_place_and_the_field() {
    let told = shop(&["web"]).run(&["lint"]);
    assert_eq!((told.ending, told.err.as_str()), (Ending::Done, ""));
    let first = told.out.lines().next().expect("a line");
    assert!(
        first.starts_with(
            "shop/Deployment/web spec.template.spec.containers[0].resources.requests.cpu: warning no-request: container \
             app of Deployment web requests no cpu"
        ),
        "{}",
        told.out
    );
    assert!(told.out.ends_with("1 HPA (3 objects): 1 warning\n"), "{}", told.out);
    assert!(!told.out.contains("secret"));
    let found = shop(&["web"]).run(&["lint", "--fail-on", "warning"]);
    assert_eq!(found.ending, Ending::Found);
}

#[test]
fn every_form_has_the_place() {
    let told = shop(&["web"]).run(&["lint", "-o", "json"]);
    let finding = &told.json()["findings"][0];
    assert_eq!((finding.get("file"), finding.get("line")), (None, None));
    assert_eq!(finding["object"]["namespace"], "shop");
    let schema: Value =
        serde_json::from_str(include_str!("../../src/render/schema/lint.schema.json")).expect("a schema");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    assert!(schema.is_valid(&told.json()), "{}", told.out);
    let told = shop(&["web"]).run(&["lint", "-o", "sarif"]);
    let location = &told.json()["runs"][0]["results"][0]["locations"][0];
    let name = "shop/Deployment/web spec.template.spec.containers[0].resources.requests.cpu";
    assert_eq!(location, &json!({"logicalLocations": [{"fullyQualifiedName": name}]}));
    let told = shop(&["web"]).run(&["lint", "-o", "github"]);
    assert!(
        told.out.starts_with("::warning title=") && told.out.contains(&format!("::{name}: no-request: "))
    );
    let told = shop(&["web"]).run(&["lint", "-o", "junit"]);
    let case = r#"<testcase name="Deployment shop/web: no-request" classname="shop">"#;
    assert!(told.out.contains(case), "{}", told.out);
}

#[test]
fn the_reads_do_not_grow_with_the_hpas() {
    let names: Vec<String> = (0..40).map(|number| format!("web-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (one, many) = (shop(&["web"]).run(&["lint"]), shop(&names).run(&["lint"]));
    assert_eq!(one.requests.len(), many.requests.len());
    assert_eq!(one.requests.len(), 8);
    assert!(many.out.contains("40 HPAs (81 objects): 40 warnings"), "{}", many.out);
}

/// Without any single right the other rules still find what they find, and a note says what lint did not look at.
#[test]
fn missing_rights_leave_the_other_rules() {
    for (path, right) in [
        (LIMIT_RANGES, "list limitranges in namespace shop"),
        (QUOTAS, "list resourcequotas in namespace shop"),
        (NODES, "list nodes in the whole cluster"),
    ] {
        let refused = || shop(&["web"]).reply(path, Reply::forbidden("no").signed());
        let told = refused().run(&["lint", "-o", "json"]);
        assert_eq!(told.ending, Ending::Done, "{path}");
        assert_eq!(
            told.err,
            format!(
                "note: not checked: {right} is forbidden\nhint: kubectl hpa rbac --lint prints the rights\n"
            )
        );
        assert_eq!(told.json()["notLookedAt"], json!([format!("{right} is forbidden")]));
        assert_eq!(rules(&told.json()), BTreeSet::from(["no-request".to_owned()]));
        for form in ["sarif", "junit", "github"] {
            let told = refused().run(&["lint", "-o", form]);
            assert!(told.out.contains(&format!("{right} is forbidden")), "{form}: {}", told.out);
        }
    }
}

/// Nearly all rules need the targets, and a failure is no answer: exit code 1.
#[test]
fn what_fails_is_an_error_and_the_rest_is_looked_at() {
    let fixed = |mut cluster: Cluster| {
        let mut fixed = hpa("web", "apps/v1", "Deployment", "web", cpu());
        fixed["spec"]["minReplicas"] = json!(10);
        cluster = cluster.with_hpas(&[fixed]);
        cluster
    };
    for (path, reply, error) in [
        (
            DEPLOYMENTS,
            Reply::forbidden("no").signed(),
            "error: cannot list deployments: no (403 from /apis/apps/v1/namespaces/shop/deployments)\nhint: ",
        ),
        (
            QUOTAS,
            Reply::failure(500, "InternalError", "etcd is away").signed(),
            "error: cannot list resourcequotas: cannot read /api/v1/namespaces/shop/resourcequotas: etcd is away",
        ),
    ] {
        let told = fixed(shop(&["web"]).reply(path, reply)).run(&["lint", "-o", "json"]);
        assert_eq!(told.ending, Ending::Failed, "{path}");
        assert!(told.err.starts_with(error), "{}", told.err);
        assert!(rules(&told.json()).contains("min-is-max"), "{}", told.out);
        assert_eq!(told.json()["errors"].as_array().map(Vec::len), Some(1));
    }
    // Also if no HPA is found.
    let failing = Reply::failure(500, "InternalError", "etcd is away").signed();
    let told = shop(&["web"]).reply(QUOTAS, failing).run(&["lint", "-l", "app=none"]);
    assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""));
    let told = shop(&["web"]).reply(HPAS, Reply::forbidden("no").signed()).run(&["lint"]);
    assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""));
    assert!(told.err.starts_with("error: cannot list the HPAs: no"), "{}", told.err);
}

#[test]
fn a_kind_that_is_not_read_is_said() {
    let rollout = hpa("web", "argoproj.io/v1alpha1", "Rollout", "web", cpu());
    let told = shop(&[]).with_hpas(&[rollout]).run(&["lint"]);
    assert_eq!(told.ending, Ending::Done);
    assert!(told.err.starts_with("note: not checked: targets of kind Rollout"), "{}", told.err);
}

#[test]
fn a_quota_and_nodes_bound_the_replicas() {
    let web = deployment("web", json!({"cpu": "500m"}));
    let quota = json!([{"metadata": {"name": "compute", "namespace": "shop"}, "spec": {"hard": {"requests.cpu": "4"}}}]);
    let node = |name: &str, more: Value| {
        let allocatable = json!({"cpu": "2", "memory": "8Gi", "pods": "110"});
        json!({"metadata": {"name": name}, "spec": more, "status": {"allocatable": allocatable}})
    };
    let nodes = json!([node("one", json!({})), node("two", json!({"unschedulable": true}))]);
    let cluster = shop(&["web"])
        .with(DEPLOYMENTS, listed("DeploymentList", "apps/v1", json!([web])))
        .with(QUOTAS, listed("ResourceQuotaList", "v1", quota))
        .with(NODES, listed("NodeList", "v1", nodes));
    let told = cluster.run(&["lint"]);
    let quota = "shop/HorizontalPodAutoscaler/web spec.maxReplicas: warning max-beyond-quota: ResourceQuota compute has room \
                 for at most 8 pods of Deployment web (requests.cpu 4), and maxReplicas is 10\n";
    let nodes = "shop/HorizontalPodAutoscaler/web spec.maxReplicas: info max-beyond-nodes: even empty, the only \
                 schedulable node has room for at most 4 pods of Deployment web (cpu), and maxReplicas is 10\n";
    assert!(told.out.contains(quota) && told.out.contains(nodes), "{}", told.out);
}

#[test]
fn metrics_that_no_adapter_offers_are_found() {
    let pods = |name: &str| {
        let target = json!({"type": "AverageValue", "averageValue": "10"});
        let metrics = json!([{"type": "Pods", "pods": {"metric": {"name": name}, "target": target}}]);
        hpa("web", "apps/v1", "Deployment", "web", metrics)
    };
    let told = shop(&["web"]).with_hpas(&[pods("queue")]).run(&["lint", "-o", "json"]);
    let finding = &told.json()["findings"][0];
    assert_eq!((&finding["rule"], &finding["severity"]), (&json!("metric-not-offered"), &json!("warning")));
    assert_eq!(told.asked(CUSTOM), 0);
    let served = |name: &str, names: &[&str]| {
        let names: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        let offers = json!({"kind": "APIResourceList", "apiVersion": "v1",
            "groupVersion": "custom.metrics.k8s.io/v1beta1", "resources": names});
        let groups =
            discovery(&[("custom.metrics.k8s.io", "v1beta1", &[("pods/queue", "MetricValueList", "")])]);
        let cluster = shop(&["web"]).with_hpas(&[pods(name)]).with("/apis", groups).with(CUSTOM, offers);
        let view = cluster.run(&["lint", "-o", "json"]).json();
        let findings = view["findings"].as_array().expect("findings").iter();
        let pair = |it: &Value| (it["rule"].clone(), it["severity"].clone());
        findings.map(pair).collect::<Vec<_>>()
    };
    assert_eq!(served("queue", &["pods/queue", "namespaces/other"]), []);
    let note = (json!("metric-not-offered"), json!("info"));
    assert_eq!(served("queue", &["namespaces/queue", "pods/quene"]), [note]);
    // A list that is none tells nothing.
    assert_eq!(served("queue", &["*"]), []);
    assert_eq!(served("queue", &[]), []);
}

#[test]
fn those_that_are_named_or_selected_are_looked_at() {
    let three = || shop(&["web", "api", "cart"]);
    let told = three().run(&["lint", "api", "hpa/cart"]);
    assert!(told.out.ends_with("2 HPAs (7 objects): 2 warnings\n"), "{}", told.out);
    assert!(!told.out.contains("Deployment/web"), "{}", told.out);
    let told = three().run(&["lint", "wbe"]);
    assert_eq!(told.ending, Ending::Failed);
    assert!(told.err.starts_with("error: no HPA \"wbe\" in namespace shop"), "{}", told.err);
    // As in explain: what it scales, the types before the names, and the name of a header.
    let named = three().run(&["lint", "web"]).out;
    for typed in [&["deploy/web"][..], &["deploy", "web"], &["shop/web"]] {
        let told = three().run(&[&["lint"], typed].concat());
        assert_eq!((told.err.as_str(), told.out.as_str()), ("", named.as_str()), "{typed:?}");
    }
    let told = three().run(&["lint", "deploy/wbe"]);
    assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""));
    assert!(
        told.err.starts_with("error: no HPA in namespace shop scales deploy/wbe\nhint: did you"),
        "{}",
        told.err
    );
    let told = three().run(&["lint", "-l", "app=none"]);
    assert_eq!((told.ending, told.err.as_str()), (Ending::Done, "No resources found in shop namespace.\n"));
}

/// Each right that a note names is printed, and none of them without the flag: explain does not need it.
#[test]
fn the_rights_are_those_that_rbac_prints() {
    let printed = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa")).arg("rbac").args(words).output();
        String::from_utf8(output.expect("the binary runs").stdout).expect("UTF-8")
    };
    let plain = printed(&[]);
    let (role, cluster) = (printed(&["--lint", "-n", "shop"]), printed(&["--lint"]));
    for resource in ["limitranges", "resourcequotas", "verticalpodautoscalers", "scaledobjects"] {
        let line = format!("  - {resource}\n");
        assert!(role.contains(&line) && cluster.contains(&line) && !plain.contains(&line), "{resource}");
    }
    // No role of a namespace can give it.
    let line = "  - nodes\n";
    assert!(cluster.contains(line) && !role.contains(line) && !plain.contains(line), "{cluster}");
}
