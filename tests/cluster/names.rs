//! NAME left out, and `--all`.

use kubectl_hpa::commands::Ending;
use serde_json::json;

use crate::cluster::{Cluster, HPAS, hpa};
use crate::server::Reply;

fn with(names: &[&str]) -> Cluster {
    let hpas: Vec<_> =
        names.iter().map(|name| hpa(name, "apps/v1", "Deployment", "web", json!([]))).collect();
    Cluster::shop().with_hpas(&hpas)
}

const VERBS: [&[&str]; 2] = [&["explain", "-o", "json"], &["simulate", "--max", "9", "-o", "json"]];

#[test]
fn the_one_autoscaler_need_not_be_named() {
    let told = Cluster::shop().run(VERBS[0]);
    assert_eq!((told.ending, told.json()["subject"]["name"].as_str()), (Ending::Done, Some("web")));
    let told = Cluster::shop().run(VERBS[1]);
    assert_eq!((told.ending, told.json()["then"]["subject"]["name"].as_str()), (Ending::Done, Some("web")));
    // One read to find it, and then the same reads as by its name.
    let by_name = Cluster::shop().run(&["explain", "web"]).requests.len();
    assert_eq!(Cluster::shop().run(VERBS[0]).requests.len(), by_name + 1);
}

#[test]
fn several_are_listed_where_nobody_can_be_asked() {
    for (verb, advice) in [
        (VERBS[1], "name one or use --all"),
        (&["simulate", "--max", "3", "--apply", "--yes"], "name one"),
        (&["explain", "--apply", "--yes"], "name one"),
        (&["explain", "--save", "-"], "name one"),
        (&["explain", "--watch"], "name one"),
        (&["wait", "--for", "stable"], "name one"),
    ] {
        let told = with(&["web", "api"]).run(verb);
        assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""), "{verb:?}");
        assert_eq!(told.err, format!("error: 2 HPAs in namespace shop; {advice}: api, web\n"), "{verb:?}");
    }
    let many: Vec<String> = (10..33).map(|number| format!("web-{number}")).collect();
    let told = with(&many.iter().map(String::as_str).collect::<Vec<_>>()).run(VERBS[1]);
    assert!(told.err.starts_with("error: 23 HPAs in namespace shop"), "{}", told.err);
    assert!(told.err.ends_with(": web-10, ".to_owned().as_str()) || told.err.contains(": web-10, web-11, "));
    assert!(told.err.ends_with("web-29 and 3 more\n"), "{}", told.err);
}

/// What people read is the list; what programs read has all decisions, as with `--all`.
#[test]
fn explain_without_a_name_shows_several() {
    let shop = || with(&["web", "api"]);
    for more in [&[][..], &["-o", "wide"], &["hpa"], &["-o", "html"]] {
        let [told, list] = ["explain", "list"].map(|verb| {
            let more = more.iter().filter(|word| verb == "explain" || **word != "hpa");
            shop().run(&[verb].into_iter().chain(more.copied()).collect::<Vec<_>>())
        });
        assert_eq!((told.err.as_str(), told.ending), ("", Ending::Done), "{more:?}");
        assert_eq!(told.out, list.out, "{more:?}");
        assert_eq!(told.asked(HPAS), 1, "{more:?}");
    }
    let all = shop().run(&["explain", "--all", "-o", "json"]).json();
    let told = shop().run(VERBS[0]);
    assert_eq!((told.ending, told.json()["kind"].clone()), (Ending::Done, json!("DecisionList")));
    assert_eq!(told.json()["items"].as_array().map(Vec::len), all["items"].as_array().map(Vec::len));
    let names = shop().run(&["explain", "-o", "name"]);
    assert_eq!(
        names.out,
        "horizontalpodautoscaler.autoscaling/api\nhorizontalpodautoscaler.autoscaling/web\n"
    );
    for more in [&["--blame"][..], &["--as-version", "1.36,1.37"], &["--pods", "all"]] {
        let told = shop().run(&[&["explain"], more].concat());
        assert!(told.out.starts_with("shop/api → ") && told.out.contains("\nshop/web → "), "{}", told.out);
    }
    let told = shop().run(&["explain", "--upgrade-to", "1.36"]);
    assert!(
        told.out.contains("Total  2 HPAs: ") && told.out.ends_with(" decided differently\n"),
        "{}",
        told.out
    );
    // Settings that were typed hold for the list, too.
    let two = [("web", "web"), ("api", "api")]
        .map(|(name, target)| hpa(name, "apps/v1", "Deployment", target, json!([])));
    let row = |more: &[&str]| {
        let told = Cluster::shop().with_hpas(&two).run(&[&["explain"], more].concat());
        told.out.lines().find(|line| line.contains(" web ")).map(str::to_owned).expect("a row")
    };
    assert!(!row(&[]).contains("within the tolerance"), "{}", row(&[]));
    assert!(
        row(&["--tolerance", "0.9"]).contains("within the tolerance"),
        "{}",
        row(&["--tolerance", "0.9"])
    );
}

/// kubectl's words for a list of nothing, which is no error.
#[test]
fn a_list_of_nothing_is_no_error() {
    for (verb, err) in [
        (&["list"][..], "No resources found in shop namespace.\n"),
        (&["explain"], "No resources found in shop namespace.\n"),
        (&["explain", "-o", "name"], "No resources found in shop namespace.\n"),
        (&["list", "-l", "app=none", "-o", "name"], "No resources found in shop namespace.\n"),
    ] {
        let told = with(&[]).run(verb);
        assert_eq!((told.ending, told.out.as_str(), told.err.as_str()), (Ending::Done, "", err), "{verb:?}");
    }
    let told = with(&["web"]).run(&["list", "-l", "app=none"]);
    assert_eq!((told.ending, told.err.as_str()), (Ending::Done, "No resources found in shop namespace.\n"));
    // A program is given a list of none.
    let told = with(&[]).run(&["list", "-o", "json"]);
    assert_eq!((told.ending, told.err.as_str(), told.json()["items"].clone()), (Ending::Done, "", json!([])));
    let told = with(&[]).run(&["explain", "-o", "json"]);
    assert_eq!((told.ending, told.json()["kind"].clone()), (Ending::Done, json!("DecisionList")));
    assert_eq!((told.json()["items"].clone(), told.json()["errors"].clone()), (json!([]), json!([])));
}

/// The binary, as kubectl starts it.
#[test]
fn without_a_command_it_is_a_list() {
    let run = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        let server = with(&["web", "api"]).serve();
        let kubeconfig = crate::cluster::kubeconfig_file(&server.url());
        let output = command.args(words).env("KUBECONFIG", &kubeconfig).output().expect("the binary runs");
        std::fs::remove_file(kubeconfig).expect("to remove the kubeconfig");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let list = run(&["list"]);
    assert!(list.0 == Some(0) && list.1.contains("Total  2 HPAs: "), "{list:?}");
    assert_eq!(run(&[]), list);
    assert_eq!(run(&["-n", "shop"]), list);
    assert_eq!(run(&["-n", "shop", "explain"]).0, Some(2));
}

#[test]
fn none_is_one_line() {
    for verb in [VERBS[1], &["explain", "--watch"], &["explain", "--save", "-"], &["wait", "--for", "stable"]]
    {
        let told = with(&[]).run(verb);
        assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""), "{verb:?}");
        assert_eq!(told.err, "error: there is no HPA in namespace shop\n", "{verb:?}");
    }
}

/// Whoever asks for all gets all of none, as from kubectl: a word on standard error, and a program an empty list.
#[test]
fn none_of_all_is_no_failure() {
    let simulate = &["simulate", "--max", "3", "--all"][..];
    for verb in [
        &["list"][..],
        &["list", "-l", "app=x"],
        &["explain", "--all"],
        &["explain", "-l", "app=x"],
        simulate,
    ] {
        let told = with(&[]).run(verb);
        assert_eq!((told.ending, told.out.as_str()), (Ending::Done, ""), "{verb:?}");
        assert_eq!(told.err, "No resources found in shop namespace.\n", "{verb:?}");
        let told = with(&[]).run(&[verb, &["-o", "json"]].concat());
        assert_eq!((told.ending, told.err.as_str()), (Ending::Done, ""), "{verb:?}");
        assert_eq!(told.json()["items"], json!([]), "{verb:?}");
    }
    let sweep = with(&[]).run(&[simulate, &["--sweep", "min=1..3:1"]].concat());
    assert_eq!((sweep.ending, sweep.err.as_str()), (Ending::Done, "No resources found in shop namespace.\n"));
}

#[test]
fn a_list_that_is_forbidden_names_the_permission() {
    for (verb, begins) in [
        (VERBS[0], "error: no NAME was given, and the HPAs cannot be listed: "),
        (VERBS[1], "error: no NAME was given, and the HPAs cannot be listed: "),
        (&["explain", "--all"], "error: cannot list the HPAs: "),
    ] {
        let told = Cluster::shop().reply(HPAS, Reply::forbidden("no list")).run(verb);
        assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""));
        assert_eq!(
            told.err,
            format!(
                "{begins}no list (403 from {HPAS})\nhint: needed: the permission to list horizontalpodautoscalers of \
                 autoscaling in namespace shop\n"
            )
        );
    }
}

#[test]
fn all_are_answered_and_one_that_fails_is_complained_of() {
    let shop = with(&["web", "api", "broken"])
        .reply(&format!("{HPAS}/broken"), Reply::failure(500, "InternalError", "boom"));
    let told = shop.clone().run(&["explain", "--all", "-o", "json"]);
    assert_eq!(told.ending, Ending::Failed);
    let list = told.json();
    let names: Vec<_> = list["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["subject"]["name"].as_str().unwrap_or_default())
        .collect();
    assert_eq!((&list["kind"], names), (&json!("DecisionList"), vec!["api", "web"]));
    assert!(told.err.starts_with("error: hpa/broken: cannot read "), "{}", told.err);
    assert_eq!(told.err.lines().count(), 1, "{}", told.err);

    let told = shop.run(&["simulate", "--all", "--max", "1", "-o", "jsonl"]);
    assert_eq!((told.ending, told.out.lines().count()), (Ending::Failed, 2));
}

#[test]
fn all_of_one_is_a_list_too() {
    let told = Cluster::shop().run(&["explain", "--all", "-o", "json"]);
    assert_eq!((told.ending, told.json()["items"].as_array().map(Vec::len)), (Ending::Done, Some(1)));
    let told = Cluster::shop().run(&["simulate", "--all", "--max", "1", "-o", "json"]);
    assert_eq!((told.ending, told.json()["items"][0]["same"].as_bool()), (Ending::Different, Some(false)));
}
