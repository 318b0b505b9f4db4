//! The format of the output.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error, ValueEnum};

/// `-o`.
#[derive(Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// Text for a terminal.
    #[default]
    Text,
    /// Text with raw values and more columns.
    Wide,
    /// One JSON object; a list if several were asked for.
    Json,
    /// YAML, one document for each HPA.
    Yaml,
    /// One JSON object per line.
    Jsonl,
    /// The change of the HPA, as a merge patch in YAML.
    Patch,
    /// A page for a browser, in one file.
    Html,
    /// CSV, a row for each HPA.
    Csv,
    /// The HPAs' names, as kubectl prints them.
    Name,
    /// A JSONPath template over the JSON, as in kubectl.
    #[value(skip)]
    Jsonpath(String),
    /// Columns of the items of the JSON, as in kubectl.
    #[value(skip)]
    CustomColumns(String),
}

impl Output {
    /// Whether people read it, so that notes beside it do no harm.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Text | Self::Wide | Self::Html | Self::Name)
    }
}

/// Reads [`Output`]: a form by its name, `jsonpath=TEMPLATE`, or `custom-columns=COLUMNS`.
#[derive(Clone, Debug)]
pub struct OutputParser {
    refused: &'static [Output],
    /// Whether there are items to have columns.
    has_columns: bool,
    /// The help of formats that differ here.
    words: &'static [(Output, &'static str)],
}

impl OutputParser {
    /// The forms of `explain`, which changes nothing of the HPA.
    #[must_use]
    pub const fn explain() -> Self {
        let words = &[(Output::Csv, "CSV, with --upgrade-to: a row for each HPA")];
        Self { refused: &[Output::Patch], has_columns: false, words }
    }

    /// The forms of `simulate`.
    #[must_use]
    pub const fn simulate() -> Self {
        let words = &[
            (Output::Wide, "Text with every step; with --over, with the controller's event and every change"),
            (
                Output::Csv,
                "CSV, a row for each HPA; with --sweep, for each value; with --over, for each span of time",
            ),
        ];
        Self { refused: &[], has_columns: false, words }
    }

    /// The forms of `backtest`.
    #[must_use]
    pub const fn backtest() -> Self {
        let words = &[
            (Output::Wide, "Text with every change of the replicas"),
            (Output::Csv, "CSV, a row for each span of time"),
        ];
        Self { refused: &[Output::Patch], has_columns: false, words }
    }

    /// The forms of `list`, which is one table.
    #[must_use]
    pub const fn list() -> Self {
        let words = &[
            (Output::Text, "A table for a terminal"),
            (Output::Wide, "A table with the target and the wanted replicas, too"),
            (Output::Json, "One JSON object with all HPAs"),
            (Output::Yaml, "The JSON as YAML"),
            (Output::Jsonl, "One JSON object per line, for each HPA"),
            (Output::Csv, "CSV, a row for each HPA"),
        ];
        Self { refused: &[Output::Patch], has_columns: true, words }
    }

    /// The forms of `history`, which are lines.
    #[must_use]
    pub const fn history() -> Self {
        let words = &[
            (Output::Text, "A line for each change"),
            (Output::Csv, "CSV, a row for each change"),
            (Output::Jsonl, "One JSON object per line, for each change"),
        ];
        let refused = &[Output::Wide, Output::Json, Output::Yaml, Output::Patch, Output::Html, Output::Name];
        Self { refused, has_columns: false, words }
    }

    fn forms(&self) -> impl Iterator<Item = PossibleValue> {
        let forms = Output::value_variants().iter().filter(|form| !self.refused.contains(form));
        let named = forms.filter_map(|form| {
            let words = self.words.iter().find(|(of, _)| of == form).map(|(_, words)| *words);
            let value = form.to_possible_value()?;
            Some(match words {
                Some(words) => value.help(words),
                None => value,
            })
        });
        let template = PossibleValue::new(JSONPATH).help("A JSONPath template over the JSON, as in kubectl");
        let columns =
            PossibleValue::new(COLUMNS).help("Columns as in kubectl, for example NAME:.name,STATE:.state");
        named.chain([template]).chain(self.has_columns.then_some(columns))
    }
}

/// How a template is announced.
const JSONPATH: &str = "jsonpath=";
const COLUMNS: &str = "custom-columns=";

impl TypedValueParser for OutputParser {
    type Value = Output;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Output, Error> {
        if let Some(template) = value.to_str().and_then(|text| text.strip_prefix(JSONPATH)) {
            return Ok(Output::Jsonpath(template.to_owned()));
        }
        let columns = value.to_str().and_then(|text| text.strip_prefix(COLUMNS));
        if let Some(columns) = columns.filter(|_| self.has_columns) {
            return Ok(Output::CustomColumns(columns.to_owned()));
        }
        let name = PossibleValuesParser::new(self.forms()).parse_ref(command, arg, value)?;
        Output::from_str(&name, false).map_err(|words| Error::raw(ErrorKind::InvalidValue, words))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.forms()))
    }
}
