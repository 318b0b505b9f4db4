//! A page for every code, made of what `explain --why CODE` says, with the questions and recorded cases in which it occurs.
//! `KUBECTL_HPA_WRITE=1 cargo test --test codes` writes them anew.

#[path = "pages/committed.rs"]
mod committed;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kubectl_hpa::render::codes::{Entry, Topic};

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

/// Where codes occur: on pages, on screens by the command that shows them, and on recorded screens.
struct Places {
    questions: BTreeMap<String, String>,
    commands: Vec<(String, String)>,
    screens: BTreeMap<String, String>,
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
        Self { questions, commands, screens }
    }

    /// Links from a page to the questions that have its code, and the commands that show it: on a wide screen, where none
    /// does on another. A recorded screen stands for those that nothing else has.
    fn of(&self, code: &str) -> String {
        let questions = self.questions.iter().filter(|(_, page)| has(page, code)).map(|(name, page)| {
            let title = page.lines().next().unwrap_or_default().trim_start_matches("# ");
            format!("- [{title}](../../../../tests/questions/{name}.md)\n")
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
            places.push(format!("- [{name}](../../../../tests/screens/{name}.txt), a recorded screen\n"));
        }
        format!("\n## Where it occurs\n\n{}", places.concat())
    }
}

fn page(topic: Topic, places: &Places) -> String {
    let (code, Entry { title, text, upstream, versions }) = (topic.as_str(), *topic.entry());
    let mut page = format!("# {code}\n\n**{title}**\n");
    for paragraph in text.lines() {
        write!(page, "\n{paragraph}\n").expect("written");
    }
    page.push('\n');
    if !upstream.is_empty() {
        let functions: Vec<String> = upstream.iter().map(|it| format!("`{it}`")).collect();
        write!(page, "In the controller: {}. ", functions.join(", ")).expect("written");
    }
    writeln!(page, "Kubernetes {versions}.").expect("written");
    page.push_str(&places.of(code));
    page
}

/// All pages with the names of their files, the index first.
fn pages() -> Vec<(String, String)> {
    let places = Places::found();
    let mut index = "# Codes\n\nThe word at the right edge of a step or of a piece of advice, and in the column CODE of `-o wide`. \
                     `kubectl hpa explain --why CODE` says the same.\n\n| code | in a few words |\n|---|---|\n"
        .to_owned();
    let mut pages = Vec::new();
    for topic in Topic::all() {
        let code = topic.as_str();
        writeln!(index, "| [{code}]({code}.md) | {} |", topic.title()).expect("written");
        pages.push((format!("{code}.md"), page(topic, &places)));
    }
    pages.insert(0, ("README.md".to_owned(), index));
    pages
}

#[test]
fn every_code_has_its_page() {
    committed::hold("src/render/codes/pages", &pages(), "codes");
}
