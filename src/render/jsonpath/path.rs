//! A path in kubectl's words, put into those of RFC 9535.

use jsonpath_rust::parser::model::JpQuery;
use jsonpath_rust::parser::parse_json_path;

use super::error::{TemplateError, unquoted};

/// Reads a path. `@` and `$` are both the current object, and may be left out.
pub(super) fn path(text: &str, root: char) -> Result<JpQuery, TemplateError> {
    let standard = translated(text, root)?;
    parse_json_path(&standard).map_err(|_| TemplateError::new(format!("{text:?} is no path")))
}

fn translated(text: &str, root: char) -> Result<String, TemplateError> {
    let mut standard = String::from(root);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(below) = rest.strip_prefix("..") {
            if standard.ends_with("..") {
                return Err(TemplateError::new("invalid multiple recursive descent"));
            }
            standard.push_str("..");
            rest = below;
            if below.starts_with(|next: char| next.is_alphanumeric() || next == '_') {
                rest = field(below, &mut standard);
            }
        } else if let Some(name) = rest.strip_prefix('.') {
            rest = field(name, &mut standard);
        } else if let Some(condition) = rest.strip_prefix("[?(") {
            rest = filter(condition, &mut standard)?;
        } else if let Some(inside) = rest.strip_prefix('[') {
            let closed = inside.split_once(']').ok_or_else(|| TemplateError::new("unterminated array"))?;
            standard.push_str(&selection(closed.0)?);
            rest = closed.1;
        } else if matches!(letter, ' ' | '\t' | '@' | '$') {
            rest = &rest[1..];
        } else {
            return Err(TemplateError::new(format!("unrecognized {text:?}")));
        }
    }
    if standard.ends_with("..") {
        standard.push('*');
    }
    Ok(standard)
}

/// A name up to what ends it; a backslash takes the next character as it is.
fn field<'a>(text: &'a str, standard: &mut String) -> &'a str {
    const ENDS: &[char] = &[' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}'];
    let mut is_escaped = false;
    let ends = |letter: char| {
        let ends = !is_escaped && ENDS.contains(&letter);
        is_escaped = !is_escaped && letter == '\\';
        ends
    };
    let end = text.find(ends).unwrap_or(text.len());
    let name = &text[..end];
    let selector = if name == "*" { "*".to_owned() } else { key(name) };
    standard.extend(["[", &selector, "]"]);
    &text[end..]
}

fn key(name: &str) -> String {
    string(&name.replace('\\', ""))
}

/// Both grammars take a string of JSON.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// `[0]`, `[1:]`, `['name']`, or several of them.
fn selection(inside: &str) -> Result<String, TemplateError> {
    let selectors = inside.split(',').map(|selector| {
        let selector = selector.trim_matches(' ');
        let quoted = selector.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let parts: Vec<&str> = selector.split(':').collect();
        let is_number = |part: &&str| part.is_empty() || part.parse::<i64>().is_ok();
        match quoted {
            Some(name) => Ok(key(name)),
            None if selector == "*" => Ok("*".to_owned()),
            None if !selector.is_empty() && parts.len() <= 3 && parts.iter().all(is_number) => {
                Ok(selector.to_owned())
            }
            None => Err(TemplateError::new(format!("invalid array index {inside}"))),
        }
    });
    Ok(format!("[{}]", selectors.collect::<Result<Vec<_>, _>>()?.join(",")))
}

/// `@.a`, or a comparison of it: `@.a=="b"`.
fn filter<'a>(text: &'a str, standard: &mut String) -> Result<&'a str, TemplateError> {
    let end = end_of_filter(text).ok_or_else(|| TemplateError::new("unterminated filter"))?;
    let (condition, rest) = (&text[..end], &text[end + 2..]);
    let is_operator = |letter: char| "!<>=".contains(letter);
    let words = match condition.find(is_operator) {
        None => translated(condition, '@')?,
        Some(at) => {
            let (left, right) = condition.split_at(at);
            let (operator, right) = right.split_at(right.find(|it| !is_operator(it)).unwrap_or(right.len()));
            if !matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=") {
                return Err(TemplateError::new(format!("unrecognized filter operator {operator}")));
            }
            format!("{}{operator}{}", side(left)?, side(right)?)
        }
    };
    standard.extend(["[?", &words, "]"]);
    Ok(rest)
}

/// Where `)]` ends it, outside of quotes.
fn end_of_filter(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (letter, quote) {
            (')', None) if text[at..].starts_with(")]") => return Some(at),
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open && !text[..at].ends_with('\\') => quote = None,
            _ => {}
        }
    }
    None
}

fn side(text: &str) -> Result<String, TemplateError> {
    let text = text.trim();
    if text.starts_with(['"', '\'']) {
        return Ok(string(&unquoted(text)?));
    }
    let is_literal = text.parse::<f64>().is_ok() || matches!(text, "true" | "false");
    if is_literal { Ok(text.to_owned()) } else { translated(text, '@') }
}
