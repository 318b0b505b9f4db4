//! One answer after the other, in the form that was asked for.

use std::borrow::Cow;
use std::io::{self, Write};
use std::rc::Rc;

use anyhow::Context;
use serde::Serialize;
use serde_json::Value;

use super::Screen;
use crate::cli::{ExplainArgs, Output, PodRows, StyleArgs};
use crate::render::{self, Columns, Detail, Glyphs, JsonList, Options, Paint, Rows, Template, Title};
use kubectl_hpa_core::comparison::Unanswered;

/// Columns of a page for a browser.
const PAGE: usize = 100;

/// An answer that can be written in every form.
pub trait Answered {
    /// The `kind` of a list of them.
    const LIST: &'static str;

    /// Which HPAs it is about.
    fn names(&self) -> Vec<Cow<'_, str>>;

    /// What its page for a browser is called.
    fn title(&self) -> Title<'_>;

    /// Writes it for people.
    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()>;

    /// As programs read it.
    fn view(&self) -> impl Serialize;

    /// Its items as programs read them.
    fn items(&self) -> serde_json::Result<Vec<Value>> {
        Ok(vec![serde_json::to_value(self.view())?])
    }

    /// Writes it as lines of JSON: one, or one of each part.
    fn lines(&self, out: &mut dyn Write) -> io::Result<()> {
        render::json_line(out, &self.view())
    }

    /// Writes it as a table of comma-separated values, where it is one.
    fn csv(&self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// What is changed of an HPA that is there, where something is.
    fn patch(&self) -> Option<&Value> {
        None
    }
}

/// How answers are written.
#[derive(Clone, Debug)]
pub struct Form {
    /// In which form.
    output: Output,
    /// What is taken out of the JSON.
    template: Option<Template>,
    /// The columns over its items.
    columns: Option<Columns>,
    /// How a text looks.
    pub options: Options,
}

impl Form {
    /// How the answers of explain look.
    ///
    /// # Errors
    /// Those of [`Self::of`].
    pub fn of_explain(args: &ExplainArgs, screen: Screen) -> anyhow::Result<Self> {
        let rows = match args.pods {
            PodRows::Folded => Rows::Folded,
            PodRows::All => Rows::All,
        };
        Self::of(&args.output, args.style, rows, screen)
    }

    /// As the command line and the screen have it.
    pub fn of(output: &Output, style: StyleArgs, rows: Rows, screen: Screen) -> anyhow::Result<Self> {
        let detail = if *output == Output::Wide { Detail::Wide } else { Detail::Normal };
        let options = Options { detail, rows, ..self::options(style, screen) };
        let options = match output {
            Output::Html => Options { width: PAGE, paint: Paint::Html, ..options },
            _ => options,
        };
        Ok(Self { output: output.clone(), template: template(output)?, columns: columns(output)?, options })
    }
}

/// How a text looks, as the command line and the screen have it.
pub fn options(style: StyleArgs, screen: Screen) -> Options {
    Options {
        width: screen.columns(),
        glyphs: if style.ascii || !screen.is_unicode { Glyphs::Ascii } else { Glyphs::Unicode },
        paint: if screen.is_colored(style.color) { Paint::Colored } else { Paint::Plain },
        ..Options::default()
    }
}

/// What is asked of the JSON, where that is a template.
pub fn template(output: &Output) -> anyhow::Result<Option<Template>> {
    let Output::Jsonpath(text) = output else { return Ok(None) };
    Ok(Some(Template::parse(text).with_context(|| format!("-o jsonpath={text}"))?))
}

/// The columns, where these are asked for.
pub fn columns(output: &Output) -> anyhow::Result<Option<Columns>> {
    let Output::CustomColumns(text) = output else { return Ok(None) };
    Ok(Some(Columns::parse(text).with_context(|| format!("-o custom-columns={text}"))?))
}

/// Writes one answer after the other in one form.
pub struct Writer<'a, T> {
    out: &'a mut dyn Write,
    form: Form,
    written: usize,
    /// Of JSON, which is one object or one list, and of a page, the first answer waits for a second.
    held: Option<Rc<T>>,
    list: JsonList,
    /// Whether JSON is a list even of one.
    is_list: bool,
    /// A template is given the whole of the JSON.
    values: Vec<Value>,
    /// What has no answer.
    errors: Vec<Unanswered>,
}

impl<'a, T: Answered> Writer<'a, T> {
    /// Writes to `out`.
    pub fn new(form: Form, out: &'a mut dyn Write) -> Self {
        let list = JsonList::of(T::LIST);
        Self {
            out,
            form,
            written: 0,
            held: None,
            list,
            is_list: false,
            values: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Makes a list of JSON however many answers there are, where several were asked for: as with kubectl, a template that
    /// ranges over a list finds one also where there is only one answer.
    pub fn listing(self, is_list: bool) -> Self {
        Self { is_list, ..self }
    }

    /// Keeps what has no answer: a list of JSON has it beside its items.
    pub fn failed(&mut self, error: Unanswered) {
        self.errors.push(error);
    }

    /// Where the answers are written, for what stands before them.
    pub fn stream(&mut self) -> &mut dyn Write {
        self.out
    }

    /// Writes the next one.
    pub fn write(&mut self, answer: &Rc<T>) -> anyhow::Result<()> {
        match self.form.output {
            Output::Text | Output::Wide => {
                if self.written > 0 {
                    render::rule(self.out, &self.form.options)?;
                }
                answer.text(self.out, &self.form.options)?;
            }
            Output::Html => self.write_html(answer)?,
            Output::Json => self.write_json(answer)?,
            Output::Yaml => render::yaml(self.out, &answer.view())?,
            Output::Patch => {
                let patch = answer
                    .patch()
                    .context("there is no patch: the HPA does not change, or it does not exist yet")?;
                render::yaml(self.out, patch)?;
            }
            Output::Csv => answer.csv(self.out)?,
            Output::Jsonl => answer.lines(self.out)?,
            Output::Name => {
                for name in answer.names() {
                    writeln!(self.out, "horizontalpodautoscaler.autoscaling/{}", render::sanitize(&name))?;
                }
            }
            Output::CustomColumns(_) => {
                if let Some(columns) = &self.form.columns {
                    columns.write(self.out, &answer.items()?)?;
                }
            }
            Output::Jsonpath(_) => self.values.push(serde_json::to_value(answer.view())?),
        }
        self.written += 1;
        Ok(self.out.flush()?)
    }

    /// A page of one answer is called after it, so the first one waits for a second.
    fn write_html(&mut self, answer: &Rc<T>) -> io::Result<()> {
        if self.written == 0 {
            self.held = Some(Rc::clone(answer));
            return Ok(());
        }
        if let Some(first) = self.held.take() {
            render::html_head(self.out, &first.title(), true)?;
            self.screen(&first)?;
        }
        self.screen(answer)
    }

    fn screen(&mut self, answer: &T) -> io::Result<()> {
        render::html_screen(self.out, |out| answer.text(out, &self.form.options))
    }

    fn write_json(&mut self, answer: &Rc<T>) -> io::Result<()> {
        if self.written == 0 && !self.is_list {
            self.held = Some(Rc::clone(answer));
            return Ok(());
        }
        if let Some(first) = self.held.take() {
            self.list.item(self.out, &first.view())?;
        }
        self.list.item(self.out, &answer.view())
    }

    /// Writes what is left, once there is nothing more to answer.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(template) = self.form.template {
            return match self.values.len() {
                0 if !self.is_list => Ok(()),
                1 if !self.is_list => template.write(self.out, &self.values.remove(0)),
                _ => template.write(self.out, &self.list.whole(&self.values, &self.errors)?),
            };
        }
        if self.form.output == Output::Html && self.written > 0 {
            if let Some(only) = self.held.take() {
                render::html_head(self.out, &only.title(), false)?;
                self.screen(&only)?;
            }
            return render::html_end(self.out);
        }
        match self.form.output {
            Output::Json => self.finish_json(),
            Output::Yaml if self.is_list => render::yaml_errors(self.out, &self.errors),
            _ => Ok(()),
        }
    }

    fn finish_json(self) -> io::Result<()> {
        match self.held {
            Some(only) => render::json(self.out, &only.view()),
            None if self.written == 0 && !self.is_list => Ok(()),
            None => self.list.end(self.out, &self.errors),
        }
    }
}
