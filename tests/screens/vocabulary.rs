//! One word for one thing: words that people stumbled over have left the screens, the help and the pages, and do not come back.

use std::fs;
use std::path::{Path, PathBuf};

/// Words with the ones that took their places.
const GONE: &[(&str, &str)] = &[
    ("first reconcile", "first sync"),
    ("never been reconciled", "never been synced"),
    ("PASS 1", "MEASURED"),
    ("PASS 2", "WITH GUESSES"),
    ("settings assumed", "default flags assumed"),
    ("settings observed", "flags read"),
    ("would make this exact", "Pass the controller's flags (--…) to make this exact."),
    ("the metrics API says of", "to ask the metrics API about"),
    ("no such pod here", "pod not found"),
    ("in no sum", "not counted"),
    (", held at ", "→ 2 wanted; the window keeps 3 for up to 5m"),
    (" HPAs among ", "4 HPAs (5 objects)"),
    ("ALSO OF", "OTHER HPA"),
    ("stay broken", "cannot decide"),
    ("Does not fit", "Not applicable"),
    ("no metric is valid", "every metric failed"),
    ("stand over", "override"),
    ("is nobody's", "while two HPAs select a pod, neither runs"),
    ("of the one utilization", "of the only utilization metric"),
    ("the decision is open", "the decision stays unknown"),
    ("leaves the decision open", "the decision stays unknown"),
    ("It is written", "Write it"),
    ("tells of the replicas alone", "prints only replica changes"),
    ("recorded case", "case, or example"),
    ("writes it again", "overwrites it"),
    ("that count as something else", "that count differently"),
    ("come to its metrics", "reached its metrics"),
    ("by its status and events", "according to its status and events"),
    ("any more", "no longer"),
    ("takes for granted", "assumes"),
    ("slip of the pen", "typo"),
    ("The answer has to say", "nothing: it is a test's language"),
];

/// In texts that are all ours, the replicas are called nothing else.
const COUNTS: &[&str] =
    &["the count ", "the count.", "the count,", "current count", "The count ", "Small counts", "new count"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The files of a folder with one of these endings, with their texts.
fn texts(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named = paths.filter(|path| {
        path.extension().is_some_and(|end| endings.iter().any(|ending| end == *ending))
            && !path.ends_with("answers.md")
    });
    let found: Vec<_> =
        named.map(|path| (path.clone(), fs::read_to_string(&path).expect("a text"))).collect();
    assert!(!found.is_empty(), "nothing in {folder}");
    found
}

fn page(path: &str) -> (PathBuf, String) {
    let path = root().join(path);
    let text = fs::read_to_string(&path).expect("a text");
    (path, text)
}

/// The help of each command, and the pages on codes and rules.
fn ours() -> Vec<(PathBuf, String)> {
    let pages =
        ["README.md", "src/render/reading.md", "src/core/explanation/states.md", "src/core/lint/lint.md"];
    let codes = page("src/render/codes/codes.md");
    // Where a code occurs is told by titles and commands.
    let codes =
        (codes.0, codes.1.lines().filter(|line| !line.starts_with("- ")).collect::<Vec<_>>().join("\n"));
    texts("src/cli/man", &["1"]).into_iter().chain(pages.map(page)).chain([codes]).collect()
}

/// Whatever the lines that a text is broken into.
fn flat(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[test]
fn words_that_are_gone_stay_gone() {
    let screens =
        [("tests/screens", &["txt"][..]), ("tests/simulate", &["md"]), ("tests/questions", &["md"])];
    let pages = ["src/cli/commands.md", "src/core/memory_bounds/memory.md", "src/core/snapshot/case-file.md"];
    let pages = pages.into_iter().chain(["src/core/whatif/simulate.md", "src/core/edit/apply.md"]).map(page);
    let all = screens.into_iter().flat_map(|(folder, endings)| texts(folder, endings));
    for (path, text) in all.chain(pages).chain(ours()) {
        let (flat, text) = (flat(&text), text.as_str());
        for (gone, instead) in GONE {
            let is_there = flat.contains(gone) || text.contains(gone);
            assert!(!is_there, "{} says {gone:?} instead of {instead:?}", path.display());
        }
    }
}

#[test]
fn replicas_are_called_replicas() {
    for (path, text) in ours() {
        let flat = flat(&text);
        // README shows screens.
        for count in COUNTS.iter().filter(|_| !path.ends_with("README.md")) {
            assert!(!flat.contains(count), "{} says {count:?}", path.display());
        }
    }
}

/// A terminal of 80 columns breaks longer lines, and with them commands and YAML.
#[test]
fn examples_of_the_help_fit_a_terminal() {
    let mut root = <kubectl_hpa::cli::Cli as clap::CommandFactory>::command();
    root.build();
    for command in std::iter::once(&root).chain(root.get_subcommands()) {
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in after.lines() {
            assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
        }
    }
}
