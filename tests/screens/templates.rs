//! `-o jsonpath` against a table of what kubectl's own library prints (`tests/cluster/regenerate.sh` writes it anew).

use kubectl_hpa::render::Template;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Row {
    template: String,
    output: String,
    #[serde(default)]
    error: String,
}

fn rows() -> (Value, Vec<Row>) {
    let mut rows: Vec<Row> = include_str!("../cluster/manners/templates.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
        .collect();
    let document = rows.remove(0);
    (serde_json::from_str(&document.output).expect("JSON"), rows)
}

fn printed(template: &str, document: &Value) -> Result<String, String> {
    let template = Template::parse(template).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    template.write(&mut out, document).expect("to write to memory");
    Ok(String::from_utf8(out).expect("UTF-8"))
}

#[test]
fn templates_print_what_kubectl_prints() {
    let (document, rows) = rows();
    let (mut wrong, mut held) = (Vec::new(), 0);
    // An empty list ends client-go's walk over the lists that come after it.
    let is_cut = |row: &&Row| {
        ["{.items[*].steps[*].code}", "{range .items[*].steps[*]}{.after} {end}"]
            .contains(&row.template.as_str())
    };
    for row in rows.iter().filter(|row| row.error.is_empty() && !is_cut(row)) {
        // Go takes the values of a map in any order.
        let sorted = |text: &str| {
            let mut words: Vec<String> = text.split(' ').map(ToOwned::to_owned).collect();
            words.sort();
            words
        };
        let ours = printed(&row.template, &document);
        let is_unordered = row.template.contains(".*") || row.template.contains("..");
        let is_same = match &ours {
            Ok(ours) if is_unordered => sorted(ours) == sorted(&row.output),
            Ok(ours) => *ours == row.output,
            Err(_) => false,
        };
        held += 1;
        if !is_same {
            wrong.push(format!("{}\n  ours   {ours:?}\n  theirs {:?}", row.template, row.output));
        }
    }
    assert!(held > 75, "{held} templates");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_kubectl_cannot_parse_is_refused() {
    let (document, rows) = rows();
    let unparsed = |row: &&Row| {
        row.error.starts_with("parse: ")
            || row.error.contains("unrecognized")
            || row.error.contains("not in range")
    };
    let taken: Vec<&str> = rows
        .iter()
        .filter(unparsed)
        .filter(|row| printed(&row.template, &document).is_ok())
        .map(|row| row.template.as_str())
        .collect();
    assert_eq!((taken, rows.iter().filter(unparsed).count() > 8), (vec![], true));
}

#[test]
fn what_kubectl_stops_at_finds_nothing_or_what_is_there() {
    let (document, _) = rows();
    for (template, output) in [
        ("{.items[5].subject.name}", ""),
        ("{.items[0:9].subject.name}", "web api job"),
        ("{.items[*].steps[0].code}", "utilization-above-target scale-limit"),
        ("{.items[*].steps[*].code}", "utilization-above-target within-tolerance scale-limit"),
        ("{.items[?(@.desiredReplicas==5)].subject.name}", "web"),
        ("{.kind[0]}", ""),
    ] {
        assert_eq!(printed(template, &document).as_deref(), Ok(output), "{template}");
    }
}

#[test]
fn nothing_that_a_terminal_obeys_gets_through() {
    let document = serde_json::json!({"a": "x\u{1b}[2J\ny\tz", "b": {"c": "\u{202e}"}});
    assert_eq!(printed("{.a}{.b}", &document).as_deref(), Ok("x\\u{1b}[2J\ny\tz{\"c\":\"\\u202e\"}"));
}
