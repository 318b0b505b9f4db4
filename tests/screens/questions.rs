//! The questions that people ask about the HPA, each on a page of its own (`questions/*.md`) with the screens that answer it.
//! What the screens have to say is apart from them, in `answers.md`, so that screens written anew (`UPDATE_SCREENS=1`) cannot
//! lose the answer.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kubectl_hpa_core::trace::Code;

/// For each page, under its name, the list of what its screens have to say: each item with its words in backticks.
const ANSWERS: &str = include_str!("answers.md");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/questions")
}

/// The pages, by name.
fn all() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let texts = paths.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let mut pages: Vec<PathBuf> = texts.filter(|path| !path.ends_with("README.md")).collect();
    pages.sort();
    pages
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Whether a command asks a cluster: `tests/cluster` plays one for these.
fn is_live(line: &str) -> bool {
    line.contains(" -n ")
}

/// What the screens of a page have to say, item by item.
fn demands(page: &str) -> Vec<Vec<&'static str>> {
    let heading = format!("\n## {}\n\n", page.trim_end_matches(".md"));
    let list =
        ANSWERS.split_once(&heading).map_or("", |(_, rest)| rest.split("\n\n").next().unwrap_or_default());
    let items = list.split("\n- ").map(|item| item.split('`').skip(1).step_by(2).collect());
    items.collect()
}

/// Whatever the lines and columns they stand in: long words are broken as well.
pub fn run_together(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The screens without the codes at the right of their steps: a text goes on below its beginning, not behind its code.
fn without_codes(screens: &str) -> String {
    let text = |line: &'_ str| {
        let (text, last) = line.rsplit_once(' ').unwrap_or(("", line));
        if Code::ALL.iter().any(|code| code.as_str() == last) { text.to_owned() } else { line.to_owned() }
    };
    screens.lines().map(text).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_screens_are_those_of_now_and_answer_their_question() {
    for page in all() {
        crate::pages::check(&page, |line| (!is_live(line)).then(|| crate::pages::answer(&folder(), line)));
        let (name, text) = (name(&page), read(&page));
        let screens: String = crate::pages::blocks(&text).map(|(_, screen)| screen).collect();
        let screens = [screens.clone(), without_codes(&screens)].map(|screens| run_together(&screens));
        let demands = demands(&name);
        assert!(demands.len() > 1, "answers.md does not say what the screens of {name} have to say");
        for phrases in demands {
            assert!(!phrases.is_empty(), "{name}: an item without words to look for");
            for phrase in phrases {
                let phrase = run_together(phrase);
                let says = screens.iter().any(|screens| screens.contains(&phrase));
                assert!(says, "{name}: no screen says {phrase:?}");
            }
        }
    }
}

#[test]
fn the_first_five_minutes_are_those_of_now() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/first.md");
    crate::pages::check(&page, |line| Some(crate::pages::answer(Path::new("."), line)));
}

#[test]
fn every_answer_is_that_of_a_page() {
    let pages: Vec<String> = all().iter().map(|page| name(page)).collect();
    let headings = ANSWERS.lines().filter_map(|line| line.strip_prefix("## "));
    let answers: Vec<String> = headings.map(|heading| format!("{heading}.md")).collect();
    assert_eq!(answers, pages);
}

#[test]
fn readme_leads_to_every_question_and_every_case_is_used() {
    assert!(
        read(&folder().join("../../README.md")).contains("(tests/questions/README.md)"),
        "README has no link"
    );
    let readme = read(&folder().join("README.md"));
    let mut used = BTreeSet::new();
    for page in all() {
        let (name, text) = (name(&page), read(&page));
        assert!(readme.contains(&format!("({name})")), "the list has no link to {name}");
        used.extend(text.split_whitespace().map(str::to_owned));
    }
    for entry in fs::read_dir(folder()).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let is_case = path.extension().is_some_and(|it| it == "yaml");
        assert!(!is_case || used.contains(&name(&path)), "no page has {}", path.display());
    }
}

#[test]
fn the_status_of_a_case_is_what_the_controller_left_a_sync_before() {
    for folder in [folder(), folder().join("../../src/examples")] {
        crate::before::each(&folder, crate::before::check);
    }
}
