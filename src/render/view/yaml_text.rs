//! YAML in the plainest form: two spaces, double quotes wherever a plain word could be read as something else.
//!
//! Written here, for screens and for saved cases, and not by the YAML library: that leaves marks as they are that turn text
//! around or show as nothing, some of them in words without quotes, where nothing could spell them out any more.

use std::io::{self, Write};

use serde_json::ser::{CharEscape, CompactFormatter, Formatter};

use kubectl_hpa_core::model::is_hazard;

/// What serde_json is told to write, in YAML's form: in block style, with double-quoted strings, they differ only in what
/// stands between the values.
#[derive(Default)]
pub(super) struct Yaml {
    /// The lists and maps that are open, outermost first.
    open: Vec<Open>,
    gap: Gap,
    /// The string that is being written, escaped as JSON has it.
    string: Vec<u8>,
    in_key: bool,
}

/// An open list or map.
struct Open {
    /// How many levels its entries are indented by.
    depth: usize,
    is_list: bool,
    is_empty: bool,
}

/// The text in front of the next entry.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Gap {
    /// Nothing: it begins the document.
    #[default]
    Nothing,
    /// A space: the entry follows the dash of its list.
    Space,
    /// A new line.
    Line,
}

impl Yaml {
    /// Lists stand as deep as their name; all else is one level deeper than what it is in.
    fn begin(&mut self, is_list: bool) {
        let depth =
            self.open.last().map_or(0, |parent| parent.depth + usize::from(parent.is_list || !is_list));
        self.open.push(Open { depth, is_list, is_empty: true });
    }

    fn end<W: ?Sized + Write>(&mut self, out: &mut W, empty: &[u8]) -> io::Result<()> {
        if self.open.pop().is_some_and(|ended| ended.is_empty) {
            self.before_scalar(out)?;
            out.write_all(empty)?;
        }
        Ok(())
    }

    fn before_entry<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let depth = self.open.last_mut().map_or(0, |entered| {
            entered.is_empty = false;
            entered.depth
        });
        match std::mem::replace(&mut self.gap, Gap::Line) {
            Gap::Nothing => Ok(()),
            Gap::Space => out.write_all(b" "),
            Gap::Line => write!(out, "\n{:1$}", "", 2 * depth),
        }
    }

    /// Every scalar except a key follows a colon or a dash.
    fn before_scalar<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.in_key {
            return Ok(());
        }
        self.gap = Gap::Line;
        out.write_all(b" ")
    }
}

/// Scalars as JSON has them.
macro_rules! scalars {
    ($($write:ident: $scalar:ty),* $(,)?) => {
        $(fn $write<W: ?Sized + Write>(&mut self, out: &mut W, value: $scalar) -> io::Result<()> {
            self.before_scalar(out)?;
            CompactFormatter.$write(out, value)
        })*
    };
}

impl Formatter for Yaml {
    scalars! {
        write_bool: bool, write_i8: i8, write_i16: i16, write_i32: i32, write_i64: i64, write_i128: i128,
        write_u8: u8, write_u16: u16, write_u32: u32, write_u64: u64, write_u128: u128,
        write_f32: f32, write_f64: f64, write_number_str: &str,
    }

    fn write_null<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.before_scalar(out)?;
        CompactFormatter.write_null(out)
    }

    fn begin_string<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.string.clear();
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, _out: &mut W, fragment: &str) -> io::Result<()> {
        // As a surrogate pair, which is how JSON spells them, no reader of YAML understands them.
        for part in fragment.split_inclusive(|letter| letter > '\u{ffff}' && is_hazard(letter)) {
            match part.char_indices().next_back().filter(|(_, it)| *it > '\u{ffff}' && is_hazard(*it)) {
                Some((at, letter)) => write!(self.string, "{}\\U{:08X}", &part[..at], u32::from(letter))?,
                None => self.string.write_all(part.as_bytes())?,
            }
        }
        Ok(())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, _out: &mut W, escape: CharEscape) -> io::Result<()> {
        CompactFormatter.write_char_escape(&mut self.string, escape)
    }

    fn end_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.before_scalar(out)?;
        let quote: &[u8] = if is_plain(&self.string) { b"" } else { b"\"" };
        out.write_all(quote)?;
        out.write_all(&self.string)?;
        out.write_all(quote)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.begin(true);
        Ok(())
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"[]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, _first: bool) -> io::Result<()> {
        self.before_entry(out)?;
        self.gap = Gap::Space;
        out.write_all(b"-")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.begin(false);
        Ok(())
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"{}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, _first: bool) -> io::Result<()> {
        self.in_key = true;
        self.before_entry(out)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.in_key = false;
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b":")
    }
}

/// Whether no reader of YAML takes a bare word for anything else than a string.
fn is_plain(text: &[u8]) -> bool {
    const RESERVED: [&[u8]; 11] =
        [b"true", b"false", b"null", b"yes", b"no", b"on", b"off", b"y", b"n", b"nan", b"inf"];
    let starts = text.first().is_some_and(u8::is_ascii_alphabetic);
    let bare = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./".contains(byte);
    starts && text.iter().all(bare) && !RESERVED.iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::render::yaml_lines;

    #[test]
    fn yaml_reads_back_as_the_same_value() {
        let value = json!({
            "apiVersion": "kubectl-hpa/v1",
            "words": ["no", "5", "a: b", "", "- x", "größe", "a\nb\u{9b}c\u{202e}", "\u{e0041}x\\\u{1fffe}", "2026-11-21T10:42:00Z", "+Inf"],
            "nothing": null, "list": [], "map": {}, "odd key:": 1,
            "rows": [{"name": "web-1", "deep": [{"a": 1, "b": [1.5, -2]}]}, [1, [2, 3]], {"only": {"x": true}}],
            "empties": [[], {}, [[]], {"a": {}, "b": [{}]}, null],
        });
        let text = yaml_lines(&value).unwrap_or_default();
        let back: Result<serde_json::Value, _> = serde_yaml::from_str(&text);
        assert_eq!(back.ok().as_ref(), Some(&value), "{text}");
        assert!(!text.contains(['\u{9b}', '\u{202e}']));
        assert!(text.contains("\"\\U000E0041x\\\\\\U0001FFFE\""), "{text}");
    }
}
