//! `kubectl hpa mcp`: answers to an assistant, by the Model Context Protocol on standard input and output.
//!
//! A tool is a command of this program, and its arguments are flags of that command that write nothing and name no file. Each
//! question is answered by a process of its own, as the command line would.
//!
//! The four methods and the notification that such a server needs are written here: with the official SDK the program has 740 KB
//! more. The SDK's client is the judge of them in the tests.

mod answer;
mod calls;
mod tools;

use std::io::{self, BufRead, Read, Write};
use std::sync::{Mutex, mpsc};
use std::thread;

use serde_json::{Value, json};

use super::Ending;
use crate::cli::McpArgs;
use calls::Calls;
use tools::Tools;

/// Versions of the protocol, the one that is preferred last; they differ in nothing that is used here.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The longest message that is read, in bytes.
const LONGEST: u64 = 64 << 20;

/// Answers until standard input ends. What needs a command is answered when that has ended, and the rest meanwhile.
pub fn run(args: &McpArgs, out: &mut dyn Write) -> anyhow::Result<Ending> {
    let server = Server {
        tools: Tools::of(!args.file.is_empty()),
        args,
        turn: Mutex::new(()),
        calls: Calls::default(),
    };
    thread::scope(|scope| {
        let (answers, answered) = mpsc::channel();
        let server = &server;
        scope.spawn(move || {
            let mut input = io::stdin().lock();
            let mut line = Vec::new();
            while input.by_ref().take(LONGEST).read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let (answers, line) = (answers.clone(), std::mem::take(&mut line));
                scope.spawn(move || server.answer_line(&line).map(|answer| answers.send(answer)));
            }
        });
        for answer in answered {
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
        Ok(Ending::Done)
    })
}

struct Server<'a> {
    tools: Tools,
    args: &'a McpArgs,
    /// Held by the command that runs: one does at a time.
    turn: Mutex<()>,
    calls: Calls,
}

impl Server<'_> {
    /// The answer to a line, which has a message or several.
    fn answer_line(&self, line: &[u8]) -> Option<Value> {
        match serde_json::from_slice(line) {
            Ok(Value::Array(batch)) => {
                let answers: Vec<Value> = batch.iter().filter_map(|it| self.answer(it)).collect();
                (!answers.is_empty()).then_some(Value::Array(answers))
            }
            Ok(message) => self.answer(&message),
            Err(_) if line.trim_ascii().is_empty() => None,
            Err(error) => Some(failed(&Value::Null, -32700, &format!("not JSON: {error}"))),
        }
    }

    /// The answer to a message; none to a notification.
    fn answer(&self, message: &Value) -> Option<Value> {
        let id = message.get("id");
        if id.is_some_and(|id| !id.is_string() && !id.is_number()) {
            return Some(failed(&Value::Null, -32600, "an id is a string or a number"));
        }
        let Some(method) = message["method"].as_str() else {
            // An answer to a question that was never asked needs none.
            let is_answer = message.get("result").or_else(|| message.get("error")).is_some();
            return (!is_answer)
                .then(|| failed(id.unwrap_or(&Value::Null), -32600, "a message needs a method"));
        };
        let parameters = &message["params"];
        if method == "notifications/cancelled" {
            self.calls.cancel(&parameters["requestId"]);
        }
        let id = id?;
        let result = match method {
            "initialize" => self.introduce(parameters),
            "ping" => json!({}),
            "tools/list" => json!({ "tools": self.tools.listed() }),
            "tools/call" => match self.tools.find(parameters["name"].as_str().unwrap_or_default()) {
                Some(tool) => {
                    self.calls.begin(id);
                    let _turn = self.turn.lock();
                    let answer = answer::answer(tool, &parameters["arguments"], self.args, (&self.calls, id));
                    self.calls.end(id);
                    answer?
                }
                None => return Some(failed(id, -32602, &self.tools.unknown(&parameters["name"]))),
            },
            _ => return Some(failed(id, -32601, &format!("unknown method {method:?}"))),
        };
        Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }

    fn introduce(&self, parameters: &Value) -> Value {
        let asked = VERSIONS.iter().find(|version| parameters["protocolVersion"] == **version);
        json!({
            "protocolVersion": asked.unwrap_or(&VERSIONS[VERSIONS.len() - 1]),
            "capabilities": { "tools": {} },
            "serverInfo": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
            "instructions": self.tools.instructions(),
        })
    }
}

fn failed(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}
