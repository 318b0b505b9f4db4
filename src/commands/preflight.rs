//! Values that nothing which is read could make right, found before anything is.

use std::io::{self, Write};

use anyhow::{Context, ensure};

use super::{cases, subjects, writer};
use crate::cli::{Cli, Command, Condition, SettingsArgs};
use crate::render;
use kubectl_hpa_core::model::Evidenced;
use kubectl_hpa_core::rules::{GATES, Rules};
use kubectl_hpa_core::trace::Code;

/// Whether each can be meant.
pub fn check(cli: &Cli) -> anyhow::Result<()> {
    match &cli.command {
        Command::Explain(args) => {
            args.why.as_deref().filter(|code| !code.is_empty()).map(render::codes::find).transpose()?;
            args.example.as_deref().filter(|name| !name.is_empty()).map(cases::example).transpose()?;
            subjects::read(&args.subjects)?;
            cases::check(&args.file)?;
            writer::template(&args.output)?;
            versions(&args.settings, args.upgrade_to.as_ref())
        }
        Command::Simulate(args) => {
            args.example.as_deref().map(cases::examples).transpose()?;
            subjects::read(&args.subjects)?;
            cases::check(&args.file)?;
            writer::template(&args.output)?;
            versions(&args.settings, None)
        }
        Command::List(args) => {
            args.example.as_deref().filter(|name| !name.is_empty()).map(cases::example).transpose()?;
            subjects::read(&args.subjects())?;
            cases::check(&args.file)?;
            writer::columns(&args.output)?;
            writer::template(&args.output).map(drop)
        }
        Command::Wait(args) => {
            subjects::read(&args.subjects())?;
            if let Condition::Code(code) = &args.condition {
                let found = render::codes::find(code)?;
                let is_of_step = Code::ALL.iter().any(|step| step.as_str() == found.as_str());
                ensure!(is_of_step, "--for code={code}: it is not the code of a step");
            }
            versions(&args.settings, None)
        }
        Command::Record(args) => subjects::read(&args.subjects()).map(drop),
        Command::History(args) => {
            subjects::read(&args.subjects())?;
            let files: Vec<_> = args.file.iter().chain(&args.controller_log).cloned().collect();
            cases::check(&files)?;
            versions(&args.settings, None)
        }
        Command::Backtest(args) => {
            cases::check(&args.file)?;
            writer::template(&args.output)?;
            versions(&args.settings, None)
        }
        Command::Case(args) => cases::check(&args.files),
        Command::Test(args) => cases::check(&args.files),
        Command::Lint(args) => {
            subjects::read(&args.subjects())?;
            cases::check(&args.file)
        }
        Command::Rbac(_)
        | Command::Completion(_)
        | Command::Mcp(_)
        | Command::Skill
        | Command::Complete(_) => Ok(()),
    }
}

/// Whether there are rules for each version, with the gates that were typed.
fn versions(settings: &SettingsArgs, upgrade_to: Option<&String>) -> anyhow::Result<()> {
    let gates = settings.feature_gates.iter().flat_map(|gates| &gates.0);
    let gates = gates
        .map(|(gate, value)| (gate.as_str().into(), Evidenced::given(*value, "--feature-gates")))
        .collect();
    let sides = settings.as_version.iter().map(|version| ("--as-version", version));
    sides.chain(upgrade_to.map(|version| ("--upgrade-to", version))).try_for_each(|(flag, version)| {
        Rules::for_version(version, &gates).map(drop).with_context(|| format!("{flag} {version}"))
    })
}

/// Tells of gates that change nothing. They are no error, as all gates of a controller may have been copied; and a slip of
/// the pen is not passed over.
pub fn note(cli: &Cli, err: &mut dyn Write) -> io::Result<()> {
    let settings = match &cli.command {
        Command::Explain(args) => &args.settings,
        Command::Simulate(args) => &args.settings,
        Command::Wait(args) => &args.settings,
        Command::History(args) => &args.settings,
        Command::Backtest(args) => &args.settings,
        Command::List(_)
        | Command::Lint(_)
        | Command::Record(_)
        | Command::Case(_)
        | Command::Test(_)
        | Command::Rbac(_)
        | Command::Completion(_)
        | Command::Mcp(_)
        | Command::Skill
        | Command::Complete(_) => return Ok(()),
    };
    let names = settings.feature_gates.iter().flat_map(|gates| &gates.0).map(|(name, _)| name.as_str());
    let others: Vec<&str> = names.filter(|name| !GATES.contains(name)).collect();
    if others.is_empty() {
        return Ok(());
    }
    let others = render::sanitize(&others.join(", ")).into_owned();
    writeln!(
        err,
        "note: --feature-gates: no decision depends on {others}; the gates that matter are {}",
        GATES.join(", ")
    )
}
