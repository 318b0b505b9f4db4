//! README and the pages that it leads to: their commands can be typed, their links lead somewhere, their screens are real.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use kubectl_hpa::cli::Cli;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("README")
}

/// The Markdown files that people are led to, with their texts.
fn texts() -> Vec<(PathBuf, String)> {
    let mut paths = vec![root().join("README.md")];
    for folder in [".github", "src", "tests"] {
        markdown(&root().join(folder), &mut paths);
    }
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// The Markdown files below a folder; what a build left there is not ours.
fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let is_built = ["target", "build", ".build"].iter().any(|it| path.ends_with(it));
        if path.is_dir() && !is_built {
            markdown(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// The commands of a text: lines of its sh blocks, and whatever stands in backticks.
fn commands(text: &str) -> Vec<&str> {
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines).map(|line| {
        let ends = [" #", " > ", " | ", " && "].into_iter().filter_map(|end| line.find(end));
        &line[..ends.min().unwrap_or(line.len())]
    });
    let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    lines.chain(quoted).filter(|line| line.starts_with("kubectl hpa ") && !line.contains('<')).collect()
}

#[test]
fn every_command_of_readme_and_its_pages_can_be_typed() {
    assert!(commands(&readme()).len() > 20, "README has too few commands");
    let (texts, mut checked) = (texts(), BTreeSet::new());
    for (path, text) in &texts {
        for command in commands(text) {
            let words = crate::pages::words(command);
            let words = std::iter::once("kubectl hpa").chain(words.iter().skip(2).map(String::as_str));
            if let Err(error) = Cli::try_parse_from(words) {
                assert!(!error.use_stderr(), "{}: {command}: {error}", path.display());
            }
            checked.insert(command);
        }
    }
    assert!(checked.len() > 70, "only {} commands", checked.len());
}

#[test]
fn readme_is_read_in_one_go() {
    let lines = readme().lines().count();
    assert!(lines <= 200, "{lines} lines: what a first reader does not need has a page of its own");
}

/// The name under which GitHub links to a heading: letters and digits in lower case, and a hyphen for each space.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|it| if it == ' ' { '-' } else { it }).collect()
}

/// The places on a page to which a link can lead.
fn anchors(text: &str) -> BTreeSet<String> {
    // Every other part lies between fences, where a # begins a comment.
    let prose = text.split("```").step_by(2).flat_map(str::lines);
    let headings = prose
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    headings.map(slug).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    for (path, text) in texts() {
        let folder = path.parent().unwrap_or(Path::new(""));
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, anchor) =
                link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
            let target = if file.is_empty() { path.clone() } else { folder.join(file) };
            assert!(target.exists(), "{} links to {link}", path.display());
            if let Some(anchor) = anchor {
                let there = fs::read_to_string(&target).expect("a text");
                assert!(
                    anchors(&there).contains(anchor),
                    "{} links to {link}: no such heading",
                    path.display()
                );
            }
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} links");
}

#[test]
fn anchors_are_those_of_github() {
    let text =
        "# Codes\n\n```sh\n# no heading\n```\n\n## What `--apply` does, in detail\n### pod-failed\n#none\n";
    let anchors: Vec<String> = anchors(text).into_iter().collect();
    assert_eq!(anchors, ["codes", "pod-failed", "what---apply-does-in-detail"]);
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
fn numbers_have_one_minus_sign() {
    let screens = screens();
    assert!(screens.contains(" -319% of request"), "no screen has a negative number");
    assert!(!screens.contains('\u{2212}'), "a screen has another minus sign than numbers have");
}

/// The screens of README and of the pages beside the code that show some.
#[test]
fn every_screen_of_readme_is_a_real_one() {
    let (screens, mut checked) = (screens(), 0);
    for page in ["README.md", "src/render/reading.md", "src/core/rules/versions.md"] {
        let text = fs::read_to_string(root().join(page)).expect("a text");
        let blocks = text.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
        for block in blocks {
            assert!(screens.contains(block), "no recorded page has this screen of {page}:\n{block}");
            checked += 1;
        }
    }
    assert!(checked > 5, "only {checked}");
}

/// An assistant reads the fields that it names: they are there.
#[test]
fn the_skill_names_fields_that_are_there_and_is_printed() {
    let text = fs::read_to_string(root().join("src/cli/SKILL.md")).expect("a text");
    assert!(text.lines().count() < 60);
    assert_eq!(super::cli::stdout(&super::cli::kubectl_hpa(&["skill"], "")), text);
    let output = super::cli::kubectl_hpa(&["explain", "--example", "missing-samples", "-o", "json"], "");
    let decision: serde_json::Value = serde_json::from_str(super::cli::stdout(&output)).expect("JSON");
    for field in [
        "outcome.answer",
        "currentReplicas",
        "desiredReplicas",
        "causes[0]",
        "metrics[]",
        "steps[]",
        "advice[]",
    ] {
        assert!(text.contains(&format!("`{field}`")), "{field}");
        let pointer = field.replace('.', "/").replace("[0]", "/0").replace("[]", "/0");
        assert!(decision.pointer(&format!("/{pointer}")).is_some(), "{field}");
    }
    for field in
        ["/causes/0/code", "/causes/0/without", "/causes/0/ends", "/advice/0/command", "/advice/0/replicas"]
    {
        assert!(decision.pointer(field).is_some(), "{field}");
    }
}

#[test]
fn the_exit_codes_of_readme_are_those_of_the_help() {
    let readme = readme();
    let help = <Cli as clap::CommandFactory>::command().get_after_help().expect("the exit codes").to_string();
    let rows: Vec<String> = help
        .lines()
        .filter_map(|line| line.trim_start().split_once("  "))
        .map(|(code, meaning)| format!("| {code} | {meaning} |"))
        .collect();
    assert_eq!(rows.len(), 6, "{help}");
    assert!(readme.contains(&rows.join("\n")), "README lacks\n{}", rows.join("\n"));
}
