//! The statements of the documents with which the project began (`documents.md`): the command of each row prints what the row
//! says, and a row without one gives a reason or a test.

use std::fs;

use crate::pages;
use crate::questions::{read, run_together};
use crate::root::root;

const PAGE: &str = include_str!("../documents.md");

/// The number of statements in each table.
const STATEMENTS: [usize; 6] = [36, 25, 33, 25, 38, 26];

/// How a verdict begins that gives its reason; the only other one is `works`.
const WITH_REASON: [&str; 3] = ["partly: ", "absent: ", "does not apply: "];

/// The tables, each with the cells of its rows.
fn tables() -> impl Iterator<Item = Vec<[&'static str; 5]>> {
    PAGE.split("\n## ").skip(1).map(|table| {
        let lines = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| # |"));
        let cells = lines.map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            cells.try_into().unwrap_or_else(|_| panic!("{line} does not have five cells"))
        });
        cells.collect()
    })
}

fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The differences between a command's answer and what its row shows: phrases, and an exit code other than 0.
fn compare_answer(command: &str, shown: &str) -> Vec<String> {
    let answer = pages::answer(&root("tests/documents"), command);
    let is_exit = |text: &&str| text.starts_with("exit ");
    let exit = answer.lines().last().filter(is_exit).unwrap_or("exit 0");
    let expected = shown.rsplit(", ").next().filter(is_exit).unwrap_or("exit 0");
    let screen = run_together(&answer);
    let differs = |phrase: &&str| match phrase.strip_prefix("not: ") {
        Some(absent) => screen.contains(&run_together(absent)),
        None => !screen.contains(&run_together(phrase)),
    };
    let phrases = quoted(shown).into_iter().filter(differs).map(|phrase| format!("expected {phrase:?}"));
    let exits = (exit != expected).then(|| format!("{exit}, expected {expected}"));
    let none = quoted(shown).is_empty().then(|| "no phrase".to_owned());
    phrases.chain(exits).chain(none).collect()
}

/// The faults of a row without a command: it names a test as its file and function, or has a reason.
fn check_reason(has_reason: bool, shown: &str) -> Option<String> {
    match quoted(shown)[..] {
        [file, test] if read(&root(file)).contains(&format!("fn {test}(")) => None,
        [] if has_reason => None,
        [] => Some("neither a command nor a reason".to_owned()),
        _ => Some(format!("no such test: {shown}")),
    }
}

#[test]
fn each_statement_is_shown_or_has_a_reason() {
    let mut faults = Vec::new();
    for [number, _, verdict, command, shown] in tables().flatten() {
        let has_reason = WITH_REASON.iter().any(|begin| verdict.starts_with(begin));
        let unknown = (verdict != "works" && !has_reason).then(|| format!("unknown verdict {verdict:?}"));
        let found = match quoted(command)[..] {
            [line] => compare_answer(line, shown),
            _ => check_reason(has_reason, shown).into_iter().collect(),
        };
        faults.extend(unknown.into_iter().chain(found).map(|fault| format!("{number}: {fault}")));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn no_statement_is_lost_and_every_input_is_used() {
    let found: Vec<usize> = tables().map(|table| table.len()).collect();
    assert_eq!(found, STATEMENTS, "statements in each table of documents.md");
    let words: Vec<&str> = PAGE.split([' ', '`', '\n']).collect();
    for entry in fs::read_dir(root("tests/documents")).expect("the folder is there") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        assert!(words.contains(&name.as_str()), "no row uses documents/{name}");
    }
}
