//! Paths and errors against a table of what the controller's own clients asked and said
//! (`tests/cluster/regenerate.sh` writes it anew).

use std::collections::BTreeMap;

use kubectl_hpa_core::snapshot::{Case, ReadError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cluster::{Cluster, EVENTS, HPAS, MANAGERS, PODS, hpa, list, scale};
use crate::server::Reply;

const TABLE: &str = include_str!("words.jsonl");

/// One question, one answer, and what the client made of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    client: String,
    query: Query,
    #[serde(default)]
    path: String,
    answer: HttpAnswer,
    groups: String,
    error: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[derive(Default)]
struct Query {
    api_version: String,
    kind: String,
    name: String,
    metric: String,
    metric_selector: Option<Value>,
    selector: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct HttpAnswer {
    code: u16,
    content_type: Option<String>,
    body: String,
}

#[derive(Deserialize)]
struct Documents {
    documents: BTreeMap<String, BTreeMap<String, String>>,
}

#[test]
fn paths_and_errors_are_those_of_the_controllers_clients() {
    let mut lines = TABLE.lines();
    let documents: Documents = serde_json::from_str(lines.next().expect("documents")).expect("documents");
    let mut clients: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in lines {
        let row: Row = serde_json::from_str(line).expect("a row");
        let case = cluster(&row, &documents.documents[&row.groups]).ask("web").expect("a case");
        let error = error(&row, &case);
        let path = if row.path.is_empty() { &error.path } else { &row.path };
        if error.message != row.error || error.path != *path {
            wrong.push(format!("{row:?}\n  ours {error:?}"));
        }
        *clients.entry(row.client).or_default() += 1;
    }
    assert_eq!(clients.len(), 5, "{clients:?}");
    assert!(clients.values().all(|rows| *rows > 100), "{clients:?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
}

/// A cluster that answers the row's question as the row's server did, and all others as they need it.
fn cluster(row: &Row, documents: &BTreeMap<String, String>) -> Cluster {
    let query = &row.query;
    let is_scale = row.client == "scale";
    let (version, kind, name) = if is_scale {
        (query.api_version.as_str(), query.kind.as_str(), query.name.as_str())
    } else {
        ("v1", "ReplicationController", "target")
    };
    let hpa = hpa("web", version, kind, name, metrics(row));
    let answer = &row.answer;
    let cluster = Cluster::default()
        .reply("/api", Reply::json(&documents["/api"]))
        .reply("/apis", Reply::json(&documents["/apis"]))
        .with("/version", json!({"gitVersion": "v1.37.1"}))
        .with(EVENTS, list("EventList", json!([])))
        .with(MANAGERS, list("PodList", json!([])))
        .with(PODS, list("PodList", json!([])))
        .with_hpas(&[hpa])
        .otherwise(Reply::new(answer.code, answer.content_type.as_deref(), &answer.body));
    if is_scale {
        return cluster;
    }
    let selector = if query.selector.is_empty() { "app=web" } else { &query.selector };
    cluster.with("/api/v1/namespaces/shop/replicationcontrollers/target/scale", scale(selector))
}

fn metrics(row: &Row) -> Value {
    let query = &row.query;
    let metric = json!({"name": query.metric, "selector": query.metric_selector});
    let target = json!({"type": "AverageValue", "averageValue": "1"});
    let object = json!({"apiVersion": query.api_version, "kind": query.kind, "name": query.name});
    match row.client.as_str() {
        "podsMetric" => json!([{"type": "Pods", "pods": {"metric": metric, "target": target}}]),
        "objectMetric" => {
            json!([{"type": "Object", "object": {"metric": metric, "target": target, "describedObject": object}}])
        }
        "externalMetric" => json!([{"type": "External", "external": {"metric": metric, "target": target}}]),
        _ => json!([{"type": "Resource", "resource": {"name": "cpu", "target": target}}]),
    }
}

fn error(row: &Row, case: &Case) -> ReadError {
    let error = match row.client.as_str() {
        "podMetrics" => case.pod_metrics.as_ref().and_then(|metrics| metrics.error.clone()),
        "scale" => case.scale.as_ref().and_then(|scale| scale.error.clone()),
        "externalMetric" => case.external_metrics.first().and_then(|answer| answer.error.clone()),
        _ => case.custom_metrics.first().and_then(|answer| answer.error.clone()),
    };
    error.unwrap_or_else(|| panic!("no error for {row:?}; {HPAS}"))
}
