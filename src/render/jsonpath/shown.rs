//! A value as kubectl prints it: texts without quotes, numbers as Go writes them, all else as compact JSON.

use serde_json::{Number, Value};

use crate::render::sanitize;
use crate::render::view::go_json;

pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => safe(text),
        Value::Number(it) => number(it),
        Value::Null | Value::Bool(_) => value.to_string(),
        Value::Array(_) | Value::Object(_) => go_json(value),
    }
}

/// What a terminal obeys is spelled out, but for line breaks and tabs, of which templates are made.
fn safe(text: &str) -> String {
    let line = |line: &str| line.split('\t').map(sanitize).collect::<Vec<_>>().join("\t");
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Source: `%v` of Go's `fmt`: the shortest decimals, by powers of ten below 1e-4 and from 1e21 on.
fn number(number: &Number) -> String {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else { return number.to_string() };
    if float == 0.0 || (1e-4..1e21).contains(&float.abs()) {
        return float.to_string();
    }
    let text = format!("{float:e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, power) = power.strip_prefix('-').map_or(("+", power), |power| ("-", power));
    format!("{digits}e{sign}{power:0>2}")
}
