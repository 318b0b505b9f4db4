//! `list --watch`: what is told of many HPAs that change, go away and come back.
#![cfg(unix)]

use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cluster::{
    Cluster, HPA, HPAS, POD_METRICS, SCALE, hpa, kubeconfig_file, kubeconfig_of, list, scale,
};
use crate::server::Reply;
use crate::watch::{Shop, Watching, looks, rescale_status, untimed, used, web};

const LIST: [&str; 2] = ["list", "--watch"];

/// A second HPA beside `web`, whose target has no pods.
fn with_cart(cluster: Cluster) -> Cluster {
    let cart = hpa("cart", "apps/v1", "Deployment", "cart", json!([]));
    let mut none = scale("app=cart");
    (none["spec"]["replicas"], none["status"]["replicas"]) = (json!(0), json!(0));
    cluster.with_hpas(&[web(), cart]).with(&SCALE.replace("/web/", "/cart/"), none)
}

#[test]
fn a_line_for_each_hpa_and_then_for_each_change() {
    let shop = Shop::open();
    shop.change(with_cart);
    let watch = shop.follow(&LIST);
    let first = [watch.told(), watch.told()].map(|line| untimed(&line).to_owned());
    assert!(first[0].starts_with("shop/cart  0  switched off  "), "{first:?}");
    assert_eq!(first[1], "shop/web  2  idle  cpu 50% of 50%  on target");
    watch.is_silent();
    shop.use_cpu("100m");
    assert!(untimed(&watch.told()).starts_with("shop/web  2 → 4  scaling  cpu 100% of 50%  "));
    shop.change(|cluster| cluster.with_hpas(&[web()]));
    assert_eq!(untimed(&watch.told()), "shop/cart  gone");
    watch.is_silent();
    assert_eq!(watch.interrupt().code(), Some(0));
}

#[test]
fn programs_are_told_the_items_of_the_list() {
    let shop = Shop::open();
    shop.change(with_cart);
    let watch = shop.follow(&[&LIST[..], &["-o", "jsonl", "--only", "idle"]].concat());
    let schema: Value =
        serde_json::from_str(include_str!("../../src/render/schema/list.schema.json")).expect("JSON");
    let item = jsonschema::draft202012::new(&schema["$defs"]["item"]).expect("a schema");
    let told = || -> Value {
        let line: Value = serde_json::from_str(&watch.told()).expect("JSON");
        assert!(item.is_valid(&line), "{line}");
        line
    };
    let state = |line: &Value| (line["name"].clone(), line["state"].clone(), line["gone"].clone());
    assert_eq!(state(&told()), (json!("web"), json!("idle"), Value::Null));
    // One that leaves the states that are shown is told once more, as it is then.
    shop.use_cpu("100m");
    assert_eq!(state(&told()), (json!("web"), json!("scaling"), Value::Null));
    watch.is_silent();
    shop.use_cpu("50m");
    assert_eq!(state(&told()), (json!("web"), json!("idle"), Value::Null));
    shop.change(|cluster| {
        let gone = Reply::failure(404, "NotFound", r#"horizontalpodautoscalers.autoscaling "web" not found"#);
        cluster.with(HPAS, list("HorizontalPodAutoscalerList", json!([]))).reply(HPA, gone)
    });
    let line = told();
    assert_eq!(state(&line), (json!("web"), json!("idle"), json!(true)));
    // The time is that of the look that did not see it, and of an empty list it is this machine's.
    assert_ne!(line["at"], "2026-11-21T10:42:00Z", "{line}");
}

#[test]
fn an_outage_keeps_the_last_lines_and_is_said_once() {
    let shop = Shop::open();
    let watch = shop.follow(&LIST);
    watch.told();
    let away = Reply { withheld: 1, hangs_up: true, ..Reply::json("") };
    shop.change(|cluster| cluster.reply(HPAS, away));
    assert!(untimed(&watch.complained()).ends_with("; trying again"));
    watch.is_silent();
    shop.change(|cluster| cluster.with_hpas(&[web()]));
    assert_eq!(untimed(&watch.complained()), "answers again");
    // Nothing has changed meanwhile.
    watch.is_silent();
    shop.use_cpu("100m");
    assert!(watch.told().contains("2 → 4"));
}

/// The controller of the shop syncs each second: no list is read more often.
#[test]
fn a_list_is_read_once_in_a_sync_period() {
    let shop = Shop::open();
    let begun = Instant::now();
    let watch = shop.follow(&LIST);
    watch.told();
    std::thread::sleep(Duration::from_secs(3));
    let lists = shop.server.requests().iter().filter(|request| request.path() == HPAS).count();
    let most = usize::try_from(begun.elapsed().as_secs()).expect("small") + 2;
    assert!((2..=most).contains(&lists), "{lists} lists in {:?}", begun.elapsed());
}

#[test]
fn a_cluster_that_goes_away_does_not_hide_the_others() {
    let (east, west) = (Shop::open(), Shop::open());
    let kubeconfig = kubeconfig_of(&[("east", &east.server.url()), ("west", &west.server.url())]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    command.args(LIST).args(["--context", "east", "--context", "west", "--kubeconfig"]).arg(&kubeconfig);
    let watch = Watching::start(command, kubeconfig);
    let begins =
        [watch.told(), watch.told()].map(|line| untimed(&line).split_once('/').expect("a name").0.to_owned());
    assert_eq!(begins, ["east  shop", "west  shop"]);
    east.change(|cluster| cluster.reply(HPAS, Reply::forbidden("not for you")));
    let complaint = watch.complained();
    assert!(
        untimed(&complaint).starts_with("context east: cannot list the HPAs: not for you"),
        "{complaint}"
    );
    west.use_cpu("100m");
    let line = watch.told();
    assert!(untimed(&line).starts_with("west  shop/web  2 → 4"), "{line}");
    // That of the other is not gone.
    watch.is_silent();
}

#[test]
fn a_first_look_that_fails_is_the_end() {
    let shop = Shop::open();
    shop.change(|cluster| cluster.reply(HPAS, Reply::forbidden("not for you")));
    let watch = shop.follow(&LIST);
    assert!(watch.complained().starts_with("error: cannot list the HPAs: not for you (403 from "));
    assert_eq!(watch.ended().code(), Some(1));
}

/// On a terminal of its own, of 100 columns.
#[test]
fn a_terminal_is_drawn_on_in_place() {
    let shop = Shop::open();
    let kubeconfig = kubeconfig_file(&shop.server.url());
    let shell = format!(
        "trap : INT; stty rows 20 cols 100; {} list -w --kubeconfig {}; echo \"ended with $?\"",
        env!("CARGO_BIN_EXE_kubectl-hpa"),
        kubeconfig.display()
    );
    let mut watch = Watching::on_a_terminal(&shell, kubeconfig);
    let first = watch.until("Context");
    assert!(first.starts_with("\u{1b}[?1049h") && first.contains("on target"), "{first:?}");
    shop.use_cpu("100m");
    watch.until("2 → 4");
    shop.change(|cluster| cluster.reply(HPAS, Reply::forbidden("not for you")));
    let trouble = watch.until("2 → 4");
    assert!(trouble.contains("not for you") && trouble.contains("; trying again"), "{trouble:?}");
    watch.keyboard.write_all(b"\x03").expect("Ctrl-C");
    let last = watch.until("ended with");
    assert!(last.contains("\u{1b}[?1049l") && last.contains("ended with 0"), "{last:?}");
}

/// Three rows: what is cut, and the total with the time at which it was read.
#[test]
fn a_low_terminal_keeps_the_time_and_the_total() {
    let shop = Shop::open();
    shop.change(with_cart);
    let kubeconfig = kubeconfig_file(&shop.server.url());
    let shell = format!(
        "trap : INT; stty rows 3 cols 100; {} list -w --color never --kubeconfig {}; echo \"ended with $?\"",
        env!("CARGO_BIN_EXE_kubectl-hpa"),
        kubeconfig.display()
    );
    let mut watch = Watching::on_a_terminal(&shell, kubeconfig);
    let first = watch.until("switched off");
    assert!(first.contains("; read 2026-11-21 10:42:0"), "{first:?}");
    assert!(first.contains("more lines: the terminal is too small)"), "{first:?}");
    assert!(first.contains("Total  2 HPAs: 1 idle and 1"), "{first:?}");
    watch.keyboard.write_all(b"\x03").expect("Ctrl-C");
    watch.until("ended with");
}

#[test]
fn what_cannot_be_watched_is_said_in_one_line() {
    for (args, words) in [
        (&["-o", "json"][..], "--watch never ends: use -o text, wide or jsonl"),
        (&["-o", "csv"], "--watch never ends"),
        (&["-f", "x"], "cannot be used with"),
        (&["--example"], "cannot be used with"),
        (&["--fail-on", "broken"], "cannot be used with"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        let output = command.args(LIST).args(args).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(words), "{args:?}: {said}");
    }
}

const EVERYWHERE: &str = "/apis/autoscaling/v2/horizontalpodautoscalers";

/// `web` and `cart` with so many replicas; `web` was scaled by its HPA.
fn two(cluster: Cluster, of_web: i32, of_cart: i32) -> Cluster {
    let mut hpas = [web(), hpa("cart", "apps/v1", "Deployment", "cart", json!([]))];
    if of_web != 2 {
        hpas[0]["status"] = rescale_status((2, of_web), "2026-11-21T10:41:58Z");
    }
    let sized = |selector: &str, replicas: i32| {
        let mut scale = scale(selector);
        (scale["spec"]["replicas"], scale["status"]["replicas"]) = (json!(replicas), json!(replicas));
        scale
    };
    cluster
        .with_hpas(&hpas)
        .with(EVERYWHERE, list("HorizontalPodAutoscalerList", json!(hpas)))
        .with(SCALE, sized("app=web", of_web))
        .with(&SCALE.replace("/web/", "/cart/"), sized("app=cart", of_cart))
}

/// The log of a load test over several HPAs: each change once, with the HPA, who made it and why.
#[test]
fn changes_of_several_hpas_are_one_log() {
    for args in [&["web", "cart"][..], &["--all"], &["-A", "-o", "jsonl"]] {
        let shop = Shop::open();
        shop.use_cpu("100m");
        shop.change(|cluster| two(cluster, 2, 0));
        let watch = shop.follow(&[&["explain", "--watch", "--changes"], args].concat());
        // Each look reads it for its own HPA and for the other.
        looks(&shop, SCALE, 6);
        // A look that read some of it before and some of it after would see another decision.
        shop.change_between_looks(|cluster| two(cluster, 4, 0).with(POD_METRICS, used("50m")));
        let decided = watch.told();
        shop.change(|cluster| two(cluster, 4, 3));
        let foreign = watch.told();
        watch.is_silent();
        if args.contains(&"jsonl") {
            let lines = [decided, foreign].map(|line| serde_json::from_str::<Value>(&line).expect("JSON"));
            let schema = include_str!("../../src/render/schema/replica-change.schema.json");
            let schema =
                jsonschema::draft202012::new(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
            let told = |line: &Value| {
                assert!(schema.is_valid(line), "{line}");
                let subject = &line["subject"];
                json!([
                    subject["context"],
                    subject["name"],
                    line["from"],
                    line["to"],
                    line["by"],
                    line["code"]
                ])
            };
            assert_eq!(told(&lines[0]), json!(["test", "web", 2, 4, "decision", "utilization-above-target"]));
            assert_eq!(told(&lines[1]), json!(["test", "cart", 0, 3, "unknown", null]));
        } else {
            let begins = "2026-11-21T10:41:58Z  shop/web  2 → 4  cpu 100%, target 50%; ";
            assert!(decided.starts_with(begins), "{decided}");
            let begins = "shop/cart  0 → 3  not known by whom: no event";
            assert!(untimed(&foreign).starts_with(begins), "{foreign}");
        }
        let away = Reply { withheld: 1, hangs_up: true, ..Reply::json("") };
        shop.change(|cluster| {
            cluster.reply(HPAS, away.clone()).reply(EVERYWHERE, away.clone()).reply(HPA, away)
        });
        assert!(untimed(&watch.complained()).ends_with("; trying again"));
        shop.change(|cluster| two(cluster, 4, 3));
        while untimed(&watch.complained()) != "answers again" {}
        // What was seen before the outage is not told again.
        watch.is_silent();
        assert_eq!(watch.interrupt().code(), Some(0));
    }
}
