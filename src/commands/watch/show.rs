//! What is shown of each look: a page on a terminal, a line elsewhere where something has changed.

use std::io::{self, IsTerminal, Write};
use std::rc::Rc;

use super::changes;
use super::frame::Frame;
use super::viewer::Viewer;
use crate::cli::{ExplainArgs, Output};
use crate::commands::looks::{Trouble, failing};
use crate::commands::writer::Answered;
use crate::commands::writer::Form;
use crate::commands::{Ending, Screen};
use crate::render;
use kubectl_hpa_core::comparison::{Look, ReplicaChange, Trail};
use kubectl_hpa_core::explanation::{ChangeKey, Explanation};
use kubectl_hpa_core::model::Instant;

/// Where looks are shown.
pub struct Show<'a> {
    args: &'a ExplainArgs,
    screen: Screen,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    frame: Frame,
    last: Option<Explanation>,
    /// What the last line was about.
    told: Option<ChangeKey>,
    trouble: Trouble,
    /// The changes of the replicas, where these are wanted.
    trail: Trail,
}

impl<'a> Show<'a> {
    pub fn new(
        args: &'a ExplainArgs,
        screen: Screen,
        out: &'a mut dyn Write,
        err: &'a mut dyn Write,
    ) -> Self {
        let (told, frame) = (None, Frame::default());
        Self {
            args,
            screen,
            out,
            err,
            frame,
            last: None,
            told,
            trouble: Trouble::default(),
            trail: Trail::default(),
        }
    }

    /// Gives the terminal back.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        let told = self.trail.end();
        self.tell(&told)?;
        let page = self.page()?;
        self.frame.leave(self.out, &page)?;
        Ok(self.out.flush()?)
    }
}

impl Viewer for Show<'_> {
    /// Shows an answer.
    fn answer(&mut self, explained: Explanation, begun: Instant) -> anyhow::Result<Option<Ending>> {
        self.in_trouble(explained.snapshot().taken_at, Vec::new())?;
        if self.args.changes {
            let told = self.trail.see(Look { begun, explained: Rc::new(explained) });
            self.tell(&told)?;
            return Ok(None);
        }
        self.last = Some(explained);
        self.again()?;
        Ok(None)
    }

    /// Tells of what went wrong, once.
    fn trouble(&mut self, error: &anyhow::Error, now: Instant) -> anyhow::Result<()> {
        self.in_trouble(now, vec![failing(&format!("{error:#}"))])?;
        if self.is_drawn() { self.again() } else { Ok(()) }
    }

    /// Shows the last answer for the terminal as it is now.
    fn again(&mut self) -> anyhow::Result<()> {
        if self.is_drawn() {
            if std::io::stdout().is_terminal() {
                self.screen = Screen { can_ask: self.screen.can_ask, ..Screen::of_stdout() };
            }
            let (page, height) = (self.page()?, self.screen.height.unwrap_or_default());
            return Ok(self.frame.draw(self.out, &page, height, 0)?);
        }
        if self.args.changes { Ok(()) } else { self.line() }
    }
}

impl Show<'_> {
    fn is_drawn(&self) -> bool {
        self.screen.height.is_some() && self.args.output != Output::Jsonl && !self.args.changes
    }

    /// A page that is drawn shows it itself.
    fn in_trouble(&mut self, now: Instant, lines: Vec<String>) -> io::Result<()> {
        let mut nowhere = io::sink();
        let err: &mut dyn Write = if self.is_drawn() { &mut nowhere } else { self.err };
        self.trouble.tell(now, lines, err)
    }

    fn tell(&mut self, told: &[(ReplicaChange, Look)]) -> anyhow::Result<()> {
        changes::write(self.out, told, self.args, self.screen)
    }

    fn page(&self) -> anyhow::Result<String> {
        let mut page = Vec::new();
        for line in self.trouble.lines() {
            writeln!(page, "{line}. Last screen:\n")?;
        }
        if let Some(explained) = &self.last {
            explained.text(&mut page, &Form::of_explain(self.args, self.screen)?.options)?;
        }
        Ok(String::from_utf8_lossy(&page).into_owned())
    }

    fn line(&mut self) -> anyhow::Result<()> {
        let Some(explained) = &self.last else { return Ok(()) };
        let options = Form::of_explain(self.args, self.screen)?.options;
        let is_json = self.args.output == Output::Jsonl;
        let told = Some(explained.change_key(is_json));
        if told == self.told {
            return Ok(());
        }
        self.told = told;
        let out: &mut dyn Write = self.out;
        let written: io::Result<()> = if is_json {
            render::json_line(out, &explained.view())
        } else {
            render::line(out, explained, &options)
        };
        written?;
        Ok(self.out.flush()?)
    }
}
