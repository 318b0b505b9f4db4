//! Case files: YAML with any number of documents, JSON, JSON Lines, from any reader.
//!
//! One document is held at a time. Each says by its first byte what it is: `{` begins JSON, anything else YAML, which
//! lasts until the next `---`. A document that is wrong gives one error, and the next one is read all the same; a
//! stream that cannot be read on gives one error and ends. No input makes this panic, and none takes more memory than
//! a few times [`MAX_DOCUMENT`].

mod decode;
mod error;
mod scan;
mod split;
mod text;
mod yaml;

pub use error::LoadError;

use std::io::Read;

use self::split::Splitter;
use super::Case;

/// Largest document, in bytes: pods by the ten thousand as an API server lists them.
const MAX_DOCUMENT: usize = 256 << 20;

/// The cases of a stream, one after the other.
pub struct Cases<R> {
    splitter: Splitter<R>,
    name: String,
    documents: usize,
    ended: bool,
}

impl<R: Read> Cases<R> {
    /// Reads from `reader`, which errors call by `name`.
    pub fn new(name: impl Into<String>, reader: R) -> Self {
        Self { splitter: Splitter::new(reader), name: name.into(), documents: 0, ended: false }
    }

    fn read(&mut self) -> Option<Result<Case, LoadError>> {
        match self.splitter.next_document() {
            Ok(Some(document)) => {
                self.documents += 1;
                Some(decode::case(&document).map_err(|problem| problem.of(&self.name, self.documents)))
            }
            Ok(None) if self.documents == 0 => {
                self.ended = true;
                Some(Err(error::Problem::new("there is no case in it").of(&self.name, 1)))
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
}

impl<R: Read> Iterator for Cases<R> {
    type Item = Result<Case, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended { None } else { self.read() }
    }
}
