//! Case files: YAML with any number of documents, JSON, JSON Lines, from any reader; and what kubectl prints for people.
//!
//! One document is held at a time. Each says by its first byte what it is: `{` begins JSON, anything else YAML, which
//! lasts until the next `---`, or text of kubectl ([`printed`]), by its first lines. A document that is wrong gives one error, and the next one is read all the same; a
//! stream that cannot be read on gives one error and ends. No input makes this panic, and none takes more memory than
//! a few times [`yaml::MAX_DOCUMENT`].

mod decode;
mod error;
mod fields;
mod input;
mod objects;
mod printed;
mod scan;
mod split;
mod text;
mod tree;
mod type_meta;
mod yaml;

pub use error::{LoadError, Position};
pub use fields::UnknownField;
pub use input::{Input, Manifest, Piece};
pub use objects::{Objects, Written};
pub use printed::{DESCRIBED, TOP, is_text};
pub use text::snippet;
pub use tree::Places;
pub use type_meta::TypeMeta;

use std::io::Read;

use serde::de::DeserializeOwned;
use serde_json::Value;

use self::error::Problem;
use self::split::{Document, Splitter};
use super::{Case, Violation};

/// Most documents of a stream of cases: each is a decision of its own, which takes a third of a millisecond or more.
const MOST_CASES: usize = 20_000;
/// Most of a stream of objects: as HPAs they take 500 MB.
const MOST_MANIFESTS: usize = 50_000;

/// The cases of a stream, one after the other.
pub struct Cases<R>(Stream<R>);

impl<R: Read> Cases<R> {
    /// Reads from `reader`, which errors call by `name`.
    pub fn new(name: impl Into<String>, reader: R) -> Self {
        Self(Stream::new(name.into(), reader))
    }
}

impl<R: Read> Iterator for Cases<R> {
    type Item = Result<Case, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next(decode::case)
    }
}

/// The cases and manifests of a stream, one after the other; each document says by its kind which it is.
pub struct Inputs<R>(Stream<R>);

impl<R: Read> Inputs<R> {
    /// Reads from `reader`, which errors call by `name`.
    pub fn new(name: impl Into<String>, reader: R) -> Self {
        Self(Stream::new(name.into(), reader))
    }
}

impl<R: Read> Iterator for Inputs<R> {
    type Item = Result<Input, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next(decode::input)
    }
}

/// The cases and objects of a stream, one after the other.
pub struct Pieces<R>(Stream<R>);

impl<R: Read> Pieces<R> {
    /// Reads from `reader`, which errors call by `name`.
    pub fn new(name: impl Into<String>, reader: R) -> Self {
        Self(Stream::new(name.into(), reader))
    }
}

impl<R: Read> Iterator for Pieces<R> {
    type Item = Result<Piece, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next(decode::case_or_object)?.map(|read| match read {
            Ok(case) => Piece::Case(Box::new(case)),
            Err((object, problem)) => {
                Piece::Object(object, Box::new(problem.of(&self.0.name, self.0.documents)))
            }
        }))
    }
}

/// The object of the API that a value is.
///
/// # Errors
/// The field that no API server can decode.
pub fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, Violation> {
    decode::typed(value)
}

/// The documents of a stream.
struct Stream<R> {
    splitter: Splitter<R>,
    name: String,
    documents: usize,
    ended: bool,
    /// So many documents are read.
    most: usize,
    /// Whether it may have no document at all.
    may_be_empty: bool,
}

impl<R: Read> Stream<R> {
    fn new(name: String, reader: R) -> Self {
        let splitter = Splitter::new(reader);
        Self { splitter, name, documents: 0, ended: false, most: MOST_CASES, may_be_empty: false }
    }

    /// One of objects: it may be empty, and none of them is decided.
    fn of_objects(self) -> Self {
        Self { may_be_empty: true, most: MOST_MANIFESTS, ..self }
    }

    /// Decodes the next one.
    fn next<T>(&mut self, decode: impl Fn(&Document) -> Result<T, Problem>) -> Option<Result<T, LoadError>> {
        if self.ended {
            return None;
        }
        match self.splitter.next_document() {
            Ok(Some(_)) if self.documents >= self.most => {
                self.ended = true;
                let words = format!("the stream has more than {} documents", self.most);
                Some(Err(Problem::new(&words).of(&self.name, self.documents + 1)))
            }
            Ok(Some(document)) => {
                self.documents += 1;
                let decoded = self.decoded(document, decode);
                self.ended |= decoded.as_ref().is_err_and(|problem| problem.is_last);
                Some(decoded.map_err(|problem| problem.of(&self.name, self.documents)))
            }
            Ok(None) if self.documents == 0 && !self.may_be_empty => {
                self.ended = true;
                Some(Err(Problem::new("there is no case in it").of(&self.name, 1)))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(problem) => {
                self.ended = true;
                Some(Err(problem.of(&self.name, self.documents + 1)))
            }
        }
    }

    /// Decodes a document; where the guess at its end was wrong, once more from as many bytes as it has.
    fn decoded<T>(
        &mut self,
        document: Document,
        decode: impl Fn(&Document) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let decoded = decode(&document);
        if decoded.is_ok() || !document.is_guess {
            return decoded;
        }
        let guessed = document.bytes.len();
        match self.splitter.exact(document) {
            Ok(exact) if exact.bytes.len() == guessed => decoded,
            Ok(exact) => decode(&exact),
            Err(problem) => {
                self.ended = true;
                Err(problem)
            }
        }
    }
}
