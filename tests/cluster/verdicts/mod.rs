//! Every read × every kind of answer: what is believed, what is the controller's failure too, and what tells nothing of
//! the controller.
//!
//! The genuine failures are recorded from the real control plane (`recorded.json`). The few that it could not be made to
//! give are written down from its source; each names its place.

mod answers;
mod derived;
mod failures;
mod faults;
mod fields;
mod parts;
mod readers;
mod recorded;
mod witnesses;
mod writes;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kubectl_hpa::cluster::{ConnectArgs, Connection, Subject};
use tokio::runtime::Runtime;

use self::answers::{AnswerKind, answers};
use self::readers::{Class, READERS, Reader, played};
use crate::cluster::kubeconfig_file;
use crate::server::{Reply, Server};

/// What is made of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is taken for what was asked for.
    Believed,
    /// The controller fails in the same way.
    Controller,
    /// What the controller reads is not known.
    Reader,
    /// The HPA that is asked about does not exist.
    Absent,
}

/// What must be made of an answer to a read, and why.
fn expected(reader: &Reader, answer: &AnswerKind) -> (Verdict, &'static str) {
    let of_answer = (answer.verdict, answer.why);
    if answer.verdict == Verdict::Believed {
        return of_answer;
    }
    match reader.class {
        Class::Shared => of_answer,
        Class::Own => (Verdict::Reader, "the controller does not make this read"),
        Class::Subject if answer.verdict == Verdict::Controller && answer.is_of_object => {
            (Verdict::Absent, "the API server itself says that the object is not there")
        }
        Class::Subject => (Verdict::Reader, "without the HPA there is nothing to say"),
        Class::Discovery if matches!(answer.code, None | Some(401 | 403 | 429 | 500..)) => (
            Verdict::Reader,
            "what is served is not known, and asking in another form would be answered alike",
        ),
        Class::Discovery => (Verdict::Believed, "the same is asked for in the older form"),
        Class::Plain if answer.verdict == Verdict::Controller && answer.code == Some(404) => {
            (Verdict::Controller, "the API server itself says that the version is not served")
        }
        Class::Plain => (Verdict::Reader, "what is served is not known"),
    }
}

/// A server on which one path is answered otherwise.
struct Faulty {
    runtime: Runtime,
    connection: Connection,
    fault: Arc<Mutex<Option<Reply>>>,
    _server: Server,
}

impl Faulty {
    fn of(reader: &Reader) -> Self {
        let (cluster, path) = (played(reader.class), reader.path);
        let fault = Arc::new(Mutex::new(None::<Reply>));
        let known = Arc::clone(&fault);
        let server = Server::start(move |request| {
            let fault = known.lock().expect("the fault").clone();
            // Nobody vouches for anything: `witnesses` has those who do.
            if request.path().starts_with("/apis/apiregistration.k8s.io/") {
                return Reply::forbidden("no");
            }
            fault.filter(|_| request.path() == path).unwrap_or_else(|| cluster.answer(request))
        });
        let file = kubeconfig_file(&server.url());
        let request_timeout = Some(Duration::from_secs(2));
        // Thousands of answers are asked for.
        let qps = Some(0.0);
        let kubeconfig = Some(file.clone());
        let args = ConnectArgs { kubeconfig, request_timeout, qps, ..ConnectArgs::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let connection = runtime.block_on(Connection::new(args)).expect("a connection");
        std::fs::remove_file(file).expect("to remove the kubeconfig");
        Self { runtime, connection, fault, _server: server }
    }

    /// What is made of an answer.
    fn verdict(&self, reader: &Reader, reply: Reply) -> (Verdict, String) {
        *self.fault.lock().expect("the fault") = Some(reply);
        let subject = Subject::parse("web").expect("a subject");
        (reader.verdict)(self.runtime.block_on(self.connection.gather(&subject)))
    }
}

/// Compares what is made of answers with what must be; returns how many there were.
fn check(reader: &Reader, wrong: &mut Vec<String>, names: &mut BTreeSet<(String, String)>) {
    let faulty = Faulty::of(reader);
    let genuine = reader.genuine();
    for answer in answers(reader) {
        let Some(reply) = (answer.reply)(&genuine) else { continue };
        let (verdict, why) = expected(reader, &answer);
        let has_lines = String::from_utf8_lossy(&reply.body).contains("\\n");
        let (found, words) = faulty.verdict(reader, reply);
        if found != verdict {
            wrong.push(format!(
                "{} × {}: {found:?} ({words}), not {verdict:?}: {why}",
                reader.name, answer.name
            ));
        }
        // What the API server says is kept as it is, as the controller quotes it: whoever shows it folds it.
        assert!(has_lines || !words.contains('\n'), "{words}");
        let is_new = names.insert((reader.name.to_owned(), answer.name.clone()));
        assert!(is_new, "{} × {} twice", reader.name, answer.name);
    }
}

#[test]
fn every_read_and_every_answer_have_their_verdict() {
    let (mut wrong, mut names) = (Vec::new(), BTreeSet::new());
    for reader in READERS {
        check(reader, &mut wrong, &mut names);
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), names.len(), wrong.join("\n"));
    assert!(names.len() > 1000, "only {} combinations", names.len());
    assert_eq!(READERS.len(), 16);
}
