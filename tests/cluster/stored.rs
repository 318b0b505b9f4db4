//! `--apply` says "written" only of what is stored: every kind of answer to a write and to its trial.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use crate::apply::{MAX, Shop, State, is_trial, tried, written};
use crate::cluster::{HPA, POD_METRICS, SCALE, kubeconfig_file};
use crate::run::{Told, run_on};
use crate::server::{Reply, Request, Server};

/// Answers that are not the object as it was shown, each with what is said of it.
fn faults() -> Vec<(&'static str, Fault, &'static str)> {
    fn changed(reply: &Reply, path: &str, value: Value) -> Reply {
        let mut object: Value = serde_json::from_slice(&reply.body).expect("JSON");
        *object.pointer_mut(path).expect("the field") = value;
        Reply::json(object)
    }
    vec![
        ("an empty object", |_| Reply::json("{}"), "its kind is \"\", not \"HorizontalPodAutoscaler\""),
        ("a list", |_| Reply::json("[]"), "the answer is [], not a HorizontalPodAutoscaler"),
        ("null", |_| Reply::json("null"), "the answer is null"),
        ("nothing", |_| Reply::json(""), "no clear answer"),
        ("HTML", |_| Reply::new(200, Some("text/html"), "<html>welcome</html>"), "no clear answer to the "),
        (
            "a Status",
            |_| Reply { code: 200, ..Reply::failure(200, "", "all is well") },
            "the answer is a Status: \"all is well\"",
        ),
        ("another kind", |it| changed(it, "/kind", json!("Foo")), "its kind is \"Foo\""),
        (
            "another name",
            |it| changed(it, "/metadata/name", json!("api")),
            "its name is \"api\", not \"web\"",
        ),
        ("another namespace", |it| changed(it, "/metadata/namespace", json!("x")), "its namespace is \"x\""),
        ("another uid", |it| changed(it, "/metadata/uid", json!("b")), "its uid is \"b\", not \"a\""),
        ("a timeout", |_| Reply::failure(504, "Timeout", "timed out"), "timed out"),
        ("a proxy's timeout", |_| Reply::new(408, None, ""), "no clear answer"),
    ]
}

type Fault = fn(&Reply) -> Reply;

/// Runs `simulate web --max 40 --apply --yes` where a kind of write is answered otherwise; `stores` says whether it is stored.
fn run(fault: Fault, of_trial: bool, stores: bool) -> (Told, Value) {
    let shop = Shop::new();
    let server = shop.answering(move |state, request| {
        if request.method == "GET" || is_trial(request) != of_trial {
            return state.answer(request);
        }
        let (before, reply) = (state.hpa.clone(), state.answer(request));
        if !stores {
            state.hpa = before;
        }
        fault(&reply)
    });
    let told = run_on(&server, &MAX);
    (told, shop.hpa()["spec"]["maxReplicas"].clone())
}

/// A read at once proves nothing of a write that the server has, and may still store.
const LATER: &str =
    "web is unchanged so far. If it is stored later, this takes it back\nundo: kubectl patch ";

#[test]
fn a_write_that_is_not_answered_with_what_was_shown_is_not_called_written() {
    for (name, fault, words) in faults() {
        for (stores, known) in [(true, "web is stored as shown\nundo: kubectl patch "), (false, LATER)] {
            let (told, _) = run(fault, false, stores);
            assert_eq!(told.ending, Ending::Failed, "{name}: {}", told.err);
            assert!(told.err.contains(words) && told.err.contains(known), "{name}: {}", told.err);
            assert!(!told.err.contains(" patched\n"), "{name}: {}", told.err);
            assert_eq!(written(&told).len(), 1, "{name}");
            let is_unanswered = told.err.contains("no clear answer to the write of ");
            let asks = told.err.contains("; check whether it was stored before writing again");
            assert_eq!(is_unanswered, asks, "{name}: {}", told.err);
        }
    }
}

/// A server that is busy is asked again when it says, as kubectl asks it: a trial and a write alike.
#[test]
fn a_write_is_tried_again_when_the_server_says() {
    for code in [429, 503] {
        for of_trial in [true, false] {
            let (shop, was_busy) = (Shop::new(), AtomicBool::new(false));
            let server = shop.answering(move |state, request| {
                if request.method == "GET"
                    || is_trial(request) != of_trial
                    || was_busy.swap(true, Ordering::SeqCst)
                {
                    return state.answer(request);
                }
                let busy = Reply::failure(code, "Busy", "try again later").signed();
                Reply { retry_after_seconds: Some(0), ..busy }
            });
            let told = run_on(&server, &MAX);
            assert!(told.err.contains(" patched\n"), "{code}: {}", told.err);
            assert_eq!(shop.hpa()["spec"]["maxReplicas"], 40, "{code}");
        }
    }
}

/// A first try that failed may have been stored all the same: the second one is in conflict with it then.
#[test]
fn a_conflict_with_ones_own_first_try_is_no_conflict_with_others() {
    for stores in [true, false] {
        let (shop, has_failed) = (Shop::new(), AtomicBool::new(false));
        let server = shop.answering(move |state, request| {
            if request.method == "GET" || is_trial(request) {
                return state.answer(request);
            }
            if has_failed.swap(true, Ordering::SeqCst) {
                return Reply::failure(409, "Conflict", "the object has been modified").signed();
            }
            if stores {
                state.answer(request);
            }
            let late = Reply::failure(504, "Timeout", "timed out").signed();
            Reply { retry_after_seconds: Some(0), ..late }
        });
        let told = run_on(&server, &MAX);
        let known = if stores { "web is stored as shown\nundo: kubectl patch " } else { LATER };
        assert!(told.err.contains("no clear answer") && told.err.contains(known), "{stores}: {}", told.err);
    }
}

#[test]
fn a_trial_that_is_not_answered_with_the_object_ends_it() {
    for (name, fault, words) in faults() {
        let (told, max) = run(fault, true, false);
        assert_eq!((told.ending, max), (Ending::Failed, json!(10)), "{name}: {}", told.err);
        assert!(told.err.contains(words) && told.err.contains("web is unchanged\n"), "{name}: {}", told.err);
        assert!(!told.err.contains("check whether it was stored"), "{name}: {}", told.err);
        assert_eq!((tried(&told).len(), written(&told).len()), (1, 0), "{name}");
    }
}

/// A webhook, at the write alone.
#[test]
fn other_values_than_those_shown_are_stored_otherwise() {
    let server = Shop::new().answering(|state, request| {
        let reply = state.answer(request);
        if request.method == "GET" || is_trial(request) {
            return reply;
        }
        state.hpa["spec"]["maxReplicas"] = json!(30);
        Reply::json(state.hpa.clone())
    });
    let told = run_on(&server, &MAX);
    assert_eq!(told.ending, Ending::Failed, "{}", told.err);
    for words in [
        "something else was stored than shown: spec.maxReplicas is 30, not 40",
        "read again, horizontalpodautoscaler.autoscaling/web is stored with a difference: spec.maxReplicas is 30, not 40",
        "\nundo: kubectl patch ",
    ] {
        assert!(told.err.contains(words), "{words}: {}", told.err);
    }
}

#[test]
fn a_write_that_raises_no_version_is_looked_at_again() {
    for version in [None, Some("0"), Some(""), Some("new")] {
        let server = Shop::new().answering(move |state, request| {
            let before = state.hpa.clone();
            let mut reply = state.answer(request);
            if request.method != "GET" && !is_trial(request) {
                let mut answer = state.hpa.clone();
                let same = before["metadata"]["resourceVersion"].clone();
                answer["metadata"]["resourceVersion"] = version.map_or(same, |version| json!(version));
                (reply, state.hpa) = (Reply::json(answer), before);
            }
            reply
        });
        let told = run_on(&server, &MAX);
        assert_eq!(told.ending, Ending::Failed, "{}", told.err);
        assert!(told.err.contains(LATER), "{}", told.err);
    }
}

#[test]
fn a_server_that_stores_a_trial_is_noticed_before_the_question() {
    let server = Shop::new().answering(|state, request| {
        let plain = Request { target: request.target.replace("dryRun=All&", ""), ..request.clone() };
        state.answer(&plain)
    });
    for args in [&MAX[..], &["simulate", "web", "--max", "41", "--apply", "--dry-run=server"]] {
        let told = run_on(&server, args);
        assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
        assert!(told.err.contains("web is already stored: by the API server"), "{}", told.err);
        assert!(told.err.contains("\nundo: kubectl patch "), "{}", told.err);
    }
}

/// A webhook that is asked at the trial too.
fn mutating(field: &'static str, value: i64) -> Server {
    Shop::new().with(|state| state.usage = "90m").answering(move |state, request| {
        let before = state.hpa.clone();
        let reply = state.answer(request);
        if request.method == "GET" || reply.code != 200 {
            return reply;
        }
        let mut object: Value = serde_json::from_slice(&reply.body).expect("JSON");
        object["spec"][field] = json!(value);
        state.hpa = if is_trial(request) { before } else { object.clone() };
        Reply::json(object)
    })
}

#[test]
fn what_the_api_server_would_store_otherwise_is_not_written_unasked() {
    let told = run_on(&mutating("maxReplicas", 30), &MAX);
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
    let words = "would store something else (a webhook may do that): spec.maxReplicas is 30, not 40; nothing was written";
    assert!(told.err.contains(words), "{}", told.err);
    // Nor is it if that is a field that nobody changed, whatever is decided on it.
    for min in [2, 8] {
        let told = run_on(&mutating("minReplicas", min), &MAX);
        assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
        assert!(told.err.contains(&format!("spec.minReplicas is {min}, not 1; nothing")), "{}", told.err);
    }
}

#[test]
fn a_requirement_holds_for_what_the_trial_gave_too() {
    let args = [&MAX[..], &["--require", "desired<=5"]].concat();
    let told = run_on(&mutating("minReplicas", 8), &args);
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
    let words =
        "--require desired<=5 is not met for what the API server would store: the decision is 8 replicas";
    assert!(told.err.contains(words), "{}", told.err);
    let scale = Shop::new().with(|state| state.usage = "90m").answering(|state, request| {
        let reply = state.answer(request);
        if request.method == "GET" || request.path() != SCALE {
            return reply;
        }
        let mut object: Value = serde_json::from_slice(&reply.body).expect("JSON");
        object["spec"]["replicas"] = json!(9);
        Reply::json(object)
    });
    let told = run_on(&scale, &["explain", "web", "--apply", "--yes", "--require", "desired<=5"]);
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
    assert!(told.err.contains("would store: the decision is 9 replicas"), "{}", told.err);
}

#[test]
fn nothing_is_written_where_the_decision_is_not_known() {
    let server = || {
        Shop::new().answering(|state, request| match request.path() {
            POD_METRICS => Reply::forbidden("not for you"),
            _ => state.answer(request),
        })
    };
    for (args, words) in [
        (
            &MAX[..],
            "the decision now is not known; nothing was written. --allow-unknown writes minReplicas and maxReplicas anyway",
        ),
        (
            &["simulate", "web", "--target", "80", "--apply", "--yes", "--allow-unknown"],
            "is not known; nothing was",
        ),
        (
            &["simulate", "web", "--max", "40", "--apply", "--dry-run=server"],
            "is not known; nothing was written",
        ),
        (&["explain", "web", "--apply", "--yes"], "cannot write: the decision is not known"),
    ] {
        let told = run_on(&server(), args);
        assert_eq!(told.ending, Ending::Failed, "{args:?}: {}", told.err);
        assert!(told.err.contains(words), "{args:?}: {}", told.err);
        assert!(told.requests.iter().all(|request| request.method == "GET"), "{args:?}");
    }
    let told = run_on(&server(), &[&MAX[..], &["--allow-unknown"]].concat());
    assert_eq!((told.ending, written(&told).len()), (Ending::Unknown, 1), "{}", told.err);
    assert!(told.err.contains("autoscaling/web patched\n"), "{}", told.err);
}

#[test]
fn all_are_found_before_the_first_is_written() {
    let told = Shop::new().run(&["simulate", "web", "nope", "--max", "40", "--apply", "--yes"]);
    assert_eq!(told.ending, Ending::Failed);
    assert!(told.requests.iter().all(|request| request.method == "GET"), "{}", told.err);
    assert!(
        told.err.ends_with("error: nothing was written: not everything named can be written\n"),
        "{}",
        told.err
    );
}

#[test]
fn what_refuses_is_told_from_a_missing_permission() {
    for (reply, words) in [
        (
            Reply::forbidden("admission webhook \"guard.example.com\" denied the request: max is 20"),
            "hint: an admission webhook refused it: no permission is missing\n",
        ),
        (
            Reply::failure(
                400,
                "BadRequest",
                "admission webhook \"guard.example.com\" does not support dry run",
            ),
            "hint: --apply tries every write as a dry run first",
        ),
    ] {
        let server = Shop::new().answering(move |state, request| match request.method.as_str() {
            "PATCH" => reply.clone(),
            _ => state.answer(request),
        });
        let told = run_on(&server, &MAX);
        assert_eq!(told.ending, Ending::Failed);
        assert!(told.err.contains(words) && !told.err.contains("needed:"), "{}", told.err);
    }
}

/// Waits for a sign.
fn until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn spawn(server: &Server, command: &mut Command) -> Child {
    let _ = server;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

#[test]
fn an_interrupt_while_it_is_written_says_what_is_known() {
    static WRITES: AtomicBool = AtomicBool::new(false);
    let server = Shop::new().answering(|state, request| {
        if request.method != "GET" && !is_trial(request) {
            WRITES.store(true, Ordering::SeqCst);
            return Reply { withheld: 100, ..Reply::json("") };
        }
        state.answer(request)
    });
    let kubeconfig = kubeconfig_file(&server.url());
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    command.args(MAX).args(["--kubeconfig", kubeconfig.to_str().expect("UTF-8")]);
    let child = spawn(&server, &mut command);
    until(|| WRITES.load(Ordering::SeqCst));
    // The write is on its way to the client by now; the rest of its answer never comes.
    std::thread::sleep(Duration::from_millis(100));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    let words = "interrupted while the write was under way; read again, horizontalpodautoscaler.autoscaling/";
    assert!(err.contains(words) && err.contains(LATER), "{err}");
    let _ = std::fs::remove_file(kubeconfig);
}

/// A terminal that is closed ends nothing that was started to outlive it; nor does an interrupt, a job of a script.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_that_was_ignored_before_the_start_stays_ignored() {
    static WRITES: AtomicUsize = AtomicUsize::new(0);
    for (number, signal) in ["HUP", "INT"].into_iter().enumerate() {
        let shop = Shop::new();
        let server = shop.answering(|state, request| {
            let reply = state.answer(request);
            if request.method != "GET" && !is_trial(request) {
                WRITES.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(700));
            }
            reply
        });
        let kubeconfig = kubeconfig_file(&server.url());
        let mut command = Command::new("sh");
        let shell = format!("trap '' {signal}; exec \"$0\" \"$@\"");
        command.args(["-c", &shell, env!("CARGO_BIN_EXE_kubectl-hpa")]).args(MAX);
        let child = spawn(&server, command.args(["--kubeconfig", kubeconfig.to_str().expect("UTF-8")]));
        until(|| WRITES.load(Ordering::SeqCst) > number);
        let kill = format!("-{signal}");
        let killed = Command::new("kill").args([&kill, &child.id().to_string()]).status().expect("kill");
        assert!(killed.success());
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{signal}: {err}");
        assert!(err.contains("web patched\nundo: kubectl patch "), "{signal}: {err}");
        let _ = std::fs::remove_file(kubeconfig);
    }
}

/// Where nobody could read the undo because standard error is closed, nothing is written; who gives it away may.
#[test]
#[cfg(target_os = "linux")]
fn nothing_is_written_where_the_undo_would_be_lost() {
    for (streams, code, writes) in [
        ("2>&-", 1, 0),
        (">&- 2>&-", 1, 0),
        ("<&- >&- 2>&-", 1, 0),
        ("2>/dev/null", 0, 1),
        (">&-", 0, 1),
        ("<&-", 0, 1),
        (">/dev/null 2>&1 </dev/null", 0, 1),
    ] {
        let server = Shop::new().answering(State::answer);
        let kubeconfig = kubeconfig_file(&server.url());
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec \"$0\" \"$@\" {streams}"), env!("CARGO_BIN_EXE_kubectl-hpa")]);
        let child =
            spawn(&server, command.args(MAX).args(["--kubeconfig", kubeconfig.to_str().expect("UTF-8")]));
        let output = child.wait_with_output().expect("it ends");
        let requests = server.requests();
        let stored = requests.iter().filter(|it| it.method != "GET" && !is_trial(it)).count();
        assert_eq!((output.status.code(), stored), (Some(code), writes), "{streams}: {output:?}");
        let _ = std::fs::remove_file(kubeconfig);
    }
}

/// What is typed before the question stands there is no answer to it.
#[test]
fn what_was_typed_ahead_is_no_answer() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    let shop = Shop::new();
    let server = shop.answering(|state: &mut State, request| {
        // The time in which somebody types ahead.
        if request.path() == HPA && !ASKED.swap(true, Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(700));
        }
        state.answer(request)
    });
    let kubeconfig = kubeconfig_file(&server.url());
    let shell = format!(
        "{} simulate web --max 40 --apply --kubeconfig {} >/dev/null; echo \"ended with $?\"",
        env!("CARGO_BIN_EXE_kubectl-hpa"),
        kubeconfig.display()
    );
    let mut command = Command::new("script");
    command.args(["-qfec", &shell, "/dev/null"]).env("SHELL", "/bin/sh");
    let mut child = spawn(&server, &mut command);
    let mut keyboard = child.stdin.take().expect("a keyboard");
    until(|| ASKED.load(Ordering::SeqCst));
    keyboard.write_all(b"y\n").expect("to type");
    until(|| server.requests().iter().filter(|request| request.path() == HPA).count() >= 3);
    std::thread::sleep(Duration::from_millis(500));
    keyboard.write_all(b"n\n").expect("to type");
    let output = child.wait_with_output().expect("it ends");
    let screen = String::from_utf8_lossy(&output.stdout);
    assert!(screen.contains("the answer was not yes; nothing was written"), "{screen}");
    assert!(screen.contains("ended with 1"), "{screen}");
    assert_eq!(shop.hpa()["spec"]["maxReplicas"], json!(10));
    let _ = std::fs::remove_file(kubeconfig);
}
