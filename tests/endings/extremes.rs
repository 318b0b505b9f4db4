//! The example cases with an extreme value in the place of each of their own, under each command.

use kubectl_hpa::examples;
use serde_json::{Value, json};

use super::limits::{SMALL, run};

const TIMES: &[&str] =
    &["0001-01-01T00:00:00Z", "1678-01-01T00:00:00Z", "2262-04-11T23:47:17Z", "9999-12-31T23:59:59Z", ""];
const NUMBERS: &[i64] = &[0, -1, i32::MAX as i64, i32::MIN as i64, i64::MAX, i64::MIN];
const TEXTS: &[&str] = &["", "0", "-1", "1n", "8Ei", "1e18", "1ns", "2562047h47m16s", "9223372036854775807"];

const COMMANDS: &[&str] = &[
    "explain",
    "explain -o json",
    "test",
    "lint",
    "simulate --target 70",
    "simulate --sweep load=-50%..+200%:25%",
    "simulate --target 70 --over 10m --start-delay 5s..90s --rollout 1m",
    "simulate --over 1h --load-curve sine:50%..400%/30m",
];

/// A prime, so that each run draws other fields than those before it.
const STRIDE: usize = 307;

#[test]
fn no_extreme_value_keeps_a_command_from_ending() {
    let stride = std::env::var("KUBECTL_HPA_STRIDE").ok().and_then(|it| it.parse().ok()).unwrap_or(STRIDE);
    for (case, command) in all().step_by(stride) {
        check(&case, command);
    }
}

/// The fault that this suite began with: a pod that starts in the year 9999 was looked ahead to for ever.
#[test]
fn no_time_keeps_explain_from_ending() {
    for case in cases().filter(|(name, _)| *name == "scale-up-limited").flat_map(|(_, case)| {
        changed(&case, &|value| {
            if is_time(value) { TIMES[3..4].iter().map(|time| json!(time)).collect() } else { Vec::new() }
        })
    }) {
        check(&case, "explain");
    }
}

fn check(case: &Value, command: &str) {
    let input: &[&str] = if command == "test" { &["-"] } else { &["-f", "-"] };
    let args: Vec<&str> = command.split(' ').chain(input.iter().copied()).collect();
    run(SMALL, &args, case.to_string().as_bytes(), false);
}

fn cases() -> impl Iterator<Item = (&'static str, Value)> {
    examples::ALL.iter().map(|it| (it.name, serde_yaml::from_str(it.text).expect("a case")))
}

fn all() -> impl Iterator<Item = (Value, &'static str)> {
    let changed = cases().flat_map(|(_, case)| changed(&case, &extremes));
    changed.flat_map(|case| COMMANDS.iter().map(move |command| (case.clone(), *command)))
}

fn is_time(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() == 20 && text.ends_with('Z'))
}

fn extremes(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(_) => NUMBERS.iter().map(|number| json!(number)).collect(),
        value if is_time(value) => TIMES.iter().map(|time| json!(time)).collect(),
        Value::String(text) if text.starts_with(|first: char| first.is_ascii_digit()) => {
            TEXTS.iter().map(|text| json!(text)).collect()
        }
        Value::String(_) => vec![json!("")],
        _ => vec![Value::Null],
    }
}

/// A case with another value in the place of each scalar in turn.
fn changed<'a>(case: &'a Value, extremes: &'a dyn Fn(&Value) -> Vec<Value>) -> Vec<Value> {
    let mut pointers = Vec::new();
    scalars(case, String::new(), &mut pointers);
    let with = |(pointer, value): (&String, Value)| {
        let mut case = case.clone();
        *case.pointer_mut(pointer).expect("the scalar") = value;
        case
    };
    let values = |pointer: &String| extremes(case.pointer(pointer).expect("the scalar"));
    pointers.iter().flat_map(|it| values(it).into_iter().map(move |value| (it, value))).map(with).collect()
}

fn scalars(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            scalars(value, format!("{pointer}/{name}"), found);
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, it)| scalars(it, format!("{pointer}/{index}"), found));
        }
        _ => found.push(pointer),
    }
}
