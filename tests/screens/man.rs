//! The man pages are those of the command line as it is.

use std::path::Path;

use clap::{Command, CommandFactory};
use kubectl_hpa::cli::Cli;

const FOLDER: &str = "src/cli/man";

/// Each page with the name of its file.
fn pages() -> Vec<(String, String)> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let verbs = root.get_subcommands().filter(|verb| !verb.is_hide_set());
    let pages = std::iter::once(&root).chain(verbs);
    pages.map(page).collect()
}

fn page(command: &Command) -> (String, String) {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text).expect("to write to memory");
    (format!("{name}.1"), String::from_utf8(text).expect("UTF-8"))
}

/// `KUBECTL_HPA_WRITE=1 cargo test --test screens screens::man::` writes them anew.
#[test]
fn the_pages_are_those_of_the_command_line() {
    let pages = pages();
    for (name, text) in &pages {
        crate::committed::hold(&format!("{FOLDER}/{name}"), text, "man");
    }
    let there =
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER)).expect("the folder is there");
    assert_eq!(there.count(), pages.len(), "a page too many, or too few");
}

#[test]
fn every_usage_line_says_kubectl_hpa() {
    let mut root = Cli::command();
    root.build();
    let names = ["explain", "simulate", "test"];
    let usages = names.map(|name| {
        let command = root.find_subcommand_mut(name).expect("a verb");
        (command.render_usage().to_string(), command.render_long_help().to_string())
    });
    for ((usage, help), name) in usages.iter().zip(names) {
        assert!(usage.starts_with(&format!("Usage: kubectl hpa {name} ")), "{usage}");
        assert!(!help.contains("kubectl-hpa "), "{help}");
    }
    assert!(root.render_usage().to_string().starts_with("Usage: kubectl hpa "));
}
