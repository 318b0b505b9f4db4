//! What becomes of a write that the real API server did not carry out.

use std::sync::{Arc, Mutex};

use kubectl_hpa::cluster::{ClusterError, ConnectArgs, Connection, DryRun, WriteError};
use serde_json::json;

use super::recorded::{Recorded, writes};
use crate::cluster::{HPA, kubeconfig_file};
use crate::server::{Reply, Server};

/// What is known of a write.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// It was made on another state than the object has: it may be tried again.
    Conflict,
    /// A permission is missing.
    NoRight,
    /// It is refused: nothing was stored.
    Refused,
    /// Whether it was stored is not known.
    Unclear,
}

use Outcome::{Conflict, NoRight, Refused, Unclear};

/// Each fault, what is known of the write, and a word of the hint that helps.
const FAULTS: &[(&str, Outcome, &str)] = &[
    ("write: unknown token", Refused, ""),
    ("write: no right", NoRight, "needed: the permission to patch horizontalpodautoscalers"),
    ("write: no such object", Refused, ""),
    ("write: no such form", Refused, ""),
    ("write: no JSON", Refused, ""),
    ("write: no such field", Refused, ""),
    ("write: no such value", Refused, ""),
    ("write: another type", Refused, ""),
    ("write: another object", Refused, ""),
    ("write: too large", Refused, ""),
    ("write: changed meanwhile", Conflict, ""),
    ("webhook refuses", Refused, "no permission is missing"),
    ("webhook refuses in no words", Refused, "no permission is missing"),
    ("webhook refuses with 400", Refused, "no permission is missing"),
    ("webhook refuses with 403", Refused, "no permission is missing"),
    ("webhook refuses with 409", Refused, "no permission is missing"),
    ("webhook refuses with 422", Refused, "no permission is missing"),
    ("webhook refuses with 429", Refused, "no permission is missing"),
    ("webhook refuses with 500", Refused, "no permission is missing"),
    ("webhook refuses with 503", Refused, "no permission is missing"),
    ("webhook says nothing", Refused, "could not call an admission webhook"),
    ("webhook says 500", Refused, "could not call an admission webhook"),
    ("webhook gives a page", Refused, "could not call an admission webhook"),
    ("webhook hangs", Refused, "could not call an admission webhook"),
    ("webhook is away", Refused, "could not call an admission webhook"),
    ("webhook does not support dry run", Refused, "sideEffects None or NoneOnDryRun"),
    ("webhook hangs beyond the request", Unclear, ""),
    ("etcd hangs", Unclear, ""),
    ("etcd is away", Unclear, ""),
];

fn outcome(error: WriteError) -> (Outcome, String) {
    match error {
        WriteError::Conflict(_) => (Conflict, String::new()),
        WriteError::Refused(error) => {
            let hint = error.hint().unwrap_or_default();
            let outcome = match error {
                ClusterError::Forbidden { .. } => NoRight,
                ClusterError::Unwritten { .. } => Refused,
                ClusterError::InDoubt { .. } => Unclear,
                other => panic!("{other}"),
            };
            (outcome, hint)
        }
    }
}

/// A connection whose writes are answered as it is told.
struct Writing {
    runtime: tokio::runtime::Runtime,
    connection: Connection,
    reply: Arc<Mutex<Option<Reply>>>,
    _server: Server,
}

impl Writing {
    fn new() -> Self {
        let reply = Arc::new(Mutex::new(None::<Reply>));
        let known = Arc::clone(&reply);
        let server = Server::start(move |request| {
            assert_eq!((request.method.as_str(), request.path()), ("PATCH", HPA));
            known.lock().expect("the reply").clone().expect("a reply")
        });
        let file = kubeconfig_file(&server.url());
        let args = ConnectArgs { kubeconfig: Some(file.clone()), ..ConnectArgs::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let connection = runtime.block_on(Connection::new(args)).expect("a connection");
        std::fs::remove_file(file).expect("to remove the kubeconfig");
        Self { runtime, connection, reply, _server: server }
    }

    fn outcome(&self, reply: Reply, dry_run: DryRun) -> (Outcome, String) {
        *self.reply.lock().expect("the reply") = Some(reply);
        let (place, patch) = (self.connection.place_of_hpa("web"), json!({"spec": {"maxReplicas": 13}}));
        let written = self.runtime.block_on(self.connection.patch(&place, &patch, "kubectl-hpa", dry_run));
        outcome(written.expect_err("an error"))
    }
}

fn dry_run(recorded: &Recorded) -> DryRun {
    if recorded.path.contains("dryRun=All") { DryRun::Server } else { DryRun::No }
}

#[test]
fn what_is_known_of_a_refused_write_is_what_the_real_server_means() {
    let writing = Writing::new();
    let mut wrong = Vec::new();
    for recorded in writes() {
        let fault = FAULTS.iter().find(|fault| fault.0 == recorded.fault);
        let (_, expected, hint) = fault.unwrap_or_else(|| panic!("no outcome for {:?}", recorded.fault));
        let (found, words) = writing.outcome(recorded.reply(), dry_run(recorded));
        if found != *expected || !words.contains(hint) {
            wrong.push(format!("{}: {found:?} ({words}), not {expected:?} ({hint})", recorded.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (fault, ..) in FAULTS {
        assert!(writes().any(|recorded| recorded.fault == *fault), "{fault} was not recorded");
    }
}
