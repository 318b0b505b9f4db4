//! Which autoscaler a question is about.

use kubectl_hpa::cluster::{ClusterError, ConnectArgs, Subject};
use kubectl_hpa_core::snapshot::{Scope, Stage};
use serde_json::{Value, json};

use crate::cluster::{Cluster, HPA, HPAS, ask, ask_at, discovery, hpa, scale};
use crate::server::Reply;

fn subject_name(cluster: Cluster, subject: &str) -> Result<String, String> {
    let text = |error: ClusterError| match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    };
    cluster.ask(subject).map(|case| case.hpa.0.metadata.name).map_err(text)
}

fn deployments(hpas: &[(&str, &str)]) -> Cluster {
    let hpas: Vec<Value> =
        hpas.iter().map(|(name, target)| hpa(name, "apps/v1", "Deployment", target, json!([]))).collect();
    Cluster::shop().with_hpas(&hpas)
}

#[test]
fn a_target_is_named_as_kubectl_names_it() {
    for subject in [
        "web-hpa",
        "hpa/web-hpa",
        "HPA/web-hpa",
        "horizontalpodautoscalers.autoscaling/web-hpa",
        "deploy/web",
        "deployment/web",
        "deployments/web",
        "Deployment/web",
        "deployments.apps/web",
        "deployment.v1.apps/web",
    ] {
        let shop = deployments(&[("web-hpa", "web"), ("other", "elsewhere")]);
        assert_eq!(subject_name(shop, subject), Ok("web-hpa".into()), "{subject}");
    }
    assert!(Subject::parse("a/b/c").is_err());
    assert!(Subject::parse("/b").is_err());
    assert!(Subject::parse("hpa/").is_err());
}

#[test]
fn a_target_of_any_kind_is_found_and_scaled_through_discovery() {
    let rollout = hpa("canary", "argoproj.io/v1alpha1", "Rollout", "web", json!([]));
    let shop = Cluster::shop()
        .with(
            "/apis",
            discovery(&[
                ("apps", "v1", &[("deployments", "Deployment", "deploy")]),
                ("argoproj.io", "v1alpha1", &[("rollouts", "Rollout", "ro")]),
            ]),
        )
        .with_hpas(&[hpa("web", "apps/v1", "Deployment", "web", json!([])), rollout])
        .with("/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/web/scale", scale("app=canary"));
    for subject in ["rollouts.argoproj.io/web", "rollout/web", "ro/web", "canary"] {
        let server = shop.clone().serve();
        let case = ask(&server, subject).expect("a case");
        assert_eq!(case.hpa.0.metadata.name, "canary", "{subject}");
        let scale = case.scale.and_then(|scale| scale.object).expect("a scale");
        assert_eq!(scale.status.selector, "app=canary");
        let asked = server
            .requests()
            .into_iter()
            .any(|request| request.target.ends_with("?labelSelector=app%3Dcanary"));
        assert!(asked, "{subject}");
    }
}

#[test]
fn an_unknown_name_is_answered_with_near_ones() {
    let shop = deployments(&[("web", "frontend"), ("worker", "worker"), ("web-canary", "canary")]);
    let error = |subject: &str| subject_name(shop.clone(), subject).expect_err("an error");
    assert_eq!(error("wbe"), "no HPA \"wbe\" in namespace shop; did you mean web?");
    assert_eq!(error("frontend"), "no HPA \"frontend\" in namespace shop; did you mean web?");
    assert_eq!(error("billing"), "no HPA \"billing\" in namespace shop");
    assert_eq!(
        error("deploy/workr"),
        "no HPA in namespace shop scales deploy/workr; did you mean deployment/worker?"
    );
    assert_eq!(
        error("cronjobs/x"),
        "the server has no resource type \"cronjobs\"; kubectl api-resources lists the types"
    );
    assert_eq!(
        error("deploymnet/x"),
        "the server has no resource type \"deploymnet\"; did you mean deployments?"
    );
}

#[test]
fn two_autoscalers_of_one_target_are_an_error() {
    let shop = deployments(&[("one", "web"), ("two", "web")]);
    let error = subject_name(shop, "deploy/web").expect_err("an error");
    assert!(error.starts_with(
        "2 HPAs in namespace shop scale deploy/web: one, two; name one of them, for example hpa/one"
    ));
}

#[test]
fn a_list_is_not_needed_for_a_name() {
    let shop = deployments(&[("web", "web")]).reply(HPAS, Reply::forbidden("no list"));
    assert_eq!(subject_name(shop.clone(), "web"), Ok("web".into()));
    let error = subject_name(shop, "deploy/web").expect_err("an error");
    assert!(
        error.starts_with("no list (403 from /apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers)")
    );
    let needed = "needed: the permission to list horizontalpodautoscalers of autoscaling in namespace shop";
    assert!(error.ends_with(needed), "{error}");
}

#[test]
fn an_autoscaler_that_cannot_be_read_ends_the_question() {
    let error = |reply: Reply| subject_name(Cluster::shop().reply(HPA, reply), "web").expect_err("an error");
    assert!(error(Reply::forbidden("not for you")).ends_with(
        "needed: the permission to get horizontalpodautoscalers of autoscaling in namespace shop"
    ));
    assert!(!error(Reply::forbidden("user \"a\" cannot impersonate")).contains("needed"));
    assert!(error(Reply::new(401, None, "")).contains("does not accept the credentials"));
    assert!(error(Reply::new(500, Some("text/plain"), "boom")).contains("an error on the server (\"boom\")"));
    assert!(error(Reply::new(200, Some("text/html"), "<html>")).contains("cannot decode the answer"));
}

#[test]
fn discovery_that_speaks_the_older_form_costs_one_more_question() {
    let resources = json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "argoproj.io/v1alpha1", "resources": [
        {"name": "rollouts", "singularName": "rollout", "kind": "Rollout", "namespaced": true, "verbs": ["get"]},
        {"name": "rollouts/scale", "kind": "Scale", "namespaced": true, "verbs": ["get"]},
    ]});
    let shop = Cluster::shop()
        .with("/api", json!({"kind": "APIVersions", "versions": ["v1"]}))
        .with(
            "/apis",
            json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": [{"name": "argoproj.io"}]}),
        )
        .with("/apis/argoproj.io/v1alpha1", resources)
        .with_hpas(&[hpa("web", "argoproj.io/v1alpha1", "Rollout", "web", json!([]))])
        .with("/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/web/scale", scale("app=web"));
    for subject in ["web", "rollout/web", "rollouts.argoproj.io/web"] {
        let case = shop.clone().ask(subject).expect("a case");
        assert!(case.scale.is_some_and(|scale| scale.object.is_some()), "{subject}");
    }
}

#[test]
fn a_version_that_plain_discovery_cannot_read_stays_in_doubt() {
    let rollouts = "/apis/argoproj.io/v1alpha1";
    let shop = Cluster::shop()
        .with("/apis", json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": []}))
        .with_hpas(&[hpa("web", "argoproj.io/v1alpha1", "Rollout", "web", json!([]))]);
    let error = |cluster: Cluster| {
        let case = cluster.ask("web").expect("a case");
        case.scale.and_then(|scale| scale.error).expect("an error")
    };
    let refused = error(shop.clone().reply(rollouts, Reply::forbidden("no discovery")));
    assert_eq!((refused.message.as_str(), refused.scope), ("no discovery", Scope::Reader));
    let absent = error(shop);
    let words = "no matches for kind \"Rollout\" in group \"argoproj.io\"";
    assert_eq!(
        (absent.message.as_str(), absent.scope, absent.stage),
        (words, Scope::Everyone, Stage::Mapping)
    );
}

#[test]
fn built_in_kinds_are_known_where_discovery_is_forbidden() {
    let shop = |kind: &str| {
        Cluster::shop()
            .reply("/api", Reply::forbidden("no discovery"))
            .reply("/apis", Reply::forbidden("no discovery"))
            .with_hpas(&[hpa("web", "apps/v1", kind, "web", json!([]))])
    };
    let case = shop("Deployment").ask("deploy/web").expect("a case");
    assert!(case.scale.is_some_and(|scale| scale.object.is_some()));
    let case = shop("Rollout").ask("rollouts/web").expect("a case");
    let error = case.scale.and_then(|scale| scale.error).expect("an error");
    assert_eq!(error.message, "no discovery");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let url = Cluster::shop().serve().url();
    let error = ask_at(&url, "web", ConnectArgs::default()).expect_err("an error");
    assert!(matches!(&error, ClusterError::Unreachable { server, .. } if *server == url), "{error}");
    assert!(error.to_string().contains("Connection refused"), "{error}");

    let args = ConnectArgs { context: Some("third".into()), ..ConnectArgs::default() };
    let error = ask_at(&url, "web", args).expect_err("an error");
    assert_eq!(
        error.to_string(),
        "context \"third\" does not exist in the kubeconfig, which has test, other"
    );
}
