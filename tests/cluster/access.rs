//! Whether the controller still lacks the rights that its errors name.

use kubectl_hpa_core::snapshot::Case;
use serde_json::{Value, json};

use crate::cluster::{Cluster, EVENTS, ask, hpa, list};
use crate::fleet::together;
use crate::fleet::world::World;
use crate::server::{Reply, Request, Server};

const REVIEWS: &str = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
const USER: &str = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";

/// The words of an authorizer.
fn refusal(object: &str, verb: &str, resource: &str, group: &str) -> String {
    format!(
        "the HPA controller was unable to do it: {object} is forbidden: User \"{USER}\" cannot {verb} resource \
         \"{resource}\" in API group \"{group}\" in the namespace \"shop\""
    )
}

fn of_scale() -> String {
    refusal("deployments.apps \"web\"", "get", "deployments/scale", "apps")
}

fn of_metric(name: &str) -> String {
    refusal(&format!("{name}.external.metrics.k8s.io"), "list", name, "external.metrics.k8s.io")
}

/// An HPA whose status has conditions of these types with these statuses and messages.
fn failing(conditions: &[(&str, &str, String)]) -> Value {
    let mut web = hpa("web", "apps/v1", "Deployment", "web", json!([]));
    let condition = |(kind, status, message): &(&str, &str, String)| {
        json!({"type": kind, "status": status, "reason": "Failed", "message": message,
            "lastTransitionTime": "2026-11-21T10:00:00Z"})
    };
    web["status"]["conditions"] = conditions.iter().map(condition).collect();
    web
}

fn event(message: &str, component: &str, last: &str) -> Value {
    json!({"metadata": {}, "involvedObject": {"name": "web"}, "type": "Warning", "message": message,
        "source": {"component": component}, "lastTimestamp": last})
}

/// As an API server answers such a review: with what was sent, and a status.
fn reviewed(request: &Request, status: &Value) -> Reply {
    let mut review: Value = serde_json::from_slice(&request.body).expect("JSON");
    review["status"] = status.clone();
    Reply { code: 201, ..Reply::json(review) }
}

/// The case of a shop in which all rights but to list are there by now, and what was asked of reviews.
fn answered(shop: Cluster) -> (Case, Vec<Value>) {
    let server = Server::start(move |request| match (request.method.as_str(), request.path()) {
        ("POST", REVIEWS) => {
            let review: Value = serde_json::from_slice(&request.body).expect("JSON");
            let is_list = review["spec"]["resourceAttributes"]["verb"] == "list";
            reviewed(request, &json!({"allowed": !is_list, "reason": "RBAC"}))
        }
        _ => shop.answer(request),
    });
    let case = ask(&server, "web").expect("a case");
    (case, reviews(&server))
}

fn reviews(server: &Server) -> Vec<Value> {
    let requests = server.requests();
    let posted = requests.iter().filter(|request| request.method != "GET");
    let review = |request: &Request| {
        assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", REVIEWS));
        assert_eq!(request.header("content-type"), ["application/json"]);
        serde_json::from_slice(&request.body).expect("JSON")
    };
    posted.map(review).collect()
}

#[test]
fn the_rights_that_the_controller_lacked_are_asked_for() {
    let web =
        failing(&[("ScalingActive", "False", of_metric("queue")), ("AbleToScale", "False", of_scale())]);
    let (case, asked) = answered(Cluster::shop().with_hpas(&[web]));
    let right = |verb: &str, group: &str, resource: &str, allowed: bool| json!({"user": USER, "verb": verb, "group": group, "resource": resource, "allowed": allowed});
    assert_eq!(
        json!(case.access),
        json!([
            right("list", "external.metrics.k8s.io", "queue", false),
            right("get", "apps", "deployments/scale", true),
        ])
    );
    assert_eq!(asked.len(), 2);
    let scale = asked.iter().find(|it| it["spec"]["resourceAttributes"]["verb"] == "get").expect("a review");
    assert_eq!(
        *scale,
        json!({
            "kind": "SubjectAccessReview", "apiVersion": "authorization.k8s.io/v1",
            "spec": {
                "user": USER,
                "groups": ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
                "resourceAttributes": {"namespace": "shop", "verb": "get", "group": "apps",
                    "resource": "deployments", "subresource": "scale", "name": "web"},
            },
        })
    );
}

#[test]
fn nothing_is_asked_without_a_refusal_of_now() {
    let old = |message: &str| event(message, "horizontal-pod-autoscaler", "2026-11-21T10:31:59Z");
    let others = event(&of_scale(), "somebody", "2026-11-21T10:41:59Z");
    for (conditions, event) in [
        (&[][..], old(&of_scale())),
        (&[("ScalingActive", "True", of_scale()), ("ScalingLimited", "False", of_scale())], others),
        (&[("AbleToScale", "False", "no".to_owned())], old("no")),
    ] {
        let shop = Cluster::shop().with_hpas(&[failing(conditions)]);
        let (case, asked) = answered(shop.with(EVENTS, list("EventList", json!([event]))));
        assert_eq!((case.access, asked), (Vec::new(), Vec::new()));
    }
}

/// A write that is refused shows in an event alone as soon as the next sync fails elsewhere.
#[test]
fn an_event_of_the_last_ten_minutes_names_a_right_too() {
    let update = refusal("deployments.apps \"web\"", "update", "deployments/scale", "apps");
    let event = event(&update, "horizontal-pod-autoscaler", "2026-11-21T10:32:00Z");
    for subject in ["web", "deploy/web"] {
        let shop = Cluster::shop().with(EVENTS, list("EventList", json!([event])));
        let server = Server::start(move |request| match request.path() {
            REVIEWS => reviewed(request, &json!({"allowed": false})),
            _ => shop.answer(request),
        });
        let case = ask(&server, subject).expect("a case");
        let told = case.access.iter().map(|it| (it.verb.as_str(), it.resource.as_str(), it.allowed));
        assert_eq!(told.collect::<Vec<_>>(), [("update", "deployments/scale", false)], "{subject}");
    }
}

#[test]
fn each_right_is_asked_for_once_and_no_more_than_four() {
    let all: Vec<String> = (0..9).map(|number| of_metric(&format!("queue-{}", number / 2))).collect();
    let web = failing(&[("ScalingActive", "False", all.join(", "))]);
    let (case, asked) = answered(Cluster::shop().with_hpas(&[web]));
    let resources: Vec<&str> = case.access.iter().map(|it| it.resource.as_str()).collect();
    assert_eq!(resources, ["queue-0", "queue-1", "queue-2", "queue-3"]);
    assert_eq!(asked.len(), 4);
}

/// Few users may ask; for all others the case is as it would be otherwise.
#[test]
fn a_question_that_gets_no_answer_leaves_no_trace() {
    let shop = || Cluster::shop().with_hpas(&[failing(&[("AbleToScale", "False", of_scale())])]);
    let body = |status: Value| {
        let review = json!({"kind": "SubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "spec": {},
            "status": status});
        Reply { code: 201, ..Reply::json(review) }
    };
    let told = shop().run(&["explain", "web"]);
    for reply in [
        Reply::forbidden("subjectaccessreviews is forbidden"),
        Reply::unserved(),
        Reply::failure(500, "InternalError", "no"),
        Reply { code: 0, ..Reply::json("") },
        Reply::new(201, Some("text/html"), "<html>"),
        Reply::json(json!({"kind": "Status", "status": {"allowed": true}})),
        body(json!({})),
        body(json!({"allowed": "yes"})),
        // An authorizer that failed might have allowed it.
        body(json!({"allowed": false, "evaluationError": "webhook: timeout"})),
    ] {
        let case = shop().reply(REVIEWS, reply.clone()).ask("web").expect("a case");
        assert_eq!(case.access, [], "{reply:?}");
        let again = shop().reply(REVIEWS, reply).run(&["explain", "web"]);
        assert_eq!((again.ending, again.out, again.err), (told.ending, told.out.clone(), told.err.clone()));
        assert_eq!(again.requests.iter().filter(|request| request.path() == REVIEWS).count(), 1);
    }
    let case = shop().reply(REVIEWS, body(json!({"allowed": true, "evaluationError": "webhook: timeout"})));
    assert!(case.ask("web").expect("a case").access[0].allowed);
}

/// What is asked about all HPAs of a fleet that fail for one reason.
fn fleet(allowed: Option<bool>) -> (Vec<Case>, usize) {
    let world = World::of(3, 1, 20, 1);
    let server = Server::start(move |request| {
        if request.path() == REVIEWS {
            let refused = Reply::forbidden("subjectaccessreviews is forbidden");
            return allowed.map_or(refused, |allowed| reviewed(request, &json!({"allowed": allowed})));
        }
        let mut reply = world.answer(request);
        if request.path().ends_with("horizontalpodautoscalers") {
            let mut all: Value = serde_json::from_slice(&reply.body).expect("JSON");
            for hpa in all["items"].as_array_mut().expect("items") {
                let name = hpa["metadata"]["name"].as_str().expect("a name");
                let message = if allowed.is_some() { of_metric("queue") } else { of_metric(name) };
                hpa["status"] = failing(&[("ScalingActive", "False", message)])["status"].clone();
            }
            reply.body = all.to_string().into_bytes();
        }
        reply
    });
    let cases = together(&server, Some("ns-00"));
    (cases, reviews(&server).len())
}

#[test]
fn many_hpas_ask_for_one_right_once() {
    let (cases, asked) = fleet(Some(false));
    assert_eq!((cases.len(), asked), (20, 1));
    assert!(cases.iter().all(|case| case.access.len() == 1 && !case.access[0].allowed));
    // Each lacks a right of its own, but whoever asks may not.
    let (cases, asked) = fleet(None);
    assert_eq!(asked, 1);
    assert!(cases.iter().all(|case| case.access.is_empty()));
}
