//! The answer to a question: what the command prints, up to a bound.

use std::ffi::OsStr;
use std::io;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::calls::Calls;
use super::tools::{Question, Tool};
use crate::cli::McpArgs;
use crate::commands::files;

/// The longest answer, in bytes.
const LONGEST: usize = 32 << 10;

/// As `tools/call` gives it; `None` if the call of that id is cancelled. What is wrong with a question is an answer, too: whoever
/// asked can ask better.
pub fn answer(
    tool: &Tool,
    arguments: &Value,
    args: &McpArgs,
    (calls, id): (&Calls, &Value),
) -> Option<Value> {
    let (text, is_error) = match tool.question(arguments) {
        Err(error) => (format!("error: {error}"), true),
        Ok(question) => match run(tool, &question, args, (calls, id)).transpose()? {
            Err(error) => (format!("error: cannot run {}: {}", tool.name, files::words(&error)), true),
            Ok(output) if question.is_data && output.stdout.len() > LONGEST => {
                let error = "error: the answer is longer than 32 KB: ask for text, or for less";
                (error.to_owned(), true)
            }
            Ok(output) => (printed(&output), !matches!(output.status.code(), Some(0 | 3..=5))),
        },
    };
    Some(json!({ "content": [{ "type": "text", "text": text }], "isError": is_error }))
}

fn run(
    tool: &Tool,
    question: &Question,
    args: &McpArgs,
    (calls, id): (&Calls, &Value),
) -> io::Result<Option<Output>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(tool.name).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let is_history = tool.name == "history";
    if is_history || question.is_past {
        command.args(args.file.iter().flat_map(|file| [OsStr::new("--file"), file.as_os_str()]));
    }
    if !is_history {
        let mut connection = args.connection.clone();
        connection.namespace = connection.namespace.filter(|_| !question.has_namespace);
        command.args(connection.words());
    }
    command.args(&question.words);
    calls.run(id, &mut command, question.text.as_deref().unwrap_or_default().as_bytes())
}

/// Standard output, then standard error.
fn printed(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let both = [out.trim_end(), err.trim_end()];
    let both: Vec<String> = both.into_iter().filter(|text| !text.is_empty()).map(bounded).collect();
    both.join("\n\n")
}

/// As many whole lines as an answer may have, and how many more there are.
fn bounded(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let end = text.as_bytes()[..LONGEST].iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    let (shown, left) = text.split_at(end);
    let left = left.trim_start_matches('\n').lines().count();
    format!("{shown}\n… {left} more lines: ask for less, for example for one HPA")
}
