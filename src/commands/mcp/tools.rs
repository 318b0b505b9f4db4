//! The tools: commands, and those of their flags that an assistant may set. Texts and types are the command line's own.

use std::ffi::OsString;

use clap::{Arg, ArgAction, CommandFactory};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::cli::{Cli, CurveForm, LoadCurve, Named};

/// The argument for pasted text, instead of a file.
const PASTED: &str = "text";
const PASTED_HELP: &str = "YAML, JSON or text that kubectl printed, to be read instead of the cluster: HPAs, their targets, pods, metrics, cases, manifests";

const SUBJECT: &[&str] = &["names", "namespace", "all-namespaces", "selector"];
const COMMON: &[&str] = &[PASTED, "output"];
const SETTINGS: &[&str] = &[
    "as-version",
    "architecture",
    "tolerance",
    "cpu-initialization-period",
    "initial-readiness-delay",
    "downscale-stabilization",
    "feature-gates",
    "scaled-from",
    "controller-started",
];

/// A command with the groups of its flags: none that writes, and none that names a file.
const TOOLS: &[(&str, &[&[&str]])] = &[
    ("explain", &[SUBJECT, &["blame", "upgrade-to", "pods", "why", "at", "example"], COMMON, SETTINGS]),
    ("list", &[SUBJECT, &["only", "sort", "example"], COMMON]),
    ("lint", &[SUBJECT, COMMON]),
    ("simulate", &[SUBJECT, &["example"], KNOBS, FUTURE, COMMON, SETTINGS]),
    ("history", &[&["names", "since", "output"], SETTINGS]),
];
const KNOBS: &[&str] = &[
    "target",
    "min",
    "max",
    "scale-up",
    "scale-down",
    "add-metric",
    "remove-metric",
    "container",
    "replicas",
    "pods",
    "only-own-pods",
    "request",
    "usage",
    "metric",
    "load",
    "no-memory",
];
const FUTURE: &[&str] = &[
    "over",
    "load-curve",
    "sweep",
    "start-delay",
    "ready-delay",
    "base-usage",
    "metrics-lag",
    "backlog",
    "rollout",
    "seed",
];

/// Arguments that are not those of a tool.
#[derive(Debug, Error)]
pub enum ArgumentError {
    /// It has no such argument.
    #[error("unknown argument {0:?}: expected {1}")]
    Unknown(String, String),
    /// Its value has another type.
    #[error("argument {0:?} must be {1}")]
    Type(String, &'static str),
    /// They have no names.
    #[error("the arguments must be an object")]
    Unnamed,
}

/// A command that is offered.
#[derive(Debug)]
pub struct Tool {
    /// Its name on the command line.
    pub name: &'static str,
    about: String,
    arguments: Vec<Argument>,
}

#[derive(Debug)]
struct Argument {
    name: String,
    help: String,
    kind: Kind,
    values: Vec<String>,
    is_positional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Flag,
    Text,
    Texts,
}

/// A question to a tool.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Words of the command line after the command.
    pub words: Vec<OsString>,
    /// The pasted text.
    pub text: Option<String>,
    /// It names a namespace.
    pub has_namespace: bool,
    /// It is about the past.
    pub is_past: bool,
    /// The answer is for a program, which has no use for a part of it.
    pub is_data: bool,
}

/// All that are offered.
#[derive(Debug)]
pub struct Tools(Vec<Tool>);

impl Tools {
    /// Those of a server, which has a record or has none.
    pub fn of(has_record: bool) -> Self {
        let cli = Cli::command();
        let of_past = |name: &str| matches!(name, "history" | "at");
        let offered = TOOLS.iter().filter(|(name, _)| has_record || !of_past(name));
        let tool = |(name, groups): &(&'static str, &[&[&str]])| {
            let command = cli.find_subcommand(name)?;
            let names = groups.iter().copied().flatten().filter(|name| has_record || !of_past(name));
            let arguments = names.filter_map(|name| {
                if *name == PASTED {
                    return Some(Argument::pasted());
                }
                command.get_arguments().find(|it| long(it) == *name).map(Argument::of)
            });
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            Some(Tool { name, about, arguments: arguments.collect() })
        };
        Self(offered.filter_map(tool).collect())
    }

    /// The tool of a name.
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.0.iter().find(|tool| tool.name == name)
    }

    /// Why a name is none of theirs.
    pub fn unknown(&self, name: &Value) -> String {
        let names: Vec<&str> = self.0.iter().map(|tool| tool.name).collect();
        format!("unknown tool {name}: expected {}", names.join(", "))
    }

    /// As `tools/list` gives them.
    pub fn listed(&self) -> Vec<Value> {
        self.0.iter().map(Tool::listed).collect()
    }

    /// How an assistant uses them.
    pub fn instructions(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|tool| tool.name).collect();
        let skill = include_str!("../../cli/SKILL.md").splitn(3, "---\n").last().unwrap_or_default();
        format!(
            "Of the commands below, {} are tools. Their arguments are the flags, without the dashes in front.\n{skill}",
            names.join(", ")
        )
    }
}

impl Tool {
    fn listed(&self) -> Value {
        let properties: Map<String, Value> =
            self.arguments.iter().map(|argument| (argument.name.clone(), argument.schema())).collect();
        json!({
            "name": self.name,
            "description": self.about,
            "inputSchema": { "type": "object", "properties": properties, "additionalProperties": false },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        })
    }

    /// The command line of a question.
    pub fn question(&self, arguments: &Value) -> Result<Question, ArgumentError> {
        let mut question = Question::default();
        let mut names = Vec::new();
        let given = match arguments {
            Value::Null => None,
            Value::Object(given) => Some(given),
            _ => return Err(ArgumentError::Unnamed),
        };
        for (name, value) in given.into_iter().flatten() {
            let Some(argument) = self.arguments.iter().find(|it| it.name == *name) else {
                let known: Vec<&str> = self.arguments.iter().map(|it| it.name.as_str()).collect();
                return Err(ArgumentError::Unknown(name.clone(), known.join(", ")));
            };
            // Some clients send each argument, and null for those that are not set.
            if value.is_null() {
                continue;
            }
            let values = argument.values_of(value)?;
            if name == "load-curve" && values.iter().any(|curve| is_of_file(curve)) {
                return Err(ArgumentError::Type(name.clone(), "a curve in words, not a file"));
            }
            question.has_namespace |= name == "namespace";
            question.is_past |= name == "at";
            question.is_data |=
                name == "output" && values.iter().any(|it| !matches!(it.as_str(), "text" | "wide"));
            // One word, so that no value is another flag.
            let word = |value: &String| match argument.kind {
                Kind::Flag => OsString::from(format!("--{name}")),
                Kind::Text | Kind::Texts => OsString::from(format!("--{name}={value}")),
            };
            if name == PASTED {
                question.text = values.into_iter().next();
            } else if argument.is_positional {
                names.extend(values.into_iter().map(OsString::from));
            } else {
                question.words.extend(values.iter().map(word));
            }
        }
        if question.text.is_some() {
            question.words.push("--file=-".into());
        }
        if !names.is_empty() {
            question.words.push("--".into());
            question.words.extend(names);
        }
        Ok(question)
    }
}

impl Argument {
    fn pasted() -> Self {
        let (name, help) = (PASTED.to_owned(), PASTED_HELP.to_owned());
        Self { name, help, kind: Kind::Text, values: Vec::new(), is_positional: false }
    }

    fn of(arg: &Arg) -> Self {
        let kind = match arg.get_action() {
            ArgAction::SetTrue => Kind::Flag,
            ArgAction::Append => Kind::Texts,
            _ => Kind::Text,
        };
        let values = arg.get_possible_values();
        let values = if kind == Kind::Flag { Vec::new() } else { values };
        Self {
            name: long(arg).to_owned(),
            help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
            kind,
            values: values.iter().map(|value| value.get_name().to_owned()).collect(),
            is_positional: arg.is_positional(),
        }
    }

    fn schema(&self) -> Value {
        let mut text = json!({ "type": "string" });
        if !self.values.is_empty() {
            text["enum"] = json!(self.values);
        }
        let mut schema = match self.kind {
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Text => text,
            Kind::Texts => json!({ "type": "array", "items": text }),
        };
        schema["description"] = json!(self.help);
        schema
    }

    /// Its values as words: a number is one, too, and one alone is a list of one.
    fn values_of(&self, value: &Value) -> Result<Vec<String>, ArgumentError> {
        let word = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let error = |expected| ArgumentError::Type(self.name.clone(), expected);
        match (self.kind, value) {
            (Kind::Flag, Value::Bool(false)) => Ok(Vec::new()),
            (Kind::Flag, Value::Bool(true)) => Ok(vec![String::new()]),
            (Kind::Flag, _) => Err(error("true or false")),
            (Kind::Texts, Value::Array(all)) => {
                all.iter().map(word).collect::<Option<_>>().ok_or_else(|| error("a list of strings"))
            }
            (Kind::Texts, one) => word(one).map(|it| vec![it]).ok_or_else(|| error("a list of strings")),
            (Kind::Text, one) => word(one).map(|it| vec![it]).ok_or_else(|| error("a string")),
        }
    }
}

/// True if the values of a curve are in a file.
fn is_of_file(curve: &str) -> bool {
    curve.parse::<Named<LoadCurve>>().is_ok_and(|it| matches!(it.value.form, CurveForm::File(..)))
}

/// The name of a flag, or of a positional argument.
fn long(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_else(|| arg.get_id().as_str())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use serde_json::json;

    use super::{Cli, PASTED, Question, TOOLS, Tools, long};

    #[test]
    fn an_argument_that_is_null_is_not_set() {
        let tools = Tools::of(true);
        let explain = tools.find("explain").expect("a tool");
        let nulls = json!({"names": null, "namespace": null, "at": null, "text": null, "output": null});
        assert_eq!(explain.question(&nulls).expect("arguments"), Question::default());
    }

    #[test]
    fn each_argument_is_a_flag_of_its_command() {
        let cli = Cli::command();
        for (tool, groups) in TOOLS {
            let command = cli.find_subcommand(tool).expect("a command");
            for name in groups.iter().copied().flatten().filter(|name| **name != PASTED) {
                assert!(command.get_arguments().any(|it| long(it) == *name), "{tool} has no {name}");
            }
        }
    }
}
