//! `record`, and what `history` and `explain --at` tell of it: the same as a watch told at the time.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kubectl_hpa_core::model::{Duration, Instant};
use serde_json::{Value, json};

use crate::cluster::{Cluster, EVENTS, HPA, HPAS, POD_METRICS, list};
use crate::run::run_on;
use crate::server::Reply;
use crate::watch::{Shop, looks, rescaled, rescaled_with_event, sized, untimed, used};

/// A file of this process that is not there yet.
fn file(name: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("kubectl-hpa-{}-{name}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&file);
    file
}

fn hpa(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kubectl-hpa")).args(args).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn path(file: &Path) -> &str {
    file.to_str().expect("UTF-8")
}

/// Two rescales by the controller, one of them unseen, and one by somebody.
fn record(file: &Path) {
    let shop = Shop::open();
    shop.use_cpu("100m");
    let recording = shop.follow(&["record", "web", "-o", path(file)]);
    looks(&shop, HPA, 2);
    shop.change_between_looks(|cluster| {
        rescaled(cluster.with(POD_METRICS, used("50m")), (2, 4), "2026-11-21T10:41:58Z")
    });
    looks(&shop, HPA, 12);
    shop.change(rescaled_with_event);
    looks(&shop, HPA, 12);
    shop.change(|cluster| sized(cluster, 1));
    looks(&shop, HPA, 12);
    assert_eq!(recording.interrupt().code(), Some(0));
}

/// A record whose name ends with .gz is packed, and says the same, also after a cut and a second recording.
#[test]
fn a_packed_record_tells_the_same() {
    let (file, packed) = (file("unpacked"), file("packed").with_extension("jsonl.gz"));
    let _ = std::fs::remove_file(&packed);
    record(&packed);
    let mut whole = String::new();
    let bytes = std::fs::read(&packed).expect("a record");
    let mut members = flate2::read::MultiGzDecoder::new(bytes.as_slice());
    std::io::Read::read_to_string(&mut members, &mut whole).expect("members");
    std::fs::write(&file, &whole).expect("a file");
    assert!(bytes.len() < whole.len(), "{} of {}", bytes.len(), whole.len());
    let told = |file: &Path| text(&hpa(&["history", "-f", path(file)]).stdout);
    assert_eq!(told(&packed), told(&file));
    assert!(told(&packed).contains("Total  3 changes of 1 HPA"), "{}", told(&packed));

    // It goes on after the last whole member.
    std::fs::write(&packed, &bytes[..bytes.len() - 1]).expect("a cut");
    let shop = Shop::open();
    let again = shop.follow(&["record", "web", "-o", path(&packed), "--for", "1s"]);
    looks(&shop, HPA, 1);
    assert!(again.complained().starts_with("recorded "));
    assert_eq!(again.ended().code(), Some(0));
    assert!(told(&packed).contains("Total  4 changes of 1 HPA"), "{}", told(&packed));

    // What is no record is left alone.
    std::fs::write(&packed, &whole).expect("a file");
    let other = shop.follow(&["record", "web", "-o", path(&packed)]);
    let words = format!("error: cannot record to {}: it is there and is not a record", path(&packed));
    assert_eq!(other.complained(), words);
    assert_eq!(std::fs::read_to_string(&packed).expect("a file"), whole);
    let error = text(&hpa(&["history", "-f", path(&packed)]).stderr);
    assert_eq!(error, format!("error: {}: invalid gzip header\n", path(&packed)));
    for file in [file, packed] {
        let _ = std::fs::remove_file(file);
    }
}

fn last_look(file: &Path) -> Value {
    let record = std::fs::read_to_string(file).expect("a record");
    serde_json::from_str(record.lines().last().expect("a look")).expect("JSON")
}

#[test]
fn a_record_tells_what_a_watch_would_have_told() {
    let file = file("told");
    record(&file);
    assert_eq!(std::fs::metadata(&file).expect("a record").permissions().mode() & 0o777, 0o600);
    let told = hpa(&["history", "-f", path(&file)]);
    let lines = text(&told.stdout);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!((told.status.code(), text(&told.stderr).as_str()), (Some(0), ""));
    let [decided, unseen, foreign, "", total] = lines.as_slice() else { panic!("{lines:#?}") };
    let begins = "2026-11-21T10:41:58Z  shop/web  2 → 4  cpu 100%, target 50%; bounds 1–10  ";
    assert!(decided.starts_with(begins) && decided.ends_with("utilization-above-target"), "{decided}");
    assert_eq!(*unseen, "2026-11-21T10:41:59Z  shop/web  4 → 7  by the HPA: a metric was above its target");
    assert!(
        foreign.contains("shop/web  7 → 1  not known by whom: no event, status or managed field"),
        "{foreign}"
    );
    assert!(total.starts_with("Total  3 changes of 1 HPA from 2026-11-21T10:42:"), "{total}");

    // As data, and of one HPA; of another there is nothing.
    let told = hpa(&["history", "shop/web", "-f", path(&file), "-o", "jsonl"]);
    let lines = text(&told.stdout);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let told: Vec<_> = lines.iter().map(|line| (&line["from"], &line["to"], &line["by"])).collect();
    let expected = [(2, 4, "decision"), (4, 7, "hpa"), (7, 1, "unknown")];
    let expected = expected.map(|(from, to, by)| (json!(from), json!(to), json!(by)));
    assert_eq!(told, expected.iter().map(|(from, to, by)| (from, to, by)).collect::<Vec<_>>());
    let told = text(&hpa(&["history", "-f", path(&file), "-o", "csv"]).stdout);
    let rows: Vec<Vec<&str>> = told.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(told.lines().next(), Some("at,after,namespace,name,from,to,by,who,code,reason,source,count"));
    let cells = rows[1..].iter().zip(&lines).all(|(row, line)| {
        let cell = |name: &str| line[name].as_str().map_or_else(|| line[name].to_string(), ToOwned::to_owned);
        row[0] == cell("at") && row[4] == cell("from") && row[5] == cell("to") && row[6] == cell("by")
    });
    assert!(cells && rows.len() == 4, "{told} {lines:?}");
    let other = hpa(&["history", "api", "-f", path(&file)]);
    assert_eq!(
        (other.status.code(), text(&other.stderr).as_str()),
        (Some(1), "error: the record has no look at api\n")
    );

    // What was decided at the first look, and at the last one.
    let record = std::fs::read_to_string(&file).expect("a record");
    let first: Value = serde_json::from_str(record.lines().nth(1).expect("a look")).expect("JSON");
    let explained = |at: &str| -> Value {
        let told = hpa(&["explain", "-f", path(&file), "--at", at, "-o", "json"]);
        serde_json::from_slice(&told.stdout).unwrap_or_else(|_| panic!("{at}: {}", text(&told.stderr)))
    };
    let last = last_look(&file);
    let (first, last) = (first["ended"].as_str().expect("a time"), last["ended"].as_str().expect("a time"));
    let (begin, end) = (explained(first), explained(last));
    assert_eq!((&begin["currentReplicas"], &begin["desiredReplicas"]), (&json!(2), &json!(4)));
    assert_eq!(end["currentReplicas"], 1);
    // A time of the clock is the last such time.
    let second = &last["2026-11-21T".len()..last.find('.').expect("a fraction")];
    assert_eq!(explained(second), explained(&format!("2026-11-21T{second}Z")));
    let late = hpa(&["explain", "-f", path(&file), "--at", "2026-11-22T00:00:00Z"]);
    let words = text(&late.stderr);
    assert!(words.starts_with("error: --at: the record goes from 2026-11-21T10:42:0"), "{words}");
    let _ = std::fs::remove_file(file);
}

/// Each change is among those of its own time, and nothing is that was more than a minute before or after.
#[test]
fn a_time_shows_the_changes_around_it() {
    let hour = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simulate/hour.jsonl.gz");
    let changes = |more: &[&str]| -> Vec<Value> {
        let told = hpa(&[&["history", "-f", path(&hour), "-o", "jsonl"], more].concat());
        assert_eq!(told.status.code(), Some(0), "{}", text(&told.stderr));
        text(&told.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let all = changes(&[]);
    let time = |change: &Value, field: &str| Instant::parse(change[field].as_str()?).ok();
    let minute = Duration::from_seconds(60);
    assert!(all.len() > 10);
    for change in &all {
        let at = time(change, "at").expect("a time");
        let around = changes(&["--at", &at.to_rfc3339_nano()]);
        let is_near = |it: &&Value| {
            let end = time(it, "at").expect("a time");
            end + minute >= at && time(it, "after").unwrap_or(end) <= at + minute
        };
        assert!(around.contains(change) && around.iter().eq(all.iter().filter(is_near)), "{at}: {around:?}");
    }
    let late = hpa(&["history", "-f", path(&hour), "--at", "2026-11-22T00:00:00Z"]);
    let words = "error: --at: what is known goes from 2026-11-21T10:00:0";
    assert!(text(&late.stderr).starts_with(words), "{}", text(&late.stderr));
}

#[test]
fn a_record_that_was_cut_off_is_read_and_continued() {
    let file = file("cut");
    record(&file);
    let whole = std::fs::read(&file).expect("a record");
    std::fs::write(&file, &whole[..whole.len() - 20]).expect("a cut");
    let told = hpa(&["history", "-f", path(&file)]);
    let note = format!("note: {}: the last line was cut off, and is left out\n", path(&file));
    assert_eq!((told.status.code(), text(&told.stderr)), (Some(0), note));
    assert!(text(&told.stdout).contains("Total  3 changes of 1 HPA"), "{}", text(&told.stdout));

    // It goes on after the last whole line, and ends by itself.
    let shop = Shop::open();
    let again = shop.follow(&["record", "web", "-o", path(&file), "--for", "1s"]);
    // Nobody else may write to it.
    looks(&shop, HPA, 1);
    let other = shop.follow(&["record", "web", "-o", path(&file)]);
    let words = format!("error: cannot record to {}: another process is writing to it", path(&file));
    assert_eq!(other.complained(), words);
    assert!(again.complained().starts_with("recorded "));
    assert_eq!(again.ended().code(), Some(0));
    let told = hpa(&["history", "-f", path(&file)]);
    assert_eq!((told.status.code(), text(&told.stderr).as_str()), (Some(0), ""));
    let lines = text(&told.stdout);
    // From 1 replica to 2, and nobody knows by whom.
    assert!(lines.contains("1 → 2") && lines.contains("Total  4 changes of 1 HPA"), "{lines}");

    // What is no record is left alone.
    std::fs::write(&file, "kind: Case\n").expect("a file");
    let other = shop.follow(&["record", "web", "-o", path(&file)]);
    assert_eq!(
        other.complained(),
        format!("error: cannot record to {}: it is there and is not a record", path(&file))
    );
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "kind: Case\n");
    let told = hpa(&["history", "-f", path(&file)]);
    let words = "is a Case without an apiVersion, not a Case of kubectl-hpa/v1\n";
    assert!(text(&told.stderr).starts_with(&format!("error: {} {words}", path(&file))));
    let _ = std::fs::remove_file(file);
}

#[test]
fn what_is_not_seen_is_said() {
    let file = file("gaps");
    let shop = Shop::open();
    let recording = shop.follow(&["record", "-n", "shop", "-o", path(&file)]);
    looks(&shop, HPAS, 3);
    // Nobody answers for longer than a sync period.
    let away = Reply { withheld: 1, hangs_up: true, ..Reply::json("") };
    shop.change(|cluster| cluster.reply(HPAS, away));
    assert!(untimed(&recording.complained()).ends_with("; trying again"));
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    shop.change(|cluster| cluster.with_hpas(&[crate::watch::web()]));
    assert_eq!(untimed(&recording.complained()), "answers again");
    looks(&shop, HPAS, 2);
    // And then it is gone.
    shop.change(|cluster| cluster.with(HPAS, list("HorizontalPodAutoscalerList", json!([]))));
    assert_eq!(untimed(&recording.complained()), "HPA shop/web is gone");
    looks(&shop, HPAS, 3);
    assert_eq!(recording.interrupt().code(), Some(0));
    let record = std::fs::read_to_string(&file).expect("a record");
    assert!(record.contains(r#""unread":true"#) && record.contains(r#""gone":true"#), "{record}");
    let told = text(&hpa(&["history", "-f", path(&file)]).stdout);
    assert!(told.contains("\nNot seen  shop/web 2026-11-21T10:42:"), "{told}");
    let gone =
        hpa(&["explain", "-f", path(&file), "--at", last_look(&file)["ended"].as_str().expect("a time")]);
    assert_eq!(text(&gone.stderr), "error: the record has no HPA at that time\n");
    let _ = std::fs::remove_file(file);
}

/// Without a record the events of the cluster tell, and the controller's log beside them.
#[test]
fn events_and_the_log_tell_without_a_record() {
    let event = json!({"metadata": {"name": "web.1", "namespace": "shop"}, "reason": "SuccessfulRescale", "type": "Normal", "count": 1,
        "message": "New size: 7; reason: All metrics below target",
        "involvedObject": {"kind": "HorizontalPodAutoscaler", "name": "web", "namespace": "shop"},
        "firstTimestamp": "2026-11-21T10:31:00Z", "lastTimestamp": "2026-11-21T10:31:00Z",
        "source": {"component": "horizontal-pod-autoscaler"}});
    let server = Cluster::shop().with(EVENTS, list("EventList", json!([event]))).serve();
    let told = run_on(&server, &["history", "web"]);
    assert_eq!(told.err, "");
    let line = "2026-11-21T10:31:00Z  shop/web  ? → 7  by the HPA: All metrics below target  event\n";
    assert!(told.out.starts_with(line) && told.out.contains("Total  1 change of 1 HPA\n"), "{}", told.out);

    let refused = text(&hpa(&["history", "web", "--tolerance", "0.2"]).stderr);
    let words = "history decides only on a record: give -f, or leave out the settings of the controller";
    assert!(refused.contains(words), "{refused}");

    let log = file("log");
    let line = "2026-11-21T10:31:00.7Z I1121 10:31:00.699999 1 horizontal.go:881] \"Successfully rescaled\" HPA=\"shop/web\" \
                currentReplicas=9 desiredReplicas=7 reason=\"All metrics below target\"\n";
    std::fs::write(&log, line).expect("a file");
    let told = run_on(&server, &["history", "--controller-log", path(&log), "-o", "csv"]);
    let row = "2026-11-21T10:31:00.7Z,,shop,web,9,7,hpa,,,by the HPA: All metrics below target,log,1\n";
    assert!(told.out.ends_with(row) && told.out.lines().count() == 2, "{} {}", told.out, told.err);
    std::fs::remove_file(log).expect("to remove the file");
}
