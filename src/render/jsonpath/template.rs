//! A template: text, and in braces paths, quoted text, and what is repeated.
//!
//! Source: client-go's `util/jsonpath`.

use std::io::{self, Write};

use jsonpath_rust::parser::model::JpQuery;
use jsonpath_rust::query::js_path_process;
use serde_json::Value;

use super::error::{TemplateError, unquoted};
use super::path::path;
use super::shown::shown;

/// A template as kubectl takes it.
#[derive(Clone, Debug)]
pub struct Template(Vec<Piece>);

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    /// What a path finds.
    Found(JpQuery),
    /// The pieces once for each value that a path finds.
    Range(JpQuery, Vec<Piece>),
}

/// What an action in braces says.
enum Action {
    Piece(Piece),
    Range(JpQuery),
    End,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// Where something is not closed, or means nothing.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut rest = text;
        let pieces = pieces(&mut rest, false)?;
        Ok(Self(pieces))
    }

    /// Writes what it says of a value; without a line break of its own.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write, value: &Value) -> io::Result<()> {
        write_pieces(&self.0, out, value)
    }
}

/// The pieces up to the end of the text, or of the range that they are in.
fn pieces(rest: &mut &str, is_in_range: bool) -> Result<Vec<Piece>, TemplateError> {
    let mut pieces = Vec::new();
    loop {
        let (text, action) =
            rest.split_once('{').map_or((*rest, None), |(text, action)| (text, Some(action)));
        if !text.is_empty() {
            pieces.push(Piece::Text(text.to_owned()));
        }
        let Some(action) = action else {
            *rest = "";
            return Ok(pieces);
        };
        let (inside, after) = closed(action)?;
        *rest = after;
        match self::action(inside.trim())? {
            Action::Piece(piece) => pieces.push(piece),
            Action::Range(query) => pieces.push(Piece::Range(query, self::pieces(rest, true)?)),
            Action::End if is_in_range => return Ok(pieces),
            Action::End => return Err(TemplateError::new("not in range, nothing to end")),
        }
    }
}

/// What is inside of an action, and what comes after it. A brace in quotes is text.
fn closed(text: &str) -> Result<(&str, &str), TemplateError> {
    let (mut quote, mut is_escaped) = (None, false);
    for (at, letter) in text.char_indices() {
        match (letter, quote) {
            _ if is_escaped => is_escaped = false,
            ('\\', _) => is_escaped = true,
            ('}', None) => return Ok((&text[..at], &text[at + 1..])),
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            _ => {}
        }
    }
    Err(TemplateError::new(if quote.is_some() { "unterminated quoted string" } else { "unclosed action" }))
}

fn action(inside: &str) -> Result<Action, TemplateError> {
    let is_literal = inside.parse::<f64>().is_ok() || matches!(inside, "true" | "false");
    let range = inside.strip_prefix("range").filter(|path| path.starts_with([' ', '\t', '.', '@', '$', '[']));
    match (range, inside.chars().next()) {
        (Some(of), _) => Ok(Action::Range(path(of, '$')?)),
        _ if inside == "end" => Ok(Action::End),
        _ if is_literal => Ok(Action::Piece(Piece::Text(inside.to_owned()))),
        (_, Some('"' | '\'')) => Ok(Action::Piece(Piece::Text(unquoted(inside)?))),
        _ => Ok(Action::Piece(Piece::Found(path(inside, '$')?))),
    }
}

fn write_pieces(pieces: &[Piece], out: &mut dyn Write, value: &Value) -> io::Result<()> {
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.write_all(text.as_bytes())?,
            Piece::Found(query) => {
                let texts: Vec<String> = found(query, value).map(shown).collect();
                out.write_all(texts.join(" ").as_bytes())?;
            }
            Piece::Range(query, pieces) => {
                for value in found(query, value) {
                    write_pieces(pieces, out, value)?;
                }
            }
        }
    }
    Ok(())
}

pub(super) fn found<'a>(query: &JpQuery, value: &'a Value) -> impl Iterator<Item = &'a Value> {
    js_path_process(query, value).unwrap_or_default().into_iter().map(|found| found.val)
}
