//! The form of a view, chosen as it is written: each view is built once, and not for every form.

use std::io::{self, Write};

use serde_json::ser::{CharEscape, CompactFormatter, Formatter, PrettyFormatter};

use super::yaml_text::Yaml;

/// The marks and spaces between the values.
pub(super) enum Form {
    /// JSON in one line.
    Line,
    /// JSON with indents.
    Indented(PrettyFormatter<'static>),
    Yaml(Yaml),
}

impl Form {
    pub fn indented() -> Self {
        Self::Indented(PrettyFormatter::new())
    }

    pub fn yaml() -> Self {
        Self::Yaml(Yaml::default())
    }
}

/// Each as the form has it.
macro_rules! forward {
    ($($write:ident($($value:ident: $type:ty)?)),* $(,)?) => {
        $(fn $write<W: ?Sized + Write>(&mut self, out: &mut W, $($value: $type)?) -> io::Result<()> {
            match self {
                Self::Line => CompactFormatter.$write(out, $($value)?),
                Self::Indented(form) => form.$write(out, $($value)?),
                Self::Yaml(form) => form.$write(out, $($value)?),
            }
        })*
    };
}

impl Formatter for Form {
    forward! {
        write_null(), write_bool(value: bool), write_i8(value: i8), write_i16(value: i16), write_i32(value: i32),
        write_i64(value: i64), write_i128(value: i128), write_u8(value: u8), write_u16(value: u16),
        write_u32(value: u32), write_u64(value: u64), write_u128(value: u128), write_f32(value: f32),
        write_f64(value: f64), write_number_str(value: &str), begin_string(), end_string(),
        write_string_fragment(fragment: &str), write_char_escape(escape: CharEscape), begin_array(), end_array(),
        begin_array_value(first: bool), end_array_value(), begin_object(), end_object(),
        begin_object_key(first: bool), end_object_key(), begin_object_value(), end_object_value(),
    }
}
