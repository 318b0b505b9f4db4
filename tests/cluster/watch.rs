//! `explain --watch`: what is told of a cluster that changes, goes away and comes back.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cluster::{
    Cluster, HPA, HPAS, MANAGERS, POD_METRICS, SCALE, hpa, kubeconfig_file, list, pod_metrics, scale,
};
use crate::server::{Reply, Server};
use crate::tls;

pub const PATIENCE: Duration = Duration::from_secs(20);
/// Longer than a watch of a controller that syncs each second takes for several looks.
const SEVERAL_LOOKS: Duration = Duration::from_millis(1_500);

/// A cluster that changes while it is watched.
pub struct Shop {
    cluster: Arc<Mutex<Cluster>>,
    pub server: Server,
    gate: Arc<Gate>,
}

/// Lets requests wait.
#[derive(Default)]
struct Gate {
    /// Whether it is closed, and how many wait.
    state: Mutex<(bool, usize)>,
    changed: Condvar,
}

impl Gate {
    fn pass(&self) {
        let mut state = self.state.lock().expect("the gate");
        state.1 += 1;
        self.changed.notify_all();
        let mut state = self.changed.wait_while(state, |state| state.0).expect("the gate");
        state.1 -= 1;
    }

    fn close_until_one_waits(&self) {
        let mut state = self.state.lock().expect("the gate");
        state.0 = true;
        let waited = self.changed.wait_timeout_while(state, PATIENCE, |state| state.1 == 0);
        assert!(!waited.expect("the gate").1.timed_out(), "no look");
    }

    fn open(&self) {
        self.state.lock().expect("the gate").0 = false;
        self.changed.notify_all();
    }
}

impl Shop {
    pub fn open() -> Self {
        let manager = json!({
            "metadata": {"name": "kube-controller-manager-n1", "namespace": "kube-system", "labels": {"component": "kube-controller-manager"}},
            "spec": {"containers": [{"name": "kube-controller-manager",
                "command": ["kube-controller-manager", "--horizontal-pod-autoscaler-sync-period=1s"]}]},
            "status": {"phase": "Running"},
        });
        let cluster = Cluster::shop().with(MANAGERS, list("PodList", json!([manager])));
        let cluster = Arc::new(Mutex::new(cluster));
        let gate = Arc::new(Gate::default());
        let (shown, at_gate) = (Arc::clone(&cluster), Arc::clone(&gate));
        let server = Server::start(move |request| {
            if request.path().contains("/horizontalpodautoscalers") {
                at_gate.pass();
            }
            shown.lock().expect("the cluster").answer(request)
        });
        Self { cluster, server, gate }
    }

    /// Changes the cluster when one look is over and the next has read nothing yet: a look begins with the HPAs.
    pub fn change_between_looks(&self, change: impl FnOnce(Cluster) -> Cluster) {
        self.gate.close_until_one_waits();
        self.change(change);
        self.gate.open();
    }

    pub fn change(&self, change: impl FnOnce(Cluster) -> Cluster) {
        let mut cluster = self.cluster.lock().expect("the cluster");
        *cluster = change(cluster.clone());
    }

    pub fn use_cpu(&self, usage: &str) {
        self.change(|cluster| cluster.with(POD_METRICS, used(usage)));
    }

    fn watch(&self, args: &[&str]) -> Watching {
        self.follow(&[&["explain", "web", "--watch"], args].concat())
    }

    /// Runs any command that goes on.
    pub fn follow(&self, args: &[&str]) -> Watching {
        let kubeconfig = kubeconfig_file(&self.server.url());
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        command.args(args).arg("--kubeconfig").arg(&kubeconfig);
        Watching::start(command, kubeconfig)
    }
}

/// What both pods use.
pub fn used(usage: &str) -> Value {
    let used = |name: &str| {
        let mut metrics = pod_metrics(name);
        metrics["containers"][0]["usage"]["cpu"] = json!(usage);
        metrics
    };
    list("PodMetricsList", json!([used("web-1"), used("web-2")]))
}

/// A watch under way.
pub struct Watching {
    process: Child,
    pub keyboard: ChildStdin,
    out: Receiver<String>,
    err: Receiver<String>,
    kubeconfig: PathBuf,
}

impl Watching {
    pub fn start(mut command: Command, kubeconfig: PathBuf) -> Self {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let keyboard = process.stdin.take().expect("a keyboard");
        let (out, err) = (lines(process.stdout.take()), lines(process.stderr.take()));
        Self { process, keyboard, out, err, kubeconfig }
    }

    /// A line of a shell on a terminal of its own.
    pub fn on_a_terminal(shell: &str, kubeconfig: PathBuf) -> Self {
        let mut command = Command::new("script");
        command.args(["-qfec", shell, "/dev/null"]).envs([
            ("SHELL", "/bin/sh"),
            ("TERM", "xterm"),
            ("LC_ALL", "C.UTF-8"),
        ]);
        Self::start(command, kubeconfig)
    }

    /// What is drawn until these words come.
    pub fn until(&self, words: &str) -> String {
        let (mut screen, begun) = (String::new(), Instant::now());
        while !screen.contains(words) {
            assert!(begun.elapsed() < PATIENCE, "no {words:?} in {screen:?}");
            screen = screen + &self.told() + "\n";
        }
        screen
    }

    /// The next line of standard output.
    pub fn told(&self) -> String {
        self.out.recv_timeout(PATIENCE).expect("a line")
    }

    /// The next line of standard error.
    pub fn complained(&self) -> String {
        self.err.recv_timeout(PATIENCE).expect("a line")
    }

    pub fn is_silent(&self) {
        for lines in [&self.out, &self.err] {
            assert_eq!(lines.recv_timeout(SEVERAL_LOOKS), Err(RecvTimeoutError::Timeout));
        }
    }

    /// Waits until it ends by itself.
    pub fn ended(mut self) -> ExitStatus {
        self.process.wait().expect("it ends")
    }

    /// Ends it as Ctrl-C does.
    pub fn interrupt(mut self) -> ExitStatus {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
        assert!(sent.success());
        self.process.wait().expect("it ends")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_file(&self.kubeconfig);
    }
}

fn lines(stream: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    let stream = BufReader::new(stream.expect("a stream"));
    std::thread::spawn(move || stream.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    receiver
}

/// A line without the time at its beginning.
pub fn untimed(line: &str) -> &str {
    assert!(line.starts_with("2026-11-21T10:42:"), "{line}");
    line.split_once("  ").expect("a time").1
}

#[test]
fn a_line_is_told_for_each_change_and_an_interrupt_is_a_good_end() {
    let shop = Shop::open();
    let watch = shop.watch(&[]);
    let first = watch.told();
    assert!(
        untimed(&first).starts_with("shop/web  2 replicas → stays at 2  cpu is exactly on target"),
        "{first}"
    );
    watch.is_silent();
    shop.use_cpu("100m");
    assert!(untimed(&watch.told()).starts_with("shop/web  2 replicas → 4  cpu 100%, target 50%"));
    watch.is_silent();
    assert_eq!(watch.interrupt().code(), Some(0));
}

#[test]
fn json_is_told_where_anything_is_another() {
    let shop = Shop::open();
    let watch = shop.watch(&["-o", "jsonl"]);
    let told = || -> Value { serde_json::from_str(&watch.told()).expect("JSON") };
    assert_eq!(told()["desiredReplicas"], 2);
    watch.is_silent();
    shop.use_cpu("51m");
    let next = told();
    assert_eq!((&next["desiredReplicas"], &next["metrics"][0]["usageMilli"]), (&json!(2), &Value::Null));
    assert_eq!(next["status"]["currentMetrics"][0]["resource"]["current"]["averageUtilization"], 51);
}

/// The target has so many replicas.
pub fn sized(cluster: Cluster, replicas: i32) -> Cluster {
    let mut scale = scale("app=web");
    (scale["spec"]["replicas"], scale["status"]["replicas"]) = (json!(replicas), json!(replicas));
    cluster.with(SCALE, scale)
}

/// The controller has set them, and its status tells so.
pub fn rescaled(cluster: Cluster, (from, to): (i32, i32), at: &str) -> Cluster {
    let mut web = web();
    web["status"] = rescale_status((from, to), at);
    sized(cluster, to).with_hpas(&[web])
}

/// The same from 4 to 7 replicas, and its event tells so, too.
pub fn rescaled_with_event(cluster: Cluster) -> Cluster {
    let event = json!({
        "metadata": {"name": "web.1", "namespace": "shop"}, "involvedObject": {"kind": "HorizontalPodAutoscaler", "name": "web"},
        "type": "Normal", "reason": "SuccessfulRescale", "count": 1,
        "message": "New size: 7; reason: cpu resource utilization (percentage of request) above target",
        "firstTimestamp": "2026-11-21T10:41:59Z", "lastTimestamp": "2026-11-21T10:41:59Z",
    });
    let cluster = rescaled(cluster, (4, 7), "2026-11-21T10:41:59Z");
    cluster.with(crate::cluster::EVENTS, list("EventList", json!([event])))
}

/// The status that a sync leaves which rescales.
pub fn rescale_status((from, to): (i32, i32), at: &str) -> Value {
    let able = json!({"type": "AbleToScale", "status": "True", "reason": "SucceededRescale", "lastTransitionTime": at});
    json!({"currentReplicas": from, "desiredReplicas": to, "lastScaleTime": at, "currentMetrics": null, "conditions": [able]})
}

/// Until a path has been asked so often since: the HPA's once in each look, and the scale after it.
pub fn looks(shop: &Shop, path: &str, number: usize) {
    let taken = || shop.server.requests().iter().filter(|request| request.path() == path).count();
    let (begun, end) = (Instant::now(), taken() + number);
    while taken() < end {
        assert!(begun.elapsed() < PATIENCE, "no look");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The audit trail of a load test: each change once, with who made it and why.
#[test]
fn changes_of_the_replicas_are_told_with_their_reasons() {
    for form in [&[][..], &["-o", "jsonl"]] {
        let shop = Shop::open();
        shop.use_cpu("100m");
        let watch = shop.watch(&[&["--changes"], form].concat());
        looks(&shop, HPA, 2);
        // The controller does what the looks before showed.
        shop.change_between_looks(|cluster| {
            rescaled(cluster.with(POD_METRICS, used("50m")), (2, 4), "2026-11-21T10:41:58Z")
        });
        let decided = watch.told();
        looks(&shop, HPA, 2);
        // It decides again on something that no look saw.
        shop.change(rescaled_with_event);
        let unseen = watch.told();
        // And somebody else scales.
        shop.change(|cluster| sized(cluster, 1));
        let foreign = watch.told();
        watch.is_silent();
        if form.is_empty() {
            let begins = "2026-11-21T10:41:58Z  shop/web  2 → 4  cpu 100%, target 50%; bounds 1–10  ";
            assert!(
                decided.starts_with(begins) && decided.ends_with("utilization-above-target"),
                "{decided}"
            );
            let words = "by the HPA: a metric was above its target";
            assert_eq!(unseen, format!("2026-11-21T10:41:59Z  shop/web  4 → 7  {words}"));
            let begins = "shop/web  7 → 1  not known by whom: no event, status or managed field shows it, after 10:42:";
            assert!(untimed(&foreign).starts_with(begins), "{foreign}");
            continue;
        }
        let lines =
            [decided, unseen, foreign].map(|line| serde_json::from_str::<Value>(&line).expect("JSON"));
        let schema = include_str!("../../src/render/schema/replica-change.schema.json");
        let schema =
            jsonschema::draft202012::new(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
        for (line, (from, to, by)) in lines.iter().zip([(2, 4, "decision"), (4, 7, "hpa"), (7, 1, "unknown")])
        {
            assert!(schema.is_valid(line), "{line}");
            assert_eq!((&line["from"], &line["to"], &line["by"]), (&json!(from), &json!(to), &json!(by)));
        }
        assert_eq!(
            (&lines[0]["code"], &lines[1]["code"]),
            (&json!("utilization-above-target"), &Value::Null)
        );
    }
}

/// The status comes after the scale: until then nobody says that somebody else did it.
#[test]
fn nobody_is_named_before_the_status_tells() {
    let shop = Shop::open();
    let watch = shop.watch(&["--changes"]);
    looks(&shop, HPA, 2);
    shop.change(|cluster| sized(cluster, 3));
    looks(&shop, SCALE, 1);
    shop.change(|cluster| rescaled(cluster, (2, 3), "2026-11-21T10:41:59Z"));
    assert!(watch.told().contains("2 → 3  by the HPA: the reason is not known"));
}

/// Also if it is just what the HPA would have set.
#[test]
fn what_nothing_shows_is_nobodys() {
    let shop = Shop::open();
    shop.use_cpu("100m");
    let watch = shop.watch(&["--changes"]);
    looks(&shop, HPA, 2);
    shop.change_between_looks(|cluster| sized(cluster.with(POD_METRICS, used("50m")), 4));
    let told = watch.told();
    assert!(untimed(&told).starts_with("shop/web  2 → 4  not known by whom: no event"), "{told}");
}

#[test]
fn an_api_server_that_is_away_is_asked_again_and_said_so_once() {
    let shop = Shop::open();
    let watch = shop.watch(&[]);
    watch.told();
    let away = Reply { withheld: 1, hangs_up: true, ..Reply::json("") };
    shop.change(|cluster| cluster.reply(HPA, away));
    let complaint = watch.complained();
    assert!(untimed(&complaint).ends_with("; trying again"), "{complaint}");
    watch.is_silent();
    shop.change(|cluster| cluster.with_hpas(&[web()]));
    shop.use_cpu("100m");
    assert!(untimed(&watch.complained()).ends_with("answers again"));
    assert!(watch.told().contains("2 replicas → 4"));
}

pub fn web() -> Value {
    let target = json!({"type": "Utilization", "averageUtilization": 50});
    let cpu = json!([{"type": "Resource", "resource": {"name": "cpu", "target": target}}]);
    hpa("web", "apps/v1", "Deployment", "web", cpu)
}

#[test]
fn an_autoscaler_that_is_deleted_is_waited_for() {
    let shop = Shop::open();
    let watch = shop.watch(&[]);
    watch.told();
    let gone = Reply::failure(404, "NotFound", r#"horizontalpodautoscalers.autoscaling "web" not found"#);
    shop.change(|cluster| {
        cluster.with(HPAS, list("HorizontalPodAutoscalerList", json!([]))).reply(HPA, gone)
    });
    assert_eq!(untimed(&watch.complained()), "no HPA \"web\" in namespace shop; trying again");
    let mut anew = web();
    anew["metadata"]["creationTimestamp"] = json!("2026-11-21T10:42:01Z");
    anew["spec"]["maxReplicas"] = json!(3);
    shop.change(|cluster| cluster.with_hpas(&[anew]));
    shop.use_cpu("100m");
    assert!(watch.told().contains("2 replicas → 3"));
}

#[test]
fn a_token_that_is_not_accepted_any_more_is_looked_up_again() {
    let shop = Shop::open();
    let token = kubeconfig_file("").with_extension("token");
    std::fs::write(&token, "old").expect("a token");
    let accepted = Arc::new(Mutex::new("Bearer old"));
    let (cluster, wanted) = (Arc::clone(&shop.cluster), Arc::clone(&accepted));
    let door = Server::start_tls(move |request| {
        if request.header("authorization") == [*wanted.lock().expect("a token")] {
            cluster.lock().expect("the cluster").answer(request)
        } else {
            Reply::failure(401, "Unauthorized", "Unauthorized")
        }
    });
    let kubeconfig = kubeconfig_file(&door.url());
    let text = std::fs::read_to_string(&kubeconfig).expect("a kubeconfig");
    let text = text.replace(r#""token":"secret""#, &format!(r#""tokenFile":"{}""#, token.display()));
    let trusted = format!(r#""server":"{}","certificate-authority":"{}""#, door.url(), tls::path("ca.pem"));
    let text = text.replace(&format!(r#""server":"{}""#, door.url()), &trusted);
    std::fs::write(&kubeconfig, text).expect("a kubeconfig");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    command.args(["explain", "web", "-w", "--kubeconfig"]).arg(&kubeconfig);
    let watch = Watching::start(command, kubeconfig);
    watch.told();
    *accepted.lock().expect("a token") = "Bearer new";
    assert!(watch.complained().contains("does not accept the credentials"));
    std::fs::write(&token, "new").expect("a token");
    assert!(watch.complained().ends_with("answers again"));
    shop.use_cpu("100m");
    assert!(watch.told().contains("2 replicas → 4"));
    let _ = std::fs::remove_file(token);
}

#[test]
fn a_first_look_that_fails_is_the_end() {
    let shop = Shop::open();
    shop.change(|cluster| cluster.reply(HPA, Reply::forbidden("not for you")));
    let mut watch = shop.watch(&[]);
    assert!(watch.complained().starts_with("error: not for you (403 from "));
    assert_eq!(watch.process.wait().expect("it ends").code(), Some(1));
}

#[test]
fn a_name_that_is_nobodys_ends_a_watch_of_several_at_its_first_look() {
    let shop = Shop::open();
    let mut watch = shop.watch(&["nosuch", "--changes"]);
    let said = watch.complained();
    assert!(said.starts_with("error: ") && said.contains("no HPA \"nosuch\" in namespace"), "{said}");
    assert_eq!(watch.process.wait().expect("it ends").code(), Some(1));
}

#[test]
fn a_reader_that_has_had_enough_is_a_good_end() {
    let shop = Shop::open();
    let kubeconfig = kubeconfig_file(&shop.server.url());
    let shell =
        format!("{} explain web -w --kubeconfig {}", env!("CARGO_BIN_EXE_kubectl-hpa"), kubeconfig.display());
    let mut command = Command::new("bash");
    command.args(["-c", &format!("{shell} | head -1; echo ${{PIPESTATUS[0]}}")]);
    let watch = Watching::start(command, kubeconfig);
    watch.told();
    shop.use_cpu("100m");
    assert_eq!(watch.told(), "0");
}

/// On a terminal of its own, of 80 columns and few rows.
#[test]
fn a_terminal_is_drawn_on_and_given_back() {
    let shop = Shop::open();
    let kubeconfig = kubeconfig_file(&shop.server.url());
    let shell = format!(
        // Ctrl-C is for all in the foreground; the shell has to stay for the exit code.
        "trap : INT; stty rows 9 cols 80; {} explain web -w --kubeconfig {}; echo \"ended with $?\"",
        env!("CARGO_BIN_EXE_kubectl-hpa"),
        kubeconfig.display()
    );
    let mut watch = Watching::on_a_terminal(&shell, kubeconfig);
    let first = watch.until("stays at 2");
    assert!(first.starts_with("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[H"), "{first:?}");
    assert!(first.contains("shop/web → Deployment/web"), "{first}");
    shop.use_cpu("100m");
    let next = watch.until("2 replicas → 4");
    assert!(next.contains("more lines: the terminal is too small)\u{1b}[K\u{1b}[J"), "{next:?}");
    watch.keyboard.write_all(b"\x03").expect("Ctrl-C");
    let last = watch.until("ended with");
    assert!(last.contains("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"), "{last:?}");
    assert!(last.contains("ended with 0"), "{last}");
    let page = last.rsplit("\u{1b}[?1049l").next().expect("a page");
    assert!(page.contains("2 replicas → 4") && page.contains("Watched"), "{page}");
}

#[test]
fn what_cannot_be_watched_is_said_in_one_line() {
    for (args, words) in [
        (&["a", "b"][..], "--watch follows one HPA"),
        (&["--all"], "--watch follows one HPA"),
        (&["a", "-o", "json"], "--watch never ends: use -o text, wide or jsonl"),
        (&["a", "--save", "x"], "cannot be used with"),
        (&["a", "--apply"], "cannot be used with"),
        (&["-f", "x"], "cannot be used with"),
        (&["--example", "x"], "cannot be used with"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        let output = command.args(["explain", "--watch"]).args(args).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(words), "{args:?}: {said}");
    }
}
