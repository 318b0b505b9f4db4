//! The command line, read; what is wrong with it, said without repeating what a terminal would obey.

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::Error;
use clap::{CommandFactory, FromArgMatches};

use super::invoked::Invoked;
use super::{explain, output, values};
use crate::cli::{self, Cli, Command};
use crate::render::sanitize;

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
                // Where standard error is closed, there is nobody to tell.
                let _ = values::note(&cli, err);
                return Ok(cli);
            }
            Err(error) => error,
        },
        Err(error) if !error.use_stderr() => {
            return Err(print_help(&error, err));
        }
        Err(error) => return Err(complain(args, &error, err)),
    };
    let _ = explain::complain(&error, err);
    Err(WRONG)
}

/// Prints help, and says with which exit code it ends.
fn print_help(help: &clap::Error, err: &mut dyn Write) -> u8 {
    let printed = help.print().and_then(|()| io::stdout().flush());
    match printed.as_ref().err().and_then(output::unwritten) {
        Some(error) => {
            let _ = explain::complain(&error.into(), err);
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
    let words = cli::plain(&command, words);
    let matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Flags first, as a value may be that of a flag which has no place.
fn check(cli: &Cli) -> anyhow::Result<()> {
    let flags = match &cli.command {
        Command::Explain(args) => args.check(),
        Command::Simulate(args) => args.check(),
        Command::Test(_) | Command::Rbac(_) | Command::Completion(_) | Command::Complete(_) => Ok(()),
    };
    flags.map_err(Error::msg)?;
    values::check(cli)
}

/// The complaint is made about a copy of the command line that is safe to print.
fn complain(args: &[OsString], error: &clap::Error, err: &mut dyn Write) -> u8 {
    let safe: Vec<_> = args.iter().map(|arg| OsString::from(&*sanitize(&arg.to_string_lossy()))).collect();
    let _ = match read(args, &safe) {
        Err(error) if error.use_stderr() => error.print(),
        _ => error.to_string().lines().try_for_each(|line| writeln!(err, "{}", sanitize(line))),
    };
    WRONG
}
