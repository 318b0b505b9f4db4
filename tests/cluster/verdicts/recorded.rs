//! What the real API server answered when it failed: `recorded.json` has the command that made it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::Verdict;
use super::faults::{self, FAULTS};
use super::readers::Reader;
use crate::cluster::{Cluster, HPA};
use crate::server::Reply;

static RECORDING: LazyLock<Recording> =
    LazyLock::new(|| serde_json::from_str(include_str!("recorded.json")).expect("the recording"));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recording {
    #[serde(rename = "command")]
    _command: String,
    kubernetes: String,
    answers: Vec<Recorded>,
}

/// One answer of the real API server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// What was wrong.
    pub fault: String,
    pub method: String,
    /// With the query.
    pub path: String,
    pub code: u16,
    /// All but `Date` and `Content-Length`.
    pub headers: BTreeMap<String, String>,
    pub body: String,
    /// Whether the connection ended before the body did.
    #[serde(default)]
    pub breaks: bool,
}

/// What was answered to the very read of a reader.
pub fn of(reader: &Reader) -> impl Iterator<Item = &'static Recorded> {
    let path = reader.path;
    RECORDING
        .answers
        .iter()
        .filter(move |recorded| recorded.method == "GET" && recorded.path.split('?').next() == Some(path))
}

/// What was answered to a path.
pub fn answer(fault: &str, path: &str) -> &'static Recorded {
    let is_it = |it: &&Recorded| it.fault == fault && it.path.split('?').next() == Some(path);
    RECORDING.answers.iter().find(is_it).unwrap_or_else(|| panic!("{fault}: {path} was not recorded"))
}

/// What was answered to writes of the HPA.
pub fn writes() -> impl Iterator<Item = &'static Recorded> {
    RECORDING.answers.iter().filter(|recorded| recorded.is_write())
}

/// One of each kind of failure: code and reason, or the beginning of the text.
pub fn kinds() -> Vec<&'static Recorded> {
    let mut kinds: BTreeMap<_, &Recorded> = BTreeMap::new();
    let is_failure = |it: &&Recorded| it.code >= 400 && faults::verdict(&it.fault).is_some();
    for recorded in RECORDING.answers.iter().filter(is_failure) {
        kinds.entry((recorded.code, recorded.gist())).or_insert(recorded);
    }
    kinds.into_values().collect()
}

impl Recorded {
    fn gist(&self) -> String {
        let status: Option<serde_json::Value> = serde_json::from_str(&self.body).ok();
        match status.and_then(|status| Some((self.is_status(), status["reason"].as_str()?.to_owned()))) {
            Some((is_status, reason)) => format!("{is_status} {reason}"),
            None => self.body.split(':').next().unwrap_or_default().to_owned(),
        }
    }

    /// Whether it says that an object is not there.
    pub fn is_of_object(&self) -> bool {
        self.code == 404 && self.is_status() && !self.body.contains("the server could not find the requested")
    }

    /// Tells it from all others to the same read.
    pub fn name(&self) -> String {
        format!("{}: {} {}", self.fault, self.code, self.body.trim())
    }

    pub fn verdict(&self) -> (Verdict, &'static str) {
        faults::verdict(&self.fault).unwrap_or_else(|| panic!("no verdict for {:?}", self.fault))
    }

    /// Whether it is a `Status` that says that it is JSON.
    pub fn is_status(&self) -> bool {
        let media = self.headers.get("Content-Type").map(String::as_str);
        media == Some("application/json") && self.body.contains(r#""kind":"Status""#)
    }

    /// The answer, header by header.
    pub fn reply(&self) -> Reply {
        self.with(|_| true)
    }

    /// The same without the `Audit-Id`, which a load balancer may drop.
    pub fn unsigned(&self) -> Reply {
        self.with(|name| name != "Audit-Id")
    }

    /// Whether it is a write.
    pub fn is_write(&self) -> bool {
        self.method == "PATCH"
    }

    fn with(&self, stays: impl Fn(&str) -> bool) -> Reply {
        let headers = self.headers.iter().filter(|header| stays(header.0));
        // So that nothing waits for as long as the real one said.
        let value =
            |name: &str, value: &str| if name == "Retry-After" { "0".to_owned() } else { value.to_owned() };
        let more = headers.map(|(name, text)| (name.clone(), value(name, text))).collect();
        let withheld = if self.breaks { 10 } else { 0 };
        Reply { more, withheld, hangs_up: self.breaks, ..Reply::new(self.code, None, &self.body) }
    }
}

#[test]
fn each_fault_has_its_verdict_and_each_verdict_its_fault() {
    for recorded in RECORDING.answers.iter().filter(|recorded| !recorded.is_write()) {
        recorded.verdict();
    }
    for (fault, ..) in FAULTS {
        assert!(
            RECORDING.answers.iter().any(|recorded| recorded.fault == *fault),
            "{fault} was not recorded"
        );
    }
    assert_eq!(RECORDING.kubernetes, "v1.37.1");
}

/// Each is a read and a fault that the real API server answered to that very read.
#[test]
fn many_are_recorded() {
    let combinations: std::collections::BTreeSet<_> = super::readers::READERS
        .iter()
        .flat_map(|reader| of(reader).map(|recorded| (reader.name, recorded.fault.as_str())))
        .collect();
    assert!(combinations.len() >= 300, "only {}", combinations.len());
}

/// An API server without autoscaling/v2 knows of no HPA that is not there.
#[test]
fn a_version_that_is_not_served_is_no_absent_hpa() {
    let reply = answer("version of the HPA not served", HPA).reply();
    let error = Cluster::shop().reply(HPA, reply).ask("web").expect_err("no HPA");
    assert_eq!(
        error.to_string(),
        format!("cannot read {HPA}: the server could not find the requested resource (404)")
    );
    assert!(error.hint().is_some_and(|hint| hint.contains("does not serve autoscaling/v2")));
}

/// A 406 of the API server has a message of several lines.
#[test]
fn several_lines_of_the_api_server_are_not_taken_for_ours() {
    let told = Cluster::shop().reply(HPA, answer("no such form", HPA).reply()).run(&["explain", "web"]);
    let (first, rest) = told.err.split_once('\n').expect("lines");
    assert!(first.starts_with("error: ") && first.ends_with("406: Not Acceptable"), "{first}");
    assert!(rest.lines().all(|line| line.starts_with("  | ")), "{rest}");
}
