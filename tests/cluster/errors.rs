//! What a person is told when something is not there, or not allowed: what failed, of what, and what to try.

use serde_json::{Value, json};

use crate::cluster::{Cluster, HPA, HPAS, list};
use crate::connections::{kubectl_hpa, stderr};
use crate::server::Reply;

fn status(code: u16, reason: &str, message: &str) -> Reply {
    let status: Value = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
        "reason": reason, "code": code,
    });
    Reply { code, ..Reply::json(status) }
}

#[test]
fn a_namespace_that_does_not_exist_is_told_from_an_empty_one() {
    let gone = status(404, "NotFound", r#"namespaces "shop" not found"#);
    let no_hpa = status(404, "NotFound", r#"horizontalpodautoscalers.autoscaling "web" not found"#);
    let namespaces =
        list("NamespaceList", json!([{"metadata": {"name": "shops"}}, {"metadata": {"name": "bank"}}]));
    let empty = Cluster::shop().with_hpas(&[]).reply(HPA, no_hpa);
    for typed in [&["web"][..], &["deploy/web"], &["--all"], &[]] {
        let explain = [&["explain"], typed].concat();
        let absent = empty
            .clone()
            .reply("/api/v1/namespaces/shop", gone.clone())
            .with("/api/v1/namespaces", namespaces.clone());
        let told = absent.run(&explain);
        assert_eq!(
            told.err, "error: namespace \"shop\" does not exist\nhint: did you mean shops?\n",
            "{typed:?}"
        );
        let there = empty.clone().with("/api/v1/namespaces/shop", json!({"metadata": {"name": "shop"}}));
        let told = there.run(&explain);
        // Without a name it is a list of nothing, in kubectl's words.
        let is_of_all = typed.is_empty() || typed == ["--all"];
        let none = if is_of_all { "No resources found in shop namespace.\n" } else { "HPA" };
        assert!(told.err.contains(none) && !told.err.contains("exist"), "{typed:?}: {}", told.err);
        // Whoever may not look is not told that it is gone.
        let told = empty.clone().reply("/api/v1/namespaces/shop", Reply::forbidden("no")).run(&explain);
        assert!(told.err.contains(none) && !told.err.contains("exist"), "{typed:?}: {}", told.err);
    }
}

#[test]
fn an_expired_token_is_called_so() {
    let shop = Cluster::default().otherwise(status(401, "Unauthorized", "Unauthorized"));
    for typed in [&["web"][..], &["--all"], &["-A"], &[], &["deploy/web"]] {
        let told = shop.clone().run(&[&["explain"], typed].concat());
        assert!(
            told.err.contains(" does not accept the credentials: Unauthorized (401 from /apis/"),
            "{}",
            told.err
        );
        assert!(
            told.err.contains("\nhint: the token or certificate may have expired: log in again"),
            "{}",
            told.err
        );
    }
}

#[test]
fn lists_that_are_forbidden_name_verb_resource_and_place() {
    let everywhere = "/apis/autoscaling/v2/horizontalpodautoscalers";
    let told = Cluster::shop().reply(everywhere, Reply::forbidden("no list")).run(&["explain", "-A"]);
    assert_eq!(
        told.err,
        format!(
            "error: cannot list the HPAs: no list (403 from {everywhere})\nhint: needed: the permission to list \
             horizontalpodautoscalers of autoscaling in the whole cluster\n"
        )
    );
    let told = Cluster::shop().reply(HPAS, Reply::forbidden("no list")).run(&["explain", "-l", "app=web"]);
    assert!(
        told.err.ends_with("list horizontalpodautoscalers of autoscaling in namespace shop\n"),
        "{}",
        told.err
    );
}

#[test]
fn what_the_kubeconfig_lacks_is_named_with_what_it_has() {
    for (flag, typed, words) in [
        (
            "--context",
            "tset",
            "context \"tset\" does not exist in the kubeconfig, which has test, other\nhint: did you mean test?\n",
        ),
        ("--cluster", "none", "cluster \"none\" does not exist in the kubeconfig, which has test\n"),
        ("--user", "none", "user \"none\" does not exist in the kubeconfig, which has test\n"),
        ("--as-group", "ops", "cannot connect: --as-group and --as-uid need --as USER\n"),
    ] {
        let told = Cluster::shop().run(&["explain", "web", flag, typed]);
        assert_eq!(told.err, format!("error: {words}"));
    }
}

#[test]
fn without_any_kubeconfig_it_says_so() {
    let output =
        kubectl_hpa(&["explain", "web"], &[("KUBECONFIG", "/no/such/file"), ("HOME", "/no/such/home")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        "error: no cluster is configured: there is no kubeconfig and no --server, and this is not a pod\nhint: set \
         $KUBECONFIG, or name the file with --kubeconfig\n"
    );
    let output = kubectl_hpa(&["explain", "web", "-s", "http://127.0.0.1:1"], &[("HOME", "/no/such/home")]);
    assert!(
        stderr(&output).starts_with("error: http://127.0.0.1:1 does not answer: "),
        "{}",
        stderr(&output)
    );
    assert!(
        stderr(&output).contains("\nhint: --context or --server selects another cluster"),
        "{}",
        stderr(&output)
    );
}
