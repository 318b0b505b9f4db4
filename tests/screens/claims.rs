//! The sentences of Why are claims: what is printed is what the JSON gives with code and values, and each code is on the page
//! of claims (`tests/claims.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::causes::{drawn, made};
use crate::screens::{Screen, all, at, patched};
use kubectl_hpa::render::{Detail, Options};
use serde_json::Value;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file")
}

const WHY: &str = "/properties/claims/items/properties/code/enum";
const THEN: &str = "/properties/outcome/properties/claims/properties/then/properties/kind/enum";
const NOTES: &str = "/properties/notes/items/properties/code/enum";
const BASIS: &str = "/properties/basis/items/properties/code/enum";
const OUTLOOK: &str = "/properties/outlook/properties/claims/items/properties/code/enum";
const CHECK: &str = "/properties/selfCheck/properties/code/enum";
const GUESSED: &str = "/properties/selfCheck/properties/because/properties/code/enum";
const RESCALES: &str = "/properties/rescales/items/properties/code/enum";
const ADVICE: &str = "/properties/advice/items/properties/code/enum";
const CAUSES: &str = "/properties/causes/items/properties/kind/enum";
const LISTED: &str = "/$defs/inShort/enum";
const BECAUSE: &str = "/properties/outcome/properties/claims/properties/because/items/properties/code/enum";

fn codes_of_the_schema(pointer: &str) -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(&read("src/render/schema/decision.schema.json")).expect("JSON");
    let codes = schema.pointer(pointer).and_then(Value::as_array).expect("codes");
    codes.iter().map(|code| code.as_str().expect("a code").to_owned()).collect()
}

/// The codes of the page's tables, by the first column's title.
fn codes_of_the_page() -> BTreeMap<String, Vec<String>> {
    let page = read("tests/claims.md");
    let (mut title, mut codes) = (String::new(), BTreeMap::<String, Vec<String>>::new());
    for line in page.lines().filter_map(|line| line.strip_prefix("| ")) {
        match line.strip_prefix('`').and_then(|line| line.split_once("` | ")) {
            Some((code, rest)) if rest != "what holds |" => {
                let each = code.split("`, `").map(str::to_owned);
                codes.entry(title.clone()).or_default().extend(each);
            }
            _ => line.split(" | ").next().unwrap_or_default().clone_into(&mut title),
        }
    }
    codes
}

#[test]
fn each_claim_is_on_its_page() {
    let page = codes_of_the_page();
    for (title, pointer) in [
        ("code", WHY),
        ("`then`", THEN),
        ("code of `because`", BECAUSE),
        ("code of `notes`", NOTES),
        ("code of `basis`", BASIS),
        ("code of `outlook`", OUTLOOK),
        ("code of `selfCheck`", CHECK),
        ("code of `selfCheck.because`", GUESSED),
        ("code of `rescales`", RESCALES),
        ("code of `advice`", ADVICE),
        ("kind of `causes`", CAUSES),
        ("code of `listed`", LISTED),
    ] {
        let each: BTreeSet<String> = page[title].iter().cloned().collect();
        assert_eq!(page[title].len(), each.len(), "a code is there twice");
        assert_eq!(each, codes_of_the_schema(pointer));
    }
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
    let of_schema = codes_of_the_schema(WHY);
    let unknown: Vec<&String> = reached.difference(&of_schema).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(sentences > 2_000 && reached.len() >= 55, "{sentences} sentences, {} codes", reached.len());
}

/// The section Advice of a screen so wide that no line of it is split.
fn advice(screen: &Screen) -> String {
    let text = screen.text(at(4_000));
    let lines = text.lines().skip_while(|line| !line.starts_with("Advice  "));
    let own = |(place, line): &(usize, &str)| *place == 0 || line.is_empty() || line.starts_with(' ');
    let lines = lines.enumerate().take_while(own).map(|(_, line)| line);
    words(&lines.collect::<Vec<_>>().join(" "))
}

/// What a piece of advice is on a screen.
fn on_screen(piece: &Value) -> String {
    let parts = ["text", "code", "command", "outcome"].map(|field| piece[field].as_str());
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_piece_of_advice_is_a_claim() {
    let mut reached = BTreeSet::new();
    let mut pieces = 0;
    for screen in drawn().chain(all()).chain(made()) {
        let json = screen.json();
        let told = json["advice"].as_array().expect("advice");
        let expected: Vec<String> = told.iter().map(on_screen).collect();
        let title = if told.is_empty() { "" } else { "Advice " };
        // What a terminal would obey is printed in another way; that has a test of its own.
        if expected.iter().any(|it| it.contains(char::is_control)) {
            continue;
        }
        assert_eq!(advice(&screen), words(&format!("{title}{}", expected.join(" "))), "{}", screen.name);
        for piece in told {
            let ends = piece["text"].as_str().expect("a text").ends_with(':');
            assert_eq!(ends, piece["command"].is_string(), "{}: {piece}", screen.name);
            assert_eq!(piece["when"].is_string(), piece["replicas"].is_object(), "{}: {piece}", screen.name);
            reached.insert(piece["code"].as_str().expect("a code").to_owned());
        }
        pieces += told.len();
    }
    let of_schema = codes_of_the_schema(ADVICE);
    assert!(reached.is_subset(&of_schema), "{:?}", reached.difference(&of_schema));
    assert!(
        pieces > 100 && reached.len() >= 20,
        "{pieces} pieces, without {:?}",
        of_schema.difference(&reached)
    );
}

/// The words of an answer are those of its claims.
#[test]
fn each_answer_is_a_claim() {
    let mut reached = BTreeSet::new();
    for Screen { name, explanation } in drawn().chain(all()) {
        let json = serde_json::to_value(kubectl_hpa::render::decision_view(&explanation)).expect("JSON");
        let outcome = &json["outcome"];
        let because = outcome["claims"]["because"].as_array().expect("claims");
        let mut rest = outcome["reason"].as_str().expect("a reason");
        for claim in because {
            let text = claim["text"].as_str().expect("a text");
            rest = rest
                .trim_start_matches([';', ',', ' '])
                .strip_prefix(text)
                .unwrap_or_else(|| panic!("{name}: {text} in {rest}"));
            reached.insert(claim["code"].as_str().expect("a code").to_owned());
        }
        assert!(["", "; not recomputed here"].contains(&rest), "{name}: {rest}");
        reached.insert(outcome["claims"]["then"]["kind"].as_str().expect("a kind").to_owned());
    }
    let known: BTreeSet<String> =
        codes_of_the_schema(THEN).union(&codes_of_the_schema(BECAUSE)).cloned().collect();
    assert!(reached.is_subset(&known), "{:?}", reached.difference(&known));
    // What only the controller meets, and half of the doubts, need a cluster's history.
    assert!(reached.len() >= 47, "{:?}", known.difference(&reached));
}

/// A section of a screen without its title, which may stand in the line of its words.
fn noted(screen: &str, title: &str) -> Option<String> {
    let mut lines = screen.lines().skip_while(|line| !line.starts_with(title));
    let first = lines.next()?.strip_prefix(title)?;
    Some(words(
        &[first].into_iter().chain(lines.take_while(|line| !line.is_empty())).collect::<Vec<_>>().join(" "),
    ))
}

/// The sections that are made of values: tables, and the arithmetic of the steps.
const TABLES: [&str; 10] = [
    "Blame",
    "Conditions",
    "Metrics",
    "Missing requests",
    "Pods",
    "Rates",
    "Shared pods",
    "Status",
    "Steps",
    "Window",
];

/// Those whose sentences have a test of their own.
const TOLD: [&str; 6] = ["Advice", "Not recomputed", "Rescales", "Self-check", "What would change it", "Why"];

/// Each section of a wide screen is made of values, or its words are those of a claim.
#[test]
fn no_section_has_words_without_a_claim() {
    let mut reached = BTreeSet::new();
    for screen in drawn().chain(all()).chain(made()) {
        let json = screen.json();
        let claims = |part: &str| json[part].as_array().expect("claims").clone();
        let mut told: Vec<String> = Vec::new();
        for (part, claim) in
            ["notes", "basis"].into_iter().flat_map(|part| claims(part).into_iter().map(move |it| (part, it)))
        {
            reached.extend(claim["code"].as_str().filter(|_| part == "basis").map(str::to_owned));
            let commands = claim["commands"].as_array().into_iter().flatten().filter_map(Value::as_str);
            told.extend([words(
                &[claim["text"].as_str().expect("a text")]
                    .into_iter()
                    .chain(commands)
                    .collect::<Vec<_>>()
                    .join(" "),
            )]);
        }
        if told.iter().any(|it| it.contains(char::is_control)) {
            continue;
        }
        let text = screen.text(Options { detail: Detail::Wide, ..at(4_000) });
        // The first section is the answer, whose words have a test of their own.
        for section in text.split("\n\n").skip(1).map(|it| it.trim_start_matches('\n')) {
            let (title, rest) = section.split_once("  ").unwrap_or((section, ""));
            let title = title.lines().next().unwrap_or_default();
            if !title.starts_with(' ') && !TABLES.contains(&title) && !TOLD.contains(&title) {
                let at = told.iter().position(|it| *it == words(rest));
                told.remove(at.unwrap_or_else(|| panic!("{}: {section}\n{told:?}", screen.name)));
            }
        }
        assert!(told.is_empty(), "{}: {told:?}", screen.name);
    }
    let unmet: Vec<String> = codes_of_the_schema(BASIS).difference(&reached).cloned().collect();
    assert!(unmet.len() <= 3, "{unmet:?}");
}

#[test]
fn what_would_change_it_and_the_self_check_are_claims() {
    let mut reached = BTreeSet::new();
    for Screen { name, explanation } in drawn().chain(all()) {
        let json = serde_json::to_value(kubectl_hpa::render::decision_view(&explanation)).expect("JSON");
        let mut screen = Vec::new();
        kubectl_hpa::render::text(&mut screen, &explanation, &at(4_000)).expect("written");
        let screen = String::from_utf8(screen).expect("UTF-8");
        let claims = json["outlook"]["claims"].as_array().expect("claims");
        let mut label = String::new();
        let of_claims = claims.iter().map(|claim| {
            let about = claim["bound"]["metric"].as_str().unwrap_or("time");
            let text = claim["text"].as_str().expect("a text");
            let is_same =
                std::mem::replace(&mut label, format!("{about} {}", claim["bound"]["index"])) == label;
            if is_same {
                text.to_owned()
            } else {
                format!("{about}{} {text}", if claims.len() == 1 { ":" } else { "" })
            }
        });
        let of_claims = words(&of_claims.collect::<Vec<_>>().join(" "));
        let plain = |text: &str| !text.contains(|it: char| it.is_control());
        let shown = noted(&screen, "What would change it").unwrap_or_default();
        assert!(shown == of_claims || !plain(&of_claims), "{name}: {shown}\n{of_claims}");
        let check = &json["selfCheck"];
        let of_claim = words(check["text"].as_str().unwrap_or_default());
        let shown = noted(&screen, "Self-check").unwrap_or_default();
        assert!(shown == of_claim || !plain(&of_claim), "{name}: {shown}\n{of_claim}");
        reached.extend(claims.iter().chain([check]).filter_map(|it| Some(it["code"].as_str()?.to_owned())));
    }
    let known = &codes_of_the_schema(OUTLOOK) | &codes_of_the_schema(CHECK);
    assert_eq!(reached, known);
}

/// What is said of a case, and a code that is not among its claims.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    name: String,
    base: String,
    patch: Value,
    says: Vec<String>,
    not: Option<String>,
}

#[test]
fn no_claim_is_false_again() {
    let kept: Vec<Kept> = serde_yaml::from_str(&read("tests/screens/true-claims.yaml")).expect("YAML");
    for Kept { name, base, patch, says, not } in kept {
        let json = Screen::of(&name, patched(&base, &patch)).json();
        let because = &json["outcome"]["claims"]["because"];
        let [claims, notes, basis, advice] = ["claims", "notes", "basis", "advice"].map(|part| &json[part]);
        let parts = [claims, notes, basis, because, advice, &json["outlook"]["claims"]];
        let claims = parts.into_iter().flat_map(|it| it.as_array().expect("claims"));
        let claims: Vec<&Value> = claims.chain(json.get("selfCheck")).collect();
        for text in says {
            let is_said = |claim: &&Value| claim["text"].as_str().expect("a text").contains(&text);
            assert!(claims.iter().any(is_said), "{name}: {text}: {claims:#?}");
        }
        assert!(
            not.is_none_or(|code| claims.iter().all(|claim| claim["code"] != *code)),
            "{name}: {claims:#?}"
        );
    }
}
