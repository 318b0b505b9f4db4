//! Several clusters at once: each by its context, none hidden by another that fails.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use crate::cluster::{Cluster, HPAS, SCALE, hpa, kubeconfig_of, list, scale};
use crate::run::{Told, run_by};
use crate::server::{Reply, Server};

const EVERYWHERE: &str = "/apis/autoscaling/v2/horizontalpodautoscalers";

/// An HPA of the namespace `shop`, at two replicas and half of its target.
fn shop(name: &str) -> Cluster {
    let target = json!({"type": "Utilization", "averageUtilization": 50});
    let cpu = json!([{"type": "Resource", "resource": {"name": "cpu", "target": target}}]);
    let hpa = hpa(name, "apps/v1", "Deployment", name, cpu);
    Cluster::shop()
        .with_hpas(std::slice::from_ref(&hpa))
        .with(EVERYWHERE, list("HorizontalPodAutoscalerList", json!([hpa])))
        .with(&SCALE.replace("/web/", &format!("/{name}/")), scale("app=web"))
}

/// Two clusters by the contexts `east` and `west`, and where nobody listens.
struct Clusters {
    kubeconfig: PathBuf,
    _servers: [Server; 2],
}

impl Clusters {
    fn of(east: Cluster, west: Cluster) -> Self {
        let servers = [east.serve(), west.serve()];
        let [east, west] = servers.each_ref().map(Server::url);
        let gone = "http://127.0.0.1:1".to_owned();
        let contexts = [("east", east.as_str()), ("west", &west), ("gone", &gone)];
        Self { kubeconfig: kubeconfig_of(&contexts), _servers: servers }
    }

    fn run(&self, args: &[&str]) -> Told {
        told(&self.kubeconfig, args)
    }
}

impl Drop for Clusters {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.kubeconfig);
    }
}

fn told(kubeconfig: &Path, args: &[&str]) -> Told {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let ending = run_by(kubeconfig, args, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Told { ending, out: text(out), err: text(err), requests: Vec::new() }
}

fn both() -> Clusters {
    Clusters::of(shop("web"), shop("cart"))
}

const BOTH: [&str; 4] = ["--context", "west", "--context", "east"];
const LIST: [&str; 2] = ["list", "-A"];

fn places(items: &Value) -> Vec<String> {
    let text = |it: &Value| it.as_str().unwrap_or("-").to_owned();
    let place = |it: &Value| {
        let key = if it["subject"].is_object() { &it["subject"] } else { it };
        ["context", "namespace", "name"].map(|field| text(&key[field])).join("/")
    };
    items.as_array().expect("items").iter().map(place).collect()
}

#[test]
fn a_list_of_several_clusters_has_a_column_of_their_contexts() {
    let told = both().run(&[&LIST[..], &BOTH].concat());
    let lines: Vec<&str> = told.out.lines().collect();
    let words = |line: &str| line.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    assert_eq!((told.ending, told.err.as_str()), (Ending::Done, ""));
    assert_eq!([0, 1, 2].map(|at| words(lines[at])), ["CONTEXT NS NAME", "east shop web", "west shop cart"]);
    assert!(told.out.contains("\n\nContexts  east and west\n\nTotal  2 HPAs: "), "{}", told.out);
    // Of one there is no such column, but the total says which it is of.
    let told = both().run(&["list", "-A", "--context", "west"]);
    assert!(told.out.contains("  NS    NAME") && !told.out.contains("CONTEXT"), "{}", told.out);
    assert!(told.out.contains("\n\nContext  west\n\nTotal  1 HPA: "), "{}", told.out);
}

#[test]
fn every_form_has_the_context() {
    let both = both();
    let form = |form: &str| both.run(&[&LIST[..], &BOTH, &["-o", form]].concat()).out;
    assert_eq!(
        places(&serde_json::from_str::<Value>(&form("json")).expect("JSON")["items"]),
        ["east/shop/web", "west/shop/cart"]
    );
    let lines = form("jsonl");
    let contexts =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["context"].clone());
    assert_eq!(contexts.collect::<Vec<_>>(), ["east", "west"]);
    let csv = form("csv");
    let begins: Vec<String> =
        csv.lines().map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(begins, ["context,namespace,name", "east,shop,web", "west,shop,cart"]);
    assert_eq!(
        form("name"),
        "horizontalpodautoscaler.autoscaling/web -n shop --context east\n\
         horizontalpodautoscaler.autoscaling/cart -n shop --context west\n"
    );
    assert_eq!(form("jsonpath={.items[*].context}"), "east west");
    let columns = form("custom-columns=CONTEXT:.context,NAME:.name");
    assert_eq!(columns, "CONTEXT   NAME\neast      web\nwest      cart\n");
    let html = form("html");
    assert!(html.contains(">east<") && html.contains(">west<"), "{html}");
    assert!(form("yaml").contains("context: east"));
}

/// Sorting, filters and the exit code of a state go over all.
#[test]
fn sort_only_and_fail_on_are_of_all_clusters() {
    let down = || Reply::failure(503, "ServiceUnavailable", "down").signed();
    let both = Clusters::of(shop("web").reply(crate::cluster::POD_METRICS, down()), shop("cart"));
    let run = |args: &[&str]| both.run(&[&LIST[..], &BOTH, args, &["-o", "json"]].concat());
    assert_eq!(places(&run(&["--sort", "name"]).json()["items"]), ["west/shop/cart", "east/shop/web"]);
    assert_eq!(places(&run(&["--sort", "context"]).json()["items"]), ["east/shop/web", "west/shop/cart"]);
    let twins = Clusters::of(shop("web"), shop("cart").reply(crate::cluster::POD_METRICS, down()));
    let sorted = |order: &str| {
        let told = twins.run(&[&LIST[..], &BOTH, &["--sort", order, "-o", "json"]].concat());
        places(&told.json()["items"])
    };
    assert_eq!(sorted("state"), ["west/shop/cart", "east/shop/web"]);
    assert_eq!(sorted("context"), ["east/shop/web", "west/shop/cart"]);
    let only = run(&["--only", "broken", "--fail-on", "broken"]);
    assert_eq!((only.ending, places(&only.json()["items"])), (Ending::Found, vec!["east/shop/web".into()]));
    assert_eq!(only.json()["counts"]["broken"], 1);
    assert_eq!(run(&["--fail-on", "at-max"]).ending, Ending::Done);
}

#[test]
fn a_cluster_that_fails_does_not_hide_the_others() {
    let forbidden = shop("web").reply(EVERYWHERE, Reply::forbidden("hpas is forbidden"));
    let some = Clusters::of(forbidden, shop("cart"));
    let contexts = ["--context", "gone", "--context", "none", "--context", "east", "--context", "west"];
    let told = some.run(&[&LIST[..], &contexts].concat());
    assert_eq!(told.ending, Ending::Failed);
    assert!(told.out.contains("\n  west"), "{}", told.out);
    for (context, words) in [
        ("east", "cannot list the HPAs: hpas is forbidden"),
        ("gone", "cannot list the HPAs: http://127.0.0.1:1 does not answer"),
        ("none", "context \"none\" does not exist in the kubeconfig, which has east, west, gone"),
    ] {
        let error = format!("error: context {context}: {words}");
        assert!(told.err.contains(&error), "{error}: {}", told.err);
        // Why not is said once: on standard error, which a page for a browser is without.
        assert!(told.out.contains(&format!("\nNot read  context {context}\n")), "{}", told.out);
        let page = some.run(&[&LIST[..], &contexts, &["-o", "html"]].concat()).out;
        assert!(page.contains(&words.replace('"', "&quot;")), "{words}: {page}");
    }
    let told = some.run(&[&LIST[..], &contexts, &["-o", "json"]].concat());
    let list = told.json();
    assert_eq!(places(&list["items"]), ["west/shop/cart"]);
    assert_eq!(places(&list["errors"]), ["east//", "gone//", "none//"]);
    valid(include_str!("../../src/render/schema/list.schema.json"), &list);
}

fn valid(schema: &str, document: &Value) {
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let wrong: Vec<String> =
        schema.iter_errors(document).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:?}: {document:#}");
}

#[test]
fn a_cluster_without_hpas_is_no_failure() {
    let none = || Cluster::shop().with(EVERYWHERE, list("HorizontalPodAutoscalerList", json!([])));
    let one = Clusters::of(none(), shop("cart"));
    for verb in [&LIST[..], &["simulate", "-A", "--max", "1"], &["explain", "-A", "--upgrade-to", "1.36"]] {
        let told = one.run(&[verb, &BOTH, &["-o", "json"]].concat());
        assert_eq!((told.err.as_str(), &told.json()["errors"]), ("", &json!([])), "{verb:?}");
        assert_ne!(told.ending, Ending::Failed);
    }
    let empty = Clusters::of(none(), none());
    for verb in [&LIST[..], &["simulate", "-A", "--max", "1"], &["explain", "-A", "--upgrade-to", "1.36"]] {
        let told = empty.run(&[verb, &BOTH].concat());
        let expected = (Ending::Done, "", "No resources found\n");
        assert_eq!((told.ending, told.out.as_str(), told.err.as_str()), expected, "{verb:?}");
    }
}

#[test]
fn a_change_and_an_upgrade_of_several_clusters_are_one_table() {
    let both = both();
    let gone = ["--context", "gone"];
    for (verb, schema, words) in [
        (
            &["simulate", "-A", "--max", "1"][..],
            include_str!("../../src/render/schema/fleet-simulation.schema.json"),
            "Contexts  east and west  Total  2 HPAs: 2 change, 0 unchanged",
        ),
        (
            &["explain", "-A", "--upgrade-to", "1.23"],
            include_str!("../../src/render/schema/versions.schema.json"),
            "Total  2 HPAs: ",
        ),
    ] {
        let text = both.run(&[verb, &BOTH, &gone].concat());
        let flat = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&words) && flat.contains("Not read context gone "), "{}", text.out);
        let json = both.run(&[verb, &BOTH, &gone, &["-o", "json"]].concat());
        assert_eq!(
            (json.ending, places(&json.json()["errors"])),
            (Ending::Failed, vec!["gone//".to_owned()])
        );
        valid(schema, &json.json());
        let csv = both.run(&[verb, &BOTH, &["-o", "csv"]].concat()).out;
        assert!(csv.starts_with("context,namespace,name,"), "{csv}");
    }
    let told = both.run(&[&["simulate", "-A", "--max", "1"][..], &BOTH].concat());
    assert!(told.out.contains("CONTEXT  NS"), "{}", told.out);
    assert_eq!(
        both.run(&[&["simulate", "-A", "--max", "1", "-o", "name"][..], &BOTH].concat()).out,
        "horizontalpodautoscaler.autoscaling/web -n shop --context east\n\
         horizontalpodautoscaler.autoscaling/cart -n shop --context west\n"
    );
}

#[test]
fn names_are_looked_up_in_each_cluster() {
    let both = both();
    let told = both.run(&[&["list", "cart", "-o", "json"], &BOTH[..]].concat());
    assert_eq!(told.ending, Ending::Failed);
    let error = "error: hpa/cart --context east: no HPA \"cart\" in namespace shop\n";
    assert!(told.err.starts_with(error), "{}", told.err);
    assert_eq!(places(&told.json()["errors"]), ["east/shop/cart"]);
    assert_eq!(
        (told.json()["items"].as_array().map(Vec::len), &told.json()["counts"]["unknown"]),
        (Some(1), &json!(0))
    );
}

/// Each waits for the other to be asked.
#[test]
fn clusters_are_read_at_the_same_time_and_not_too_many() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let servers: Vec<Server> = (0..6)
        .map(|_| {
            let (running, most, cluster) = (Arc::clone(&running), Arc::clone(&most), shop("web"));
            Server::start(move |request| {
                if request.path() == HPAS {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    let begun = Instant::now();
                    while most.load(Ordering::SeqCst) < 2 && begun.elapsed() < Duration::from_secs(10) {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    std::thread::sleep(Duration::from_millis(50));
                    running.fetch_sub(1, Ordering::SeqCst);
                }
                cluster.answer(request)
            })
        })
        .collect();
    let names: Vec<String> = (0..6).map(|number| format!("c{number}")).collect();
    let urls: Vec<String> = servers.iter().map(Server::url).collect();
    let contexts: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(urls.iter().map(String::as_str)).collect();
    let kubeconfig = kubeconfig_of(&contexts);
    let flags: Vec<&str> = names.iter().flat_map(|name| ["--context", name]).collect();
    let told = told(&kubeconfig, &[&["list", "-o", "json"], flags.as_slice()].concat());
    std::fs::remove_file(kubeconfig).expect("to remove the kubeconfig");
    assert_eq!((told.err.as_str(), told.json()["items"].as_array().map(Vec::len)), ("", Some(6)));
    let most = most.load(Ordering::SeqCst);
    assert!((2..=4).contains(&most), "{most} at the same time");
}

#[test]
fn other_commands_take_one_context() {
    for (args, words) in [
        (
            &["explain", "web"][..],
            "error: several --context work only with list, simulate -A, -l or --all, and --upgrade-to: give one\n",
        ),
        (
            &["explain", "-A", "--upgrade-to", "1.36", "--save", "x"],
            "error: several --context work only with list",
        ),
        (&["simulate", "web", "--max", "9"], "error: several --context work only with list"),
        (&["simulate", "-A", "--max", "9", "-o", "patch"], "error: several --context work only with list"),
        (
            &["wait", "web", "--for", "stable"],
            "error: the argument '--context <CONTEXT>' cannot be used multiple times",
        ),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        let output = command.args(args).args(BOTH).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.starts_with(words), "{args:?}: {said}");
    }
}

/// What takes the place of a context's cluster or user would be that of all of them: one cluster, counted twice.
#[test]
fn several_contexts_have_nothing_in_common_but_the_kubeconfig() {
    for (flag, value) in
        [("--server", "http://127.0.0.1:1"), ("--token", "secret"), ("--cluster", "c"), ("--user", "u")]
    {
        for command in
            [&["list"][..], &["simulate", "-A", "--max", "9"], &["explain", "-A", "--upgrade-to", "1.36"]]
        {
            let mut process = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
            let output =
                process.args(command).args(BOTH).args([flag, value]).output().expect("the binary runs");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let words =
                format!("error: {flag} would apply to each --context: leave it out, or give one --context\n");
            assert!(output.status.code() == Some(2) && said.starts_with(&words), "{command:?}: {said}");
        }
    }
    let mut process = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    let output = process.args(["list", "--context", "m", "--context", ""]).output().expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("error: one of several --context is empty: name each\n"), "{said}");
}

/// Whatever a screen, a list, `-o name` or an error calls an HPA can be typed where an HPA is named.
#[test]
fn every_printed_name_can_be_pasted_back() {
    let none = list("HorizontalPodAutoscalerList", json!([]));
    let server = shop("cart").with(&HPAS.replace("/shop/", "/bank/"), none);
    let bank = json!({"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "bank"}});
    let gone = Reply::failure(404, "NotFound", r#"horizontalpodautoscalers.autoscaling "web" not found"#);
    let place = format!("{}/web", HPAS.replace("/shop/", "/bank/"));
    let server = server.with("/api/v1/namespaces/bank", bank).reply(&place, gone.signed()).serve();
    let kubeconfig = kubeconfig_of(&[("east", &server.url())]);
    // The context has the namespace that none of them is in.
    let text = std::fs::read_to_string(&kubeconfig).expect("a kubeconfig");
    std::fs::write(&kubeconfig, text.replace(r#""namespace":"shop""#, r#""namespace":"bank""#))
        .expect("a kubeconfig");
    let screen = told(&kubeconfig, &["explain", "cart", "-n", "shop", "--color", "never"]).out;
    let header = screen.lines().next().expect("a line").to_owned();
    let (subject, target) = header.split_once(" → ").expect("an HPA and its target");
    let target = target.split_whitespace().next().expect("a target");
    assert_eq!((subject, target), ("shop/cart", "Deployment/cart"));
    let name = told(&kubeconfig, &["list", "-A", "-o", "name"]).out;
    let error =
        told(&kubeconfig, &["wait", "cart", "-n", "shop", "--for", "replicas=9", "--timeout", "0"]).err;
    let waited =
        error.split_whitespace().find(|word| word.contains("/cart")).expect("a name").trim_end_matches(':');
    let names = [
        "cart",
        "hpa/cart",
        "HPA/cart",
        "hpa.autoscaling/cart",
        "horizontalpodautoscaler.v2.autoscaling/cart",
        "horizontalpodautoscalers.autoscaling/cart",
        "deploy/cart",
        "deployments.apps/cart",
        name.trim(),
        waited,
        target,
    ];
    let verbs: [&[&str]; 4] = [
        &["explain"],
        &["simulate", "--max", "9"],
        &["list"],
        &["wait", "--for", "stable", "--timeout", "0"],
    ];
    for verb in verbs {
        for name in names {
            let told = told(&kubeconfig, &[verb, &[name, "-n", "shop"]].concat());
            assert_eq!((told.err.as_str(), told.out.is_empty()), ("", false), "{verb:?} {name}");
        }
        // The header alone says the namespace; one that was typed has to be the same.
        for typed in [&[subject][..], &[subject, "-n", "shop"], &[subject, "--namespace="]] {
            let told = told(&kubeconfig, &[verb, typed].concat());
            assert_eq!((told.err.as_str(), told.out.is_empty()), ("", false), "{verb:?} {typed:?}");
        }
        let told = told(&kubeconfig, &[verb, &[subject, "-n", "bank"]].concat());
        assert!(told.err.contains("the server has no resource type \"shop\""), "{verb:?}: {}", told.err);
    }
    let several = told(&kubeconfig, &["explain", subject, "hpa/cart", "-n", "shop", "-o", "json"]);
    assert_eq!(places(&several.json()["items"]), ["east/shop/cart", "east/shop/cart"]);
    let nowhere = told(&kubeconfig, &["explain", "shop/web-9"]);
    assert_eq!(nowhere.err, "error: no HPA \"web-9\" in namespace shop\n");
    // Without HPAs the namespace is known by itself; of what is neither a type nor a namespace the type is told.
    for (typed, told_of) in [
        ("bank/web", "error: no HPA \"web\" in namespace bank\n"),
        ("nowhere/web", "error: the server has no resource type \"nowhere\"\n"),
    ] {
        for verb in verbs {
            let told = told(&kubeconfig, &[verb, &[typed]].concat());
            assert!(told.err.starts_with(told_of), "{verb:?} {typed}: {}", told.err);
        }
    }
    std::fs::remove_file(kubeconfig).expect("to remove the kubeconfig");
}

/// A type that is called as a namespace is meant as a type.
#[test]
fn a_type_goes_before_a_namespace() {
    let services = hpa("web", "v1", "Service", "web", json!([]));
    let told = shop("cart").with_hpas(&[services]).run(&["explain", "svc/web", "-o", "json"]);
    assert_eq!(told.json()["subject"]["target"]["kind"], "Service", "{}", told.err);
}

/// Of live answers each screen says the context; one of a file says the file.
#[test]
fn every_screen_says_where_it_is_from() {
    let hostile = "\u{1b}[31mred\u{1b}[0m\n\u{202e}evil";
    let long = "arn:aws:eks:eu-central-1:123456789012:cluster/".to_owned() + &"x".repeat(300) + "-production";
    for name in ["prod", hostile, long.as_str()] {
        let server = shop("web").serve();
        let kubeconfig = kubeconfig_of(&[(name, &server.url())]);
        for args in [
            &["explain", "web"][..],
            &["explain", "web", "--as-version", "1.36,1.37"],
            &["explain", "-A", "--upgrade-to", "1.36"],
            &["simulate", "web", "--max", "9"],
            &["simulate", "web", "--sweep", "max=2..4:1"],
            &["simulate", "web", "--over", "10m"],
            &["simulate", "-A", "--max", "1"],
            &["list"],
        ] {
            let told = told(&kubeconfig, args);
            let flat = told.out.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let shown = match name {
                "prod" => flat.contains("context prod"),
                name if name == hostile => flat.contains("red") && flat.contains("evil"),
                _ => flat.contains("context arn:aws:eks:eu-centr…") && flat.contains("-production"),
            };
            assert!(shown, "{args:?}: {}", told.out);
            let is_hazard = |it: char| it.is_control() && it != '\n' || it == '\u{202e}';
            assert!(!told.out.contains(is_hazard), "{args:?}: {:?}", told.out);
            assert!(told.out.lines().all(|line| line.chars().count() <= 100), "{args:?}: {}", told.out);
        }
        // Of several files each screen says which.
        let [one, other] = ["one.yaml", "other.yaml"].map(|file| {
            let file = crate::run::file(&format!("origin-{file}"), "");
            std::fs::remove_file(&file).expect("to remove an empty file");
            let saved = told(&kubeconfig, &["explain", "web", "--save", &file]);
            assert_eq!(saved.err, "");
            file
        });
        let files = told(&kubeconfig, &["explain", "-f", &one, "-f", &other]).out;
        assert!([&one, &other].iter().all(|file| files.contains(&format!("file {file}"))), "{files}");
        assert!(!told(&kubeconfig, &["explain", "-f", &one]).out.contains("file "));
        let saved = std::fs::read_to_string(&one).expect("a case");
        assert!(!saved.contains("context:") && !saved.contains("origin"), "{saved}");
        [one, other].iter().try_for_each(std::fs::remove_file).expect("to remove the cases");
        // Without a context that names it, it is the server.
        let by_server = told(&kubeconfig, &["explain", "web", "--server", &server.url()]);
        let flat = by_server.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&format!("server {} · controller", server.url())), "{}", by_server.out);
        std::fs::remove_file(kubeconfig).expect("to remove the kubeconfig");
    }
}

/// Whatever contexts are called, the table of several stays one.
#[test]
fn hostile_contexts_do_not_break_a_table() {
    let long = "x".repeat(300);
    let hostile = "\u{1b}[31mred\u{1b}[0m\nerror: evil\u{202e}";
    let servers = [shop("web").serve(), shop("web").serve()];
    let urls = servers.each_ref().map(Server::url);
    let kubeconfig = kubeconfig_of(&[(long.as_str(), urls[0].as_str()), (hostile, &urls[1])]);
    let contexts = ["--context", long.as_str(), "--context", hostile];
    for verb in [&LIST[..], &["simulate", "-A", "--max", "1"], &["explain", "-A", "--upgrade-to", "1.23"]] {
        for form in ["text", "name", "csv", "html"] {
            let told = told(&kubeconfig, &[verb, &contexts, &["-o", form]].concat());
            let is_hazard = |it: char| it.is_control() && it != '\n' || it == '\u{202e}';
            assert!(!told.out.contains(is_hazard) && !told.err.contains(is_hazard), "{form}: {:?}", told.out);
            assert!(!told.out.lines().any(|line| line.starts_with("error: ")), "{form}: {}", told.out);
            if form == "text" {
                let widest = told.out.lines().map(|line| line.chars().count()).max();
                assert!(widest <= Some(100), "{verb:?}: {widest:?} columns\n{}", told.out);
            }
        }
    }
    std::fs::remove_file(kubeconfig).expect("to remove the kubeconfig");
}

/// Each context is offered once, and a second only where several can be meant.
#[test]
fn completion_offers_further_contexts() {
    let both = both();
    let kubeconfig = both.kubeconfig.to_str().expect("UTF-8").to_owned();
    let offered = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        let output = command.args(["__complete", "--"]).args(words).output().expect("the binary runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let known = ["--kubeconfig", kubeconfig.as_str()];
    let second = |verb: &[&str]| offered(&[verb, &known, &["--context", "west", "--context", ""]].concat());
    assert_eq!(second(&["list"]), "east\ngone\n:4\n");
    assert_eq!(second(&["simulate", "-A"]), "east\ngone\n:4\n");
    let flags = |verb: &str| offered(&[&[verb][..], &known, &["--context", "west", "--conte"]].concat());
    assert!(flags("list").starts_with("--context\t"), "{}", flags("list"));
    assert_eq!(flags("wait"), ":4\n");
    // Names are those of the first.
    let names = offered(&[&["list"][..], &known, &["--context", "west", "--context", "east", "ca"]].concat());
    assert_eq!(names, "cart\tDeployment/cart\n:4\n");
}

#[test]
fn an_hpa_that_is_being_deleted_is_marked() {
    let mut web = hpa("web", "apps/v1", "Deployment", "web", json!([]));
    web["metadata"]["deletionTimestamp"] = json!("2026-11-21T10:40:00Z");
    let shop = || Cluster::shop().with_hpas(std::slice::from_ref(&web));
    let mark = "being deleted since 10:40:00 (2m ago); the controller scales its target until it is gone";
    for verb in [&["explain"][..], &["simulate", "--max", "9"]] {
        let told = shop().run(&[verb, &["web"]].concat());
        assert!(told.out.contains(mark), "{}", told.out);
    }
    let told = shop().run(&["list"]);
    assert!(told.out.contains("  being deleted; "), "{}", told.out);
    let json = shop().run(&["explain", "web", "-o", "json"]).json();
    assert_eq!(json["subject"]["deletionTimestamp"], "2026-11-21T10:40:00Z");
    valid(include_str!("../../src/render/schema/decision.schema.json"), &json);
    let list = shop().run(&["list", "-o", "json"]).json();
    assert_eq!(list["items"][0]["deletionTimestamp"], "2026-11-21T10:40:00Z");
    valid(include_str!("../../src/render/schema/list.schema.json"), &list);
    let csv = shop().run(&["list", "-o", "csv"]).out;
    assert!(csv.contains(",being deleted; "), "{csv}");
}

/// 1 of several fails: the others are there, the errors beside them, and the exit code is 1.
#[test]
fn what_fails_of_several_is_in_the_errors_of_every_list() {
    for (verb, kind) in [
        (&["explain"][..], "DecisionList"),
        (&["explain", "--as-version", "1.36,1.37"], "VersionsList"),
        (&["explain", "--upgrade-to", "1.36"], "Upgrade"),
        (&["simulate", "--max", "9"], "SimulationList"),
        (&["list"], "HpaList"),
    ] {
        let run = |more: &[&str]| shop("web").run(&[verb, more].concat());
        let told = run(&["web", "wbe", "-o", "json"]);
        let list = told.json();
        assert_eq!((told.ending, &list["kind"]), (Ending::Failed, &json!(kind)));
        assert_eq!(places(&list["errors"]), ["test/shop/wbe"], "{kind}");
        let message = list["errors"][0]["message"].as_str().expect("words");
        assert!(message.contains("no HPA \"wbe\" in namespace shop"), "{message}");
        error_list(&list["errors"]);
        if kind.ends_with("List") && kind != "HpaList" {
            valid(include_str!("../../src/render/schema/item-list.schema.json"), &list);
        }
        let template = run(&["web", "wbe", "-o", "jsonpath={.kind} {.errors[*].name}"]).out;
        assert_eq!(template, format!("{kind} wbe"));
        // Also where none is left, and where nothing failed.
        let none = run(&["wbe", "job", "-o", "json"]);
        assert_eq!((none.ending, places(&none.json()["errors"]).len()), (Ending::Failed, 2), "{kind}");
        let all = run(&["web", "hpa/web", "-o", "json"]).json();
        assert_eq!(all["errors"], json!([]), "{kind}");
        let yaml = run(&["web", "wbe", "-o", "yaml"]).out;
        assert!(yaml.contains("errors:\n") && yaml.contains("name: wbe\n"), "{kind}: {yaml}");
        assert!(!run(&["web", "hpa/web", "-o", "yaml"]).out.contains("ErrorList"));
    }
}

fn error_list(errors: &Value) {
    let list: Value =
        serde_json::from_str(include_str!("../../src/render/schema/list.schema.json")).expect("JSON");
    let schema = jsonschema::draft202012::new(&list["$defs"]["error"]).expect("a schema");
    assert!(errors.as_array().expect("a list").iter().all(|error| schema.is_valid(error)), "{errors}");
}
