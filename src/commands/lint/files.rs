//! Manifests: files, folders, standard input.

use std::path::PathBuf;

use anyhow::{Error, anyhow};
use serde_json::Value;

use super::super::{cases, folders};
use kubectl_hpa_core::lint::is_subject;
use kubectl_hpa_core::snapshot::{LoadError, Written};

/// All objects of all files together. A document that cannot be read hides no other.
pub fn read(files: &[PathBuf]) -> (Vec<Written>, Vec<Error>) {
    let mut read = Reading::default();
    for found in folders::case_files(files) {
        match found {
            Ok(file) => read.file(file),
            Err((_, error)) => read.errors.push(error),
        }
    }
    let Reading { objects, errors, .. } = read.ended();
    (objects, errors)
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    objects: Vec<Written>,
    errors: Vec<Error>,
    /// Files with HPAs that hold a placeholder.
    unfilled: Vec<String>,
}

impl Reading {
    /// One file: of several documents that cannot be read, each has its error.
    fn file(&mut self, file: PathBuf) {
        for object in cases::objects(vec![file]) {
            match object {
                Ok(object) if is_subject(&object) && has_placeholder(&object) => {
                    self.unfilled.push(object.source);
                }
                Ok(object) => self.objects.push(object),
                Err(error) => self.errors.push(error),
            }
        }
    }

    /// One error for all files that are templates: none of them can be read, and for the same reason.
    fn ended(mut self) -> Self {
        let of_template = |error: &Error| {
            let loaded = error.downcast_ref::<LoadError>().filter(|it| it.is_template);
            loaded.map(|it| it.source.clone())
        };
        let mut templates: Vec<String> = self.errors.iter().filter_map(of_template).collect();
        templates.append(&mut self.unfilled);
        templates.dedup();
        self.errors.retain(|error| {
            let loaded = error.downcast_ref::<LoadError>();
            loaded.is_none_or(|it| !templates.contains(&it.source))
        });
        self.errors.extend(unrendered(&templates));
        self
    }
}

fn unrendered(templates: &[String]) -> Option<Error> {
    let (first, others) = templates.split_first()?;
    let subject = match others.len() {
        0 => format!("{first} is a template"),
        1 => format!("{first} and 1 other file are templates"),
        more => format!("{first} and {more} other files are templates"),
    };
    Some(anyhow!("{subject} that nothing has rendered: try helm template CHART | kubectl hpa lint -f -"))
}

/// Whether what has to be a name or a number is still what a template has in its place.
fn has_placeholder(hpa: &Written) -> bool {
    let parts = ["/metadata/name", "/metadata/namespace", "/spec"];
    parts.into_iter().filter_map(|part| hpa.value.pointer(part)).any(is_unfilled)
}

fn is_unfilled(value: &Value) -> bool {
    match value {
        Value::String(text) => ["{{", "{%", "${"].iter().any(|mark| text.contains(mark)),
        Value::Array(items) => items.iter().any(is_unfilled),
        Value::Object(fields) => fields.values().any(is_unfilled),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
