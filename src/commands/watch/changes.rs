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
        let row = render::Changed::after(change, &before.explained);
        if args.output == Output::Jsonl {
            render::replica_change_json(out, &row)?;
        } else {
            render::replica_change(out, &row, &options)?;
        }
    }
    Ok(out.flush()?)
}
