//! How Go's libraries quote texts inside of their messages.
use std::fmt::Write;

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

/// A list of strings as Go's `encoding/json` writes it; an empty list is Go's nil slice here.
pub(super) fn json_list(values: &[Box<str>]) -> String {
    if values.is_empty() {
        return "null".into();
    }
    let quoted: Vec<_> = values.iter().map(|value| json_quote(value)).collect();
    format!("[{}]", quoted.join(","))
}

/// A list of strings as Go's `%#v` writes it; an empty list is Go's nil slice here.
pub(super) fn go_list(values: &[Box<str>]) -> String {
    if values.is_empty() {
        return "[]string(nil)".into();
    }
    let quoted: Vec<_> = values.iter().map(|value| quote(value)).collect();
    format!("[]string{{{}}}", quoted.join(", "))
}

fn json_quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\x08' => quoted.push_str("\\b"),
            '\x0c' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0'..='\x1f' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                write_code_point(&mut quoted, letter);
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
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
