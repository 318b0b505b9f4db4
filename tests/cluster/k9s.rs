//! The plugins for k9s (`completions/k9s-plugins.yaml`): what k9s starts for a selected row, started here.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde::Deserialize;

use crate::cluster::{Cluster, kubeconfig_file};
use crate::completion::HOSTILE;
use crate::connections::{Folder, stderr};
use crate::server::Server;

/// The fields that k9s has for a plugin, of those that ours need (its `plugins.json` refuses all others).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Plugin {
    short_cut: String,
    description: String,
    scopes: Vec<String>,
    command: String,
    background: bool,
    args: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plugins {
    plugins: BTreeMap<String, Plugin>,
}

fn plugins() -> BTreeMap<String, Plugin> {
    let text = include_str!("../../completions/k9s-plugins.yaml");
    let plugins: Plugins = serde_yaml::from_str(text).expect("a plugins file");
    plugins.plugins
}

/// An argument with the values of a row put in, as k9s does it (`Env.Substitute`, v0.50): the longest names first, and a name
/// that it does not know stops the plugin.
fn substituted(arg: &str, row: &[(&str, &str)]) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '|');
    let after = arg.split('$').skip(1);
    let mut names: Vec<&str> =
        after.map(|rest| &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())]).collect();
    names.retain(|name| !name.is_empty());
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.iter().fold(arg.to_owned(), |arg, name| {
        let known = row.iter().find(|(known, _)| known == name);
        let (_, value) = known.unwrap_or_else(|| panic!("k9s does not know ${name}"));
        arg.replace(&format!("${name}"), value)
    })
}

/// What a plugin prints, with these scripts in the place of kubectl and less.
fn started(test: &str, plugin: &Plugin, context: &str, kubectl: &str, url: &str) -> Output {
    let row =
        [("NAME", "web"), ("NAMESPACE", "shop"), ("CONTEXT", context), ("RESOURCE_NAME", &*plugin.scopes[0])];
    let folder = Folder::of(test);
    let kubectl = folder.script("kubectl", &format!("#!/bin/sh\n{kubectl}\n"));
    folder.script("less", "#!/bin/sh\nexec cat\n");
    let folder = Path::new(&kubectl).parent().expect("a folder");
    Command::new(&plugin.command)
        .args(plugin.args.iter().map(|arg| substituted(arg, &row)))
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .env("KUBECONFIG", kubeconfig_file(url))
        .env("REAL", env!("CARGO_BIN_EXE_kubectl-hpa"))
        .current_dir(folder)
        .output()
        .expect("the plugin starts")
}

#[test]
fn the_selected_row_is_explained() {
    let shop = Cluster::shop();
    let server = Server::start(move |request| shop.answer(request));
    for (name, plugin) in plugins().iter().filter(|(_, plugin)| plugin.command == "sh") {
        let real = "shift; exec \"$REAL\" \"$@\"";
        let output = started("k9s-row", plugin, "test", real, &server.url());
        let screen = String::from_utf8_lossy(&output.stdout);
        assert!(screen.contains("Deployment/web") && screen.contains("\u{1b}["), "{name}: {screen}");
    }
}

#[test]
fn no_name_is_read_by_a_shell() {
    let prints = "printf '%s\\0' \"$@\"";
    for (name, plugin) in plugins() {
        assert!(
            !plugin.background && !plugin.description.is_empty() && plugin.short_cut.starts_with("Shift-")
        );
        for context in HOSTILE {
            let output = started("k9s-names", &plugin, context, prints, "http://127.0.0.1:1");
            let text = String::from_utf8_lossy(&output.stdout);
            let given: Vec<&str> = text.trim_end_matches('\0').split('\0').collect();
            let found = given.windows(2).any(|pair| pair == ["--context", context]);
            assert!(found && given.starts_with(&["hpa", "explain"]), "{name}: {given:?} {}", stderr(&output));
        }
    }
}
