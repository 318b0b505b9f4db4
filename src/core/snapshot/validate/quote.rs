//! Values in messages, quoted as Go quotes them: plain strings as `%q`, named string types as JSON.

use std::fmt::Write;

/// Go's `strconv.Quote`.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\x07' => quoted.push_str("\\a"),
            '\x08' => quoted.push_str("\\b"),
            '\x0c' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\x0b' => quoted.push_str("\\v"),
            '\0'..' ' | '\x7f' => escape(&mut quoted, format_args!("\\x{:02x}", u32::from(char))),
            ' '..='~' => quoted.push(char),
            _ if is_printed(char) => quoted.push(char),
            '\u{10000}'.. => escape(&mut quoted, format_args!("\\U{:08x}", u32::from(char))),
            _ => escape(&mut quoted, format_args!("\\u{:04x}", u32::from(char))),
        }
    }
    quoted.push('"');
    quoted
}

/// Go's `json.Marshal` of a string.
pub(super) fn json(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\x08' => quoted.push_str("\\b"),
            '\x0c' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0'..' ' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                escape(&mut quoted, format_args!("\\u{:04x}", u32::from(char)));
            }
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

fn escape(quoted: &mut String, escaped: std::fmt::Arguments<'_>) {
    // Writing to a String never fails.
    let _ = quoted.write_fmt(escaped);
}

/// Go's `strconv.IsPrint`, by what `Debug` escapes. A letter goes before, so that a combining mark counts as printed.
fn is_printed(char: char) -> bool {
    let text = String::from_iter(['a', char]);
    !text.escape_debug().any(|escaped| escaped == '\\')
}
