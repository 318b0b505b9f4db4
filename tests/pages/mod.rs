//! Pages with commands and their screens, checked by running them: each command stands after `$` in a block of its own,
//! with its answer below. `UPDATE_SCREENS=1` writes the answers anew; read them before they are committed.

#![allow(dead_code, reason = "each test takes of it what it needs")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// What begins a block with a command.
const BLOCK: &str = "```console\n$ ";

/// The words of a command line; single quotes hold words together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().expect("a word").push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a command line answers in a folder: standard output, standard error, and the exit code where it is not 0.
pub fn answer(folder: &Path, line: &str) -> String {
    let words = words(line);
    let typed = words.strip_prefix(&["kubectl".to_owned(), "hpa".to_owned()]).expect("kubectl hpa …");
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(typed)
        .current_dir(folder)
        .env_clear()
        .env("COLUMNS", "100")
        .output()
        .expect("the binary runs");
    let mut text = String::from_utf8(output.stdout).expect("UTF-8");
    text.push_str(std::str::from_utf8(&output.stderr).expect("UTF-8"));
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        code => writeln!(text, "exit {}", code.unwrap_or(-1)).expect("a string can be written to"),
    }
    text
}

/// The commands of a page with their answers as they stand on it.
pub fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(BLOCK).skip(1).map(|block| {
        let (line, after) = block.split_once('\n').expect("a command ends with its line");
        (line, after.split_once("```").expect("a block ends").0)
    })
}

/// Runs the commands of a page; those that `answer` has nothing to say about stay as they are.
pub fn check(path: &Path, answer: impl Fn(&str) -> Option<String>) {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(blocks(&text).count() > 0, "{} has no commands", path.display());
    let mut now = text.clone();
    for (line, told) in blocks(&text) {
        let Some(screen) = answer(line) else { continue };
        now = now.replacen(&format!("{BLOCK}{line}\n{told}```"), &format!("{BLOCK}{line}\n{screen}```"), 1);
    }
    if std::env::var_os("UPDATE_SCREENS").is_some() {
        std::fs::write(path, now).expect("pages can be written");
    } else {
        assert!(now == text, "{} differs; now\n{now}", path.display());
    }
}
