//! A page for every code, made of what `explain --why CODE` says, with the questions and recorded cases in which it occurs.
//! `KUBECTL_HPA_WRITE=1 cargo test --test codes` writes them anew.

#[path = "pages/committed.rs"]
mod committed;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

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

/// Whether a screen has a code.
fn has(screen: &str, code: &str) -> bool {
    screen.split(|it: char| !it.is_ascii_alphanumeric() && it != '-').any(|word| word == code)
}

/// Where codes occur.
struct Places {
    questions: BTreeMap<String, String>,
    examples: BTreeMap<String, String>,
}

impl Places {
    fn found() -> Self {
        let mut examples = files("tests/screens", ".txt");
        examples.retain(|name, _| kubectl_hpa::examples::find(name).is_some());
        Self { questions: files("tests/questions", ".md"), examples }
    }

    /// Links from a page to the questions, and the recorded cases, that have its code.
    fn of(&self, code: &str) -> String {
        let mut text = String::new();
        let questions = self.questions.iter().filter(|(_, page)| has(page, code));
        for (name, page) in questions {
            let title = page.lines().next().unwrap_or_default().trim_start_matches("# ");
            writeln!(text, "- [{title}](../../../../tests/questions/{name}.md)").expect("written");
        }
        for (name, _) in self.examples.iter().filter(|(_, screen)| has(screen, code)) {
            writeln!(text, "- `kubectl hpa explain --example {name}`").expect("written");
        }
        if text.is_empty() { text } else { format!("\n## Where it occurs\n\n{text}") }
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
