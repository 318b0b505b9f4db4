//! Manifests: files, folders, standard input.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Error;
use serde_json::Value;

use super::super::{cases, folders};
use super::kustomize;
use kubectl_hpa_core::lint::is_subject;
use kubectl_hpa_core::snapshot::{LoadError, Written};

/// What the files have. A document that cannot be read hides no other.
///
/// # Errors
/// A pattern of what to exclude that is none.
pub fn read(files: &[PathBuf], excluded: &[String]) -> anyhow::Result<Read> {
    let mut read = Reading::default();
    for found in folders::manifests(files, excluded)? {
        match found {
            Ok(file) => read.file(&file, files),
            Err((_, error)) => read.errors.push(error),
        }
    }
    let mut templates = read.take_templates();
    let mut outcomes = kustomize::build(&mut read.objects);
    let mut groups = vec![read.objects];
    for outcome in &mut outcomes.built {
        let mut read = Reading::default();
        for object in std::mem::take(outcome) {
            read.take(object);
        }
        templates.append(&mut read.take_templates());
        groups.push(read.objects);
    }
    let foreign = foreign(&read.foreign);
    let notes = unrendered(&templates).into_iter().chain(outcomes.notes).chain(foreign).collect();
    Ok(Read { groups, errors: read.errors, notes })
}

/// All that was read.
pub struct Read {
    /// The objects of all files together, but for those that kustomizations build, and then of each kustomization what it
    /// builds: what is applied together.
    pub groups: Vec<Vec<Written>>,
    pub errors: Vec<Error>,
    /// What was passed over, and why.
    pub notes: Vec<String>,
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    objects: Vec<Written>,
    errors: Vec<Error>,
    /// Files with HPAs that hold a placeholder.
    unfilled: Vec<String>,
    /// Files of the folders that cannot be read and do not look like manifests.
    foreign: Vec<String>,
}

impl Reading {
    /// One file: of several documents that cannot be read, each has its error.
    fn file(&mut self, file: &Path, named: &[PathBuf]) {
        for object in cases::objects(vec![file.to_owned()]) {
            match object {
                Ok(object) => self.take(object),
                // In a repository there are files of all kinds that end as manifests do.
                Err(error)
                    if !is_template(&error) && !named.iter().any(|it| it == file) && !is_of_the_api(file) =>
                {
                    return self.foreign.push(file.display().to_string());
                }
                Err(error) => self.errors.push(error),
            }
        }
    }

    fn take(&mut self, object: Written) {
        if is_subject(&object) && has_placeholder(&object) {
            self.unfilled.push(object.source);
        } else {
            self.objects.push(object);
        }
    }

    /// The files that are templates: what cannot be read in them is no error, and what can be is no object unless it is whole.
    fn take_templates(&mut self) -> Vec<String> {
        let of_template = |error: &Error| {
            let loaded = error.downcast_ref::<LoadError>().filter(|it| it.is_template);
            loaded.map(|it| it.source.clone())
        };
        let mut templates: Vec<String> = self.errors.iter().filter_map(of_template).collect();
        templates.append(&mut self.unfilled);
        templates.sort_unstable();
        templates.dedup();
        self.errors.retain(|error| {
            let loaded = error.downcast_ref::<LoadError>();
            loaded.is_none_or(|it| templates.binary_search(&it.source).is_err())
        });
        self.objects.retain(|object| templates.binary_search(&object.source).is_err() || is_whole(object));
        templates
    }
}

/// Whether a file that cannot be read has the word that each object of the API begins with, in UTF-16, too.
fn is_of_the_api(file: &Path) -> bool {
    let bytes = fs::read(file).unwrap_or_default();
    let is_empty = bytes.is_empty();
    let letters: Vec<u8> = bytes.into_iter().filter(|byte| *byte != 0).collect();
    is_empty || memchr::memmem::find(&letters, b"apiVersion").is_some()
}

/// One of several files, the number of the others, and the verb for as many.
fn several(files: &[String], one: &str, more: &str) -> Option<String> {
    let (first, others) = files.split_first()?;
    Some(match others.len() {
        0 => format!("{first} {one}"),
        1 => format!("{first} and 1 other file {more}"),
        number => format!("{first} and {number} other files {more}"),
    })
}

fn foreign(files: &[String]) -> Option<String> {
    several(files, "cannot be read and has no apiVersion", "cannot be read and have no apiVersion")
}

fn is_template(error: &Error) -> bool {
    error.downcast_ref::<LoadError>().is_some_and(|it| it.is_template)
}

/// Whether an object says what it is and how it is called: a piece of a template does not.
fn is_whole(object: &Written) -> bool {
    ["/apiVersion", "/kind", "/metadata/name"].iter().all(|field| !object.text(field).is_empty())
}

fn unrendered(templates: &[String]) -> Option<String> {
    let subject = several(templates, "is a template", "are templates")?;
    Some(format!("{subject} that nothing has rendered: try helm template CHART | kubectl hpa lint -f -"))
}

/// Whether what has to be a name or a number is still what a template has in its place.
fn has_placeholder(hpa: &Written) -> bool {
    let parts = ["/metadata/name", "/metadata/namespace", "/spec"];
    parts.into_iter().filter_map(|part| hpa.value.pointer(part)).any(is_unfilled)
}

fn is_unfilled(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let is_word = text.starts_with('<') && text.ends_with('>');
            is_word || ["{{", "{%", "${", "<%", "[[", "((", "@@", "#{"].iter().any(|mark| text.contains(mark))
        }
        Value::Array(items) => items.iter().any(is_unfilled),
        Value::Object(fields) => fields.values().any(is_unfilled),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
