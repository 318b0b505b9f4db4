//! The lines of `--changes`.

use std::io::Write;

use crate::cli::{ExplainArgs, Output};
use crate::commands::Screen;
use crate::commands::looks::Changed;
use crate::commands::writer::Form;
use crate::render;

/// Writes each change, after the look before it, as it is asked for.
pub fn write(
    out: &mut dyn Write,
    changes: &[Changed],
    args: &ExplainArgs,
    screen: Screen,
) -> anyhow::Result<()> {
    let options = Form::of_explain(args, screen)?.options;
    for (change, before) in changes {
        if args.output == Output::Jsonl {
            render::replica_change_json(out, change, &before.explained)?;
        } else {
            render::replica_change(out, change, &before.explained, &options)?;
        }
    }
    Ok(out.flush()?)
}
