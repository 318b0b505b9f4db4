//! The kinds of answers, each with what must be made of it by a read that the controller makes too.

use serde_json::{Value, json};

use super::Verdict::{self, Believed};
use super::failures;
use super::fields;
use super::readers::{Class, Reader};
use crate::server::Reply;

const JSON: Option<&str> = Some("application/json");
const HTML: Option<&str> = Some("text/html; charset=utf-8");
pub const TEXT: Option<&str> = Some("text/plain");
const PAGE: &str = "<html><head><title>Sign in</title></head><body>Bad gateway</body></html>";

pub struct AnswerKind {
    pub name: String,
    pub verdict: Verdict,
    pub why: &'static str,
    /// The HTTP status; `None` where no whole answer comes.
    pub code: Option<u16>,
    /// Whether it says that one object is not there, of a kind that is served.
    pub is_of_object: bool,
    /// Made of the genuine answer; `None` where the read has none such.
    pub reply: Box<dyn Fn(&Value) -> Option<Reply>>,
}

type Made = fn(&Value) -> Reply;

/// All kinds of answers to a read.
pub fn answers(reader: &Reader) -> Vec<AnswerKind> {
    let mut all = good();
    all.extend(strange());
    all.extend(of_others(reader));
    all.extend(lacking(reader));
    all.extend(broken());
    all.extend(foreign());
    all.extend(failures::of(reader));
    all.extend(failures::refusals());
    all
}

fn answer(name: &str, verdict: Verdict, why: &'static str, code: Option<u16>, made: Made) -> AnswerKind {
    let reply = Box::new(move |it: &Value| Some(made(it)));
    AnswerKind { name: name.into(), verdict, why, code, is_of_object: false, reply }
}

fn good() -> Vec<AnswerKind> {
    let good = |name, made: Made| answer(name, Believed, "it is what was asked for", Some(200), made);
    vec![
        good("as it is", |it| Reply::json(it)),
        good("indented", |it| raw(&format!("\n{it:#}\n"))),
        good("with unknown fields", |it| {
            let mut it = it.clone();
            it["fieldOfTomorrow"] = json!({"items": [{"kind": "Foo"}]});
            Reply::json(it)
        }),
        good("of a typed charset", |it| {
            Reply::new(200, Some("application/json; charset=utf-8"), &it.to_string())
        }),
        good("without a media type", |it| Reply::new(200, None, &it.to_string())),
        good("with an Audit-Id", |it| Reply::json(it).signed()),
    ]
}

/// 200, and something else than was asked for.
fn strange() -> Vec<AnswerKind> {
    let why = "whoever wrote this, it is not what was asked for";
    let strange = |name, made: Made| answer(name, Verdict::Reader, why, Some(200), made);
    vec![
        strange("nothing", |_| raw("")),
        strange("null", |_| raw("null")),
        strange("an empty list", |_| raw("[]")),
        strange("a list of it", |it| Reply::json(json!([it]))),
        strange("an empty object", |_| raw("{}")),
        strange("a text", |_| raw("\"ok\"")),
        strange("a number", |_| raw("0")),
        strange("true", |_| raw("true")),
        strange("another kind", |it| with(it, "kind", json!("Foo"))),
        strange("a kind that is no text", |it| with(it, "kind", json!(7))),
        strange("nothing but another kind", |_| raw(r#"{"kind":"Foo"}"#)),
        strange("a Secret", |_| {
            raw(r#"{"kind":"Secret","apiVersion":"v1","metadata":{"name":"web","namespace":"shop"}}"#)
        }),
        strange("an empty List", |_| raw(r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#)),
        strange("a failure", |_| Reply { code: 200, ..Reply::failure(500, "InternalError", "boom") }),
        strange("a success", |_| {
            raw(r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#)
        }),
        strange("cut in half", |it| raw(&it.to_string()[..it.to_string().len() / 2])),
        strange("cut before the end", |it| raw(&it.to_string()[..it.to_string().len() - 1])),
        strange("more behind it", |it| raw(&format!("{it} x"))),
        strange("twice", |it| raw(&format!("{it}{it}"))),
        strange("a mark before it", |it| raw(&format!("\u{feff}{it}"))),
        strange("a zero byte", |it| raw(&it.to_string().replacen(':', ":\0", 1))),
        strange("YAML", |_| raw("kind: Scale\napiVersion: autoscaling/v1\n")),
        strange("a page", |_| Reply::new(200, HTML, PAGE)),
        strange("a page that says it is JSON", |_| raw(PAGE)),
        strange("JSON that says it is a page", |it| Reply::new(200, HTML, &it.to_string())),
        strange("JSON that says it is text", |it| Reply::new(200, TEXT, &it.to_string())),
        strange("JSON that says it is protobuf", |it| {
            Reply::new(200, Some("application/vnd.kubernetes.protobuf"), &it.to_string())
        }),
        strange("plain text", |_| Reply::new(200, TEXT, "OK")),
        strange("plain text with an Audit-Id", |_| Reply::new(200, TEXT, "ok").signed()),
        strange("what is no UTF-8", |_| Reply { body: vec![0xff, 0xfe, b'{', b'}'], ..raw("") }),
    ]
}

/// 200, and the right kind of something else.
fn of_others(reader: &Reader) -> Vec<AnswerKind> {
    let changed = |name: &str, why, pointer: &'static str, value: Value| AnswerKind {
        name: name.into(),
        verdict: Verdict::Reader,
        why,
        code: Some(200),
        is_of_object: false,
        reply: Box::new(move |it| {
            let mut it = it.clone();
            *it.pointer_mut(pointer)? = value.clone();
            Some(Reply::json(it))
        }),
    };
    let mut others = Vec::new();
    if reader.name != "version" {
        let version = "a version that was not asked for";
        others.push(changed("another version", version, "/apiVersion", json!("example.org/v7")));
    }
    if reader.is_of_one() {
        let why = "the answer is about another object";
        others.push(changed("another name", why, "/metadata/name", json!("other")));
        others.push(changed("another namespace", why, "/metadata/namespace", json!("bank")));
        others.push(changed("metadata in a list", why, "/metadata", json!(["web", "shop"])));
        others.push(changed("a spec in a list", why, "/spec", json!([2])));
    }
    if reader.lists_objects() {
        let why = "the list is of another namespace";
        others.push(changed(
            "an item of another namespace",
            why,
            "/items/0/metadata/namespace",
            json!("bank"),
        ));
        others.push(changed("an item in a list", why, "/items/0", json!([1])));
    }
    if reader.class == Class::Plain {
        let why = "the answer is about another version";
        others.push(changed("another group version", why, "/groupVersion", json!("apps/v1")));
    }
    others.push(changed("an item that is no object", "it is no list", "/items/0", json!("web")));
    others.push(changed("items that are no list", "it is no list", "/items", json!({})));
    others
}

/// 200 without a field that is always written.
fn lacking(reader: &Reader) -> Vec<AnswerKind> {
    let lacking = |pointer: &&'static str| {
        let pointer = *pointer;
        AnswerKind {
            name: format!("without {pointer}"),
            verdict: Verdict::Reader,
            why: "upstream's encoder always writes the field",
            code: Some(200),
            is_of_object: false,
            reply: Box::new(move |it| {
                let mut it = it.clone();
                let (parent, field) = pointer.rsplit_once('/')?;
                it.pointer_mut(parent)?.as_object_mut()?.remove(field)?;
                Some(Reply::json(it))
            }),
        }
    };
    fields::written(reader).iter().map(lacking).collect()
}

/// An answer that does not come to its end.
fn broken() -> Vec<AnswerKind> {
    let why = "the connection broke";
    let broken = |name, made: Made| answer(name, Verdict::Reader, why, None, made);
    vec![
        broken("a body that breaks off", |it| Reply { withheld: 10, hangs_up: true, ..Reply::json(it) }),
        broken("no body at all", |_| Reply { withheld: 10, hangs_up: true, ..raw("") }),
        broken("no answer", |_| Reply { code: 0, hangs_up: true, ..raw("") }),
    ]
}

/// What proxies, load balancers and login pages say.
fn foreign() -> Vec<AnswerKind> {
    let mut all = Vec::new();
    let why = "no API server answers a read so";
    for code in [101, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 304, 307, 308] {
        all.push(of_code("the body with", code, why, move |it| {
            let location = (300..400).contains(&code).then(|| "https://sso.example.org/login?x=1".to_owned());
            let body =
                if matches!(code, 101 | 204 | 205 | 304) { Vec::new() } else { it.to_string().into_bytes() };
            Reply { code, body, location, ..Reply::json(it) }
        }));
    }
    let page = "a page is not the API server's";
    let text = "anybody may have written this text";
    for code in [
        400, 401, 403, 404, 405, 407, 408, 410, 418, 421, 429, 451, 500, 501, 502, 503, 504, 511, 520, 525,
        599,
    ] {
        all.push(of_code("a page with", code, page, move |_| Reply::new(code, HTML, PAGE)));
        all.push(of_code("plain text with", code, text, move |_| {
            Reply::new(code, TEXT, "upstream connect error")
        }));
    }
    for code in [403, 404, 408, 500, 502, 503, 504] {
        all.push(of_code("nothing with", code, text, move |_| Reply::new(code, None, "")));
        all.push(of_code("other JSON with", code, text, move |_| Reply { code, ..raw(r#"{"error":"x"}"#) }));
        all.push(of_code("a page with an Audit-Id and", code, page, move |_| {
            Reply::new(code, HTML, PAGE).signed()
        }));
        all.push(of_code("the body itself with", code, why, move |it| Reply { code, ..Reply::json(it) }));
    }
    all.extend(half_statuses());
    all
}

/// What looks like a `Status` and is none.
fn half_statuses() -> Vec<AnswerKind> {
    let why = "an API server's Status is of its own kind, code and media type";
    let half = |name: &str, code, made: fn(Reply) -> Reply| {
        of_code(name, code, why, move |_| made(Reply::failure(code, "InternalError", "boom")))
    };
    let other = |name, code, from: &'static str, to: &'static str| {
        of_code(name, code, why, move |_| {
            let text =
                String::from_utf8(Reply::failure(code, "InternalError", "boom").body).unwrap_or_default();
            Reply { code, ..raw(&text.replace(from, to)) }
        })
    };
    vec![
        half("a Status of another code with", 502, |it| Reply {
            code: 502,
            ..Reply { body: Reply::failure(500, "", "").body, ..it }
        }),
        half("a Status that says it is a page with", 500, |it| Reply {
            content_type: HTML.map(Into::into),
            ..it
        }),
        half("a Status that says it is text with", 503, |it| Reply {
            content_type: TEXT.map(Into::into),
            ..it
        }),
        half("a Status of no media type with", 500, |it| Reply { content_type: None, ..it }),
        other("a Status of success with", 500, "Failure", "Success"),
        other("a Status of no kind with", 500, "\"kind\":\"Status\"", "\"kind\":\"\""),
        other("a Status cut short with", 500, "}", ""),
        half("a Status with", 302, |it| it),
        half("a Status with", 408, |it| it),
    ]
}

pub fn of_code(
    name: &str,
    code: u16,
    why: &'static str,
    made: impl Fn(&Value) -> Reply + 'static,
) -> AnswerKind {
    AnswerKind {
        name: format!("{name} {code}"),
        verdict: Verdict::Reader,
        why,
        code: Some(code),
        is_of_object: false,
        reply: Box::new(move |it| Some(made(it))),
    }
}

fn raw(body: &str) -> Reply {
    Reply::new(200, JSON, body)
}

fn with(it: &Value, field: &str, value: Value) -> Reply {
    let mut it = it.clone();
    it[field] = value;
    Reply::json(it)
}
