//! The screens, word for word: of the recorded examples and of `screens/cases.yaml`. `UPDATE_SCREENS=1` writes them
//! anew; read them before they are committed.

use std::path::{Path, PathBuf};

use kubectl_hpa::examples;
use kubectl_hpa::render::{self, Detail, Glyphs, Options, Paint, Rows};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::Case;
use serde_json::Value;

/// A case, decided on.
pub struct Screen {
    pub name: String,
    pub explanation: Explanation,
}

impl Screen {
    pub fn of(name: &str, case: Value) -> Self {
        let case: Case = serde_json::from_value(case).unwrap_or_else(|error| panic!("{name}: {error}"));
        let explanation = Explanation::of(case).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name: name.to_owned(), explanation }
    }

    /// With `--blame`.
    fn blamed(self) -> Self {
        self.explanation.blame();
        self
    }

    pub fn text(&self, options: Options) -> String {
        let mut out = Vec::new();
        render::text(&mut out, &self.explanation, &options).expect("a vector can be written to");
        String::from_utf8(out).expect("text is UTF-8")
    }

    pub fn json(&self) -> Value {
        serde_json::to_value(render::decision_view(&self.explanation)).expect("a view is JSON")
    }
}

pub fn at(width: usize) -> Options {
    Options { width, ..Options::default() }
}

fn glyphs() -> impl Iterator<Item = Glyphs> {
    [Glyphs::Unicode, Glyphs::Ascii].into_iter().cycle()
}

pub fn example(name: &str) -> Value {
    let text = examples::find(name).unwrap_or_else(|| panic!("no example {name}")).text;
    serde_yaml::from_str(text).expect("examples are YAML")
}

/// RFC 7386.
fn lay_over(value: &mut Value, patch: &Value) {
    match (value, patch) {
        (Value::Object(fields), Value::Object(patches)) => {
            for (name, patch) in patches {
                if patch.is_null() {
                    fields.remove(name);
                } else {
                    lay_over(fields.entry(name.clone()).or_insert(Value::Null), patch);
                }
            }
        }
        (value, patch @ Value::Object(_)) => {
            *value = Value::Object(serde_json::Map::new());
            lay_over(value, patch);
        }
        (value, patch) => value.clone_from(patch),
    }
}

/// An example with a patch laid over it.
pub fn patched(base: &str, patch: &Value) -> Value {
    let mut value = example(base);
    lay_over(&mut value, patch);
    value
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens")
}

pub fn all() -> Vec<Screen> {
    let cases = std::fs::read_to_string(folder().join("cases.yaml")).expect("cases.yaml is there");
    let cases: Vec<Value> = serde_yaml::from_str(&cases).expect("cases.yaml is YAML");
    let examples = examples::ALL.iter().map(|it| Screen::of(it.name, example(it.name)));
    let patched = cases.iter().map(|case| {
        let (name, base) = (case["name"].as_str().expect("a name"), case["base"].as_str().expect("a base"));
        Screen::of(name, patched(base, &case["patch"]))
    });
    examples.chain(patched).collect()
}

/// Holds a text against the recorded one, or records it.
pub fn check(name: &str, text: &str) {
    hold(&folder().join(format!("{name}.txt")), text);
}

fn hold(path: &Path, text: &str) {
    if std::env::var_os("UPDATE_SCREENS").is_some() {
        std::fs::write(path, text).expect("screens can be written");
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(expected == text, "{} differs\n--- expected\n{expected}\n--- is\n{text}", path.display());
}

#[test]
fn every_outcome_has_its_screen() {
    for case in all() {
        check(&case.name, &case.text(at(100)));
    }
}

#[test]
fn a_narrow_and_a_wide_screen() {
    for name in ["missing-samples", "rollout", "held-by-window"] {
        let case = Screen::of(name, example(name));
        check(&format!("{name}.80"), &case.text(at(80)));
        check(&format!("{name}.200.wide"), &case.text(Options { detail: Detail::Wide, ..at(200) }));
        check(&format!("{name}.80.ascii"), &case.text(Options { glyphs: Glyphs::Ascii, ..at(80) }));
    }
}

/// The codes of pods, and those of what cannot be read, stand on a wide screen alone.
#[test]
fn wide_screens_have_the_other_codes() {
    for case in all()
        .into_iter()
        .filter(|case| ["odd-pods", "unread-pods", "metrics-api-down"].contains(&case.name.as_str()))
    {
        check(&format!("{}.200.wide", case.name), &case.text(Options { detail: Detail::Wide, ..at(200) }));
    }
}

/// What is assumed is said at every width, and in the same words.
#[test]
fn what_is_assumed_is_said_at_every_width() {
    let given = |settings: &[&str]| {
        let mut case = example("missing-samples");
        for setting in settings {
            case["controller"][*setting] = serde_json::json!({"value": "5m0s", "evidence": "Given"});
        }
        Screen::of("given", case)
    };
    let (one, two) = ("cpuInitializationPeriod", "downscaleStabilization");
    for (settings, told) in
        [(&[][..], "flags assumed"), (&[one], "rest assumed"), (&[one, two], "rest assumed")]
    {
        for width in [40, 60, 80, 100, 130, 200] {
            let text = given(settings).text(at(width));
            let head: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
            let head = head.join(" ");
            let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(head.contains(told), "{settings:?} at {width}: {head}");
        }
    }
    let read = Screen::of("read", example("scale-up-limited"));
    for width in [40, 60, 80, 100, 130, 200] {
        assert!(read.text(at(width)).contains("flags read"), "at {width}");
    }
}

/// What README shows: a picture has colors, and its own background, on light and on dark pages.
#[test]
fn readme_has_its_pictures() {
    for name in ["missing-samples", "held-by-window", "missing-request"] {
        let case = Screen::of(name, example(name));
        let colored = case.text(Options { paint: Paint::Colored, ..at(100) });
        hold(&folder().join(format!("../../.github/screens/{name}.svg")), &picture(&colored));
    }
}

fn picture(colored: &str) -> String {
    let picture = anstyle_svg::Term::new().palette(anstyle_svg::WIN10_CONSOLE).render_svg(colored);
    picture.lines().map(str::trim_end).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn blame_has_its_screens() {
    let blamed = [
        "missing-samples",
        "missing-request",
        "two-policies",
        "memory-bounded",
        "broken-metric",
        "ambiguous",
        "on-target",
    ];
    for case in all().into_iter().filter(|case| blamed.contains(&case.name.as_str())) {
        let case = case.blamed();
        check(&format!("{}.blame", case.name), &case.text(at(100)));
    }
}

#[test]
fn screens_keep_to_their_width_and_to_forty_lines() {
    for case in all() {
        for (width, glyphs) in [20, 40, 60, 80, 100, 200].into_iter().zip(glyphs()) {
            for detail in [Detail::Normal, Detail::Wide] {
                let text = case.text(Options { detail, glyphs, ..at(width) });
                let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
                assert!(widest <= width, "{} at {width}: {widest}\n{text}", case.name);
            }
        }
        let head = case.text(at(80)).lines().take_while(|line| !line.is_empty()).count();
        assert!(head <= 4, "{}: {head} lines before the first section\n{}", case.name, case.text(at(80)));
        let text = case.text(at(100));
        let (lines, ledgers) = (text.lines().count(), text.matches("\nPods  ").count());
        // Each ledger beyond the first is one more metric to check by hand.
        assert!(lines <= 40 + 6 * ledgers.saturating_sub(1), "{}: {lines} lines", case.name);
    }
}

#[test]
fn color_changes_nothing_but_color() {
    for case in all() {
        let colored = case.text(Options { paint: Paint::Colored, ..at(100) });
        assert_eq!(without_color(&colored), case.text(at(100)), "{}", case.name);
        assert!(colored.contains("\u{1b}["), "{}", case.name);
    }
}

fn without_color(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    plain + rest
}

#[test]
fn ascii_screens_are_ascii() {
    for case in all() {
        let text = case.text(Options { glyphs: Glyphs::Ascii, ..at(80) });
        assert!(text.is_ascii(), "{}: {text}", case.name);
    }
}

#[test]
fn nothing_from_the_cluster_reaches_the_terminal_as_a_command() {
    let case = all().into_iter().find(|case| case.name == "hostile").expect("the hostile case");
    let mut yaml = Vec::new();
    render::yaml(&mut yaml, &render::decision_view(&case.explanation)).expect("a vector can be written to");
    let mut json = Vec::new();
    render::json_line(&mut json, &render::decision_view(&case.explanation))
        .expect("a vector can be written to");
    let texts = [yaml, json].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    for text in texts.iter().chain([&case.text(at(80))]) {
        let obeyed = |it: char| {
            (it.is_control() && it != '\n') || matches!(it, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        };
        assert!(!text.contains(obeyed), "{text:?}");
    }
    let back: Value = serde_json::from_str(&texts[1]).expect("JSON");
    assert_eq!(back["subject"]["name"], "api\u{1b}[31m\nroot\u{202e}txt");
}

#[test]
fn a_thousand_pods_fold_to_a_screen() {
    let mut case = example("held-by-window");
    for list in ["pods", "podMetrics"] {
        let items = case[list]["items"].as_array().expect("items").clone();
        let many = (0..1000).map(|number| {
            let mut item = items[number % items.len()].clone();
            item["metadata"]["name"] = format!("web-7f5b8c6d9-{number:05}").into();
            if let Some(containers) = item.get_mut("containers") {
                containers[0]["usage"]["cpu"] = format!("{}m", 40 + number % 50).into();
            }
            item
        });
        case[list]["items"] = many.collect();
    }
    let case = Screen::of("many", case);
    let folded = case.text(at(100));
    assert!(folded.lines().count() <= 40, "{folded}");
    assert!(folded.contains("997 more"), "{folded}");
    let all = case.text(Options { rows: Rows::All, ..at(100) });
    assert!(all.lines().count() > 1000 && all.contains("web-7f5b8c6d9-00999"));
}

#[test]
fn five_hundred_claimants_fold_to_a_few() {
    let mut case = example("ambiguous");
    let other = case["otherHPAs"][0].clone();
    let many = (0..500).map(|number| {
        let mut other = other.clone();
        other["hpa"]["metadata"]["name"] = format!("web-{number:03}").into();
        other
    });
    case["otherHPAs"] = many.collect();
    let case = Screen::of("claimed", case);
    let text = case.text(at(80));
    assert!(text.lines().count() <= 40, "{text}");
    for told in [
        "shop/web-002 and 497 more also select pods\n",
        "web-001 and 498 more  Replica",
        "497 more like these",
    ] {
        assert!(text.contains(told), "{text}");
    }
}

#[test]
fn every_view_keeps_to_the_schema() {
    let schema: Value = serde_json::from_str(include_str!("../../src/render/schema/decision.schema.json"))
        .expect("the schema is JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    for case in all().into_iter().chain(all().into_iter().map(Screen::blamed)) {
        let view = case.json();
        let problems: Vec<String> =
            schema.iter_errors(&view).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(problems.is_empty(), "{}: {problems:#?}", case.name);
        let mut broken = view;
        broken["outcome"]["direction"] = "sideways".into();
        assert!(!schema.is_valid(&broken));
    }
}

#[test]
fn screen_and_json_tell_the_same_steps_and_the_chain_holds() {
    for case in all() {
        let json = case.json();
        let wide = case.text(Options { detail: Detail::Wide, ..at(400) });
        for step in json["steps"].as_array().expect("steps") {
            let (text, code) = (step["text"].as_str().expect("text"), step["code"].as_str().expect("code"));
            let shown = render::sanitize(text);
            assert!(wide.contains(shown.as_ref()) && wide.contains(code), "{}: {text}\n{wide}", case.name);
        }
    }
}
