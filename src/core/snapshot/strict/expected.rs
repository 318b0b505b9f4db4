//! Types and values as the API calls them: Rust's names mean nothing to those who write a case.

use serde::de::Unexpected;

/// "must be …, not …".
pub(super) fn words(found: Unexpected<'_>, expected: &str) -> String {
    format!("must be {}, not {}", type_words(expected), value_words(found))
}

/// A choice.
pub(super) fn one_of(known: &[&str]) -> String {
    match known {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Serde's derived code calls types by Rust's names; what says more than a name stays as it is.
fn type_words(expected: &str) -> String {
    match expected {
        "i32" => format!("a whole number from {} to {}", i32::MIN, i32::MAX),
        "i64" => format!("a whole number from {} to {}", i64::MIN, i64::MAX),
        "u16" => format!("a whole number from {} to {}", u16::MIN, u16::MAX),
        "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        _ if expected.starts_with("struct ") => "an object".to_owned(),
        _ => expected.to_owned(),
    }
}

fn value_words(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Float(value) => format!("{value:?}"),
        Unexpected::Str(text) => format!("the string {text:?}"),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => other.to_string(),
    }
}
