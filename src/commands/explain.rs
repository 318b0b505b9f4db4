//! `kubectl hpa explain`.

use std::io::Write;

use anyhow::{Context, anyhow};

use super::explained::Explained;
use super::redact::redact;
use super::{Ending, Screen, cases};
use crate::cli::{ExplainArgs, Output, PodRows};
use crate::cluster::ClusterError;
use crate::examples;
use crate::render::{self, Detail, Explanation, Glyphs, Options, Paint, Rows};

use crate::snapshot::{Case, Cases, Snapshot};
use crate::status::carry;

/// Explains what was asked for, case by case. A case that is wrong is complained of, and the next one is read.
pub async fn run(
    mut args: ExplainArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    if args.why.as_deref() == Some("") {
        render::listing(out, render::codes::titles())?;
        return Ok(Ending::Done);
    }
    if let Some(code) = &args.why {
        render::why(out, render::codes::find(code)?, &options(&args, screen))?;
        return Ok(Ending::Done);
    }
    if args.example.as_deref() == Some("") {
        render::listing(out, examples::ALL.iter().map(|example| (example.name, example.description())))?;
        return Ok(Ending::Done);
    }
    let mut run = Run { writer: Writer::new(&args, screen, out), previous: None };
    let mut ending = Ending::Done;
    let files = std::mem::take(&mut args.file);
    if let Some(name) = &args.example {
        let example =
            examples::find(name).ok_or_else(|| anyhow!("no example {name:?}; --example alone lists them"))?;
        for case in Cases::new(name, example.text.as_bytes()) {
            run.explain(case?, &args)?;
        }
    } else if let Some(subject) = &args.subject {
        let case = cases::of_cluster(subject, args.connection.clone()).await?;
        if let Some(path) = &args.save {
            save(case.clone(), path, args.redact)
                .with_context(|| format!("cannot save {}", path.display()))?;
        }
        run.explain(case, &args)?;
    }
    for case in cases::of_files(files) {
        let explained = case.and_then(|(place, case)| run.explain(case, &args).context(place));
        match explained {
            Err(error) if !super::is_closed(&error) => {
                complain(&error, err)?;
                ending = Ending::Failed;
            }
            result => result?,
        }
    }
    run.writer.finish()?;
    Ok(ending)
}

/// One line that says what failed; more lines where a place in a file is shown, and a hint where there is one.
pub fn complain(error: &anyhow::Error, err: &mut dyn Write) -> std::io::Result<()> {
    let text = format!("{error:#}");
    for (index, line) in text.lines().enumerate() {
        let label = if index == 0 { "error: " } else { "" };
        writeln!(err, "{label}{}", render::sanitize(line))?;
    }
    let hint = error.downcast_ref::<ClusterError>().and_then(ClusterError::hint);
    hint.map_or(Ok(()), |hint| writeln!(err, "hint: {}", render::sanitize(&hint)))
}

/// A run of cases.
struct Run<'a> {
    writer: Writer<'a>,
    previous: Option<Explained>,
}

impl Run<'_> {
    fn explain(&mut self, mut case: Case, args: &ExplainArgs) -> anyhow::Result<()> {
        cases::set(&mut case.controller, &args.settings);
        if let Some(previous) = self.previous.take() {
            case = carry(&previous.snapshot, &previous.answer.decision, &previous.report, case)?;
        }
        let explained = Explained::of(Snapshot::freeze(case)?)?;
        self.writer.write(&explained)?;
        self.previous = args.carry.then_some(explained);
        Ok(())
    }
}

/// Writes one explanation after the other in one form.
struct Writer<'a> {
    out: &'a mut dyn Write,
    form: Output,
    options: Options,
    written: usize,
    /// For JSON, which is one object or one list: what is not written yet.
    held: Vec<serde_json::Value>,
}

impl<'a> Writer<'a> {
    fn new(args: &ExplainArgs, screen: Screen, out: &'a mut dyn Write) -> Self {
        Self { out, form: args.output, options: options(args, screen), written: 0, held: Vec::new() }
    }

    fn write(&mut self, explained: &Explained) -> anyhow::Result<()> {
        let explanation = Explanation {
            snapshot: &explained.snapshot,
            decision: &explained.answer.decision,
            report: &explained.report,
            rules: &explained.rules,
            recall: explained.answer.recall.as_ref(),
            interval: explained.answer.interval,
        };
        match self.form {
            Output::Text | Output::Wide => {
                if self.written > 0 {
                    writeln!(self.out)?;
                }
                render::text(self.out, explanation, &self.options)?;
            }
            Output::Json => self.held.push(serde_json::to_value(render::decision_view(explanation))?),
            Output::Yaml => {
                render::yaml(self.out, explanation)?;
            }
            Output::Jsonl => render::json_line(self.out, explanation)?,
        }
        self.written += 1;
        Ok(self.out.flush()?)
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        let held = std::mem::take(&mut self.held);
        if self.form == Output::Json && self.written > 0 {
            render::json_list(self.out, held)?;
        }
        Ok(())
    }
}

fn options(args: &ExplainArgs, screen: Screen) -> Options {
    Options {
        width: screen.width,
        glyphs: if args.ascii || !screen.is_unicode { Glyphs::Ascii } else { Glyphs::Unicode },
        paint: if screen.is_colored(args.color) { Paint::Colored } else { Paint::Plain },
        detail: if args.output == Output::Wide { Detail::Wide } else { Detail::Normal },
        rows: match args.pods {
            PodRows::Folded => Rows::Folded,
            PodRows::All => Rows::All,
        },
    }
}

/// Writes a case beside its final place and moves it there, so that no half of it is ever seen.
fn save(mut case: Case, path: &std::path::Path, masked: bool) -> anyhow::Result<()> {
    if masked {
        redact(&mut case);
    }
    let text = serde_yaml::to_string(&case)?;
    let beside = path.with_extension("partial");
    std::fs::write(&beside, text)?;
    Ok(std::fs::rename(&beside, path)?)
}
