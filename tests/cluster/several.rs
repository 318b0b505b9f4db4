//! Several autoscalers at once: by name, by label, of all namespaces.

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use crate::cluster::{Cluster, HPAS, SCALE, hpa, list, scale};
use crate::run::Told;
use crate::server::Reply;

const EVERYWHERE: &str = "/apis/autoscaling/v2/horizontalpodautoscalers";

fn labeled(name: &str, namespace: &str, app: &str) -> Value {
    let mut hpa = hpa(name, "apps/v1", "Deployment", name, json!([]));
    hpa["metadata"]["namespace"] = json!(namespace);
    hpa["metadata"]["labels"] = json!({"app": app});
    hpa
}

/// `web` and `api` of the shop, `job` of the bank.
fn cluster() -> Cluster {
    let (web, api, job) =
        (labeled("web", "shop", "front"), labeled("api", "shop", "back"), labeled("job", "bank", "back"));
    let of_bank = |path: &str| path.replace("/shop/", "/bank/");
    Cluster::shop()
        .with_hpas(&[web.clone(), api.clone()])
        .with(&SCALE.replace("/web/", "/api/"), scale("app=api"))
        .with(EVERYWHERE, list("HorizontalPodAutoscalerList", json!([web, job.clone(), api])))
        .with(&of_bank(HPAS), list("HorizontalPodAutoscalerList", json!([job])))
        .with(&format!("{}/job", of_bank(HPAS)), job)
        .with(&of_bank(SCALE).replace("/web/", "/job/"), scale("app=job"))
        .with("/api/v1/namespaces/bank/pods", list("PodList", json!([])))
        .with("/api/v1/namespaces/bank/events", list("EventList", json!([])))
        .with("/apis/metrics.k8s.io/v1beta1/namespaces/bank/pods", list("PodMetricsList", json!([])))
}

fn names(told: &Told) -> String {
    let list = told.json();
    let name = |item: &Value| {
        let subject = if item["subject"].is_null() { &item["then"]["subject"] } else { &item["subject"] };
        let text = |field: &str| subject[field].as_str().unwrap_or_default().to_owned();
        format!("{}/{}", text("namespace"), text("name"))
    };
    let names: Vec<String> = list["items"].as_array().expect("a list").iter().map(name).collect();
    names.join(" ")
}

#[test]
fn several_names_are_taken_as_kubectl_takes_them() {
    for typed in [
        &["web", "api"][..],
        &["hpa/web", "api"],
        &["hpa", "web", "api"],
        &["horizontalpodautoscalers.v2.autoscaling", "web", "api"],
        &["deploy", "web", "api"],
        &["deployments.apps", "web", "api"],
        &["deploy/web", "hpa/api"],
    ] {
        for verb in [&["explain"][..], &["simulate", "--max", "9"]] {
            let told = cluster().run(&[verb, typed, &["-o", "json"]].concat());
            assert_eq!((told.err.as_str(), names(&told).as_str()), ("", "shop/web shop/api"), "{typed:?}");
        }
    }
    let told = cluster().run(&["explain", "hpa", "web", "-o", "json"]);
    assert_eq!(told.json()["subject"]["name"], "web");
}

#[test]
fn an_autoscaler_with_the_name_of_a_type_is_an_autoscaler() {
    let shop = cluster().with_hpas(&[labeled("deploy", "shop", "a"), labeled("web", "shop", "b")]);
    let told = shop.run(&["explain", "deploy", "web", "-o", "json"]);
    assert_eq!(names(&told), "shop/deploy shop/web");
}

#[test]
fn what_fails_for_one_does_not_stop_the_others() {
    let told = cluster().run(&["explain", "wbe", "api", "cronjob/x", "-o", "json"]);
    assert_eq!((told.ending, names(&told).as_str()), (Ending::Failed, "shop/api"));
    assert_eq!(
        told.err,
        "error: hpa/wbe: no HPA \"wbe\" in namespace shop\nhint: did you mean web?\n\
         error: cronjob/x: the server has no resource type \"cronjob\"\nhint: kubectl api-resources lists the types\n"
    );
}

#[test]
fn labels_choose() {
    for (labels, found) in [("app=back", "shop/api"), ("app", "shop/api shop/web"), ("app!=back", "shop/web")]
    {
        let told = cluster().run(&["explain", "-l", labels, "-o", "json"]);
        assert_eq!((told.err.as_str(), names(&told).as_str()), ("", found), "{labels}");
    }
    let told = cluster().run(&["simulate", "hpa", "--selector", "app in (back)", "--max", "1", "-o", "json"]);
    assert_eq!(names(&told), "shop/api");
    let told = cluster().run(&["explain", "-l", "app=none"]);
    assert_eq!((told.ending, told.err.as_str()), (Ending::Done, "No resources found in shop namespace.\n"));
}

#[test]
fn all_namespaces_are_listed_once() {
    for verb in [&["explain"][..], &["simulate", "--max", "9"]] {
        let told = cluster().run(&[verb, &["-A", "-o", "json"]].concat());
        assert_eq!((told.err.as_str(), names(&told).as_str()), ("", "bank/job shop/api shop/web"));
        assert_eq!((told.asked(EVERYWHERE), told.asked(HPAS)), (1, 0));
    }
    let told = cluster().run(&["explain", "-A", "-l", "app=back", "-o", "name"]);
    assert_eq!(
        told.out,
        "horizontalpodautoscaler.autoscaling/job\nhorizontalpodautoscaler.autoscaling/api\n"
    );
    let none = cluster().with(EVERYWHERE, list("HorizontalPodAutoscalerList", json!([])));
    let none = none.run(&["explain", "-A"]);
    assert_eq!((none.ending, none.err.as_str()), (Ending::Done, "No resources found\n"));
    let broken = cluster().reply(&format!("{HPAS}/api"), Reply::failure(500, "InternalError", "boom"));
    let told = broken.run(&["explain", "-A", "-o", "json"]);
    assert!(told.err.starts_with("error: hpa/api -n shop: cannot read "), "{}", told.err);
    assert_eq!(names(&told), "bank/job shop/web");
}

#[test]
fn what_several_have_in_common_is_read_once() {
    let hpas: Vec<Value> = (0..6).map(|number| labeled(&format!("web-{number}"), "shop", "a")).collect();
    let shop = (0..6).fold(Cluster::shop().with_hpas(&hpas), |shop, number| {
        shop.with(&SCALE.replace("/web/", &format!("/web-{number}/")), scale(&format!("app=web-{number}")))
    });
    // A list of their targets would take the place of the others' scales.
    let deployments = "/apis/apps/v1/namespaces/shop/deployments";
    let shop = shop.reply(deployments, Reply::forbidden("no"));
    let told = shop.run(&["explain", "--all", "-o", "json"]);
    assert_eq!((told.err.as_str(), told.json()["items"].as_array().map(Vec::len)), ("", Some(6)));
    for path in ["/api", "/apis", "/version", HPAS] {
        assert_eq!(told.asked(path), 1, "{path}");
    }
    // Each one's own, read anew, and once as one of the others.
    let scales = told.requests.iter().filter(|request| request.path().ends_with("/scale")).count();
    assert_eq!(scales, 12);
}

#[test]
fn screens_are_parted_by_a_line() {
    let told = cluster().run(&["explain", "web", "api"]);
    let line = format!("\n\n{}\nshop/api → Deployment/api", "─".repeat(100));
    assert!(told.out.starts_with("shop/web → ") && told.out.contains(&line), "{}", told.out);
    let told = cluster().run(&["explain", "web", "api", "--ascii"]);
    assert!(told.out.contains(&format!("\n\n{}\nshop/api -> ", "-".repeat(100))), "{}", told.out);
}

#[test]
fn names_and_templates_are_forms_of_output() {
    let told = cluster().run(&["explain", "web", "-o", "name"]);
    assert_eq!(told.out, "horizontalpodautoscaler.autoscaling/web\n");
    let told = cluster().run(&["simulate", "web", "--max", "1", "-o", "name"]);
    assert_eq!(
        (told.out.as_str(), told.ending),
        ("horizontalpodautoscaler.autoscaling/web\n", Ending::Different)
    );

    let told = cluster().run(&["explain", "web", "-o", "jsonpath={.subject.name}: {.desiredReplicas}"]);
    assert_eq!((told.err.as_str(), told.out.as_str()), ("", "web: 2"));
    let rows = "jsonpath={range .items[*]}{.subject.namespace}/{.subject.name}{\"\\n\"}{end}";
    let told = cluster().run(&["explain", "-A", "-o", rows]);
    assert_eq!(told.out, "bank/job\nshop/api\nshop/web\n");
    // README's template ranges over a list: asked for by -A, it is one also of a single HPA.
    let one = list("HorizontalPodAutoscalerList", json!([labeled("web", "shop", "front")]));
    assert_eq!(cluster().with(EVERYWHERE, one).run(&["explain", "-A", "-o", rows]).out, "shop/web\n");
    let told = cluster().run(&["simulate", "--all", "--max", "1", "-o", "jsonpath={.kind} {.items[*].same}"]);
    assert_eq!(told.out, "FleetSimulation false false");
}
