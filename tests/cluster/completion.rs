//! What the last word of a command line could become, asked as kubectl and the shells' scripts ask it.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use kubectl_hpa_core::whatif::{Change, POD_STATES, change};
use serde_json::json;

use crate::cluster::{Cluster, HPAS, POD_METRICS, PODS, hpa, kubeconfig_file, list, pod};
use crate::server::{Reply, Server};

/// Two HPAs, of a Deployment and of a StatefulSet, and three namespaces.
pub fn shop() -> Cluster {
    let web = json!([
        {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
        {"type": "External", "external": {"metric": {"name": "queue"}, "target": {"type": "Value", "value": "9"}}},
    ]);
    let mut second = pod("web-2");
    second["spec"]["containers"][0]["name"] = json!("proxy");
    let namespaces = ["shop", "elsewhere", "kube-system"].map(|name| json!({"metadata": {"name": name}}));
    let hpas = [
        hpa("web", "apps/v1", "Deployment", "web", web),
        hpa("api", "apps/v1", "StatefulSet", "back", json!([])),
    ];
    let elsewhere =
        list("HorizontalPodAutoscalerList", json!([hpa("far", "apps/v1", "Deployment", "f", json!([]))]));
    Cluster::shop()
        .with_hpas(&hpas)
        .with(&HPAS.replace("shop", "elsewhere"), elsewhere)
        .with(PODS, list("PodList", json!([pod("web-1"), second])))
        .with("/api/v1/namespaces", list("NamespaceList", json!(namespaces)))
}

/// Names that a shell would run, expand or take for something else.
pub const HOSTILE: [&str; 29] = [
    "$(touch${IFS}PWNED)",
    "`touch${IFS}PWNED`",
    "$(touch PWNED)",
    "q$(touch${IFS}PWNED)",
    "q`touch${IFS}PWNED`",
    "q;touch${IFS}PWNED",
    "q&touch PWNED",
    "|touch PWNED",
    "q>PWNED",
    "q\ntouch PWNED",
    "q\t$(touch PWNED)",
    "'$(touch${IFS}PWNED)'",
    "\"$(touch${IFS}PWNED)\"",
    "\\$(touch${IFS}PWNED)",
    "a[$(touch${IFS}PWNED)]",
    ":a[$(touch${IFS}PWNED)]",
    ":4",
    "=ls",
    "~",
    "~root",
    "%1",
    "-x",
    "--apply",
    "q!touch",
    "q*",
    "{q,r}",
    "#q",
    "q é",
    "_activeHelp_ $(touch PWNED)",
];

/// The shop, in which all that has a name has these too, beside a good one each.
pub fn beside(names: &[&str]) -> Cluster {
    let target = json!({"type": "AverageValue", "averageValue": "9"});
    let metric = |kind: &str, name: &str| {
        let field = kind.to_lowercase();
        json!({"type": kind, field: {"metric": {"name": name}, "target": target}})
    };
    let cpu = json!({"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}});
    let mut metrics = vec![cpu, metric("External", "queue")];
    metrics.extend(names.iter().map(|name| metric("External", name)));
    metrics.extend(names.iter().take(2).map(|name| metric("Pods", name)));
    let autoscaler = |name: &str| hpa(name, "apps/v1", "Deployment", name, json!([]));
    let hpas: Vec<_> = [hpa("web", "apps/v1", "Deployment", "web", json!(metrics))]
        .into_iter()
        .chain(names.iter().copied().map(autoscaler))
        .collect();
    let mut first = pod("web-1");
    let containers = first["spec"]["containers"].as_array_mut().expect("containers");
    containers.extend(names.iter().map(|name| json!({"name": name})));
    let pods: Vec<_> = [first].into_iter().chain(names.iter().copied().map(pod)).collect();
    let namespaces: Vec<_> =
        ["shop"].iter().chain(names).map(|name| json!({"metadata": {"name": name}})).collect();
    Cluster::shop()
        .with_hpas(&hpas)
        .with(PODS, list("PodList", json!(pods)))
        .with("/api/v1/namespaces", list("NamespaceList", json!(namespaces)))
}

/// The lines that are printed for words, asked of a server.
fn asked_of(url: &str, words: &[&str]) -> Vec<String> {
    let file = kubeconfig_file(url);
    let output = complete(words).env("KUBECONFIG", &file).output().expect("the binary runs");
    std::fs::remove_file(file).expect("to remove the kubeconfig");
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

fn complete(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    command.args(["__complete", "--"]).args(words);
    command
}

fn check(server: &Server, words: &[&str], expected: &[&str]) {
    assert_eq!(asked_of(&server.url(), words), expected, "{words:?}");
}

#[test]
fn names_are_those_of_the_chosen_cluster_and_namespace() {
    let server = shop().serve();
    let (web, api) = ("web\tDeployment/web", "api\tStatefulSet/back");
    for (words, expected) in [
        (&["explain", ""][..], &[web, api, ":4"][..]),
        (&["simulate", "w"], &[web, ":4"]),
        (&["explain", "hpa/w"], &["hpa/web\tDeployment/web", ":4"]),
        (&["explain", "deploy/"], &["deploy/web", ":4"]),
        (&["explain", "-n", "elsewhere", ""], &["far\tDeployment/f", ":4"]),
        (&["explain", "--context=other", ""], &["far\tDeployment/f", ":4"]),
        (&["explain", "-nelsewhere", "--context", "test", ""], &["far\tDeployment/f", ":4"]),
        (&["explain", "--kubeconfig", "/no/such/file", ""], &[":4"]),
        (&["explain", "--context", "none", ""], &[":4"]),
        (&["explain", "web", ""], &[api, ":4"]),
        (&["explain", "--all", ""], &[":4"]),
        (&["explain", "--all=false", "w"], &[web, ":4"]),
        (&["explain", "--all", "--all=false", "w"], &[web, ":4"]),
        (&["explain", "-f", "case.yaml", ""], &[":4"]),
        (&["explain", "-f", "src/examples/missing-samples.yaml", ""], &["web\tDeployment/web", ":4"]),
        (&["explain", "-f", "src/examples/missing-samples.yaml", "deploy/"], &[":4"]),
        (&["explain", "--", "w"], &[web, ":4"]),
        (&["explain", "-n", ""], &["shop", "elsewhere", "kube-system", ":4"]),
        (&["explain", "--namespace=k"], &["kube-system", ":4"]),
        (&["explain", "--context", ""], &["test", "other", ":4"]),
    ] {
        check(&server, words, expected);
    }
}

#[test]
fn what_simulate_changes_is_called_as_in_the_spec_and_in_the_pods() {
    let server = shop().serve();
    for (words, expected) in [
        (&["simulate", "web", "--target", ""][..], &["cpu=", "queue=", ":6"][..]),
        (&["simulate", "deploy/web", "--remove-metric", ""], &["cpu", "queue", ":4"]),
        (&["simulate", "web", "--usage", ""], &["cpu=", ":6"]),
        (&["simulate", "web", "--metric", ""], &["queue=", ":6"]),
        (&["simulate", "web", "--container", ""], &["app", "proxy", ":4"]),
        (&["simulate", "web", "--request", "a"], &["app/cpu=", "app/memory=", ":6"]),
        (&["simulate", "web", "--pods", ""], &["web-1=", "web-2=", ":6"]),
        (
            &["simulate", "web", "--pods", "web-1=gone,web-2=n"],
            &["web-1=gone,web-2=not-ready", "web-1=gone,web-2=no-sample", ":4"],
        ),
        (&["simulate", "web", "--sweep", "m"], &["min=", "max=", "metric.queue=", ":6"]),
        (&["simulate", "web", "--sweep", "target"], &["target.cpu=", "target.queue=", ":6"]),
        (&["simulate", "--example", "missing-samples", "--target", ""], &["cpu=", ":6"]),
        (&["simulate", "-f", "src/examples/broken-metric.yaml", "--metric", ""], &["queue_depth=", ":6"]),
        (&["simulate", "web", "--min", ""], &[":4"]),
    ] {
        check(&server, words, expected);
    }
}

#[test]
fn every_state_that_is_offered_is_one() {
    for state in POD_STATES {
        let mut case = shop().ask("web").expect("a case");
        let changes = [Change::parse(&format!("--pods web-1={state}")).expect("a flag")];
        assert_eq!(change(&mut case, &changes).map_err(|error| error.to_string()), Ok(()), "{state}");
    }
}

#[test]
fn words_of_the_binary_need_no_cluster() {
    for (words, expected) in [
        (&["ex"][..], "explain\tExplain the decision of an HPA, live or from a case file\n:4\n"),
        (&["explain", "--color", "n"], "never\tNever\n:4\n"),
        (&["explain", "--color=n"], "never\tNever\n:4\n"),
        (
            &["explain", "-o", "js"],
            "json\tOne JSON object; a list if several were asked for\njsonl\tOne JSON object per line\n\
             jsonpath=\tA JSONPath template over the JSON, as in kubectl\n:4\n",
        ),
        (&["explain", "--pods", "a"], "all\tEvery pod\n:4\n"),
        (&["explain", "--why", "within-r"], "within-range\tNo limit applies\n:4\n"),
        (&["explain", "--as-version", "1.32,1.36"], "1.32,1.36\n:4\n"),
        (&["explain", "--upgrade-to", "1.37"], "1.37\n:4\n"),
        (&["explain", "--as-version", "1.3"], "1.30\n1.31\n1.32\n1.33\n1.34\n1.35\n1.36\n1.37\n:4\n"),
        (&["wait", "--for", "st"], "stable\n:6\n"),
        (&["wait", "--for", "code=within-r"], "code=within-range\tNo limit applies\n:4\n"),
        (&["list", "--sort", "w"], "wanted\n:4\n"),
        (
            &["explain", "--red"],
            "--redact\tWith --save: mask the names of pods, people and control plane machines\n:4\n",
        ),
        (&["explain", "-o", "json", "--out"], ":4\n"),
        (&["explain", "--example", "rollout", "--al"], ":4\n"),
        (&["explain", "-oj"], ":4\n"),
        (&["explain", "-f", ""], ":0\n"),
        (&["explain", "--save="], ":0\n"),
        (&["test", "a.yaml", ""], ":0\n"),
        (&["nothing", ""], "explain\tExplain the decision of an HPA, live or from a case file\n"),
        (&["simulate", "--scale-up", "Pods=4/60s,sel"], "Pods=4/60s,select=\n:6\n"),
        (&["--"], "--help\tPrint help\n--version\tPrint version\n:4\n"),
        (&[], "explain\tExplain the decision of an HPA, live or from a case file\n"),
    ] {
        let output = complete(words).env("KUBECONFIG", "/no/such/file").output().expect("the binary runs");
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
        assert!(
            out == expected || (!expected.contains(':') && out.starts_with(expected)),
            "{words:?}: {out}"
        );
    }
}

#[test]
fn every_code_and_every_example_is_offered() {
    for (flag, listed) in [("--why", ["explain", "--why"]), ("--example", ["explain", "--example"])] {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa")).args(listed).output().expect("a list");
        let listed = String::from_utf8(output.stdout).expect("UTF-8");
        let listed: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
        let output = complete(&["explain", flag, ""]).output().expect("offers");
        let offers = String::from_utf8(output.stdout).expect("UTF-8");
        let offers: Vec<&str> = offers.lines().filter_map(|line| line.split('\t').next()).collect();
        assert!(listed.len() > 5);
        assert_eq!(offers, [&listed[..], &[":4"]].concat());
    }
}

#[test]
fn a_refusal_offers_nothing_and_says_nothing() {
    let server = shop().reply(HPAS, Reply::forbidden("no list")).serve();
    check(&server, &["explain", ""], &[":4"]);
    check(&server, &["simulate", "--target", ""], &[":6"]);
    check(
        &shop().reply(POD_METRICS, Reply::unserved()).serve(),
        &["simulate", "web", "--container", "p"],
        &["proxy", ":4"],
    );
}

#[test]
fn a_server_that_does_not_answer_is_not_waited_for() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
    let url = format!("http://{}", silent.local_addr().expect("an address"));
    let start = Instant::now();
    assert_eq!(asked_of(&url, &["explain", ""]), [":4"]);
    // The limit is 0.9 s; the rest is for a machine that is busy.
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(start.elapsed() >= Duration::from_millis(900), "it was not even tried: {:?}", start.elapsed());
}

#[test]
fn a_name_that_a_terminal_would_obey_is_not_offered() {
    let evil = [
        hpa("a\n:0", "apps/v1", "Deployment", "x", json!([])),
        hpa("b", "apps/v1", "D\u{1b}[2J", "x", json!([])),
    ];
    check(&shop().with_hpas(&evil).serve(), &["explain", ""], &["b\tD\\u{1b}[2J/x", ":4"]);
}

/// kubectl's own script for bash expands whatever it is offered, and the others insert it as it is.
#[test]
fn nothing_is_offered_that_a_shell_would_run_or_expand() {
    let server = beside(&HOSTILE).serve();
    for (words, expected) in [
        (&["explain", ""][..], &["web\tDeployment/web", ":4"][..]),
        (&["explain", "hpa/w"], &["hpa/web\tDeployment/web", ":4"]),
        (&["explain", "deploy/w"], &["deploy/web", ":4"]),
        (&["explain", "-n", ""], &["shop", ":4"]),
        (&["simulate", "web", "--target", ""], &["cpu=", "queue=", ":6"]),
        (&["simulate", "web", "--remove-metric", ""], &["cpu", "queue", ":4"]),
        (&["simulate", "web", "--metric", ""], &["queue=", ":6"]),
        (&["simulate", "web", "--usage", ""], &["cpu=", ":6"]),
        (&["simulate", "web", "--container", ""], &["app", ":4"]),
        (&["simulate", "web", "--request", ""], &["app/cpu=", "app/memory=", ":6"]),
        (&["simulate", "web", "--pods", ""], &["web-1=", ":6"]),
        (&["simulate", "web", "--pods", "$(x)=gone,web"], &[":6"]),
        (&["simulate", "web", "--sweep", "metric.q"], &["metric.queue=", ":6"]),
    ] {
        // On a busy machine a cluster of many metrics may not have answered in time, and less was offered.
        let mut offered = (0..5).map(|_| asked_of(&server.url(), words));
        let offered = offered.find(|offered| offered == expected);
        assert!(offered.is_some(), "{words:?}: {:?}", asked_of(&server.url(), words));
    }
    for begun in HOSTILE {
        let offered = asked_of(&server.url(), &["simulate", "web", "--metric", begun]);
        assert_eq!(offered, [":6"], "{begun}");
    }
}

/// A shell that shows what it offers with a description inserts what two lines have in common, which of one name twice
/// would be the description.
#[test]
fn a_name_is_offered_once() {
    let twice = [
        hpa("web", "apps/v1", "Deployment", "$(touch PWNED)", json!([])),
        hpa("web", "apps/v1", "Deployment", "$(touch PWNED)", json!([])),
    ];
    check(&shop().with_hpas(&twice).serve(), &["explain", ""], &["web\tDeployment/$(touch PWNED)", ":4"]);
}

#[test]
fn the_scripts_of_the_repository_are_those_that_are_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("completions");
    let mut printed: Vec<String> = Vec::new();
    for (shell, file) in [
        ("kubectl", "kubectl_complete-hpa"),
        ("bash", "kubectl-hpa.bash"),
        ("zsh", "_kubectl-hpa"),
        ("fish", "kubectl-hpa.fish"),
        ("powershell", "kubectl-hpa.ps1"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa")).args(["completion", shell]).output();
        let output = output.expect("the binary runs");
        let stored = std::fs::read(folder.join(file)).expect(file);
        assert!(output.status.success() && output.stdout == stored, "{file}");
        printed.push(file.to_owned());
    }
    let mut stored: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    // This one is no script: k9s reads it, and `k9s` tries it.
    printed.push("k9s-plugins.yaml".to_owned());
    printed.sort_unstable();
    stored.sort_unstable();
    assert_eq!(stored, printed, "a script that nothing prints");
}

#[cfg(unix)]
#[test]
fn under_another_name_it_calls_itself_by_that_name() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("renamed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let renamed = folder.join("kubectl-hpa_decision");
    let _ = std::fs::remove_file(&renamed);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_kubectl-hpa"), &renamed).expect("a link");
    let said = |args: &[&str]| {
        let output = Command::new(&renamed).args(args).output().expect("the binary runs");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    assert!(said(&["explain", "--help"]).contains("\nUsage: kubectl hpa-decision explain ["));
    assert!(said(&["explain", "--help"]).contains("  kubectl hpa-decision explain -f case.yaml\n"));
    assert!(!said(&["simulate", "--help"]).contains("kubectl hpa "));
    assert!(said(&["wrong"]).contains("\nUsage: kubectl hpa-decision <COMMAND>"));
    assert!(said(&["explain", "--example", "missing-samples"]).contains("stays at 5"));
    assert!(
        said(&["completion", "kubectl"])
            .ends_with("\nexec kubectl-hpa_decision __complete --kubectl -- \"$@\" </dev/null\n")
    );
    assert!(
        said(&["completion", "bash"]).ends_with("\ncomplete -F _kubectl_hpa_decision kubectl-hpa_decision\n")
    );
    std::fs::remove_dir_all(folder).expect("to remove the folder");
}
