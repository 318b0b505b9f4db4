//! `-o custom-columns`: kubectl's columns over each item of a list.
//!
//! Source: `NewCustomColumnsPrinterFromSpec` and `RelaxedJSONPathExpression` of kubectl's `pkg/cmd/get/customcolumn.go`.

use std::io::{self, Write};

use jsonpath_rust::parser::model::JpQuery;
use serde_json::Value;

use super::error::TemplateError;
use super::path::path;
use super::shown::shown;
use super::template::found;

/// Between two columns; the last one is not filled up.
const PADDING: usize = 3;
/// The least that a column takes, as kubectl's writer of tables has it.
const LEAST: usize = 6;
/// Where a path finds nothing.
const NONE: &str = "<none>";

/// Heads with their paths.
#[derive(Clone, Debug)]
pub struct Columns(Vec<(String, JpQuery)>);

impl Columns {
    /// Reads `NAME:.name,STATE:.state`.
    ///
    /// # Errors
    /// Where a column is not a head and a path.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let column = |part: &str| {
            let (head, expression) =
                part.split_once(':').filter(|(head, _)| !head.is_empty()).ok_or_else(|| {
                    TemplateError::new(format!("unexpected {part:?}: expected <header>:<json-path-expr>"))
                })?;
            Ok((head.to_owned(), path(&relaxed(expression), '$')?))
        };
        text.split(',').map(column).collect::<Result<_, _>>().map(Self)
    }

    /// Writes the heads, and a row for each item.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write, items: &[Value]) -> io::Result<()> {
        let heads = self.0.iter().map(|(head, _)| head.clone()).collect();
        let rows: Vec<Vec<String>> =
            std::iter::once(heads).chain(items.iter().map(|item| self.row(item))).collect();
        let width = |column: usize| {
            let widths = rows.iter().map(|row| row[column].chars().count() + PADDING);
            widths.max().unwrap_or_default().max(LEAST)
        };
        let widths: Vec<usize> = (0..self.0.len()).map(width).collect();
        for row in &rows {
            let (last, others) = row.split_last().map_or(("", &[][..]), |(last, rest)| (last, rest));
            for (cell, width) in others.iter().zip(&widths) {
                write!(out, "{cell:width$}")?;
            }
            writeln!(out, "{last}")?;
        }
        Ok(())
    }

    fn row(&self, item: &Value) -> Vec<String> {
        let cell = |(_, query): &(String, JpQuery)| {
            let texts: Vec<String> = found(query, item).map(shown).collect();
            // A text may have lines, a cell has one.
            if texts.is_empty() { NONE.to_owned() } else { texts.join(",").replace(['\n', '\t'], " ") }
        };
        self.0.iter().map(cell).collect()
    }
}

/// `name`, `.name`, `{name}` and `{.name}` are the same.
fn relaxed(expression: &str) -> String {
    let inside = expression.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(expression);
    if inside.starts_with('[') { inside.to_owned() } else { format!(".{}", inside.trim_start_matches('.')) }
}
