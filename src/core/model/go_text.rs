//! How Go's libraries quote texts inside of their messages. No library in Rust writes what `strconv.Quote` does.
use std::fmt::Write;

use serde_json::Value;

/// Source: `quote` of Go's package `time`.
pub(super) fn time_quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            ' '..='\x7f' => quoted.push(letter),
            _ => letter.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| write_hex(&mut quoted, byte)),
        }
    }
    quoted.push('"');
    quoted
}

/// Source: `strconv.Quote`. What counts as printable follows the Unicode version of the Rust library.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\x07' => quoted.push_str("\\a"),
            '\x08' => quoted.push_str("\\b"),
            '\x0b' => quoted.push_str("\\v"),
            '\x0c' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            ' '..='~' => quoted.push(letter),
            '\0'..='\x7f' => write_hex(&mut quoted, u8::try_from(letter).unwrap_or(0)),
            _ if is_printable(letter) => quoted.push(letter),
            _ => write_code_point(&mut quoted, letter),
        }
    }
    quoted.push('"');
    quoted
}

/// A text as Go's `encoding/json` writes it.
#[must_use]
pub fn json_quote(text: &str) -> String {
    html_safe(&Value::from(text).to_string())
}

/// A list of strings as Go's `encoding/json` writes it; an empty list is Go's nil slice here.
pub(super) fn json_list(values: &[Box<str>]) -> String {
    if values.is_empty() {
        return "null".into();
    }
    html_safe(&values.iter().map(AsRef::<str>::as_ref).collect::<Value>().to_string())
}

/// The shortest text that reads back as `value`, with an exponent where Go's `encoding/json` writes one (`floatEncoder`).
#[must_use]
pub fn json_float(value: f64) -> String {
    let size = value.abs();
    if size >= 1e21 {
        format!("{value:e}").replace('e', "e+")
    } else if size < 1e-6 && size > 0.0 {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// JSON with what HTML and JavaScript would take for their own by number, as Go's `encoding/json` writes it.
#[must_use]
pub fn html_safe(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut safe, letter| {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => write_code_point(&mut safe, letter),
            _ => safe.push(letter),
        }
        safe
    })
}

/// A list of strings as Go's `%#v` writes it; an empty list is Go's nil slice here.
pub(super) fn go_list(values: &[Box<str>]) -> String {
    if values.is_empty() {
        return "[]string(nil)".into();
    }
    let quoted: Vec<_> = values.iter().map(|value| quote(value)).collect();
    format!("[]string{{{}}}", quoted.join(", "))
}

/// The standard library escapes what is not printable; the leading letter keeps it from escaping accents as well.
fn is_printable(letter: char) -> bool {
    let text: String = ['a', letter].into_iter().collect();
    text.escape_debug().count() == 2
}

fn write_hex(quoted: &mut String, byte: u8) {
    // Writing to a string cannot fail.
    let _ = write!(quoted, "\\x{byte:02x}");
}

fn write_code_point(quoted: &mut String, letter: char) {
    let code = u32::from(letter);
    let _ = if code < 0x1_0000 { write!(quoted, "\\u{code:04x}") } else { write!(quoted, "\\U{code:08x}") };
}
