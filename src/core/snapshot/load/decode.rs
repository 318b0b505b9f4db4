//! From a document to a case, or to what is wrong with it.

use std::fmt::{self, Display, Formatter};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::{IS, Position, Problem};
use super::fields;
use super::input::{Input, Manifest};
use super::printed;
use super::split::{Document, Format};
use super::text::{shortened, snippet, visible};
use super::tree::{Listing, Node, Places, too_many_items};
use super::yaml;
use crate::snapshot::case::{API_VERSION, HpaCase, KIND};
use crate::snapshot::strict::{Fault, Texts, decode};
use crate::snapshot::{Case, Violation};

/// Decodes a case.
pub(super) fn case(document: &Document) -> Result<Case, Problem> {
    if document.format == Format::Text {
        return Err(is_no_object(document).hint(MAKE));
    }
    case_or_header(text(document)?, document)?.map_err(|header| header.is_no_case())
}

/// Decodes a case, or an object of the API with why it is no case.
pub(super) fn case_or_object(document: &Document) -> Result<Result<Case, (Value, Problem)>, Problem> {
    let text = text(document)?;
    if document.format == Format::Text {
        return Ok(Err((printed(text, document)?, is_no_object(document).hint(OBJECTS))));
    }
    match case_or_header(text, document)? {
        Ok(case) => Ok(Ok(case)),
        Err(header) if header.is_object() => Ok(Err((decoded(text, document)?, header.has_no_hpa()))),
        Err(header) => Err(header.is_no_case()),
    }
}

/// A case, or what the document calls itself instead; the problem of one that is neither. A case may be long, and is read once.
fn case_or_header(text: &str, document: &Document) -> Result<Result<Case, Header>, Problem> {
    let problem = match decoded(text, document) {
        Ok(case) => return Ok(Ok(case)),
        Err(problem) => problem,
    };
    match header(text, document, &problem) {
        Some(header) if !header.is_case() => Ok(Err(header)),
        Some(_) => Err(problem),
        None => Err(unreadable(text, document, problem)),
    }
}

/// What is wrong with a document of which nobody can say what it calls itself: what keeps any reader from reading it, if a reader
/// of cases stumbled over something else before.
fn unreadable(text: &str, document: &Document, problem: Problem) -> Problem {
    match decoded::<Value>(text, document) {
        Err(syntax) if !problem.is_bound && syntax.position != problem.position => syntax,
        _ => problem,
    }
}

/// Decodes a case or a manifest.
pub(super) fn input(document: &Document) -> Result<Input, Problem> {
    let text = text(document)?;
    if document.format == Format::Text {
        let (kind, problem) = ("text of kubectl".to_owned(), is_no_object(document).words);
        return Ok(Input::Other { kind, problem, object: Ok(printed(text, document)?) });
    }
    match case_or_header(text, document)? {
        Ok(case) => Ok(Input::Case(Box::new(case))),
        Err(header) if header.is_manifest() => manifest(text, document),
        Err(header) if header.is_object() => Ok(Input::Other {
            problem: header.is_neither().words,
            kind: shown(&header.kind),
            object: decoded(text, document).map_err(|problem: Problem| problem.words),
        }),
        Err(header) => Err(header.is_neither()),
    }
}

/// The objects of a text that kubectl prints for people.
fn printed(text: &str, document: &Document) -> Result<Value, Problem> {
    printed::read(text).map_err(|printed::Unreadable { line, expected }| {
        let words = format!("expected {expected}, as kubectl prints it");
        describe(&words, Some(Position { line, column: 1 }), text, document).hint(WHOLE)
    })
}

/// The problem of text for people where an object is needed.
fn is_no_object(document: &Document) -> Problem {
    Problem::new(&format!("{IS}text that kubectl prints for people, and has no object of the API"))
        .at(document.start)
}

fn manifest(text: &str, document: &Document) -> Result<Input, Problem> {
    let HpaCase(hpa) = decoded(text, document)?;
    // What can be read as an HPA and not as a value is not worth a complaint of its own.
    let object: Value = decoded(text, document).unwrap_or_default();
    let unknown = if object.is_null() { Vec::new() } else { fields::unknown(&object) };
    Ok(Input::Manifest(Box::new(Manifest { hpa, unknown }), object))
}

/// No person writes JSON of more bytes, or looks for a line of it: it is read without the places of its fields, which is
/// five times as fast.
const LARGE: usize = 4 << 20;

/// The document as a value, with the place of each field.
pub(super) fn tree(document: &Document) -> Result<(Value, Places), Problem> {
    if document.format == Format::Text {
        return Err(is_no_object(document).hint(WHOLE));
    }
    let text = text(document)?;
    let shift = |at| in_stream(document, at);
    if document.format == Format::Json && text.len() > LARGE {
        match serde_json::from_str(text) {
            Ok(Listing(value)) => return Ok((value, Places::of(document.start))),
            Err(error) if error.to_string().starts_with(&too_many_items()) => {
                let problem = Problem { is_bound: true, ..Problem::new(&too_many_items()) };
                return Err(problem.hint("kubectl get hpa,deploy -n NAMESPACE -o json (prints fewer)"));
            }
            Err(_) => {}
        }
    }
    match serde_yaml::from_str_with_options::<Node>(text, yaml::lenient()) {
        Ok(node) => Ok((node.value, node.places.shifted(&shift))),
        Err(_) if document.format == Format::Json => {
            // JSON that is no YAML, for example with tabs, or nested deeply, has no places.
            let value =
                json(text, document).map_err(|error| Problem { is_template: is_template(text), ..error })?;
            Ok((value, Places::of(document.start)))
        }
        Err(error) => {
            let at = error.location().map(|at| Position { line: at.line(), column: at.column() });
            let problem = describe(&yaml::words(&error), at, text, document);
            Err(Problem { is_template: is_template(text), hint: pasted(text), ..problem })
        }
    }
}

/// Whether a text that is no YAML has the marks of a template: of Go, Jinja, ERB, and of the tools that replace words.
fn is_template(text: &str) -> bool {
    ["{{", "{%", "<%", "@@", "#{"].iter().any(|mark| text.contains(mark))
}

/// The HPA that a value is, as the API server decodes it.
pub(super) fn written(value: &Value) -> Result<Manifest, Violation> {
    let mut first = serde_json::Map::new();
    // Of v2beta1 it has to come first.
    first.extend(value.get("apiVersion").map(|version| ("apiVersion".to_owned(), version.clone())));
    first.extend(value.as_object().into_iter().flatten().map(|(name, it)| (name.clone(), it.clone())));
    let HpaCase(hpa) = typed(&Value::Object(first))?;
    Ok(Manifest { hpa, unknown: fields::unknown(value) })
}

/// The object that a value is, as the API server decodes it.
pub(super) fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, Violation> {
    from_json(&value.to_string()).map_err(|(error, fault)| {
        let text = fault.words().map_or_else(|| error.to_string(), str::to_owned);
        Violation { path: fault.path().clone(), text: shown(&text) }
    })
}

fn text(document: &Document) -> Result<&str, Problem> {
    std::str::from_utf8(&document.bytes).map_err(|error| no_text(document, error.valid_up_to()))
}

fn decoded<T: DeserializeOwned>(text: &str, document: &Document) -> Result<T, Problem> {
    match document.format {
        Format::Json => json(text, document),
        Format::Yaml | Format::Text => yaml(text, document),
    }
}

fn no_text(document: &Document, at: usize) -> Problem {
    let before = String::from_utf8_lossy(&document.bytes[..at]);
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
    Problem::new("is not UTF-8 text").at(in_stream(document, Position { line, column }))
}

fn json<T: DeserializeOwned>(text: &str, document: &Document) -> Result<T, Problem> {
    from_json(text).map_err(|(error, fault)| {
        let at = json_position(text, &error);
        let own = error.to_string();
        let own = own.rsplit_once(" at line ").map_or(own.as_str(), |(words, _)| words);
        let mut problem = describe(fault.words().unwrap_or(own), Some(at), text, document);
        problem.path = shown(&fault.path());
        problem.is_bound = fault.is_bound();
        problem.hint = if error.is_eof() {
            Some("the document ends in the middle: was the file cut off?")
        } else {
            (own == "key must be a string")
                .then_some("quote every key, or begin a YAML document with a line `---`")
        };
        problem
    })
}

/// `serde_json` counts columns in bytes.
fn json_position(text: &str, error: &serde_json::Error) -> Position {
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let chars = line.char_indices().take_while(|(index, _)| *index < error.column()).count();
    Position { line: error.line().max(1) as u64, column: chars.max(1) as u64 }
}

fn from_json<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, (serde_json::Error, Fault)> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = decode(&mut deserializer, Texts::Quoted)?;
    deserializer.end().map_err(|error| (error, Fault::default()))?;
    Ok(value)
}

fn yaml<T: DeserializeOwned>(text: &str, document: &Document) -> Result<T, Problem> {
    from_yaml(text).map_err(|(error, fault)| {
        let at = error.location().map(|at| Position { line: at.line(), column: at.column() });
        // Only a document that is a single value has no place.
        let at = at.or(Some(Position { line: 1, column: 1 }));
        let own = || yaml::words(&error);
        let mut problem = describe(&fault.words().map_or_else(own, str::to_owned), at, text, document);
        let is_bound = yaml::is_bound(&error);
        problem.is_bound = is_bound || fault.is_bound();
        if !is_bound {
            problem.path = shown(&fault.path());
            problem.hint = pasted(text);
        }
        problem
    })
}

/// A hint for text that was pasted in place of YAML, as its first line shows.
fn pasted(text: &str) -> Option<&'static str> {
    let first = text.lines().map(str::trim_start).find(|line| !line.is_empty())?;
    match first {
        _ if first.starts_with('>') => Some("its lines are quoted: remove the > before each"),
        _ if first.starts_with("```") => Some("it is fenced as in Markdown: remove the lines of ```"),
        _ if first.contains(" REFERENCE ") && first.contains(" MINPODS ") => Some(WHOLE),
        _ => None,
    }
}

fn from_yaml<T: DeserializeOwned>(text: &str) -> Result<T, (serde_yaml::Error, Fault)> {
    let mut fault = Fault::default();
    let bounds = yaml::bounds();
    let decoded = serde_yaml::with_deserializer_from_str_with_options(text, bounds, |deserializer| {
        decode(deserializer, Texts::Plain).map_err(|(error, told)| {
            fault = told;
            error
        })
    });
    decoded.map_err(|error| (error, fault))
}

fn describe(words: &str, at: Option<Position>, text: &str, document: &Document) -> Problem {
    let problem = Problem::new(words);
    let Some(at) = at else { return problem };
    let line = usize::try_from(at.line - 1).ok().and_then(|index| text.lines().nth(index));
    // A line of a secret is not shown.
    let is_secret = ["Secret", "ConfigMap"].iter().any(|kind| text.contains(kind));
    let snippet = line.filter(|_| !is_secret).and_then(|line| snippet(line, at.column));
    Problem { position: Some(in_stream(document, at)), snippet, ..problem }
}

/// A place in the document as a place in the stream.
fn in_stream(document: &Document, at: Position) -> Position {
    let start = document.start;
    let column = if at.line == 1 { start.column - 1 + at.column } else { at.column };
    Position { line: start.line + at.line.max(1) - 1, column }
}

fn shown(path: &str) -> String {
    shortened(&visible(path))
}

/// What a document calls itself.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Header {
    api_version: String,
    kind: String,
}

/// One object of the API is not all that a decision depends on.
const SAVE: &str = "kubectl hpa explain NAME --save case.yaml (reads everything for a case from the cluster)";
const OBJECTS: &str =
    "kubectl get hpa,deploy,pods -o yaml (prints an HPA with most of what its decision depends on)";
const WHOLE: &str = "kubectl get hpa NAME -o yaml (prints everything)";
const MAKE: &str = "kubectl hpa case FILE (makes a case of it, as far as it goes)";
const CONVERT: &str = "kubectl hpa lint -f FILE shows it in autoscaling/v2";
const HISTORY: &str = "kubectl hpa history -f FILE (tells its changes), explain -f FILE --at TIME (explains a look), backtest -f FILE (plays it)";
const SIMULATE: &str = "kubectl hpa simulate -f FILE (shows what would be decided with this manifest)";

fn header(text: &str, document: &Document, problem: &Problem) -> Option<Header> {
    match document.format {
        _ if problem.is_bound => None,
        Format::Json => from_json(text).ok(),
        Format::Yaml | Format::Text => from_yaml(text).ok(),
    }
}

impl Header {
    /// Whether it is a case of this version; a document that does not say what it is is taken for one.
    fn is_case(&self) -> bool {
        (self.api_version == API_VERSION && self.kind == KIND)
            || (self.api_version.is_empty() && self.kind.is_empty())
    }

    /// True if it is the first line of a record, whose others are its looks.
    fn is_record(&self) -> bool {
        self.api_version == API_VERSION && self.kind == "Record"
    }

    /// Whether it is an HPA, in a version that may be no longer served.
    fn is_manifest(&self) -> bool {
        self.kind == "HorizontalPodAutoscaler" && self.api_version.starts_with("autoscaling/")
    }

    /// True if it is an HPA of the group in which HPAs began; no version of today has its fields.
    fn is_in_extensions(&self) -> bool {
        self.kind == "HorizontalPodAutoscaler" && self.api_version.starts_with("extensions/")
    }

    /// Whether it is an object of the API of another kind, as far as it says.
    fn is_object(&self) -> bool {
        let is_own = self.api_version.starts_with("kubectl-hpa/");
        !is_own && !self.kind.is_empty() && !self.api_version.is_empty()
    }

    /// A document that is no case of this version is called by its name, whatever else is wrong with it.
    fn is_no_case(&self) -> Problem {
        let named = Problem::new(&format!("{self}, not a {KIND} of {API_VERSION}"));
        match self {
            _ if self.is_record() => Problem { is_last: true, ..named.hint(HISTORY) },
            _ if self.api_version.starts_with("kubectl-hpa/") => named,
            _ if self.is_manifest() => named.hint(SIMULATE),
            // kubectl writes the fields of a list in the order of their names.
            _ if self.kind.is_empty() => named.hint("the kind may come last: was the file cut off?"),
            _ => named.hint(SAVE),
        }
    }

    /// A document without an HPA where objects are of use.
    fn has_no_hpa(&self) -> Problem {
        if !self.is_object() || self.is_manifest() {
            return self.is_no_case();
        }
        if self.is_in_extensions() {
            return self.is_neither();
        }
        Problem::new(&format!("{self}, and has no HorizontalPodAutoscaler of a cluster")).hint(OBJECTS)
    }

    fn is_neither(&self) -> Problem {
        if self.is_record() {
            return self.is_no_case();
        }
        if self.is_in_extensions() {
            return Problem::new(&format!("{self}, which is no longer served: {CONVERT}"));
        }
        let named = Problem::new(&format!(
            "{self}, neither a {KIND} of {API_VERSION} nor a HorizontalPodAutoscaler of autoscaling/v2, v2beta2, \
             v2beta1 or v1"
        ));
        if self.is_object() && !self.is_manifest() { named.hint(OBJECTS) } else { named }
    }
}

impl Display for Header {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let an = if self.kind.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
        match (self.kind.as_str(), self.api_version.as_str()) {
            (kind, "") => write!(f, "{IS}{an} {kind} without an apiVersion"),
            ("", version) => write!(f, "{IS}an object of {version} without a kind"),
            (kind, version) => write!(f, "{IS}{an} {kind} of {version}"),
        }
    }
}
