//! The committed vectors of the real controllers, rendered: nothing panics, every line fits, every comparison is true as
//! it is printed, the chain law holds, and every code is reached by a vector or a recorded screen.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::screens;
use flate2::read::GzDecoder;
use kubectl_hpa::render::{self, Options};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::ToleranceTest;
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::trace::Code;
use serde_json::Value;

/// Of the sequences every third is rendered, which reaches every code.
const EVERY: usize = 3;

/// The widths of terminals, taken in turn.
const WIDTHS: [usize; 6] = [20, 40, 60, 80, 120, 240];

fn lines(vectors: &str) -> impl Iterator<Item = String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/vectors").join(vectors);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    BufReader::new(GzDecoder::new(file)).lines().map(|line| line.expect("vectors are readable"))
}

/// Renders one case in every form; gives its codes.
fn render(case: Value, schema: Option<&jsonschema::Validator>, width: usize) -> Vec<Code> {
    let shown = case.to_string();
    let case: Case = serde_json::from_value(case).expect("a case");
    let explanation = Explanation::of(case).expect("an explanation");
    explanation.blame();
    let (decision, rules) = (explanation.decision(), explanation.rules());
    let mut out = Vec::new();
    render::text(&mut out, &explanation, &Options { width, ..Options::default() }).expect("a vector");
    let text = String::from_utf8(out).expect("UTF-8");
    assert!(text.lines().all(|line| line.chars().count() <= width), "{width}: {text}\n{shown}");
    let comparisons =
        text.lines().filter_map(|line| line.split_once(" is within ").or(line.split_once(", outside ")));
    // Up to 1.32 a ratio at the very end of the tolerance may count as outside of it, by a rounding that is not shown.
    let is_shown = width >= 200 && rules.tolerance_test == ToleranceTest::Band;
    for (before, band) in comparisons.filter(|_| is_shown) {
        assert!(
            is_true(before, band, text.contains(&format!("{before}, outside"))),
            "{before} {band}\n{shown}"
        );
    }
    if let Some(schema) = schema {
        let view = serde_json::to_value(render::decision_view(&explanation)).expect("a view");
        let problems: Vec<String> =
            schema.iter_errors(&view).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(problems.is_empty(), "{problems:#?}\n{shown}");
    }
    decision.codes()
}

/// Whether a ratio and a tolerance, as they are printed, stand to each other as it is said.
fn is_true(before: &str, band: &str, is_outside: bool) -> bool {
    let number = |text: &str| text.trim_end_matches(',').parse::<f64>();
    let ratio = before.split_whitespace().last().map(number);
    let ends = band.split_whitespace().next().and_then(|band| band.split_once('–'));
    let (Some(Ok(ratio)), Some((Ok(low), Ok(high)))) =
        (ratio, ends.map(|(low, high)| (number(low), number(high))))
    else {
        return true;
    };
    (low <= ratio && ratio <= high) != is_outside
}

#[test]
fn vectors_have_screens_and_views() {
    let schema = include_str!("../../src/render/schema/decision.schema.json");
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let mut reached = BTreeSet::new();
    for vectors in ["v1.37.jsonl.gz", "v1.36.jsonl.gz", "v1.29.jsonl.gz", "v1.23.jsonl.gz"] {
        for (number, line) in lines(vectors).enumerate().step_by(EVERY) {
            let sequence: Value = serde_json::from_str(&line).expect("a sequence");
            for (index, step) in sequence["steps"].as_array().expect("steps").iter().enumerate() {
                let checked = (number % (25 * EVERY) == 0 && index < 4).then_some(&schema);
                let width = WIDTHS[(number / EVERY + index) % WIDTHS.len()];
                reached.extend(render(step["case"].clone(), checked, width));
            }
        }
    }
    let printed: String = screens::all().iter().map(|screen| screen.json()["steps"].to_string()).collect();
    let is_printed = |code: &Code| printed.contains(&format!("\"code\":\"{code}\""));
    let missing: Vec<&Code> =
        Code::ALL.iter().filter(|code| !reached.contains(code) && !is_printed(code)).collect();
    assert!(missing.is_empty(), "no vector and no screen reaches {missing:?}");
}
