//! Every type of the vocabulary against a table of what the real Go libraries answered
//! (`tests/vocabulary/regenerate.sh` writes it anew).
#![expect(clippy::expect_used, reason = "a table that cannot be read must fail the test")]
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use kubectl_hpa_core::model::duration::Duration;
use kubectl_hpa_core::model::group_version::GroupVersion;
use kubectl_hpa_core::model::instant::Instant;
use kubectl_hpa_core::model::label_selector::LabelSelector;
use kubectl_hpa_core::model::labels::Labels;
use kubectl_hpa_core::model::quantity::{Format, Quantity};
use kubectl_hpa_core::model::selector::Selector;
use serde_json::{Value, json};

const TABLE: &[u8] = include_bytes!("../vocabulary/table.jsonl.gz");

/// Compares all rows of a kind: `answer` gives our row for the cells of theirs.
fn check(kind: &str, at_least: usize, answer: impl Fn(&[Value]) -> Value) {
    let rows = rows(kind);
    assert!(rows.len() >= at_least, "only {} rows of {kind}", rows.len());
    let wrong: Vec<String> = rows
        .iter()
        .map(|cells| (answer(cells), cells))
        .filter(|(ours, theirs)| ours.as_array() != Some(theirs))
        .map(|(ours, theirs)| format!("theirs {}\n  ours {ours}", Value::from(theirs.clone())))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        rows.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

fn rows(kind: &str) -> Vec<Vec<Value>> {
    let lines = BufReader::new(GzDecoder::new(TABLE)).lines();
    let rows = lines.map(|line| serde_json::from_str::<Vec<Value>>(&line.expect("a line")).expect("a row"));
    rows.filter(|row| row[0] == kind).map(|row| row[1..].to_vec()).collect()
}

fn text(cell: &Value) -> &str {
    cell.as_str().expect("a text")
}

fn number(cell: &Value) -> i64 {
    cell.as_i64().expect("a number")
}

fn bits(quantity: &Quantity) -> String {
    let value = quantity.as_approximate_f64();
    // What a not-a-number is made of depends on the processor.
    if value.is_nan() { "NaN".into() } else { format!("{:x}", value.to_bits()) }
}

#[test]
fn quantities_parse_print_and_convert() {
    check("quantity", 5_000, |row| match Quantity::parse(text(&row[0])) {
        Err(error) => json!([row[0], error.to_string()]),
        Ok(quantity) => {
            let read: Quantity = serde_json::from_value(row[0].clone()).expect("a quantity");
            let format = format!("{:?}", quantity.format());
            json!([row[0], "", quantity.milli_value(), read, bits(&quantity), format])
        }
    });
}

#[test]
fn quantities_compare_by_value() {
    check("compare", 2_000, |row| {
        let [left, right] = [&row[0], &row[1]].map(|cell| Quantity::parse(text(cell)).expect("a quantity"));
        assert_eq!(left == right, left.cmp(&right).is_eq());
        json!([row[0], row[1], left.cmp(&right) as i8])
    });
}

#[test]
fn milli_quantities_print() {
    check("milli", 500, |row| {
        let format = if row[1] == "BinarySI" { Format::BinarySI } else { Format::DecimalSI };
        let quantity = Quantity::from_milli(number(&row[0]), format);
        json!([row[0], row[1], quantity.to_string(), quantity.milli_value(), bits(&quantity)])
    });
}

#[test]
fn durations_parse_and_print() {
    check("duration", 1_000, |row| match Duration::parse(text(&row[0])) {
        Err(error) => json!([row[0], error.to_string()]),
        Ok(duration) => json!([row[0], "", duration.nanoseconds(), duration]),
    });
}

#[test]
fn times_parse_and_print() {
    check("time", 1_000, |row| match Instant::parse(text(&row[0])) {
        Err(error) => json!([row[0], error.to_string()]),
        Ok(instant) => {
            let seconds =
                i64::try_from(instant.unix_nanoseconds().div_euclid(1_000_000_000)).expect("64 bits");
            let nanoseconds =
                i64::try_from(instant.unix_nanoseconds().rem_euclid(1_000_000_000)).expect("64 bits");
            let json = serde_json::to_string(&instant).expect("JSON");
            json!([row[0], "", seconds, nanoseconds, json, instant.to_rfc3339_nano()])
        }
    });
}

#[test]
fn times_shift_and_compare() {
    check("shift", 800, |row| {
        let instant = Instant::parse(text(&row[0])).expect("a time");
        let other = Instant::parse(text(&row[3])).expect("a time");
        let shifted = instant + Duration::from_nanoseconds(number(&row[1]));
        let since = instant.since(other).nanoseconds();
        json!([row[0], row[1], shifted.to_rfc3339_nano(), row[3], since, instant.cmp(&other) as i8])
    });
}

fn pods() -> Vec<Labels> {
    let row = rows("pods").pop().expect("the pods");
    serde_json::from_value(row[0].clone()).expect("labels")
}

fn matches(selector: &Selector, pods: &[Labels]) -> String {
    pods.iter().map(|pod| if selector.matches(pod) { '1' } else { '0' }).collect()
}

#[test]
fn selectors_parse_print_and_match() {
    let pods = pods();
    check("selector", 2_000, |row| match Selector::parse(text(&row[0])) {
        Err(error) => json!([row[0], error.to_string()]),
        Ok(selector) => {
            json!([row[0], "", selector.to_string(), matches(&selector, &pods), selector.is_everything()])
        }
    });
}

#[test]
fn label_selectors_convert_and_print() {
    let pods = pods();
    check("labelSelector", 800, |row| {
        let parsed: Option<LabelSelector> = serde_json::from_str(text(&row[0])).expect("a label selector");
        let printed = parsed.as_ref().map_or("nil".into(), LabelSelector::go_string);
        let json = go_json(&parsed);
        let selector = parsed.as_ref().map_or(Ok(Selector::nothing()), LabelSelector::to_selector);
        match selector {
            Err(error) => json!([row[0], error.to_string(), printed, json]),
            Ok(selector) => {
                json!([row[0], "", printed, json, selector.to_string(), matches(&selector, &pods)])
            }
        }
    });
}

/// Go's JSON escapes some letters that need no escape.
fn go_json(value: &impl serde::Serialize) -> String {
    let escapes =
        BTreeMap::from([('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\u{2028}', "\\u2028")]);
    let json = serde_json::to_string(value).expect("JSON");
    json.chars().map(|letter| escapes.get(&letter).map_or(letter.to_string(), ToString::to_string)).collect()
}

#[test]
fn group_versions_parse_and_print() {
    check("groupVersion", 100, |row| match GroupVersion::parse(text(&row[0])) {
        Err(error) => json!([row[0], error.to_string(), "", "", ""]),
        Ok(parsed) => json!([row[0], "", parsed.group, parsed.version, parsed.to_string()]),
    });
}
