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
    for verb in VERBS {
        let told = with(&["web", "api"]).run(verb);
        assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""));
        assert_eq!(told.err, "error: 2 HPAs in namespace shop; name one or use --all: api, web\n");
    }
    let many: Vec<String> = (10..33).map(|number| format!("web-{number}")).collect();
    let told = with(&many.iter().map(String::as_str).collect::<Vec<_>>()).run(VERBS[0]);
    assert!(told.err.starts_with("error: 23 HPAs in namespace shop"), "{}", told.err);
    assert!(told.err.ends_with(": web-10, ".to_owned().as_str()) || told.err.contains(": web-10, web-11, "));
    assert!(told.err.ends_with("web-29 and 3 more\n"), "{}", told.err);
}

#[test]
fn none_is_one_line() {
    for verb in VERBS.iter().copied().chain([&["explain", "--all"][..], &["simulate", "--all"]]) {
        let told = with(&[]).run(verb);
        assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""));
        assert_eq!(told.err, "error: there is no HPA in namespace shop\n");
    }
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
