//! Findings that a file ignores, each with a reason: for manifests that cannot be annotated, for example those of a chart.

use serde_json::{Map, Value};

use super::ignore::unknown_rule;
use super::{Finding, Rule};
use crate::snapshot::Written;
use crate::snapshot::case::API_VERSION;

/// What the file is called inside: `kind`.
pub const IGNORE_KIND: &str = "LintIgnore";

/// A file of exceptions.
#[derive(Clone, Debug)]
pub struct IgnoreFile {
    entries: Vec<Entry>,
}

/// One exception: what is given must be so, what is not may be anything.
#[derive(Clone, Debug)]
struct Entry {
    /// The file and the line, for people.
    place: String,
    rule: Rule,
    reason: String,
    kind: Option<String>,
    name: Option<String>,
    namespace: Option<String>,
}

/// The fields of an entry; the first two are required.
const FIELDS: [&str; 5] = ["rule", "reason", "kind", "name", "namespace"];

impl IgnoreFile {
    /// Reads a file. It is strict: an exception that is not understood would hide something else than was meant.
    ///
    /// # Errors
    /// The place, and what is wrong there.
    pub fn read(written: &Written) -> Result<Self, String> {
        let error = |path: &str, problem: String| {
            Err(format!("{}:{}: {problem}", written.source, written.at(path).line))
        };
        if written.text("/apiVersion") != API_VERSION || written.text("/kind") != IGNORE_KIND {
            return error("kind", format!("expected apiVersion {API_VERSION} and kind {IGNORE_KIND}"));
        }
        let fields = written.value.as_object().into_iter().flat_map(Map::keys);
        let known = ["apiVersion", "kind", "metadata", "ignore"];
        if let Some(field) = fields.into_iter().find(|field| !known.contains(&field.as_str())) {
            return error(field, format!("unknown field {field:?}, expected ignore"));
        }
        let Some(entries) = written.value["ignore"].as_array() else {
            return error("ignore", "expected ignore: a list of entries with rule and reason".to_owned());
        };
        let entries = entries.iter().enumerate().map(|(index, value)| {
            let path = format!("ignore[{index}]");
            let place = format!("{}:{}", written.source, written.at(&path).line);
            Entry::of(value, place.clone()).map_err(|problem| format!("{place}: {problem}"))
        });
        Ok(Self { entries: entries.collect::<Result<_, _>>()? })
    }

    /// Marks what the file ignores. What an annotation ignores already stays as it is. Returns a sentence for each entry
    /// that ignores nothing: what it was for is mended, or it never matched.
    pub fn apply(&self, objects: &[Written], findings: &mut [Finding]) -> Vec<String> {
        let mut unused = Vec::new();
        for entry in &self.entries {
            let mut is_used = false;
            for finding in findings.iter_mut() {
                if objects.get(finding.object).is_some_and(|written| entry.matches(finding, written)) {
                    is_used = true;
                    if finding.ignored.is_none() {
                        finding.ignored = Some(entry.reason.clone());
                        finding.is_ignored_by_file = true;
                    }
                }
            }
            if !is_used {
                unused.push(format!(
                    "{}: nothing to ignore: {} is not found there",
                    entry.place,
                    entry.shown()
                ));
            }
        }
        unused
    }
}

impl Entry {
    fn of(value: &Value, place: String) -> Result<Self, String> {
        let Value::Object(fields) = value else {
            return Err("expected an entry with rule and reason".to_owned());
        };
        if let Some(field) = fields.keys().find(|field| !FIELDS.contains(&field.as_str())) {
            return Err(format!("unknown field {field:?}, expected {}", FIELDS.join(", ")));
        }
        let text = |name: &str| match fields.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.trim().to_owned())),
            Some(_) => Err(format!("{name} must be a text, and not empty")),
        };
        let code = text("rule")?.ok_or("an entry needs a rule, for example rule: min-is-max")?;
        let rule = Rule::of(&code).ok_or_else(|| unknown_rule(&code))?;
        let reason = text("reason")?.ok_or_else(|| format!("{rule} is ignored without a reason"))?;
        Ok(Self {
            place,
            rule,
            reason,
            kind: text("kind")?,
            name: text("name")?,
            namespace: text("namespace")?,
        })
    }

    fn matches(&self, finding: &Finding, written: &Written) -> bool {
        let is = |wanted: &Option<String>, pointer: &str| {
            wanted.as_ref().is_none_or(|wanted| written.text(pointer) == wanted)
        };
        finding.rule == self.rule
            && is(&self.kind, "/kind")
            && is(&self.name, "/metadata/name")
            && is(&self.namespace, "/metadata/namespace")
    }

    /// As `min-is-max of Deployment web`.
    fn shown(&self) -> String {
        let object = [self.kind.as_deref(), self.name.as_deref()];
        let object: Vec<&str> = object.into_iter().flatten().collect();
        let of = if object.is_empty() { String::new() } else { format!(" of {}", object.join(" ")) };
        let place = self.namespace.as_ref().map_or_else(String::new, |name| format!(" in namespace {name}"));
        format!("{}{of}{place}", self.rule)
    }
}
