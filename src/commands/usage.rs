//! The command line, read; what is wrong with it, said without repeating what a terminal would obey.

use std::ffi::OsString;
use std::io::Write;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::render::sanitize;

/// The exit code of a wrong command line.
const WRONG: u8 = 2;

/// Reads a command line. For one that is wrong, and for help, what is to be said is written and the exit code is in the
/// error.
///
/// # Errors
/// The exit code with which to end.
pub fn parse(args: &[OsString], err: &mut dyn Write) -> Result<Cli, u8> {
    let words = match Cli::try_parse_from(args) {
        Ok(cli) => match check(&cli) {
            Ok(()) => return Ok(cli),
            Err(words) => format!("error: {words}\n"),
        },
        Err(error) if !error.use_stderr() => {
            // A reader that has closed the output early has had enough.
            let _ = error.print();
            return Err(0);
        }
        Err(error) => return Err(complain(args, &error, err)),
    };
    let _ = err.write_all(words.as_bytes());
    Err(WRONG)
}

fn check(cli: &Cli) -> Result<(), String> {
    match &cli.command {
        Command::Explain(args) => args.check(),
        Command::Simulate(args) => args.check(),
        Command::Test(_) | Command::Rbac(_) => Ok(()),
    }
}

/// The complaint is made about a copy of the command line that is safe to print.
fn complain(args: &[OsString], error: &clap::Error, err: &mut dyn Write) -> u8 {
    let safe = args.iter().map(|arg| sanitize(&arg.to_string_lossy()).into_owned());
    let _ = match Cli::try_parse_from(safe) {
        Err(error) if error.use_stderr() => error.print(),
        _ => error.to_string().lines().try_for_each(|line| writeln!(err, "{}", sanitize(line))),
    };
    WRONG
}
