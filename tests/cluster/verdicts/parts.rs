//! Lists that come in parts: read to their end, and no further.

use kubectl_hpa_core::snapshot::{Case, ReadError, Scope};
use serde_json::json;

use crate::cluster::{Cluster, EVENTS, HPAS, POD_METRICS, PODS, ask, hpa, list, pod, pod_metrics};
use crate::server::{Reply, Server};

/// A list that continues with another part.
fn part(kind: &str, item: serde_json::Value, token: &str) -> Reply {
    let mut part = list(kind, json!([item]));
    part["metadata"] = json!({"continue": token, "remainingItemCount": 1});
    Reply::json(part)
}

const SECOND: &str = "?labelSelector=app%3Dweb&continue=a%2Fb";

fn pods(case: &Case) -> Vec<&str> {
    let pods = case.pods.iter().flat_map(|pods| &pods.items).flatten();
    pods.map(|pod| pod.metadata.name.as_str()).collect()
}

#[test]
fn a_list_is_read_to_its_last_part() {
    let case = Cluster::shop()
        .reply(PODS, part("PodList", pod("web-1"), "a/b"))
        .reply(&format!("{PODS}{SECOND}"), part("PodList", pod("web-2"), ""))
        .reply(POD_METRICS, part("PodMetricsList", pod_metrics("web-1"), "a/b"))
        .reply(&format!("{POD_METRICS}{SECOND}"), part("PodMetricsList", pod_metrics("web-2"), ""))
        .ask("web")
        .expect("a case");
    assert_eq!(pods(&case), ["web-1", "web-2"]);
    assert_eq!(case.pod_metrics.and_then(|read| read.items).map(|items| items.len()), Some(2));

    let [web, api] = ["web", "api"].map(|name| hpa(name, "apps/v1", "Deployment", name, json!([])));
    let case = Cluster::shop()
        .reply(HPAS, part("HorizontalPodAutoscalerList", web, "2"))
        .reply(&format!("{HPAS}?continue=2"), part("HorizontalPodAutoscalerList", api, ""))
        .ask("web")
        .expect("a case");
    assert_eq!(case.other_hpas.len(), 1);
    let events = |token| part("EventList", json!({"metadata": {}, "involvedObject": {"name": "web"}}), token);
    let selector = "fieldSelector=involvedObject.kind%3DHorizontalPodAutoscaler%2CinvolvedObject.name%3Dweb";
    let case = Cluster::shop()
        .reply(EVENTS, events("2"))
        .reply(&format!("{EVENTS}?{selector}&continue=2"), events(""))
        .ask("web")
        .expect("a case");
    assert_eq!(case.events.and_then(|read| read.items).map(|items| items.len()), Some(2));
}

#[test]
fn a_part_that_cannot_be_had_is_the_readers_own() {
    let error = |path: &str, kind: &str, item: serde_json::Value, second: Reply| -> ReadError {
        let cluster =
            Cluster::shop().reply(path, part(kind, item, "a/b")).reply(&format!("{path}{SECOND}"), second);
        let case = cluster.ask("web").expect("a case");
        let read = (case.pods.and_then(|read| read.error), case.pod_metrics.and_then(|read| read.error));
        read.0.or(read.1).expect("an error")
    };
    let expired = Reply::failure(410, "Expired", "The provided continue parameter is too old");
    for second in [expired, Reply::unserved(), Reply::json(json!({})), Reply::new(502, Some("text/html"), "")]
    {
        // The controller asks for no second part.
        let metrics = error(POD_METRICS, "PodMetricsList", pod_metrics("web-1"), second.clone());
        assert_eq!(metrics.scope, Scope::Reader, "{metrics:?}");
        assert_eq!(error(PODS, "PodList", pod("web-1"), second).scope, Scope::Reader);
    }
    let round = error(PODS, "PodList", pod("web-1"), part("PodList", pod("web-2"), "a/b"));
    assert_eq!(
        (round.message.as_str(), round.scope),
        ("the list continues with a part that came already", Scope::Reader)
    );
}

#[test]
fn a_list_without_end_is_refused() {
    let shop = Cluster::shop();
    let parts = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |request| match request.path() {
        PODS => {
            let next = parts.fetch_add(1, std::sync::atomic::Ordering::SeqCst).to_string();
            part("PodList", pod("web-1"), &next)
        }
        _ => shop.answer(request),
    });
    let case = ask(&server, "web").expect("a case");
    let error = case.pods.and_then(|read| read.error).expect("an error");
    assert_eq!((error.message.as_str(), error.scope), ("the list has more than 1000 parts", Scope::Reader));
}
