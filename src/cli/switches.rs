//! Flags that are on or off, with a value as kubectl's take one: `--watch=false`, `-w=true`.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command};

use kubectl_hpa_core::model::boolean;

/// A command line with a verb: `kubectl hpa` alone, or with nothing but flags, is `kubectl hpa list`.
#[must_use]
pub fn with_verb(command: &Command, words: &[OsString]) -> Vec<OsString> {
    let mut words = words.to_vec();
    let typed = words.get(1..).unwrap_or_default();
    let is_verb = |word: &OsString| command.find_subcommand(word).is_some();
    let is_about = |word: &OsString| {
        let word = word.to_string_lossy();
        ["--help", "--version"].iter().any(|flag| word.starts_with(flag)) || word == "-h" || word == "-V"
    };
    let is_flag = typed.first().is_none_or(|word| word.to_string_lossy().starts_with('-'));
    if !words.is_empty() && is_flag && !typed.iter().any(|word| is_verb(word) || is_about(word)) {
        words.insert(1, "list".into());
    }
    words
}

/// A switch in a word, and to what the word sets it.
struct Turned<'a> {
    switch: &'a Arg,
    is_on: bool,
}

/// A command line in which each switch that is on stands without a value, and the others do not stand at all: what
/// excludes them, or needs them, then holds as if they had not been typed. Of several the last counts, as in pflag.
#[must_use]
pub fn plain(command: &Command, words: &[OsString]) -> Vec<OsString> {
    let is_verb = |word: &OsString| command.get_subcommands().find(|verb| *word == *verb.get_name());
    let Some(verb) = words.iter().skip(1).find_map(is_verb) else { return words.to_vec() };
    let mut plain: Vec<(Option<&Arg>, OsString)> = Vec::new();
    let mut words = words.iter();
    for word in words.by_ref() {
        let Some(Turned { switch, is_on }) = turned(verb, word) else {
            plain.push((None, word.clone()));
            if word == "--" {
                break;
            }
            continue;
        };
        plain.retain(|(other, _)| *other != Some(switch));
        if is_on && let Some(long) = switch.get_long() {
            plain.push((Some(switch), format!("--{long}").into()));
        }
    }
    plain.into_iter().map(|(_, word)| word).chain(words.cloned()).collect()
}

/// `None` also of a value that is no boolean: the parser refuses it.
fn turned<'a>(verb: &'a Command, word: &OsString) -> Option<Turned<'a>> {
    let word = word.to_str()?.strip_prefix('-')?;
    let (name, value) = word.split_once('=').unwrap_or((word, "true"));
    let is_named = |arg: &&Arg| match name.strip_prefix('-') {
        Some(long) => arg.get_long() == Some(long),
        None => arg.get_short().is_some_and(|letter| name.chars().eq([letter])),
    };
    let mut switches = verb.get_arguments().filter(|arg| matches!(arg.get_action(), ArgAction::SetTrue));
    Some(Turned { switch: switches.find(is_named)?, is_on: boolean(value)? })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{plain, with_verb};
    use crate::cli::Cli;

    #[test]
    fn a_switch_is_turned_as_pflag_turns_it() {
        for (typed, expected) in [
            ("explain web --watch", "explain web --watch"),
            ("explain web -w=true", "explain web --watch"),
            ("explain web --watch=T -n shop", "explain web --watch -n shop"),
            ("explain web --watch=false -f x", "explain web -f x"),
            ("explain -A=0 --all=1", "explain --all"),
            ("explain -w --watch=false web", "explain web"),
            ("explain --watch=false -w web", "explain --watch web"),
            ("explain --watch --watch", "explain --watch"),
            ("simulate web --no-memory=false --apply=true", "simulate web --apply"),
            ("explain web --insecure-skip-tls-verify=false", "explain web"),
            // Anything that is not a switch is left to the parser.
            ("explain web --watch=maybe", "explain web --watch=maybe"),
            ("explain web --watch false", "explain web --watch false"),
            ("explain web -Aw", "explain web -Aw"),
            ("explain web --output=json", "explain web --output=json"),
            ("explain -- --watch=false", "explain -- --watch=false"),
            ("__complete -- explain --watch=false", "__complete -- explain --watch=false"),
            ("--version=false", "--version=false"),
        ] {
            let words =
                |text: &str| format!("kubectl-hpa {text}").split(' ').map(Into::into).collect::<Vec<_>>();
            assert_eq!(plain(&Cli::command(), &words(typed)), words(expected), "{typed}");
        }
    }

    #[test]
    fn without_a_verb_it_is_a_list() {
        for (typed, expected) in [
            ("", "list"),
            ("-n shop", "list -n shop"),
            ("-A --only broken", "list -A --only broken"),
            ("explain web", "explain web"),
            // A verb behind flags is one that stands in the wrong place, and no name.
            ("-n shop explain web", "-n shop explain web"),
            ("web", "web"),
            ("--help", "--help"),
            ("-V", "-V"),
            ("--version=false", "--version=false"),
        ] {
            let words = |text: &str| {
                format!("kubectl-hpa {text}").split_whitespace().map(Into::into).collect::<Vec<_>>()
            };
            assert_eq!(with_verb(&Cli::command(), &words(typed)), words(expected), "{typed}");
        }
    }
}
