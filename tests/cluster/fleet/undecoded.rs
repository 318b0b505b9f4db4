//! One HPA that cannot be decoded is a row with its name and the decoder's words; the others are decided as usual.

use std::sync::Arc;

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use super::world::World;
use super::{healthy, serve, serve_changed};
use crate::cluster::{Cluster, HPAS, hpa, list};
use crate::run::{Told, run_on};

/// What is wrong with one, and the words for it.
const FAULTS: [(&str, fn(&mut Value), &str); 5] = [
    (
        "text for a number",
        |it| it["spec"]["maxReplicas"] = json!("ten"),
        "invalid type: string \"ten\", expected i32",
    ),
    (
        "a number for a list",
        |it| it["spec"]["metrics"] = json!(7),
        "invalid type: integer `7`, expected a sequence",
    ),
    ("labels that are none", |it| it["metadata"]["labels"] = json!("web"), "invalid type: string \"web\""),
    (
        "no target",
        |it| _ = it["spec"].as_object_mut().map(|it| it.remove("scaleTargetRef")),
        "missing field `spec.scaleTargetRef",
    ),
    ("no status", |it| it["status"] = json!([]), "invalid type: sequence, expected an object as status"),
];

fn is_bad(it: &Value) -> bool {
    it["metadata"]["namespace"] == "ns-01" && it["metadata"]["name"] == "web-003"
}

fn rows(told: &Told) -> Vec<Value> {
    told.json()["items"].as_array().expect("items").clone()
}

/// The row without the kind of text that differs between the decoder's positions.
fn check(told: &Told, right: &Told, words: &str, what: &str) {
    assert_eq!(told.ending, Ending::Failed, "{what}: {}", told.err);
    let (bad, others): (Vec<_>, Vec<_>) =
        rows(told).into_iter().partition(|it| it["namespace"] == "ns-01" && it["name"] == "web-003");
    let expected: Vec<_> = rows(right)
        .into_iter()
        .filter(|it| !(it["namespace"] == "ns-01" && it["name"] == "web-003"))
        .collect();
    assert_eq!(bad.len(), 1, "{what}: {}", told.err);
    assert!(others == expected, "{what}: {others:#?}\n--- instead of\n{expected:#?}");
    assert_eq!(told.err.matches("error: ").count(), 1, "{what}: {}", told.err);
    let error = format!("cannot decode the answer: {words}");
    assert!(told.err.contains("web-003") && told.err.contains(&error), "{what}: {}", told.err);
    assert!(told.json()["errors"].to_string().contains("web-003"), "{what}: {}", told.out);
}

#[test]
fn it_is_a_row_with_the_decoders_words() {
    for args in [&["list", "-A", "-o", "json"][..], &["list", "-n", "ns-01", "-o", "json"]] {
        // Targets that several HPAs have would be told of by fewer.
        let world = || World::of(1, 3, 24, 3);
        let right = run_on(&serve(Arc::new(world()), healthy), args);
        for (what, fault, words) in FAULTS {
            let server = serve_bad(world(), fault);
            let told = run_on(&server, args);
            check(&told, &right, words, what);
            // It is not asked for alone.
            assert!(told.requests.len() <= right.requests.len(), "{what}: {}", told.requests.len());
        }
    }
}

fn serve_bad(world: World, fault: fn(&mut Value)) -> crate::server::Server {
    crate::server::Server::start(move |request| {
        let mut reply = world.answer(request);
        if request.path().contains("horizontalpodautoscalers") {
            let mut body: Value = serde_json::from_slice(&reply.body).expect("JSON");
            if is_bad(&body) {
                fault(&mut body);
            }
            let items = body["items"].as_array_mut().into_iter().flatten();
            items.filter(|it| is_bad(it)).for_each(fault);
            reply.body = body.to_string().into_bytes();
        }
        reply
    })
}

#[test]
fn five_hundred_are_five_hundred_rows() {
    let told =
        run_on(&serve_bad(World::of(2, 20, 25, 3).paged(500), FAULTS[0].1), &["list", "-A", "-o", "json"]);
    assert_eq!(rows(&told).len(), 500, "{}", told.err);
    let text = run_on(&serve_bad(World::of(2, 20, 25, 3).paged(500), FAULTS[0].1), &["list", "-A"]);
    assert!(
        text.out.lines().any(|line| line.contains("web-003") && line.contains("not read")),
        "{}",
        text.out
    );
    // All of them: an error each, and no storm.
    let server = serve_changed(World::of(2, 20, 25, 3).paged(500), healthy, FAULTS[0].1);
    let told = run_on(&server, &["list", "-A", "-o", "json"]);
    assert_eq!((rows(&told).len(), told.ending), (500, Ending::Failed));
    assert!(told.requests.len() < 40, "{} requests", told.requests.len());
}

/// Alone it is one error; its neighbors are explained, a target is found, and names are offered.
#[test]
fn it_is_one_error_alone_and_none_of_its_neighbors() {
    let (good, mut bad) = (hpa("web", "apps/v1", "Deployment", "web", json!([])), json!(null));
    bad.clone_from(&hpa("api", "apps/v1", "Deployment", "api", json!([])));
    bad["spec"]["maxReplicas"] = json!("ten");
    let shop = Cluster::shop()
        .with_hpas(std::slice::from_ref(&good))
        .with(HPAS, list("HorizontalPodAutoscalerList", json!([good, bad])))
        .with(&format!("{HPAS}/api"), bad.clone());
    let told = shop.clone().run(&["explain", "api"]);
    assert_eq!(told.ending, Ending::Failed);
    let words = "cannot decode the answer: invalid type: string \"ten\", expected i32 at line 1 column ";
    assert!(told.err.starts_with(&format!("error: cannot read {HPAS}/api: {words}")), "{}", told.err);
    assert_eq!(told.err.lines().count(), 1, "{}", told.err);
    for args in [&["explain", "web"][..], &["explain", "deploy/web"]] {
        let told = shop.clone().run(args);
        assert_ne!(told.ending, Ending::Failed, "{args:?}: {}", told.err);
        let words = told.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("whether another HPA selects the same pods"), "{args:?}: {words}");
    }
    let told = shop.run(&["wait", "--for", "stable", "--timeout", "300ms"]);
    assert!(told.err.contains("2 HPAs in namespace shop; name one: api, web"), "{}", told.err);
}

/// The API server has none, and none could be asked about.
#[test]
fn an_hpa_without_a_namespace_is_no_row() {
    let mut lost = hpa("lost", "apps/v1", "Deployment", "web", json!([]));
    for namespace in [None, Some("")] {
        match namespace {
            Some(empty) => lost["metadata"]["namespace"] = json!(empty),
            None => _ = lost["metadata"].as_object_mut().map(|it| it.remove("namespace")),
        }
        let web = hpa("web", "apps/v1", "Deployment", "web", json!([]));
        let all = list("HorizontalPodAutoscalerList", json!([lost, web]));
        let shop = Cluster::shop().with("/apis/autoscaling/v2/horizontalpodautoscalers", all);
        let told = shop.run(&["list", "-A", "-o", "json"]);
        let names: Vec<_> = rows(&told).iter().map(|it| it["name"].clone()).collect();
        assert_eq!((names, told.err.as_str()), (vec![json!("web")], ""), "{namespace:?}");
    }
}
