//! README and the pages that it leads to: their commands can be typed, and their links lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use kubectl_hpa::cli::Cli;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The commands of README: lines of its sh blocks, and whatever stands in backticks.
fn commands(readme: &str) -> Vec<&str> {
    let blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines).map(|line| {
        let ends = [" #", " > ", " | ", " && "].into_iter().filter_map(|end| line.find(end));
        &line[..ends.min().unwrap_or(line.len())]
    });
    let quoted = readme.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    lines.chain(quoted).filter(|line| line.starts_with("kubectl hpa ") && !line.contains('<')).collect()
}

#[test]
fn every_command_of_readme_can_be_typed() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README");
    let commands = commands(&readme);
    assert!(commands.len() > 40, "only {} commands", commands.len());
    for command in commands {
        let words = crate::pages::words(command);
        let words = std::iter::once("kubectl hpa").chain(words.iter().skip(2).map(String::as_str));
        if let Err(error) = Cli::try_parse_from(words) {
            panic!("{command}: {error}");
        }
    }
}

/// The Markdown files that people are led to.
fn texts() -> Vec<PathBuf> {
    let folders = [
        "",
        ".github",
        "tests",
        "tests/questions",
        "tests/simulate",
        "src/core/snapshot",
        "src/core/edit",
        "src/core/whatif",
        "src/core/rules",
        "src/core/recall",
        "src/render/codes/pages",
    ];
    let entries =
        folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).expect("the folder is there"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    for path in texts() {
        let text = fs::read_to_string(&path).expect("a text");
        let folder = path.parent().unwrap_or(Path::new(""));
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if !link.starts_with("https://") && !file.is_empty() {
                assert!(folder.join(file).exists(), "{} links to {link}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "only {checked} links");
}

/// Every file below a folder that holds screens.
fn screens() -> String {
    let folders = ["tests/screens", "tests/simulate", "tests/questions"];
    let entries =
        folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).expect("the folder is there"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let told = paths.filter(|path| path.extension().is_some_and(|end| end == "md" || end == "txt"));
    told.map(|path| fs::read_to_string(path).expect("a text")).collect()
}

#[test]
fn every_screen_of_readme_is_a_real_one() {
    let (readme, screens) = (fs::read_to_string(root().join("README.md")).expect("README"), screens());
    let blocks = readme.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut checked = 0;
    for block in blocks {
        assert!(screens.contains(block), "no page has this screen of README:\n{block}");
        checked += 1;
    }
    assert!(checked > 3, "only {checked}");
}

#[test]
fn the_exit_codes_of_readme_are_those_of_the_help() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README");
    let help = <Cli as clap::CommandFactory>::command().get_after_help().expect("the exit codes").to_string();
    let rows: Vec<String> = help
        .lines()
        .filter_map(|line| line.trim_start().split_once("  "))
        .map(|(code, meaning)| format!("| {code} | {meaning} |"))
        .collect();
    assert_eq!(rows.len(), 5, "{help}");
    assert!(readme.contains(&rows.join("\n")), "README lacks\n{}", rows.join("\n"));
}
