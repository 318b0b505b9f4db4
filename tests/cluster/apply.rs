//! `--apply`: what is written, and when nothing is.

use std::sync::{Arc, Mutex};

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use crate::cluster::{
    Cluster, HPA, HPAS, POD_METRICS, PODS, SCALE, hpa, kubeconfig_file, list, pod, pod_metrics, scale,
};
use crate::connections::Folder;
use crate::run::{Told, run_on};
use crate::server::{Reply, Request, Server};

const DEPLOYMENT: &str = "/apis/apps/v1/namespaces/shop/deployments/web";

/// A cluster that stores what is written, as an API server does.
#[derive(Clone)]
pub struct Shop(Arc<Mutex<State>>);

pub struct State {
    pub hpa: Value,
    pub scale: Value,
    /// How often each path was read, for worlds that move.
    reads: usize,
    pub usage: &'static str,
    /// The target itself.
    pub deployment: Value,
    /// Another autoscaler of the same pods.
    rival: Option<Value>,
}

/// What somebody else does at the n-th read of the HPA.
type Meanwhile = fn(&mut State);

impl Shop {
    /// Two pods that use what they should, up to 10.
    pub fn new() -> Self {
        let cpu = json!([{"type": "Resource", "resource": {
            "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}]);
        let mut hpa = hpa("web", "apps/v1", "Deployment", "web", cpu);
        hpa["metadata"]["resourceVersion"] = json!("7");
        hpa["metadata"]["uid"] = json!("a");
        let mut scale = scale("app=web");
        scale["metadata"]["resourceVersion"] = json!("70");
        let deployment = json!({"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"name": "web", "namespace": "shop"}});
        Self(Arc::new(Mutex::new(State { hpa, scale, reads: 0, usage: "50m", deployment, rival: None })))
    }

    pub fn with(self, change: impl FnOnce(&mut State)) -> Self {
        change(&mut self.0.lock().expect("the state"));
        self
    }

    pub fn run(&self, args: &[&str]) -> Told {
        self.run_while(args, 0, |_| ())
    }

    /// The same, where something happens before the HPA is read for the n-th time.
    fn run_while(&self, args: &[&str], at: usize, meanwhile: Meanwhile) -> Told {
        run_on(&self.serve(at, meanwhile), args)
    }

    fn serve(&self, at: usize, meanwhile: Meanwhile) -> Server {
        let state = Arc::clone(&self.0);
        Server::start(move |request| {
            let mut state = state.lock().expect("the state");
            if request.method == "GET" && request.path() == HPA {
                state.reads += 1;
                if state.reads == at {
                    meanwhile(&mut state);
                }
            }
            state.answer(request)
        })
    }

    /// A server that answers for itself.
    pub fn answering(
        &self,
        answer: impl Fn(&mut State, &Request) -> Reply + Send + Sync + 'static,
    ) -> Server {
        let state = Arc::clone(&self.0);
        Server::start(move |request| answer(&mut state.lock().expect("the state"), request))
    }

    pub fn hpa(&self) -> Value {
        self.0.lock().expect("the state").hpa.clone()
    }

    fn replicas(&self) -> Value {
        self.0.lock().expect("the state").scale["spec"]["replicas"].clone()
    }
}

impl State {
    pub fn answer(&mut self, request: &Request) -> Reply {
        if request.method == "PATCH" {
            let object = match request.path() {
                HPA => &mut self.hpa,
                SCALE => &mut self.scale,
                other => panic!("a write to {other}"),
            };
            return patched(object, request);
        }
        let hpas: Vec<&Value> = std::iter::once(&self.hpa).chain(&self.rival).collect();
        let used = |name: &str| {
            let mut metrics = pod_metrics(name);
            metrics["containers"][0]["usage"]["cpu"] = json!(self.usage);
            metrics
        };
        let own = |name: &str| {
            let mut pod = pod(name);
            pod["metadata"]["ownerReferences"] =
                json!([{"kind": "ReplicaSet", "name": "web-5b7c9d8f64", "controller": true}]);
            pod
        };
        Cluster::shop()
            .with(PODS, list("PodList", json!([own("web-1"), own("web-2")])))
            .with(HPAS, list("HorizontalPodAutoscalerList", json!(hpas)))
            .with(HPA, self.hpa.clone())
            .with(SCALE, self.scale.clone())
            .with(DEPLOYMENT, self.deployment.clone())
            .with(POD_METRICS, list("PodMetricsList", json!([used("web-1"), used("web-2")])))
            .answer(request)
    }

    /// A write by somebody else.
    fn touch(&mut self) {
        let versions = [&mut self.hpa, &mut self.scale].map(|it| &mut it["metadata"]["resourceVersion"]);
        versions.into_iter().for_each(raise);
    }
}

fn raise(version: &mut Value) {
    let number: u64 = version.as_str().and_then(|text| text.parse().ok()).expect("a version");
    *version = json!((number + 1).to_string());
}

fn patched(object: &mut Value, request: &Request) -> Reply {
    assert_eq!(request.header("content-type"), ["application/merge-patch+json"]);
    let patch: Value = serde_json::from_slice(&request.body).expect("a patch");
    if patch["metadata"]["resourceVersion"] != object["metadata"]["resourceVersion"] {
        return Reply::failure(409, "Conflict", "the object has been modified");
    }
    let mut written = object.clone();
    json_patch::merge(&mut written["spec"], &patch["spec"]);
    if !request.target.contains("dryRun=All") {
        raise(&mut written["metadata"]["resourceVersion"]);
        object.clone_from(&written);
    }
    Reply::json(written)
}

/// The server dry runs, and the writes.
pub fn writes(told: &Told) -> Vec<&Request> {
    told.requests.iter().filter(|request| request.method != "GET").collect()
}

pub fn is_trial(request: &Request) -> bool {
    request.target.contains("dryRun=All")
}

pub fn tried(told: &Told) -> Vec<&Request> {
    writes(told).into_iter().filter(|request| is_trial(request)).collect()
}

pub fn written(told: &Told) -> Vec<&Request> {
    writes(told).into_iter().filter(|request| !is_trial(request)).collect()
}

fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body).expect("JSON")
}

pub const MAX: [&str; 6] = ["simulate", "web", "--max", "40", "--apply", "--yes"];

#[test]
fn nothing_is_written_without_apply() {
    for args in
        [&["explain", "web"][..], &["simulate", "web", "--max", "40"], &["simulate", "--load", "+90%"]]
    {
        let told = Shop::new().run(args);
        assert!(writes(&told).is_empty(), "{args:?}");
    }
}

#[test]
fn only_what_is_changed_is_written_and_the_undo_restores_it() {
    let shop = Shop::new();
    let before = shop.hpa()["spec"].clone();
    let told =
        shop.run(&["simulate", "web", "--max", "40", "--scale-down", "window=60s", "--apply", "--yes"]);
    assert_eq!(told.ending, Ending::Done, "{}", told.err);
    let [write] = written(&told)[..] else { panic!("{}", told.err) };
    assert_eq!(write.target, format!("{HPA}?fieldManager=kubectl-hpa&fieldValidation=Strict"));
    let scale_down = json!({"scaleDown": {"stabilizationWindowSeconds": 60}});
    let spec = json!({"maxReplicas": 40, "behavior": scale_down});
    assert_eq!(body(write), json!({"spec": spec, "metadata": {"resourceVersion": "7"}}));
    assert!(told.err.contains("-   maxReplicas: 10\n  +   maxReplicas: 40\n"), "{}", told.err);
    assert!(
        told.err.contains("\nhorizontalpodautoscaler.autoscaling/web patched\nundo: kubectl patch "),
        "{}",
        told.err
    );
    let undo = told.err.split("--type merge -p '").nth(1).and_then(|rest| rest.split('\'').next());
    let undo: Value = serde_json::from_str(undo.expect("the undo")).expect("JSON");
    let mut restored = shop.hpa()["spec"].clone();
    json_patch::merge(&mut restored, &undo["spec"]);
    assert_eq!(restored, before);
}

#[test]
fn the_replicas_are_written_through_the_scale() {
    let shop = Shop::new().with(|state| state.usage = "90m");
    let told = shop.run(&["explain", "web", "--apply", "--yes", "--field-manager", "me"]);
    assert_eq!(told.ending, Ending::Done, "{}", told.err);
    let [write] = written(&told)[..] else { panic!("{}", told.err) };
    assert_eq!(write.target, format!("{SCALE}?fieldManager=me&fieldValidation=Strict"));
    assert_eq!(body(write), json!({"spec": {"replicas": 4}, "metadata": {"resourceVersion": "70"}}));
    assert_eq!(shop.replicas(), json!(4));
    for words in [
        "the HPA controller decides on Deployment/web again",
        "deployment.apps/web scaled\nundo: kubectl scale deployment.apps/web -n shop --context test --kubeconfig ",
        " --replicas=2\n",
    ] {
        assert!(told.err.contains(words), "{words} is not in {}", told.err);
    }
}

#[test]
fn what_is_so_already_is_not_written() {
    let told = Shop::new().run(&["explain", "web", "--apply", "--yes"]);
    assert_eq!((told.ending, written(&told).len()), (Ending::Done, 0));
    assert_eq!(told.err, "deployment.apps/web already has these values: nothing to write\n");
    let told = Shop::new().run(&["simulate", "web", "--max", "10", "--apply", "--yes"]);
    assert_eq!((told.ending, written(&told).len()), (Ending::Done, 0));
    // Another one may have been faster.
    let shop = Shop::new();
    let told = shop.run_while(&MAX, 4, |state| state.hpa["spec"]["maxReplicas"] = json!(40));
    assert_eq!((told.ending, written(&told).len()), (Ending::Done, 0), "{}", told.err);
    assert!(
        told.err.ends_with("autoscaling/web has these values by now: nothing to write\n"),
        "{}",
        told.err
    );
}

#[test]
fn a_world_that_has_moved_is_not_written_to() {
    // The first read decides, the second stands right before the trial and the third after it, with the fourth it is decided
    // again.
    let cases: [(Meanwhile, &str); 2] = [
        (
            |state| state.usage = "90m",
            "the decision has changed: it was 2 replicas and is now 4 replicas; nothing was written. Run it again to see why",
        ),
        (
            |state| state.hpa["spec"]["minReplicas"] = json!(3),
            "the decision has changed: it was 2 replicas and is now 3 replicas",
        ),
    ];
    for (meanwhile, words) in cases {
        let shop = Shop::new();
        let told = shop.run_while(&MAX, 4, meanwhile);
        assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
        assert!(told.err.contains(words), "{}", told.err);
    }
    // The outcome is the same, but somebody else's number would be written over.
    let told = Shop::new().run_while(&MAX, 4, |state| state.hpa["spec"]["maxReplicas"] = json!(12));
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
    assert!(
        told.err.contains(
            "web was changed by somebody else after it was shown; nothing was written. Run it again"
        ),
        "{}",
        told.err
    );
}

/// What the questions of one command line share is read anew for that.
#[test]
fn of_several_each_is_decided_again_on_what_there_is_then() {
    let args = ["simulate", "web", "web", "--max", "40", "--apply", "--yes"];
    let told = Shop::new().run_while(&args, 2, |state| {
        let mut rival = state.hpa.clone();
        rival["metadata"]["name"] = json!("rival");
        state.rival = Some(rival);
        // The controller has found it.
        let message =
            "pods by selector app=web are controlled by more than one HPA (e.g. [shop/rival shop/web])";
        state.hpa["status"]["conditions"] = json!([
            {"type": "AbleToScale", "status": "True", "reason": "SucceededGetScale"},
            {"type": "ScalingActive", "status": "False", "reason": "AmbiguousSelector", "message": message},
        ]);
    });
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
    assert!(told.err.contains("the decision has changed: it was 2 replicas"), "{}", told.err);
}

/// Two names of one HPA are two writes.
#[test]
fn all_are_tried_before_the_first_is_written() {
    let args = ["simulate", "web", "web", "--max", "40", "--apply", "--yes"];
    let told = Shop::new().run(&args);
    let is_trial: Vec<bool> = writes(&told).into_iter().map(is_trial).collect();
    assert_eq!((told.ending, is_trial), (Ending::Done, vec![true, true, false]), "{}", told.err);
    assert!(told.err.ends_with("web has these values by now: nothing to write\n"), "{}", told.err);

    let shop = Shop::new();
    let server = shop.answering(|state, request| {
        let refused = state.hpa["tried"] == json!(true);
        if request.method == "PATCH" {
            state.hpa["tried"] = json!(true);
        }
        match request.method.as_str() {
            "PATCH" if refused => Reply::failure(403, "Forbidden", "not twice"),
            _ => state.answer(request),
        }
    });
    let told = run_on(&server, &args);
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
    assert!(told.err.contains("nothing was written: not everything named can be written"), "{}", told.err);
}

/// The HPA of the shop in two namespaces; writes to the second may have no clear answer.
fn two_shops(is_unclear: bool) -> Server {
    let (shop, bank) = (Shop::new(), Shop::new());
    Server::start(move |request| {
        if !request.path().contains("/namespaces/bank/") {
            return shop.0.lock().expect("the state").answer(request);
        }
        let there = Request { target: request.target.replace("/bank/", "/shop/"), ..request.clone() };
        let mut reply = bank.0.lock().expect("the state").answer(&there);
        if is_unclear && request.method == "PATCH" && !is_trial(request) {
            return Reply::json("half");
        }
        let text = String::from_utf8(reply.body).expect("UTF-8");
        reply.body = text.replace(r#""namespace":"shop""#, r#""namespace":"bank""#).into_bytes();
        reply
    })
}

/// What takes several writes back can be copied in one piece, also where it is unclear what was written.
#[test]
fn the_undos_of_several_are_said_together() {
    for (is_unclear, in_file) in [(false, false), (true, false), (false, true), (true, true)] {
        let server = two_shops(is_unclear);
        let write = ["simulate", "shop/web", "bank/web", "--max", "40", "--apply", "--yes"];
        let folder = Folder::of("undos");
        let file = folder.path("undo it.sh");
        let told = if in_file {
            run_on(&server, &[&write[..], &["--undo-file", &file.display().to_string()]].concat())
        } else {
            run_on(&server, &write)
        };
        let ending = if is_unclear { Ending::Failed } else { Ending::Done };
        assert_eq!((told.ending, written(&told).len()), (ending, 2), "{}", told.err);
        let undos: Vec<&str> = told.err.lines().filter_map(|line| line.strip_prefix("undo: ")).collect();
        let is_of = |undo: &&str, namespace: &str| undo.contains(&format!(" -n {namespace} "));
        assert!(
            matches!(&undos[..], [one, other] if is_of(one, "shop") && is_of(other, "bank")),
            "{}",
            told.err
        );
        let block = if in_file {
            assert_eq!(commands(&file), undos);
            format!("\nundo of all 2: sh '{}'\n", file.display())
        } else {
            format!("\nundo of all 2:\n{}\n", undos.join("\n"))
        };
        assert!(told.err.ends_with(&block), "{}", told.err);
    }
}

/// The commands of a script of undos: a failure of one is the script's, and flags are passed on to each.
fn commands(file: &std::path::Path) -> Vec<String> {
    let script = std::fs::read_to_string(file).expect("a script");
    let lines = script.lines().filter(|line| line.starts_with("kubectl "));
    lines.map(|line| line.strip_suffix(" \"$@\" || failed=1").expect("a command").to_owned()).collect()
}

/// A run that is killed during a write leaves the command of this write, too, and a script that says how it went.
#[test]
fn a_killed_run_leaves_the_undo_of_the_write_under_way() {
    let folder = Folder::of("killed");
    let file = folder.path("undo.sh");
    let (shop, path) = (Shop::new(), file.clone());
    let (sender, during) = std::sync::mpsc::channel();
    let server = Server::start(move |request| {
        let is_write = request.method == "PATCH" && !is_trial(request);
        if is_write {
            let _ = sender.send(commands(&path));
            return Reply::failure(409, "Conflict", "the object has been modified");
        }
        shop.0.lock().expect("the state").answer(request)
    });
    let told = run_on(&server, &[&MAX[..], &["--undo-file", &file.display().to_string()]].concat());
    let during: Vec<Vec<String>> = during.try_iter().collect();
    assert!(
        !during.is_empty() && during.iter().all(|it| it.len() == 1 && it[0].starts_with("kubectl patch "))
    );
    // Nothing was stored, so that there is nothing to take back.
    assert!(told.ending == Ending::Failed && !file.exists(), "{}", told.err);
}

/// Where the disk is full, nothing is written whose undo would be missing.
#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_taken_back_by_the_script_is_not_written() {
    let (server, folder) = (two_shops(false), Folder::of("full"));
    let (file, kubeconfig) = (folder.path("undo.sh"), kubeconfig_file(&server.url()));
    // The script ends where the files of this shell have to: behind one command.
    let shell = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} simulate shop/web bank/web --max 40 --apply --yes --undo-file {} --kubeconfig {} --tls-server-name {}",
        env!("CARGO_BIN_EXE_kubectl-hpa"),
        file.display(),
        kubeconfig.display(),
        "h".repeat(60)
    );
    let output = std::process::Command::new("sh").args(["-c", &shell]).output().expect("a shell");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    let is_write = |it: &Request| it.method == "PATCH" && !is_trial(it);
    let written = server.requests().into_iter().filter(is_write).count();
    assert_eq!((output.status.code(), written, commands(&file).len()), (Some(1), 1, 1), "{err}");
    let why = format!("nothing was written: its undo cannot be put into {}: ", file.display());
    assert!(err.contains(&why), "{err}");
}

/// The file of the undos is there before the first write, is never one that was there, and stays only if it has one.
#[test]
fn the_file_of_the_undos_is_a_new_one() {
    let folder = Folder::of("undo-file");
    let file = folder.path("undo.sh").display().to_string();
    let write = |more: &[&str]| Shop::new().run(&[&MAX[..], &["--undo-file", &file], more].concat());
    for nothing in [&["--dry-run=server"][..], &["--require", "desired<=1"]] {
        let told = write(nothing);
        assert!(written(&told).is_empty() && !std::path::Path::new(&file).exists(), "{}", told.err);
    }
    assert_eq!(write(&[]).ending, Ending::Done);
    let script = std::fs::read_to_string(&file).expect("a script");
    assert!(
        matches!(&commands(std::path::Path::new(&file))[..], [only] if only.starts_with("kubectl patch "))
    );
    for (file, why) in
        [(file.as_str(), "file exists"), ("/no/such/folder/undo.sh", "no such file or directory")]
    {
        let told = Shop::new().run(&[&MAX[..], &["--undo-file", file]].concat());
        assert!(written(&told).is_empty(), "{}", told.err);
        assert_eq!(
            told.err,
            format!("error: cannot write {file}: nothing was written; name a new file: {why}\n")
        );
    }
    assert_eq!(std::fs::read_to_string(&file).expect("a script"), script);
    let told = Shop::new().run(&[&MAX[..], &["--undo-file", "-"]].concat());
    let why = "--undo-file takes the name of a new file; without it the undos are on standard error";
    assert_eq!((told.err, told.requests.len()), (format!("error: {why}\n"), 0));
}

/// Whoever was asked for by flags is asked for by the undo, but for what must not be printed.
#[test]
fn the_undo_has_the_flags_of_the_connection() {
    let flags =
        ["--as", "o'x", "--as-uid", "5", "--as-group", "a", "--as-group", "b", "--tls-server-name", "h"];
    let secret = ["--token", "hush", "--insecure-skip-tls-verify"];
    let told = Shop::new().run(&[&MAX[..], &flags, &secret].concat());
    assert_eq!(told.ending, Ending::Done, "{}", told.err);
    let undo = told.err.split("\nundo: ").nth(1).and_then(|rest| rest.lines().next()).expect("an undo");
    let words = [
        "--tls-server-name h --as 'o'\\''x' --as-uid 5 --as-group a --as-group b --insecure-skip-tls-verify ",
        "--kubeconfig ",
    ];
    assert!(words.iter().all(|word| undo.contains(word)), "{undo}");
    assert!(!told.err.contains("hush"), "{}", told.err);
    assert!(told.err.contains("\nthe undo lacks --token, which must not be printed"), "{}", told.err);
}

#[test]
fn one_that_was_made_anew_is_not_written_to() {
    let told = Shop::new().run_while(&MAX, 5, |state| state.hpa["metadata"]["uid"] = json!("b"));
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0), "{}", told.err);
    assert!(
        told.err.contains("was deleted and recreated after it was shown; nothing was written"),
        "{}",
        told.err
    );
}

#[test]
fn a_conflict_leads_to_a_fresh_decision() {
    // The second read is the one right before the trial, the fifth the one right before the write.
    let shop = Shop::new();
    let told = shop.run_while(&MAX, 2, State::touch);
    assert_eq!(told.ending, Ending::Done, "{}", told.err);
    let shop = Shop::new();
    let told = shop.run_while(&MAX, 5, State::touch);
    assert_eq!(told.ending, Ending::Done, "{}", told.err);
    let versions: Vec<Value> =
        written(&told).iter().map(|it| body(it)["metadata"]["resourceVersion"].clone()).collect();
    assert_eq!(versions, [json!("8")]);
    assert_eq!(shop.hpa()["spec"]["maxReplicas"], json!(40));
}

#[test]
fn conflicts_without_end_are_a_refusal() {
    let shop = Shop::new();
    let server = {
        let state = Arc::clone(&shop.0);
        Server::start(move |request| {
            let mut state = state.lock().expect("the state");
            if request.method == "PATCH" && !is_trial(request) {
                state.touch();
            }
            state.answer(request)
        })
    };
    let told = run_on(&server, &MAX);
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 5));
    assert!(
        told.err.contains("somebody else keeps writing ")
            && told.err.contains(", 5 tries: the object has been modified; nothing was written"),
        "{}",
        told.err
    );
    assert_eq!(shop.hpa()["spec"]["maxReplicas"], json!(10));
}

#[test]
fn a_refused_write_names_the_permission() {
    let shop = Shop::new();
    let state = Arc::clone(&shop.0);
    let server = Server::start(move |request| match request.method.as_str() {
        "PATCH" => Reply::forbidden("User \"me\" cannot patch resource"),
        _ => state.lock().expect("the state").answer(request),
    });
    let told = run_on(&server, &MAX);
    assert_eq!(told.ending, Ending::Failed);
    let hint =
        "hint: needed: the permission to patch horizontalpodautoscalers of autoscaling in namespace shop\n";
    assert!(told.err.ends_with(hint), "{}", told.err);
}

#[test]
fn after_an_unclear_answer_nothing_is_claimed() {
    let shop = Shop::new();
    let state = Arc::clone(&shop.0);
    let server = Server::start(move |request| match request.method.as_str() {
        "PATCH" if !is_trial(request) => {
            Reply::failure(504, "Timeout", "request did not complete within the allotted timeout")
        }
        _ => state.lock().expect("the state").answer(request),
    });
    let told = run_on(&server, &MAX);
    assert_eq!(told.ending, Ending::Failed);
    assert!(told.err.contains("check whether it was stored before writing again"), "{}", told.err);
}

#[test]
fn where_nothing_can_be_read_after_it_the_undo_is_printed() {
    let shop = Shop::new();
    let server = shop.answering(|state, request| match request.method.as_str() {
        "PATCH" if !is_trial(request) => {
            state.hpa["gone"] = json!(true);
            Reply::failure(504, "Timeout", "request did not complete within the allotted timeout")
        }
        "GET" if state.hpa["gone"] == json!(true) => Reply::failure(403, "Forbidden", "no more"),
        _ => state.answer(request),
    });
    let told = run_on(&server, &MAX);
    assert_eq!(told.ending, Ending::Failed);
    assert!(told.err.contains("If it was written, this takes it back\nundo: kubectl patch "), "{}", told.err);
    assert!(told.err.contains("{\"spec\":{\"maxReplicas\":10}}"), "{}", told.err);
}

#[test]
fn a_requirement_that_does_not_hold_stops_it() {
    for (requirement, expected) in
        [("desired<=2", 1), ("desired>2", 0), ("desired>=current", 1), ("desired!=2", 0)]
    {
        let args = [&MAX[..], &["--require", requirement]].concat();
        let told = Shop::new().run(&args);
        assert_eq!(written(&told).len(), expected, "{requirement}: {}", told.err);
        assert_eq!(told.ending == Ending::Failed, expected == 0);
    }
    // It is asked again at the moment of writing.
    let args = [&MAX[..], &["--require", "desired<=2"]].concat();
    let told = Shop::new().run_while(&args, 4, |state| state.usage = "90m");
    assert_eq!(written(&told).len(), 0);
    assert!(told.err.contains("--require desired<=2 is not met: the decision is 4 replicas"), "{}", told.err);
}

#[test]
fn a_dry_run_stores_nothing() {
    let shop = Shop::new();
    let before = shop.hpa();
    let told = shop.run(&["simulate", "web", "--max", "40", "--apply", "--dry-run=client"]);
    assert_eq!((told.ending, written(&told).len()), (Ending::Done, 0));
    assert!(told.err.ends_with("patched (dry run)\n"), "{}", told.err);
    let told = shop.run(&["simulate", "web", "--max", "40", "--apply", "--dry-run=server"]);
    let [write] = tried(&told)[..] else { panic!("{}", told.err) };
    assert!(write.target.contains("?dryRun=All&"), "{}", write.target);
    assert!(told.err.ends_with("patched (server dry run)\n"), "{}", told.err);
    assert_eq!(shop.hpa(), before);
}

#[test]
fn where_nobody_can_be_asked_nothing_is_even_read() {
    let told = Shop::new().run(&["simulate", "web", "--max", "40", "--apply"]);
    assert_eq!((told.ending, told.requests.len()), (Ending::Failed, 0));
    assert!(told.err.contains("add --yes, or --dry-run=server to try"), "{}", told.err);
}

#[test]
fn a_field_that_is_not_known_here_is_not_lost() {
    let shop = Shop::new().with(|state| state.hpa["spec"]["metrics"][0]["resource"]["newer"] = json!(1));
    let told = shop.run(&["simulate", "web", "--target", "80", "--apply", "--yes"]);
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0));
    assert!(told.err.contains("spec.metrics[0].resource.newer is not known here"), "{}", told.err);
    // A change of another field leaves it alone.
    let told = shop.run(&MAX);
    assert_eq!((told.ending, written(&told).len()), (Ending::Done, 1), "{}", told.err);
}

#[test]
fn whoever_takes_it_back_is_named_first() {
    let shop = Shop::new().with(|state| {
        state.hpa["metadata"]["annotations"] = json!({"meta.helm.sh/release-name": "shop"});
        state.hpa["metadata"]["ownerReferences"] =
            json!([{"kind": "ScaledObject", "name": "web", "controller": true}]);
    });
    let told = shop.run(&["simulate", "web", "--max", "40", "--apply", "--dry-run=client"]);
    let words = told.err.replace('\n', " ");
    assert!(words.contains("KEDA overwrites it from its ScaledObject/web"), "{}", told.err);
    assert!(words.contains("Helm may overwrite it at the next upgrade of the release shop"), "{}", told.err);
}

#[test]
fn an_hpa_that_is_not_there_is_not_made() {
    let manifest = json!({
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "new"},
        "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "maxReplicas": 5},
    });
    let file = crate::run::file("new.json", &manifest.to_string());
    let told = Shop::new().run(&["simulate", "-f", &file, "--apply", "--yes"]);
    assert_eq!((told.ending, written(&told).len()), (Ending::Failed, 0));
    assert!(
        told.err.contains(
            "there is no HPA \"new\" yet: create it with kubectl; --apply changes only an HPA that exists"
        ),
        "{}",
        told.err
    );
}

#[test]
fn a_manifest_changes_only_what_differs() {
    let shop = Shop::new();
    let mut manifest = shop.hpa();
    manifest["spec"]["maxReplicas"] = json!(12);
    let file = crate::run::file("changed.json", &manifest.to_string());
    let told = shop.run(&["simulate", "-f", &file, "--apply", "--yes"]);
    let [write] = written(&told)[..] else { panic!("{}", told.err) };
    assert_eq!(body(write)["spec"], json!({"maxReplicas": 12}));
}

/// What a manifest leaves out and the API server fills in is there already.
#[test]
fn a_manifest_removes_no_default() {
    let stored = json!({
        "scaleUp": {"stabilizationWindowSeconds": 0, "selectPolicy": "Max", "policies": [
            {"type": "Pods", "value": 4, "periodSeconds": 15}, {"type": "Percent", "value": 100, "periodSeconds": 15}]},
        "scaleDown": {"stabilizationWindowSeconds": 60, "selectPolicy": "Max", "policies": [
            {"type": "Percent", "value": 100, "periodSeconds": 15}]},
    });
    let shop = Shop::new().with(|state| {
        state.hpa["spec"]["minReplicas"] = json!(1);
        state.hpa["spec"]["behavior"] = stored;
    });
    let mut manifest = shop.hpa();
    let spec = manifest["spec"].as_object_mut().expect("a spec");
    spec.remove("minReplicas");
    spec["behavior"] = json!({"scaleDown": {"stabilizationWindowSeconds": 60}});
    let file = |name: &str, manifest: &Value| crate::run::file(name, &manifest.to_string());
    let same = file("same.json", &manifest);
    let told = shop.run(&["simulate", "-f", &same, "--apply", "--yes"]);
    assert!(told.err.contains("already has these values") && written(&told).is_empty(), "{}", told.err);
    assert_eq!(shop.run(&["simulate", "-f", &same, "-o", "patch"]).out, "");
    manifest["spec"]["behavior"]["scaleDown"]["stabilizationWindowSeconds"] = json!(30);
    manifest["spec"]["maxReplicas"] = json!(12);
    let told = shop.run(&["simulate", "-f", &file("other.json", &manifest), "--apply", "--yes"]);
    let [write] = written(&told)[..] else { panic!("{}", told.err) };
    let patch = json!({"maxReplicas": 12, "behavior": {"scaleDown": {"stabilizationWindowSeconds": 30}}});
    assert_eq!(body(write)["spec"], patch);
}
