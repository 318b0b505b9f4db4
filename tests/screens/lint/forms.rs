//! The forms of the output. `sarif-schema-2.1.0.json.gz` is the schema of OASIS (`Schemata/sarif-schema-2.1.0.json` of
//! <https://github.com/oasis-tcs/sarif-spec>), as the crate serde-sarif 0.8.0 ships it.

use std::fs;
use std::io::Read;

use flate2::read::GzDecoder;
use kubectl_hpa_core::lint::Rule;
use serde_json::Value;

use super::input::lint;
use crate::root::root;

const SARIF: &[u8] = include_bytes!("sarif-schema-2.1.0.json.gz");

/// Every example, the good ones too, and a file that is not there.
fn everything(form: &str) -> String {
    let (code, out, _) = lint(&["-f", "tests/lint", "-f", "no-such-file", "-o", form], "");
    assert_eq!(code, Some(1));
    out
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[track_caller]
fn keeps_to(schema: &Value, value: &Value) {
    let schema = jsonschema::validator_for(schema).expect("a schema");
    let problems: Vec<String> =
        schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn the_json_keeps_to_its_schema() {
    let schema = json(include_str!("../../../src/render/schema/lint.schema.json"));
    let mut view = json(&everything("json"));
    keeps_to(&schema, &view);
    for rule in Rule::ALL {
        let findings = view["findings"].as_array().expect("findings");
        assert!(findings.iter().any(|it| it["rule"] == rule.as_str()), "{rule}");
    }
    assert_eq!(view["errors"].as_array().map(Vec::len), Some(1));
    view["findings"][0]["severity"] = "fatal".into();
    assert!(!jsonschema::validator_for(&schema).expect("a schema").is_valid(&view));
}

#[test]
fn the_schema_knows_every_rule() {
    let schema = json(include_str!("../../../src/render/schema/lint.schema.json"));
    let known: Vec<&str> = schema["$defs"]["finding"]["properties"]["rule"]["enum"]
        .as_array()
        .expect("rules")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let rules: Vec<&str> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
    assert_eq!(known, rules);
}

#[test]
fn the_sarif_keeps_to_the_schema_of_oasis() {
    let mut text = String::new();
    GzDecoder::new(SARIF).read_to_string(&mut text).expect("the schema is packed");
    // A bracket too many in its pattern of a language, which not every library takes for itself.
    let schema = json(&text.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$"));
    let log = json(&everything("sarif"));
    keeps_to(&schema, &log);
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in run["results"].as_array().expect("results") {
        let place = result["ruleIndex"].as_u64().and_then(|it| usize::try_from(it).ok()).expect("a place");
        assert_eq!(rules[place]["id"], result["ruleId"]);
    }
    let ignored =
        run["results"].as_array().expect("results").iter().filter(|it| it.get("suppressions").is_some());
    assert_eq!(ignored.count(), 1);
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let broken = serde_json::json!({"version": "2.1.0", "runs": [{"tool": {}}]});
    assert!(!jsonschema::validator_for(&schema).expect("a schema").is_valid(&broken));
}

#[test]
fn the_junit_counts_what_it_has() {
    let xml = everything("junit");
    let head = xml.lines().nth(1).expect("a suite");
    let counted = |name: &str| {
        head.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()?.parse().ok())
    };
    for (name, element) in
        [("tests", "<testcase "), ("failures", "<failure "), ("errors", "<error "), ("skipped", "<skipped ")]
    {
        assert_eq!(counted(name), Some(xml.matches(element).count()), "{name} in {head}");
    }
    let is_whole = |line: &&str| line.starts_with("  <testcase") && line.ends_with("/>");
    let whole = xml.lines().filter(is_whole).count();
    assert_eq!(xml.matches("<testcase ").count(), whole + xml.matches("</testcase>").count());
}

#[test]
fn workflow_commands_are_one_line_each() {
    let hostile = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  \"a%,:\\n::error::b\": 1\n  \
                   maxReplicas: 3\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n";
    let (_, out, _) = lint(&["-f", "-", "-o", "github"], hostile);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(
        out.starts_with("::warning file=-,line=5,col=3,title=A field that does not exist::unknown-field: "),
        "{out}"
    );
    assert!(out.contains("a%25,:%0A::error::b"), "{out}");
}

/// What cannot be read has its place in every form that has places.
#[test]
fn an_error_of_the_syntax_has_its_place() {
    let bad = "kind: HorizontalPodAutoscaler\nspec: [\n";
    let of = |form: &str| lint(&["-f", "-", "-o", form], bad).1;
    assert!(
        of("github").starts_with("::error file=-,line=2,col=7,title=kubectl hpa lint::standard input:2:7: "),
        "{}",
        of("github")
    );
    assert!(of("junit").contains(r#"<testcase name="read" classname="kubectl hpa lint" file="-" line="2">"#));
    let log = json(&of("sarif"));
    let notification = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(notification["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
}

/// A severity has one name, and SARIF its own.
#[test]
fn a_severity_is_called_the_same_everywhere() {
    let file = format!("tests/lint/{}.bad.yaml", Rule::ScaleDownOff);
    let (_, text, _) = lint(&["-f", &file], "");
    assert!(
        text.contains(": info scale-down-off: ")
            && text.ends_with("\n1 HPA (1 object): 1 info; targets: 0 of 1 found\n"),
        "{text}"
    );
    assert!(!text.contains("note"), "{text}");
    let of = |form: &str| json(&lint(&["-f", &file, "-o", form], "").1);
    assert_eq!(of("json")["findings"][0]["severity"], "info");
    assert_eq!(of("sarif")["runs"][0]["results"][0]["level"], "note");
}

#[test]
fn the_text_is_colored_and_plain_as_it_is_wanted() {
    let file = format!("tests/lint/{}.bad.yaml", Rule::MinIsMax);
    let plain = lint(&["-f", &file], "").1;
    assert_eq!(lint(&["-f", &file, "--color", "auto"], "").1, plain);
    let colored = lint(&["-f", &file, "--color", "always"], "").1;
    assert!(colored.contains("\u{1b}[33mwarning\u{1b}[0m"), "{colored:?}");
    let strange = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  \"a–b\": 1\n  \
                   maxReplicas: 3\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n";
    let [shown, ascii] = [&[][..], &["--ascii"]].map(|more| lint(&[&["-f", "-"], more].concat(), strange).1);
    assert!(!shown.is_ascii() && ascii.is_ascii(), "{shown}{ascii}");
}

#[test]
fn the_page_has_every_rule_and_real_screens() {
    let path = root("src/core/lint/lint.md");
    let page = fs::read_to_string(&path).expect("the page is there");
    let rows = page.lines().filter(|line| line.starts_with("| ["));
    let rows: Vec<String> = rows.map(str::to_owned).collect();
    let row = |rule: &Rule| {
        format!("| [`{rule}`](../../render/codes/codes.md#{rule}) | {} | {} |", rule.severity(), rule.title())
    };
    assert_eq!(rows, Rule::ALL.iter().map(row).collect::<Vec<_>>());
    crate::pages::check(&path, |line| Some(crate::pages::answer(&root(""), line)));
}
