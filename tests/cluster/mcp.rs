//! `mcp`, asked by the client of the protocol's official SDK.

use std::collections::BTreeSet;
use std::future::Future;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rmcp::model::{CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest};
use rmcp::service::{PeerRequestOptions, RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ServiceError, ServiceExt};
use serde_json::{Map, Value, json};

use crate::apply::{Shop, State};
use crate::cluster::kubeconfig_file;
use crate::pages;
use crate::server::{Reply, Server};

type Client = RunningService<RoleClient, ()>;

/// A session with a server of these arguments.
fn session<F: Future>(args: &[&str], questions: impl FnOnce(Client) -> F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        command.arg("mcp").args(args).env_clear().env("COLUMNS", "100");
        let server = TokioChildProcess::new(tokio::process::Command::from(command)).expect("a server");
        questions(().serve(server).await.expect("a session")).await
    })
}

async fn ask(client: &Client, tool: &str, arguments: Value) -> CallToolResult {
    let Value::Object(arguments) = arguments else { panic!("{arguments} is no object") };
    let question = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    client.call_tool(question).await.expect("an answer")
}

fn text(result: &CallToolResult) -> &str {
    let [content] = result.content.as_slice() else { panic!("{result:?}") };
    &content.as_text().expect("a text").text
}

async fn names(client: &Client) -> Vec<String> {
    let tools = client.list_all_tools().await.expect("tools");
    tools.iter().map(|tool| tool.name.to_string()).collect()
}

#[test]
fn a_session_offers_commands_that_only_read() {
    session(&[], async |client| {
        let info = client.peer_info().expect("a server");
        assert_eq!(info.server_info.as_ref().map(|it| it.name.as_str()), Some("kubectl-hpa"));
        assert!(info.instructions.as_ref().is_some_and(|it| it.contains("outcome.answer")));
        let tools = client.list_all_tools().await.expect("tools");
        for tool in &tools {
            let schema = Value::Object(tool.input_schema.as_ref().clone());
            jsonschema::validator_for(&schema).expect("a schema");
            let properties = schema["properties"].as_object().expect("properties");
            for flag in
                ["apply", "yes", "fix", "save", "file", "kubeconfig", "context", "token", "server", "watch"]
            {
                assert!(!properties.contains_key(flag), "{} has {flag}", tool.name);
            }
            assert!(
                properties.values().all(|it| it["description"].as_str().is_some_and(|it| !it.is_empty()))
            );
            assert!(tool.annotations.as_ref().is_some_and(|it| it.read_only_hint == Some(true)), "{tool:?}");
        }
        assert_eq!(names(&client).await, ["explain", "list", "lint", "simulate"]);
    });
    session(&["-f", "day.jsonl"], async |client| {
        assert_eq!(names(&client).await, ["explain", "list", "lint", "simulate", "history"]);
    });
}

/// The arguments that say the same as the words of a command line; `None` if they write, or need a cluster.
fn arguments(folder: &Path, words: &[String]) -> Option<Map<String, Value>> {
    let mut arguments = Map::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (flag, value) = match word.as_str() {
            "-f" => {
                let pasted = std::fs::read_to_string(folder.join(words.next()?)).expect("a case");
                ("text", Value::from(pasted))
            }
            "-o" => ("output", words.next()?.as_str().into()),
            "--blame" | "--no-memory" | "--only-own-pods" => (word.trim_start_matches('-'), true.into()),
            "-n" | "--apply" | "--save" | "--watch" => return None,
            flag => (flag.strip_prefix("--")?, words.next()?.as_str().into()),
        };
        arguments.insert(flag.to_owned(), value);
    }
    Some(arguments)
}

/// The questions of the pages, asked here, have the answers of the pages, but that nobody types the name of a file.
#[test]
fn the_pages_are_answered_as_on_the_command_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/questions");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("pages").map(|entry| entry.expect("a page").path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "md"));
    let asked = session(&[], async |client| {
        let mut asked = BTreeSet::new();
        for file in &files {
            let page = std::fs::read_to_string(file).expect("a page");
            for (line, answer) in pages::blocks(&page) {
                let words = pages::words(line);
                let [_, _, tool, words @ ..] = words.as_slice() else { continue };
                let Some(arguments) = arguments(&folder, words) else { continue };
                let result = ask(&client, tool, Value::Object(arguments)).await;
                let typed = words.iter().skip_while(|word| *word != "-f").nth(1);
                let answer =
                    typed.map_or_else(|| answer.to_owned(), |file| answer.replace(file.as_str(), "-"));
                let answer = answer.lines().filter(|line| !line.starts_with("exit ")).collect::<Vec<_>>();
                let told = text(&result).lines().filter(|line| !line.is_empty());
                let expected = answer.into_iter().filter(|line| !line.is_empty());
                assert!(told.clone().eq(expected), "{line}:\n{}", text(&result));
                asked.insert(file.file_stem().expect("a name"));
            }
        }
        asked.len()
    });
    assert!(asked > 25, "{asked} pages");
}

#[test]
fn a_cluster_is_only_read_and_nobody_chooses_another() {
    let server = Shop::new().answering(State::answer);
    let kubeconfig = kubeconfig_file(&server.url());
    let path = kubeconfig.to_str().expect("UTF-8").to_owned();
    let told = session(&["--kubeconfig", &path, "-n", "shop"], async |client| {
        let mut told = Vec::new();
        for (tool, arguments) in [
            ("explain", json!({"names": ["web"]})),
            ("simulate", json!({"names": "web", "target": 25, "namespace": "shop"})),
            ("list", json!({})),
            ("explain", json!({"names": ["web"], "kubeconfig": "/other"})),
            ("explain", json!({"names": ["--kubeconfig=/other"]})),
            ("explain", json!({"namespace": "shop --apply"})),
            ("simulate", json!({"names": ["web"], "over": "1h", "load-curve": "/etc/hostname"})),
        ] {
            let result = ask(&client, tool, arguments).await;
            told.push((text(&result).to_owned(), result.is_error == Some(true)));
        }
        told
    });
    std::fs::remove_file(kubeconfig).expect("to remove the kubeconfig");
    let requests = server.requests();
    assert!(told[0].0.starts_with("shop/web → Deployment/web"), "{}", told[0].0);
    assert!(told[1].0.contains("--target 25"), "{}", told[1].0);
    assert!(told[2].0.contains("Total  1 HPA"), "{}", told[2].0);
    assert!(told[3].0.contains("unknown argument \"kubeconfig\""), "{}", told[3].0);
    assert!(told[4].0.contains("error: "), "{}", told[4].0);
    assert!(told[5].0.contains("shop%20--apply"), "{}", told[5].0);
    assert!(told[6].0.contains("a curve in words, not a file"), "{}", told[6].0);
    assert!(told.iter().map(|it| it.1).eq([false, false, false, true, true, true, true]), "{told:?}");
    assert!(!requests.is_empty() && requests.iter().all(|request| request.method == "GET"));
}

/// The command of a question that nobody wants any more ends, and the next one has its turn.
#[test]
fn a_cancelled_question_holds_nobody_up() {
    let server = Server::start(|_| {
        std::thread::sleep(Duration::from_secs(12));
        Reply::unserved()
    });
    let kubeconfig = kubeconfig_file(&server.url());
    let path = kubeconfig.to_str().expect("UTF-8").to_owned();
    session(&["--kubeconfig", &path, "-n", "shop"], async |client| {
        let begun = Instant::now();
        let question = CallToolRequestParams::new("list").with_arguments(Map::new());
        let question = ClientRequest::CallToolRequest(CallToolRequest::new(question));
        let call = client.send_cancellable_request(question, PeerRequestOptions::no_options()).await;
        let call = call.expect("to be sent");
        tokio::time::sleep(Duration::from_secs(1)).await;
        call.cancel(Some("no longer wanted".to_owned())).await.expect("to be sent");
        let result = ask(&client, "explain", json!({"example": "rollout"})).await;
        assert!(text(&result).starts_with("shop/cart"), "{}", text(&result));
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    });
    std::fs::remove_file(kubeconfig).expect("to remove the kubeconfig");
}

#[test]
fn a_record_is_no_stream() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    let output = command.args(["mcp", "-f", "-"]).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(told.contains("mcp reads questions from standard input: name a file"), "{told}");
}

/// The answers of a server to lines, in its order.
fn answers(lines: &str) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    command.arg("mcp").env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = command.spawn().expect("the binary runs");
    server.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("a question");
    let output = server.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_ping_does_not_wait_for_a_command() {
    let long = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"simulate","arguments":{"example":"held-by-window","over":"24h"}}}"#;
    let ping = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
    let all = answers(&format!("{long}\n{ping}\n"));
    assert_eq!(all.iter().map(|it| &it["id"]).collect::<Vec<_>>(), [&json!("p"), &json!(1)]);
    assert_eq!(all[1]["result"]["isError"], json!(false), "{all:?}");
}

#[test]
fn what_is_no_question_is_refused() {
    for (line, code) in [
        ("{\"jsonrpc\"", -32700),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/apply"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
    ] {
        assert_eq!(answers(line)[0]["error"]["code"], json!(code), "{line}");
    }
    let call =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain","arguments":["web"]}}"#;
    let told = &answers(call)[0]["result"];
    assert_eq!(told["content"][0]["text"], json!("error: the arguments must be an object"));
    let quiet =
        r#"[{"jsonrpc":"2.0","method":"notifications/cancelled"},{"jsonrpc":"2.0","id":1,"result":{}}]"#;
    assert_eq!(answers(quiet), Vec::<Value>::new());
}

/// The most bytes of an answer, and a line that tells of more.
const MOST: usize = 33 << 10;

#[test]
fn a_fleet_and_hostile_text_keep_to_the_bound() {
    let case = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/examples/missing-samples.yaml"),
    );
    let case = case.expect("an example");
    let hostile = "x\u{1b}[31m\n\"--apply\" ".repeat(4000);
    let named = |number| case.replace("name: web\n", &format!("name: web-{number}\n"));
    let fleet = (0..1500).map(named).collect::<Vec<_>>().join("---\n");
    session(&[], async |client| {
        let many = ask(&client, "list", json!({ "text": fleet })).await;
        assert!(text(&many).len() < MOST, "{} bytes", text(&many).len());
        assert!(text(&many).contains(" more lines: ask for less"), "{}", text(&many));
        for (tool, argument, is_error) in [
            ("explain", json!({ "text": hostile })),
            ("explain", json!({ "names": [hostile] })),
            ("explain", json!({ "why": hostile })),
            ("simulate", json!({ "text": case, "target": hostile })),
            ("simulate", json!({ "text": case, "target": {"a": 1} })),
            ("lint", json!({ "text": hostile, "names": [] })),
            ("list", json!({ "text": 7, "only": "--fix" })),
            ("list", json!({ "text": fleet, "output": "json" })),
        ]
        .map(|(tool, argument)| (tool, argument, true))
        {
            let result = ask(&client, tool, argument).await;
            let told = text(&result);
            assert_eq!(result.is_error, Some(is_error), "{told}");
            assert!(told.len() < 2 * MOST && !told.contains('\u{1b}'), "{told}");
        }
        let error = client.call_tool(CallToolRequestParams::new("apply")).await.expect_err("no such tool");
        assert!(matches!(error, ServiceError::McpError(_)), "{error:?}");
        // The session goes on.
        let again = ask(&client, "explain", json!({ "text": case })).await;
        assert!(text(&again).contains("stays at 5"), "{}", text(&again));
    });
}
