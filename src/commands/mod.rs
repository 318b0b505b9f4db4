//! One function per command, from what was typed to what is written. The only room that may use every other. What a
//! decision says is worded in [`crate::render`]; here are the words about the run itself, its errors, hints and questions.

mod apply;
mod backtest;
mod beside;
mod case;
mod cases;
mod clusters;
mod complain;
mod complete;
mod completion;
mod connect;
mod ending;
mod explain;
mod explained;
mod files;
mod fleet;
mod folders;
mod future;
mod history;
mod invoked;
mod knobs;
mod lint;
mod list;
mod looks;
mod manifest;
mod mcp;
mod output;
mod packed;
mod preflight;
mod progress;
mod rbac;
mod record;
mod redact;
mod screen;
mod signals;
mod simulate;
mod simulated;
mod streams;
mod subjects;
mod test;
mod usage;
mod wait;
mod wanted;
mod watch;
mod writer;

use std::io::Write;

use crate::cli::{Cli, Command};
use invoked::Invoked;
use streams::{Closed, Stream};

pub use ending::Ending;
pub use output::Output;
pub use screen::Screen;
pub use usage::parse;

fn skill(out: &mut dyn Write) -> anyhow::Result<Ending> {
    out.write_all(include_bytes!("../cli/SKILL.md"))?;
    Ok(Ending::Done)
}

/// Runs a command line. Data goes to `out`, talk to `err`. A reader that leaves early changes nothing of how it ends, but
/// that a watch is over, and that `--apply` writes nothing.
pub async fn run(cli: Cli, screen: Screen, out: &mut dyn Write, err: &mut dyn Write) -> Ending {
    let closed = closed(&cli.command);
    let mut out = Stream::new("standard output", out, closed);
    let mut err = Stream::new("standard error", err, closed);
    let ending = Box::pin(dispatch(cli.command, screen, &mut out, &mut err)).await;
    match ending.and_then(|ending| Ok(out.flush().map(|()| ending)?)) {
        Ok(ending) => ending,
        Err(error) if closed == Closed::End && output::has_left(&error) => Ending::Done,
        Err(error) => {
            // If standard error is closed too, nobody can be told.
            let _ = complain::complain(&output::to_report(error), &mut err);
            Ending::Failed
        }
    }
}

async fn dispatch(
    command: Command,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    match command {
        Command::Explain(args) => Box::pin(explain::run(*args, screen, out, err)).await,
        Command::List(args) => Box::pin(list::run(*args, screen, out, err)).await,
        Command::Lint(args) => Box::pin(lint::run(&args, screen, out, err)).await,
        Command::Simulate(args) => Box::pin(simulate::run(*args, screen, out, err)).await,
        Command::Wait(args) => Box::pin(wait::run(&args, screen, out, err)).await,
        Command::Record(args) => Box::pin(record::run(&args, out, err)).await,
        Command::History(args) => Box::pin(history::run(&args, screen, out, err)).await,
        Command::Backtest(args) => backtest::run(&args, screen, out, err),
        Command::Case(args) => case::run(&args, out, err),
        Command::Test(args) => test::run(&args, screen, out, err),
        Command::Rbac(args) => rbac::run(&args, out),
        Command::Completion(args) => completion::run(&args, &Invoked::of_process(), out),
        Command::Mcp(args) => mcp::run(&args, out),
        Command::Skill => skill(out),
        Command::Complete(args) => complete::run(&args, out),
    }
}

/// What a reader who leaves early means to a command.
fn closed(command: &Command) -> Closed {
    match command {
        Command::Explain(args) if args.watch => Closed::End,
        Command::List(args) if args.watch => Closed::End,
        Command::Record(_) | Command::Mcp(_) => Closed::End,
        Command::Explain(args) if args.apply.apply => Closed::Fail,
        Command::Simulate(args) if args.apply.apply => Closed::Fail,
        _ => Closed::Drop,
    }
}
