//! The page of all codes, made of what `explain --why CODE` says, with the questions and recorded cases in which each occurs.
//! `KUBECTL_HPA_WRITE=1 cargo test --test screens codes::` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kubectl_hpa::render::codes::{Entry, Topic};
use kubectl_hpa_core::lint::Rule;

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files of a folder with an ending, by name.
fn files(folder: &str, ending: &str) -> BTreeMap<String, String> {
    let entries = fs::read_dir(at(folder)).expect("the folder is there");
    let named = entries.filter_map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name()?.to_str()?.strip_suffix(ending)?.to_owned();
        Some((name, fs::read_to_string(path).expect("a text")))
    });
    named.collect()
}

/// The most commands that show a code on a wide screen alone.
const COMMANDS: usize = 3;

/// Whether a screen has a code.
fn has(screen: &str, code: &str) -> bool {
    screen.split(|it: char| !it.is_ascii_alphanumeric() && it != '-').any(|word| word == code)
}

/// A wide screen, on which pods have their codes.
fn wide(case: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .arg("explain")
        .args(case)
        .args(["-o", "wide"])
        .current_dir(at(""))
        .env_clear()
        .output()
        .expect("the binary runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What lint says of the bad example of each rule, by the command that shows it.
fn findings() -> Vec<(String, String)> {
    let said = |rule: &Rule| {
        let command = format!("kubectl hpa lint -f tests/lint/{rule}.bad.yaml");
        let screen = crate::pages::answer(&at(""), &command);
        (command, screen)
    };
    Rule::ALL.iter().map(said).collect()
}

/// Where codes occur: on pages, on screens by the command that shows them, and on recorded screens.
struct Places {
    questions: BTreeMap<String, String>,
    commands: Vec<(String, String)>,
    screens: BTreeMap<String, String>,
    findings: Vec<(String, String)>,
}

impl Places {
    fn found() -> Self {
        let (mut screens, mut commands) = (files("tests/screens", ".txt"), Vec::new());
        for example in kubectl_hpa::examples::ALL {
            let command = format!("kubectl hpa explain --example {}", example.name);
            let screen = screens.remove(example.name).expect("an example has its screen");
            commands.push((format!("{command} -o wide"), wide(&["--example", example.name])));
            commands.push((command, screen));
        }
        for (name, text) in files("tests/questions", ".yaml") {
            if text.contains("\nkind: Case\n") {
                let file = format!("tests/questions/{name}.yaml");
                commands.push((format!("kubectl hpa explain -f {file} -o wide"), wide(&["-f", &file])));
            }
        }
        let mut questions = files("tests/questions", ".md");
        questions.remove("README").expect("the list of the questions");
        Self { questions, commands, screens, findings: findings() }
    }

    /// The bad example of a rule of lint.
    fn of_rule(&self, rule: Rule) -> String {
        let all = self.findings.iter();
        let own =
            all.filter(|(command, screen)| command.contains(rule.as_str()) && has(screen, rule.as_str()));
        let own: Vec<String> = own.map(|(command, _)| format!("- `{command}`\n")).collect();
        assert!(!own.is_empty(), "no bad example of {rule}");
        format!("\nIt occurs in\n\n{}", own.concat())
    }

    /// Links from a page to the questions that have its code, and the commands that show it: on a wide screen, where none
    /// does on another. A recorded screen stands for those that nothing else has.
    fn of(&self, code: &str) -> String {
        let questions = self.questions.iter().filter(|(_, page)| has(page, code)).map(|(name, page)| {
            let title = page.lines().next().unwrap_or_default().trim_start_matches("# ");
            format!("- [{title}](../../../tests/questions/{name}.md)\n")
        });
        let mut places: Vec<String> = questions.collect();
        let commands = |is_wide: bool| {
            let commands =
                self.commands.iter().filter(move |(command, _)| command.ends_with("wide") == is_wide);
            commands.filter(|(_, screen)| has(screen, code)).map(|(command, _)| format!("- `{command}`\n"))
        };
        places.extend(commands(false));
        if places.is_empty() {
            places.extend(commands(true).take(COMMANDS));
        }
        if places.is_empty() {
            let screen = self.screens.iter().find(|(_, screen)| has(screen, code));
            let (name, _) = screen.unwrap_or_else(|| panic!("no screen has {code}"));
            places.push(format!("- [{name}](../../../tests/screens/{name}.txt), a recorded screen\n"));
        }
        format!("\nIt occurs in\n\n{}", places.concat())
    }
}

/// The sections of the page, each with the first of its codes; the others follow in the order of the algorithm.
const SECTIONS: [(&str, &str); 12] = [
    ("api-version-invalid", "The target and its bounds"),
    ("selector-missing", "The selector"),
    ("pod-deleting", "Pods"),
    ("metrics-api-error", "Metrics without a number"),
    ("utilization-above-target", "Usage, ratio and tolerance"),
    ("only-metric", "Several metrics"),
    ("not-stabilized", "Stabilization windows"),
    ("within-range", "Rates and bounds"),
    ("unchanged", "The outcome"),
    ("wake-up", "Advice"),
    ("invalid-hpa", "Lint"),
    ("broken", "States of `list`"),
];

/// A section's title with its codes.
fn sections() -> Vec<(&'static str, Vec<Topic>)> {
    let mut sections: Vec<(&str, Vec<Topic>)> = Vec::new();
    for topic in Topic::all() {
        if let Some((_, title)) = SECTIONS.iter().find(|(first, _)| *first == topic.as_str()) {
            sections.push((title, Vec::new()));
        }
        sections.last_mut().expect("the first code begins a section").1.push(topic);
    }
    let titles: Vec<&str> = sections.iter().map(|(title, _)| *title).collect();
    assert_eq!(titles, SECTIONS.map(|(_, title)| title), "the sections follow the algorithm");
    sections
}

/// What is said of a code, under a heading that is its anchor.
fn entry(topic: Topic, places: &Places) -> String {
    let (code, Entry { title, text, upstream, versions }) = (topic.as_str(), *topic.entry());
    let mut entry = format!("\n### {code}\n\n**{title}**\n");
    for paragraph in text.lines() {
        write!(entry, "\n{paragraph}\n").expect("written");
    }
    entry.push('\n');
    if !upstream.is_empty() {
        let functions: Vec<String> = upstream.iter().map(|it| format!("`{it}`")).collect();
        write!(entry, "In the controller: {}. ", functions.join(", ")).expect("written");
    }
    writeln!(entry, "Kubernetes {versions}.").expect("written");
    entry.push_str(&match topic {
        Topic::Lint(rule) => places.of_rule(rule),
        Topic::Branch(_) | Topic::Advice(_) => places.of(code),
        Topic::State(_) => {
            "\n[The states of an HPA](../../core/explanation/states.md) says more of the list.\n".to_owned()
        }
    });
    entry
}

/// The page: first where each code is, then what it says.
fn page() -> String {
    let (places, sections) = (Places::found(), sections());
    let mut page = "# Codes\n\nA code is the word at the right edge of a step or of a piece of advice, in the column CODE of \
                    `-o wide`, in a finding of `lint`, and a state of `list`. `kubectl hpa explain --why CODE` prints the same text.\n\n"
        .to_owned();
    for (title, topics) in &sections {
        let links = topics.iter().map(|topic| format!("[{0}](#{0})", topic.as_str()));
        writeln!(page, "- **{title}**: {}", links.collect::<Vec<_>>().join(", ")).expect("written");
    }
    for (title, topics) in &sections {
        write!(page, "\n## {title}\n").expect("written");
        page.extend(topics.iter().map(|topic| entry(*topic, &places)));
    }
    page
}

#[test]
fn every_code_has_its_place_on_the_page() {
    crate::committed::hold("src/render/codes/codes.md", &page(), "codes");
}

#[test]
fn the_list_of_codes_fits_into_80_columns() {
    let longest = Topic::all().map(|topic| topic.as_str().len()).max().expect("a code");
    let wide: Vec<&str> =
        Topic::all().map(Topic::title).filter(|title| longest + "  ".len() + title.len() > 80).collect();
    assert!(wide.is_empty(), "{wide:?}");
}
