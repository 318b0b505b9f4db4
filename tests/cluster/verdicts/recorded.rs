//! What the real API server answered when it failed: `recorded.json` has the command that made it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::Verdict::{self, Reader as Readers};
use super::readers::Reader;
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

const OF_OURS: &str = "the controller has credentials and rights of its own";

/// What must be made of each fault by a read that the controller makes too.
const FAULTS: &[(&str, Verdict, &str)] = &[
    ("unknown token", Readers, OF_OURS),
    ("no right", Readers, OF_OURS),
    ("no such API", Verdict::Controller, "the API is nobody's, whoever asks"),
];

/// What was answered to the very read of a reader.
pub fn of(reader: &Reader) -> impl Iterator<Item = &'static Recorded> {
    let path = reader.path;
    RECORDING
        .answers
        .iter()
        .filter(move |recorded| recorded.method == "GET" && recorded.path.split('?').next() == Some(path))
}

impl Recorded {
    /// Tells it from all others to the same read.
    pub fn name(&self) -> String {
        format!("{}: {} {}", self.fault, self.code, self.body.trim())
    }

    pub fn verdict(&self) -> (Verdict, &'static str) {
        let fault = FAULTS.iter().find(|fault| fault.0 == self.fault);
        let (_, verdict, why) = fault.unwrap_or_else(|| panic!("no verdict for {:?}", self.fault));
        (*verdict, why)
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

    fn with(&self, stays: impl Fn(&str) -> bool) -> Reply {
        let headers = self.headers.iter().filter(|header| stays(header.0));
        let more = headers.map(|(name, value)| (name.clone(), value.clone())).collect();
        let withheld = if self.breaks { 10 } else { 0 };
        Reply { more, withheld, hangs_up: self.breaks, ..Reply::new(self.code, None, &self.body) }
    }
}

#[test]
fn each_fault_has_its_verdict_and_each_verdict_its_fault() {
    for recorded in &RECORDING.answers {
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
    assert!(combinations.len() >= 30, "only {}", combinations.len());
}
