//! The command line, read; what is wrong with it, said without repeating what a terminal would obey.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches};

use super::invoked::Invoked;
use super::{complain, output, preflight};
use crate::cli::{self, Cli, Command};
use crate::render::{self, sanitize};
use kubectl_hpa_core::model::shell_word;

/// The exit code of a wrong command line.
const WRONG: u8 = 2;
/// That of help which could not be written.
const FAILED: u8 = 1;

/// Reads a command line. For one that is wrong, and for help, what is to be said is written and the exit code is in the
/// error.
///
/// # Errors
/// The exit code with which to end.
pub fn parse(args: &[OsString], err: &mut dyn Write) -> Result<Cli, u8> {
    let error = match read(args, args) {
        Ok(cli) => match check(&cli) {
            Ok(()) => {
                // If standard error is closed, nobody can be told.
                let _ = preflight::note(&cli, err);
                return Ok(cli);
            }
            Err(error) => error,
        },
        Err(error) if !error.use_stderr() => {
            return Err(print_help(&error, err));
        }
        Err(error) => return Err(complain(args, &error, err)),
    };
    let _ = complain::complain(&error, err);
    Err(WRONG)
}

/// Prints help, and says with which exit code it ends.
fn print_help(help: &clap::Error, err: &mut dyn Write) -> u8 {
    let printed = help.print().and_then(|()| io::stdout().flush());
    match printed.as_ref().err().and_then(output::unwritten) {
        Some(error) => {
            let _ = complain::complain(&error.into(), err);
            FAILED
        }
        None => 0,
    }
}

/// Reads the words with a usage that follows the name of the first of `args`.
fn read(args: &[OsString], words: &[OsString]) -> clap::error::Result<Cli> {
    let invoked = Invoked::by(args.first().map(OsString::as_os_str).unwrap_or_default());
    let mut command = Cli::command().bin_name(&invoked.command);
    if invoked != Invoked::default() {
        command = command.mut_subcommands(|verb| {
            let examples = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            verb.after_help(invoked.renamed(&examples).into_owned())
        });
    }
    let words = cli::plain(&command, &cli::with_verb(&command, words));
    let matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Flags first, as a value may be that of a flag which has no place.
fn check(cli: &Cli) -> anyhow::Result<()> {
    let flags = match &cli.command {
        Command::Explain(args) => args.check(),
        Command::Simulate(args) => args.check(),
        Command::List(args) => args.check(),
        Command::Wait(args) => args.check(),
        Command::Lint(args) => args.check(),
        Command::Record(args) => args.check(),
        Command::History(args) => args.check(),
        Command::Backtest(args) => args.check(),
        Command::Mcp(args) => args.check(),
        Command::Case(_)
        | Command::Test(_)
        | Command::Rbac(_)
        | Command::Completion(_)
        | Command::Skill
        | Command::Complete(_) => Ok(()),
    };
    flags?;
    preflight::check(cli)
}

/// What is not a command is mostly a name, or a word that other tools have for the same: the command that was likely meant.
fn hint(invoked: &Invoked, error: &clap::Error, words: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let command = &invoked.command;
    let place = words.iter().position(|word| word.to_str() == Some(typed))?;
    let rest = words.get(place + 1..).unwrap_or_default().iter().map(|word| word.to_string_lossy());
    let rest = rest.fold(String::new(), |rest, word| rest + " " + &shell_word(&word));
    let is_topic = |word: &OsString| word.to_str().is_some_and(|word| render::codes::find(word).is_ok());
    Some(match typed.to_lowercase().as_str() {
        "ls" | "get" => format!("{command} list{rest}"),
        "why" if words.get(place + 1).is_none_or(is_topic) => format!("{command} explain --why{rest}"),
        "why" | "describe" | "show" | "status" => format!("{command} explain{rest}"),
        "watch" => format!("{command} explain --watch{rest}"),
        "apply" => format!("{command} explain --apply{rest}"),
        _ => {
            let explain = format!("{command} explain {}{rest}", shell_word(typed));
            near(error).map_or_else(
                || explain.clone(),
                |near| format!("did you mean {command} {near}? For an HPA of that name: {explain}"),
            )
        }
    })
}

fn near(error: &clap::Error) -> Option<&String> {
    match error.get(ContextKind::SuggestedSubcommand)? {
        ContextValue::Strings(near) => near.first(),
        ContextValue::String(near) => Some(near),
        _ => None,
    }
}

/// The complaint is made about a copy of the command line that is safe to print.
fn complain(args: &[OsString], error: &clap::Error, err: &mut dyn Write) -> u8 {
    let invoked = Invoked::by(args.first().map(OsString::as_os_str).unwrap_or_default());
    if let Some(hint) = hint(&invoked, error, args) {
        // If standard error is closed, nobody can be told.
        let _ = unknown_command(&invoked, error, &hint, err);
        return WRONG;
    }
    let safe: Vec<_> = args.iter().map(|arg| OsString::from(&*sanitize(&arg.to_string_lossy()))).collect();
    let _ = match read(args, &safe) {
        Err(error) if error.use_stderr() => error.print(),
        _ => error.to_string().lines().try_for_each(|line| writeln!(err, "{}", sanitize(line))),
    };
    WRONG
}

fn unknown_command(
    invoked: &Invoked,
    error: &clap::Error,
    hint: &str,
    err: &mut dyn Write,
) -> io::Result<()> {
    let typed = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string).unwrap_or_default();
    writeln!(err, "error: there is no command \"{}\"", sanitize(&typed))?;
    writeln!(err, "hint: {}", sanitize(hint))?;
    let command = &invoked.command;
    writeln!(err, "\nUsage: {command} <COMMAND>\n\nFor more information, try '--help'.")
}
