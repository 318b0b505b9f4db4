//! Lines as entries.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

use serde_json::Value;
use thiserror::Error;

use super::entry::{API_VERSION, Entry, Header, KIND, Line, Recorded, Seen};
use super::recorder::Recorder;
use crate::edit::{joined, merged};
use crate::snapshot::{Case, Cases, LoadError};

/// A line with more bytes than this is no look: the case of 10,000 pods has 40 million.
const MOST_BYTES: u64 = 400_000_000;

/// Why a record cannot be read on.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The reader's.
    #[error("{0}")]
    Io(io::Error),
    /// The first line is not that of a record.
    #[error("not a record: its first line is not {{\"apiVersion\":\"kubectl-hpa/v1\",\"kind\":\"Record\"}}")]
    NotARecord,
    /// A line has no end.
    #[error("line {0}: longer than 400 MB")]
    TooLong(u64),
    /// A line is something else than a look.
    #[error("line {0}: {1}")]
    NotALook(u64, serde_json::Error),
    /// A line has something else in the place of a case.
    #[error("line {0}: {1}")]
    NotACase(u64, String),
    /// A line tells what has changed since a look that the record does not have.
    #[error("line {0}: the case that it changes is missing")]
    NoCaseBefore(u64),
}

/// The last case of an HPA, as it was written and as it is.
type Last = (Value, Box<Case>);

/// The looks of a record, in its order.
#[derive(Debug)]
pub struct Records<R> {
    reader: R,
    line: u64,
    most_bytes: u64,
    last: BTreeMap<Recorded, Last>,
    is_cut: bool,
    is_over: bool,
}

impl<R: BufRead> Records<R> {
    /// Reads from the first line on.
    pub const fn new(reader: R) -> Self {
        Self { reader, line: 0, most_bytes: MOST_BYTES, last: BTreeMap::new(), is_cut: false, is_over: false }
    }

    /// Whether the last line has no end: it was cut off, and is left out.
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The next line, and whether it is whole; empty at the end.
    fn text(&mut self) -> Result<(Vec<u8>, bool), RecordError> {
        let mut text = Vec::new();
        let mut bounded = self.reader.by_ref().take(self.most_bytes);
        bounded.read_until(b'\n', &mut text).map_err(RecordError::Io)?;
        self.line += 1;
        if text.len() as u64 == self.most_bytes {
            return Err(RecordError::TooLong(self.line));
        }
        let is_whole = text.last() == Some(&b'\n');
        self.is_cut = !text.is_empty() && !is_whole;
        Ok((text, is_whole))
    }

    fn read(&mut self) -> Result<Option<Entry>, RecordError> {
        if self.line == 0 {
            let (first, is_whole) = self.text()?;
            let header: Option<Header> = serde_json::from_slice(&first).ok().filter(|_| is_whole);
            let is_begun = !is_whole && Recorder::header().as_bytes().starts_with(&first);
            if !is_begun && !header.is_some_and(|it| it.api_version == API_VERSION && it.kind == KIND) {
                return Err(RecordError::NotARecord);
            }
            if !is_whole {
                return Ok(None);
            }
        }
        let (text, true) = self.text()? else { return Ok(None) };
        let wrong = |error| RecordError::NotALook(self.line, error);
        let Line { hpa, begun, ended, case, patch, unread, gone } =
            serde_json::from_slice(&text).map_err(wrong)?;
        let seen = if gone == Some(true) {
            self.last.remove(&hpa);
            Seen::Gone
        } else if unread == Some(true) {
            Seen::Unread
        } else {
            let whole = match (case, patch, self.last.get(&hpa)) {
                (Some(whole), ..) => Some(whole),
                (None, Some(patch), Some((before, _))) => Some(merged(before, &patch)),
                (None, None, Some(_)) => None,
                (None, _, None) => return Err(RecordError::NoCaseBefore(self.line)),
            };
            if let Some(whole) = whole {
                let mut timed = whole.clone();
                // It has to be there, and is another at each look.
                if let Value::Object(fields) = &mut timed {
                    fields.insert("at".to_owned(), serde_json::to_value(ended).map_err(wrong)?);
                }
                let text = timed.to_string();
                let read = Cases::new("", text.as_bytes()).next();
                let wrong = |LoadError { path, problem, .. }| {
                    RecordError::NotACase(self.line, format!("{}: {problem}", joined("case", &path)))
                };
                let case = read.ok_or(RecordError::NoCaseBefore(self.line))?.map_err(wrong)?;
                self.last.insert(hpa.clone(), (whole, Box::new(Case { origin: hpa.origin(), ..case })));
            }
            let Some((_, case)) = self.last.get(&hpa) else {
                return Err(RecordError::NoCaseBefore(self.line));
            };
            Seen::Case(Box::new(Case { at: ended, ..(**case).clone() }))
        };
        Ok(Some(Entry { hpa, begun, ended, seen }))
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Entry, RecordError>;

    /// After an error nothing follows: later looks may be changes of one that is lost.
    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let read = self.read().transpose();
        self.is_over = !matches!(read, Some(Ok(_)));
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_is_read_no_further() {
        let endless = (Recorder::header() + "\n").into_bytes();
        let endless = io::BufReader::new(endless.as_slice().chain(io::repeat(b' ')));
        let mut records = Records { most_bytes: 100, ..Records::new(endless) };
        let error = records.next().expect("an error").expect_err("an error");
        assert_eq!(error.to_string(), "line 2: longer than 400 MB");
        assert!(records.next().is_none());
    }
}
