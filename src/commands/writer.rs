//! One explanation after the other, in the form that was asked for.

use std::io::Write;
use std::rc::Rc;

use super::Screen;
use super::explained::Explained;
use crate::cli::{ExplainArgs, Output, PodRows};
use crate::render::{self, Detail, Glyphs, JsonList, Options, Paint, Rows};

/// Writes one explanation after the other in one form.
pub struct Writer<'a> {
    out: &'a mut dyn Write,
    form: Output,
    options: Options,
    written: usize,
    /// Of JSON, which is one object or one list, the first explanation waits for a second.
    held: Option<Rc<Explained>>,
    list: JsonList,
}

impl<'a> Writer<'a> {
    /// Writes to `out` what the command line asks for.
    pub fn new(args: &ExplainArgs, screen: Screen, out: &'a mut dyn Write) -> Self {
        let options = options(args, screen);
        Self { out, form: args.output, options, written: 0, held: None, list: JsonList::default() }
    }

    /// Writes the next one.
    pub fn write(&mut self, explained: &Rc<Explained>) -> anyhow::Result<()> {
        let explanation = explained.explanation();
        match self.form {
            Output::Text | Output::Wide => {
                if self.written > 0 {
                    writeln!(self.out)?;
                }
                render::text(self.out, explanation, &self.options)?;
            }
            Output::Json => self.write_json(explained)?,
            Output::Yaml => render::yaml(self.out, explanation)?,
            Output::Jsonl => render::json_line(self.out, explanation)?,
        }
        self.written += 1;
        Ok(self.out.flush()?)
    }

    fn write_json(&mut self, explained: &Rc<Explained>) -> std::io::Result<()> {
        if self.written == 0 {
            self.held = Some(Rc::clone(explained));
            return Ok(());
        }
        if let Some(first) = self.held.take() {
            self.list.item(self.out, first.explanation())?;
        }
        self.list.item(self.out, explained.explanation())
    }

    /// Writes what is left, once there is nothing more to explain.
    pub fn finish(self) -> std::io::Result<()> {
        match self.held {
            Some(only) => render::json(self.out, only.explanation()),
            None => self.list.end(self.out),
        }
    }
}

/// How it is to look.
pub fn options(args: &ExplainArgs, screen: Screen) -> Options {
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
