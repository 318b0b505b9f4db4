//! The hallway: from what was typed to what is written. The only room that may enter every other; it neither formats
//! nor calculates.

mod apply;
mod cases;
mod complete;
mod completion;
mod connect;
mod explain;
mod explained;
mod files;
mod folders;
mod invoked;
mod manifest;
mod output;
mod rbac;
mod redact;
mod screen;
mod simulate;
mod subjects;
mod test;
mod usage;
mod values;
mod versions;
mod watch;
mod writer;

use std::io::Write;
use std::process::ExitCode;

use crate::cli::{Cli, Command};
use invoked::Invoked;
use output::is_closed;

pub use output::Output;
pub use screen::Screen;
pub use usage::parse;

/// How a run ended: the process' exit code, as `--help` lists them. Wrong command lines never come this far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything that was asked for was explained.
    Done,
    /// Something was not; why stands on standard error.
    Failed,
    /// What was simulated, or what another version decides, is another decision.
    Different,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Done => Self::SUCCESS,
            Ending::Failed => Self::FAILURE,
            Ending::Different => Self::from(3),
        }
    }
}

/// Runs a command line. Data goes to `out`, talk to `err`; a reader that closes `out` early has had enough, and that is
/// success.
pub async fn run(cli: Cli, screen: Screen, out: &mut dyn Write, err: &mut dyn Write) -> Ending {
    let ending = match cli.command {
        Command::Explain(args) => explain::run(*args, screen, out, err).await,
        Command::Simulate(args) => simulate::run(*args, screen, out, err).await,
        Command::Test(args) => test::run(&args, out, err),
        Command::Rbac(args) => rbac::run(&args, out),
        Command::Completion(args) => completion::run(&args, &Invoked::of_process(), out),
        Command::Complete(args) => complete::run(&args, out),
    };
    match ending {
        Ok(ending) => ending,
        Err(error) if output::has_left(&error) => Ending::Done,
        Err(error) => {
            // Where standard error is closed too, there is nobody left to tell.
            let _ = explain::complain(&output::told(error), err);
            Ending::Failed
        }
    }
}
