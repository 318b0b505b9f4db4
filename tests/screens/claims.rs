//! The sentences of Why are claims: what is printed is what the JSON gives with code and values, and each code is on the page
//! of claims (`tests/claims.md`).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::causes::drawn;
use crate::screens::{Screen, all, at};
use serde_json::Value;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file")
}

fn codes_of_the_schema() -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(&read("src/render/schema/decision.schema.json")).expect("JSON");
    let codes = schema["properties"]["claims"]["items"]["properties"]["code"]["enum"].as_array();
    codes.expect("codes").iter().map(|code| code.as_str().expect("a code").to_owned()).collect()
}

#[test]
fn each_claim_is_on_its_page() {
    let page = read("tests/claims.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let codes: Vec<String> = rows.map(|(code, _)| code.to_owned()).collect();
    let each: BTreeSet<String> = codes.iter().cloned().collect();
    assert_eq!(codes.len(), each.len(), "a code is there twice");
    assert_eq!(each, codes_of_the_schema());
}

/// The section of a screen, its lines joined; a line feed of an error is printed as `\\n`.
fn section(screen: &str, title: &str) -> String {
    let lines = screen.lines().skip_while(|line| *line != title).skip(1);
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    words(&lines.join(" ").replace("\\n", " "))
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_sentence_of_why_is_a_claim() {
    let mut reached = BTreeSet::new();
    let mut sentences = 0;
    for Screen { name, explanation } in drawn().chain(all()) {
        let json = serde_json::to_value(kubectl_hpa::render::decision_view(&explanation)).expect("JSON");
        let claims = json["claims"].as_array().expect("claims");
        let text = |claim: &Value| claim["text"].as_str().expect("a text").to_owned();
        let told = claims.iter().map(text).collect::<Vec<_>>().join(" ");
        let mut screen = Vec::new();
        kubectl_hpa::render::text(&mut screen, &explanation, &at(120)).expect("written");
        let screen = String::from_utf8(screen).expect("UTF-8");
        let title = if screen.contains("\nNot recomputed\n") { "Not recomputed" } else { "Why" };
        // What a terminal would obey is printed in another way; that has a test of its own.
        let plain = told.split(|it: char| it.is_control() && it != '\n').next().unwrap_or_default();
        let shown = section(&screen, title);
        let is_whole = plain.len() == told.len() && shown == words(&told);
        assert!(is_whole || plain.len() < told.len() && shown.starts_with(&words(plain)), "{name}: {told}");
        reached.extend(claims.iter().map(|claim| claim["code"].as_str().expect("a code").to_owned()));
        sentences += claims.len();
    }
    let unknown: Vec<&String> =
        reached.iter().filter(|code| !codes_of_the_schema().contains(*code)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(sentences > 2_000 && reached.len() >= 55, "{sentences} sentences, {} codes", reached.len());
}
