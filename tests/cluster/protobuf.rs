//! Lists as protobuf: what upstream's Go writes in both forms is the same case, and whatever else comes is refused as in JSON.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use kubectl_hpa_core::snapshot::{Case, ReadError, Scope};
use serde::Deserialize;
use serde_json::json;

use crate::cluster::{Cluster, HPAS, POD_METRICS, PODS, SCALE, ask, discovery, hpa};
use crate::fleet::together;
use crate::server::{Reply, Request, Server};

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

/// A list of `tests/oracle/vectors/forms.jsonl.gz`: its parts in both forms.
#[derive(Deserialize)]
struct Drawn {
    seed: u64,
    path: String,
    protobuf: Vec<String>,
    json: Vec<String>,
}

fn drawn() -> Vec<Drawn> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/vectors/forms.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(File::open(path).expect("the vector"))).lines();
    lines.map(|line| serde_json::from_str(&line.expect("a line")).expect("a list")).collect()
}

fn unhexed(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).expect("ASCII"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")).collect()
}

fn accepts_protobuf(request: &Request) -> bool {
    request.header("accept").concat().contains(PROTOBUF)
}

fn in_protobuf(body: Vec<u8>) -> Reply {
    Reply { content_type: Some(PROTOBUF.into()), body, ..Reply::json("") }
}

/// A cluster with these lists, in parts as they were drawn.
fn serve(lists: &[Drawn], speaks_protobuf: bool) -> Server {
    let version = if lists.iter().any(|it| it.path.contains("/v1beta2/")) { "v1beta2" } else { "v1beta1" };
    let metrics = json!([
        {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
        {"type": "Pods", "pods": {"metric": {"name": "requests"}, "target": {"type": "AverageValue", "averageValue": "1"}}},
        {"type": "External", "external": {"metric": {"name": "queue"}, "target": {"type": "Value", "value": "1"}}},
    ]);
    let groups: &[(&str, &str, &[(&str, &str, &str)])] = &[
        (
            "apps",
            "v1",
            &[
                ("deployments", "Deployment", "deploy"),
                ("statefulsets", "StatefulSet", "sts"),
                ("replicasets", "ReplicaSet", "rs"),
            ],
        ),
        ("custom.metrics.k8s.io", version, &[]),
    ];
    let cluster = Cluster::shop()
        .with_hpas(&[hpa("web", "apps/v1", "Deployment", "web", metrics)])
        .with("/apis", discovery(groups));
    let parts = |it: &Drawn| {
        let parts =
            it.protobuf.iter().zip(&it.json).map(|(protobuf, json)| (unhexed(protobuf), json.clone()));
        (it.path.replace('*', "%2A"), parts.collect::<Vec<_>>())
    };
    let lists: Vec<_> = lists.iter().map(parts).collect();
    Server::start(move |request| {
        let Some((_, parts)) = lists.iter().find(|(path, _)| path == request.path()) else {
            return cluster.answer(request);
        };
        let token = request.target.split_once("continue=").map(|(_, token)| token.parse());
        let (protobuf, json) = &parts[token.map_or(0, |number| number.expect("a number"))];
        if speaks_protobuf && accepts_protobuf(request) {
            in_protobuf(protobuf.clone())
        } else {
            Reply::json(json)
        }
    })
}

fn text(case: &Case) -> String {
    serde_json::to_string_pretty(case).expect("JSON")
}

/// All that a case keeps of an object, drawn absent, empty, zero and large, in one to three parts of a list.
#[test]
fn what_go_writes_in_both_forms_is_the_same_case() {
    let mut lists = drawn();
    lists.sort_by_key(|it| it.seed);
    let clusters: Vec<_> = lists.chunk_by(|one, other| one.seed == other.seed).collect();
    assert_eq!(clusters.len(), 2, "both versions of the custom metrics API");
    for lists in clusters {
        let [protobuf, json] =
            [true, false].map(|speaks_protobuf| ask(&serve(lists, speaks_protobuf), "web").expect("a case"));
        let differs = text(&protobuf).lines().zip(text(&json).lines()).position(|(one, other)| one != other);
        assert_eq!(differs, None);
        assert_eq!(text(&protobuf), text(&json));
        assert!(protobuf.pods.and_then(|pods| pods.items).is_some_and(|pods| pods.len() == 22));
        assert!(protobuf.pod_metrics.and_then(|it| it.items).is_some_and(|metrics| metrics.len() == 22));
        assert!(protobuf.custom_metrics.iter().all(|it| it.items.as_ref().is_some_and(|it| it.len() == 5)));
        assert!(protobuf.external_metrics.iter().all(|it| it.items.as_ref().is_some_and(|it| it.len() == 5)));
    }
}

/// HPAs and what they scale are read in both forms only where whole lists are.
#[test]
fn many_hpas_that_go_writes_in_both_forms_are_the_same_cases() {
    for lists in drawn().chunk_by(|one, other| one.seed == other.seed) {
        let [protobuf, json] = [true, false].map(|speaks_protobuf| {
            let server = serve(lists, speaks_protobuf);
            let cases = together(&server, None);
            let in_protobuf =
                |request: &Request| request.path().contains("/apps/v1/") && accepts_protobuf(request);
            assert!(server.requests().iter().any(in_protobuf));
            cases
        });
        assert_eq!([protobuf.len(), json.len()], [11, 11]);
        assert!(protobuf.iter().all(|case| case.scale.is_some()));
        for (protobuf, json) in protobuf.iter().zip(&json) {
            assert_eq!(text(protobuf), text(json));
        }
    }
}

#[test]
fn long_lists_are_asked_for_as_protobuf_and_nothing_else_is() {
    let server = Cluster::shop().serve();
    assert!(ask(&server, "web").is_ok());
    for request in server.requests() {
        let is_long = [HPAS, PODS, POD_METRICS].contains(&request.path());
        assert_eq!(accepts_protobuf(&request), is_long, "{}", request.target);
        // JSON is good enough in any case.
        assert!(request.header("accept").concat().contains("application/json"), "{}", request.target);
    }
}

/// An aggregated API whose types have no protobuf says so only after it chose that form.
#[test]
fn a_server_that_has_no_protobuf_of_a_list_is_asked_for_json() {
    let cluster = Cluster::shop();
    let expected = cluster.clone().ask("web").expect("a case");
    let server = Server::start(move |request| match (request.path(), accepts_protobuf(request)) {
        (PODS | POD_METRICS, true) => Reply::failure(406, "NotAcceptable", "object does not implement it"),
        _ => cluster.answer(request),
    });
    let case = ask(&server, "web").expect("a case");
    assert_eq!(serde_json::to_value(&case).expect("JSON"), serde_json::to_value(&expected).expect("JSON"));
    for path in [PODS, POD_METRICS] {
        assert_eq!(server.requests().iter().filter(|request| request.path() == path).count(), 2, "{path}");
    }
}

/// A number in groups of seven bits.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

/// A field of this number with a length and bytes.
fn lying(number: u64, length: u64, bytes: &[u8]) -> Vec<u8> {
    [varint((number << 3) | 2), varint(length), bytes.to_vec()].concat()
}

fn field(number: u64, bytes: impl AsRef<[u8]>) -> Vec<u8> {
    lying(number, bytes.as_ref().len() as u64, bytes.as_ref())
}

fn number(field: u64, number: u64) -> Vec<u8> {
    [varint(field << 3), varint(number)].concat()
}

/// `runtime.Unknown` around an object.
fn answer(kind: &str, version: &str, object: &[u8]) -> Vec<u8> {
    let type_meta = [field(1, version), field(2, kind)].concat();
    [b"k8s\0".to_vec(), field(1, type_meta), field(2, object), field(3, ""), field(4, "")].concat()
}

fn pods(items: &[Vec<u8>]) -> Vec<u8> {
    let items = items.iter().map(|item| field(2, item));
    answer("PodList", "v1", &[vec![field(1, "")], items.collect()].concat().concat())
}

fn metadata(name: &str) -> Vec<u8> {
    field(1, [field(1, name), field(3, "shop")].concat())
}

fn container(fields: &[u8]) -> Vec<u8> {
    field(2, field(2, fields))
}

/// A pod with a name, a container and other fields.
fn web(more: &[u8]) -> Vec<u8> {
    [metadata("web-1"), container(&field(1, "app")), more.to_vec()].concat()
}

/// What becomes of a list of pods, or of samples.
fn read(path: &'static str, body: Vec<u8>) -> Result<usize, ReadError> {
    let cluster = Cluster::shop().reply(path, in_protobuf(body));
    let case = cluster.ask("web").expect("a case");
    let (count, error) = match path {
        PODS => case.pods.map(|it| (it.items.map(|it| it.len()), it.error)),
        _ => case.pod_metrics.map(|it| (it.items.map(|it| it.len()), it.error)),
    }
    .expect("a read");
    count.ok_or_else(|| error.expect("an error"))
}

#[test]
fn a_list_is_read_whatever_else_is_in_it() {
    assert_eq!(read(PODS, pods(&[])).ok(), Some(0));
    assert_eq!(read(PODS, pods(&[web(&[])])).ok(), Some(1));
    // Fields of a version that is not known yet, of every type but the one that no API has.
    let fixed = [varint((92 << 3) | 1), vec![0; 8], varint((93 << 3) | 5), vec![0; 4]].concat();
    let more = [field(90, "x"), number(91, u64::MAX), fixed].concat();
    assert_eq!(read(PODS, pods(&[web(&more), web(&[])])).ok(), Some(2));
}

#[test]
fn a_list_that_is_not_what_was_asked_for_is_refused() {
    let huge = 1 << 63;
    let whole = |object: &[u8]| answer("PodList", "v1", object);
    let quantity = |text: &str| field(2, [field(1, "cpu"), field(2, field(1, text))].concat());
    let requests = |text: &str| web(&container(&field(8, quantity(text))));
    let start = |seconds: u64| web(&field(3, field(7, number(1, seconds))));
    let type_meta = field(1, [field(1, "v1"), field(2, "PodList")].concat());
    for (body, words) in [
        (Vec::new(), "the list: it ends in the middle of a field"),
        (b"k8".to_vec(), "the list: it ends in the middle of a field"),
        (br#"{"kind":"PodList"}"#.to_vec(), "the list: it does not begin as Kubernetes' protobuf does"),
        (b"<html></html>".to_vec(), "the list: it does not begin as Kubernetes' protobuf does"),
        (b"k8s\x01".to_vec(), "the list: it does not begin as Kubernetes' protobuf does"),
        (b"k8s\0".to_vec(), "the list: missing field `metadata`"),
        (whole(&[]), "the list: missing field `metadata`"),
        (whole(&field(2, web(&[]))), "the list: missing field `metadata`"),
        (answer("Status", "v1", &field(1, "")), r#"the answer is of kind "Status", not PodList"#),
        (answer("PodList", "v2", &field(1, "")), r#"the answer is of version "v2", not v1"#),
        (
            [b"k8s\0".to_vec(), field(2, field(1, ""))].concat(),
            "the list: it does not say first of what kind it is",
        ),
        (
            [b"k8s\0".to_vec(), type_meta.clone(), field(2, field(1, "")), field(2, field(1, ""))].concat(),
            "the list: it has two objects",
        ),
        (
            [b"k8s\0".to_vec(), type_meta.clone(), field(2, field(1, "")), field(3, "gzip")].concat(),
            r#"the list: it is encoded as "gzip""#,
        ),
        (
            [b"k8s\0".to_vec(), type_meta.clone(), lying(2, 7, &field(1, ""))].concat(),
            "the list: it ends in the middle of a field",
        ),
        (
            [b"k8s\0".to_vec(), type_meta.clone(), lying(2, huge, &[])].concat(),
            "the list: it ends in the middle of a field",
        ),
        (
            [b"k8s\0".to_vec(), lying(1, huge, &[])].concat(),
            "the list has more than 100000 items, or is not a list",
        ),
        (whole(&[field(1, ""), lying(2, 9, &[])].concat()), "the list: field 2 is longer than what it is in"),
        (
            whole(&[field(1, ""), lying(2, huge, &[])].concat()),
            "the list: field 2 is longer than what it is in",
        ),
        (
            whole(&[field(1, ""), lying(2, u64::MAX, &[])].concat()),
            "the list: field 2 is longer than what it is in",
        ),
        (whole(&[field(1, ""), vec![0x12, 0xff]].concat()), "the list: it ends in the middle of a field"),
        (whole(&[0xff; 11]), "the list: it has a number of more than 64 bits"),
        (whole(&number(1, 5)), "the list: field 1 is of another type"),
        (whole(&field(1, [0x80])), "the list: it ends in the middle of a field"),
        (whole(&[0]), "the list: it has a field of an unknown type"),
        (pods(&[web(&[]), Vec::new()]), "items[1]: missing field `metadata.name`"),
        (pods(&[[metadata(""), container(&[])].concat()]), "items[0]: missing field `metadata.name`"),
        (pods(&[metadata("web-1")]), "items[0]: missing field `spec.containers`"),
        (
            pods(&[[field(1, [field(1, "web-1"), field(3, "else")].concat()), container(&[])].concat()]),
            r#"items[0]: it is of namespace "else", not "shop""#,
        ),
        (pods(&[web(&number(1, 7))]), "items[0]: field 1 is of another type"),
        (pods(&[web(&field(1, number(1, 7)))]), "items[0]: field 1 is of another type"),
        (pods(&[web(&field(1, field(7, "x")))]), "items[0]: field 7 is of another type"),
        (pods(&[web(&lying(1, 3, &[]))]), "items[0]: field 1 is longer than what it is in"),
        (pods(&[web(&lying(90, huge, &[]))]), "items[0]: field 90 is longer than what it is in"),
        (pods(&[web(&[0x98, 0x06])]), "items[0]: it ends in the middle of a field"),
        (
            pods(&[web(&[varint((90 << 3) | 1), vec![0; 7]].concat())]),
            "items[0]: it ends in the middle of a field",
        ),
        (pods(&[web(&varint((90 << 3) | 3))]), "items[0]: it has a field of an unknown type"),
        (pods(&[web(&varint((90 << 3) | 3).repeat(100_000))]), "items[0]: it has a field of an unknown type"),
        (pods(&[web(&varint((90 << 3) | 7))]), "items[0]: it has a field of an unknown type"),
        (pods(&[web(&varint(1 << 40))]), "items[0]: it has a field of an unknown type"),
        (pods(&[web(&[0xff; 20])]), "items[0]: it has a number of more than 64 bits"),
        (
            pods(&[web(&field(2, field(2, "").repeat(10_001)))]),
            "items[0]: a list in it has more than 10000 elements",
        ),
        (pods(&[requests("a lot")]), "items[0]: quantities must match the regular expression"),
        (pods(&[requests("")]), "items[0]: quantities must match the regular expression"),
        (pods(&[start(1 << 62)]), "items[0]: a time is out of range: 4611686018427387904 s"),
        (
            pods(&[start((-1_i64 << 62).cast_unsigned())]),
            "items[0]: a time is out of range: -4611686018427387904 s",
        ),
    ] {
        let beginning = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
        let error = read(PODS, body).expect_err(words);
        let said = error.message.strip_prefix("cannot decode the answer: ").unwrap_or(&error.message);
        assert!(said.starts_with(words), "{beginning:?}: {error:?}");
        assert_eq!(error.scope, Scope::Reader, "{error:?}");
    }
}

#[test]
fn a_sample_has_a_time_and_a_window() {
    let sample = |fields: &[u8]| {
        let item = [metadata("web-1"), fields.to_vec()].concat();
        let list = [field(1, ""), field(2, item)].concat();
        read(POD_METRICS, answer("PodMetricsList", "metrics.k8s.io/v1beta1", &list))
    };
    assert_eq!(sample(&[field(2, ""), field(3, "")].concat()).ok(), Some(1));
    for (fields, words) in [(field(3, ""), "timestamp"), (field(2, ""), "window"), (Vec::new(), "timestamp")]
    {
        let error = sample(&fields).expect_err(words);
        assert_eq!(error.message, format!("cannot decode the answer: items[0]: missing field `{words}`"));
    }
}

/// Nothing is held back for a length that is only claimed, and no more is taken than of a list in JSON.
#[test]
fn a_list_beyond_a_bound_is_refused_before_it_is_held() {
    let type_meta = field(1, [field(1, "v1"), field(2, "PodList")].concat());
    let claims =
        |item: u64| [b"k8s\0".to_vec(), type_meta.clone(), lying(2, 1 << 62, &lying(2, item, b"x"))].concat();
    let long = read(PODS, claims((4 << 20) | 1)).expect_err("too long");
    assert_eq!(long.message, "cannot decode the answer: items[0] is longer than 4194304 bytes");
    assert_eq!((long.code, long.scope), (None, Scope::Reader));
    let many = read(PODS, pods(&vec![web(&[]); 100_001])).expect_err("too many");
    assert_eq!(
        many.message,
        "cannot decode the answer: the list has more than 100000 items, or is not a list"
    );
    let around = [field(1, ""), field(7, vec![b'x'; 300_000])].concat();
    let around = read(PODS, answer("PodList", "v1", &around)).expect_err("too much");
    assert_eq!(around.message, many.message);
    let labels: Vec<u8> = (0..1_000).flat_map(|it| field(11, field(1, format!("label-{it}")))).collect();
    let labeled = [field(1, [field(1, "web-1"), field(3, "shop"), labels].concat()), container(&[])].concat();
    let kept = read(PODS, pods(&vec![labeled; 2_000])).expect_err("too much");
    assert!(kept.message.contains("the list is more than is read"), "{}", kept.message);
}

#[test]
fn no_cut_off_list_is_taken_for_a_shorter_one() {
    let whole = pods(&[web(&[]), web(&field(3, field(1, "Running")))]);
    for length in (0..whole.len()).step_by(7).chain(whole.len() - 4..whole.len()) {
        // The two empty fields at the end may be absent.
        let is_whole = [whole.len() - 4, whole.len() - 2].contains(&length);
        assert_eq!(read(PODS, whole[..length].to_vec()).is_ok(), is_whole, "{length} bytes");
    }
}

/// What refuses a request for protobuf does so in protobuf, too.
#[test]
fn an_error_in_protobuf_is_the_one_of_json() {
    let message = "pods is forbidden";
    let status =
        [field(1, ""), field(2, "Failure"), field(3, message), field(4, "Forbidden"), number(6, 403)]
            .concat();
    for path in [PODS, POD_METRICS, SCALE] {
        let body = answer("Status", "v1", &status);
        let [protobuf, json] =
            [Reply { code: 403, ..in_protobuf(body) }, Reply::forbidden(message)].map(|reply| {
                let case = Cluster::shop().reply(path, reply).ask("web").expect("a case");
                serde_json::to_value(&case).expect("JSON")
            });
        assert_eq!(protobuf, json, "{path}");
        assert!(protobuf.to_string().contains(message), "{path}");
    }
    // What is none is an error of 403 without words of its own.
    let case =
        Cluster::shop().reply(PODS, Reply { code: 403, ..in_protobuf(b"k8s\0\xff".to_vec()) }).ask("web");
    let error = case.expect("a case").pods.and_then(|pods| pods.error).expect("an error");
    assert_eq!((error.code, error.scope), (Some(403), Scope::Reader));
}

/// A single object is asked for as JSON, so protobuf is none that was asked for.
#[test]
fn protobuf_that_was_not_asked_for_is_refused() {
    let case = Cluster::shop().reply(SCALE, in_protobuf(answer("Scale", "autoscaling/v1", &[]))).ask("web");
    let error = case.expect("a case").scale.and_then(|scale| scale.error).expect("an error");
    assert_eq!(error.message, format!("cannot decode the answer: it is {PROTOBUF}, not JSON"));
}
