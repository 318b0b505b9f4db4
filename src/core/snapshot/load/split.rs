//! A stream cut into its documents.

use std::io::{BufRead, BufReader, Read};

use super::error::{Position, Problem};
use super::printed::{self, Shape};
use super::scan::Scan;
use super::yaml::{MAX_DOCUMENT, MAX_VALUES};

/// One document, not yet decoded.
#[derive(Debug)]
pub(super) struct Document {
    pub format: Format,
    pub bytes: Vec<u8>,
    /// Of its first byte in the stream.
    pub start: Position,
    /// Whether its end is a guess, which is right where it can be decoded.
    pub is_guess: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Yaml,
    /// Text that kubectl prints for people.
    Text,
}

/// How much is read at once: cases by the megabyte are few reads.
const ROOM: usize = 128 << 10;

/// Cuts a stream.
pub(super) struct Splitter<R> {
    reader: BufReader<R>,
    /// What is read and not yet given away: the rest of one line, or nothing.
    rest: Vec<u8>,
    /// Where the rest begins.
    position: Position,
    begun: bool,
    /// What the last document was: only a marker of YAML leads from JSON to YAML.
    last: Option<Format>,
}

impl<R: Read> Splitter<R> {
    pub fn new(reader: R) -> Self {
        let position = Position { line: 1, column: 1 };
        Self {
            reader: BufReader::with_capacity(ROOM, reader),
            rest: Vec::new(),
            position,
            begun: false,
            last: None,
        }
    }

    /// The next document; `None` at the end.
    pub fn next_document(&mut self) -> Result<Option<Document>, Problem> {
        if !self.begun {
            self.begun = true;
            self.begin()?;
        }
        let mut blank = 0;
        while is_blank(&self.rest) {
            blank += self.rest.len();
            nothing_in(blank, self.position)?;
            if !self.next_line()? {
                return Ok(None);
            }
        }
        let document = match self.format() {
            Format::Json => Some(self.json()?),
            Format::Yaml | Format::Text => self.yaml_or_text()?,
        };
        self.last = document.as_ref().map(|document| document.format);
        Ok(document)
    }

    fn format(&self) -> Format {
        let text = self.rest.trim_ascii_start();
        let goes_on = self.last == Some(Format::Json)
            && !matches!(text, [b'#' | b'%', ..] | [b'-', b'-', b'-', ..])
            && !printed::begins_text(text);
        let is_template = text.starts_with(b"{{") || text.starts_with(b"{%");
        if !is_template && text.starts_with(b"{") || goes_on { Format::Json } else { Format::Yaml }
    }

    /// An object, which may go over many lines, or a line that is none.
    fn json(&mut self) -> Result<Document, Problem> {
        let mut bytes = std::mem::take(&mut self.rest);
        let blank = bytes.len() - bytes.trim_ascii_start().len();
        bytes.drain(..blank);
        self.position.column += blank as u64;
        let start = self.position;
        // Mostly a line that ends with a bracket is one object, and then there is no need to look for its end.
        let is_guess = bytes.starts_with(b"{") && bytes.trim_ascii_end().ends_with(b"}");
        let document = Document { format: Format::Json, bytes, start, is_guess };
        if is_guess { Ok(document) } else { self.exact(document) }
    }

    /// A document up to where its object ends, which may be within its last line or lines further on.
    pub fn exact(&mut self, document: Document) -> Result<Document, Problem> {
        let Document { mut bytes, .. } = document;
        if bytes.starts_with(b"{") {
            self.object(&mut bytes)?;
        }
        Ok(Document { bytes, is_guess: false, ..document })
    }

    /// Reads on to the end of the object that begins the bytes; what follows on its line is the rest.
    fn object(&mut self, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let mut scan = Scan::default();
        // Scanned so far, and where the last line begins.
        let (mut seen, mut line) = (0, 0);
        loop {
            if let Some(end) = scan.end_in(&bytes[seen..]) {
                self.rest = bytes.split_off(seen + end);
                self.position.column += (seen + end - line) as u64;
                return Ok(());
            }
            seen = bytes.len();
            if !self.read_line(bytes)? {
                return Ok(());
            }
            self.position = Position { line: self.position.line + 1, column: 1 };
            line = seen;
        }
    }

    /// Lines up to the next marker, of text also to the next object; `None` if nothing but comments is left.
    fn yaml_or_text(&mut self) -> Result<Option<Document>, Problem> {
        let mut start = self.position;
        let (mut bytes, mut shape) = (Vec::new(), Shape::default());
        let (mut has_content, mut lines) = (false, 0);
        loop {
            let line = std::mem::take(&mut self.rest);
            // A target's kind may begin a line of text with dots.
            let is_whole = shape != Shape::Text || line.trim_ascii_end() == b"---";
            let marker = marker(&line).filter(|_| is_whole);
            let is_next =
                marker == Some(Marker::Begin) || shape == Shape::Text && printed::begins_object(&line);
            if has_content && is_next {
                self.rest = line;
                break;
            }
            if marker == Some(Marker::Begin) {
                // What stands before is no more than comments and directives.
                bytes.clear();
                start = self.position;
            }
            let ends = marker == Some(Marker::End);
            has_content |= is_content(&line);
            if marker.is_none() {
                shape.see(&line);
            }
            bytes.extend_from_slice(&line);
            too_large(bytes.len(), start)?;
            lines += 1;
            too_many(lines, start)?;
            if !has_content {
                nothing_in(bytes.len(), self.position)?;
            }
            if !self.next_line()? || (ends && has_content) {
                break;
            }
        }
        let format = if shape == Shape::Text { Format::Text } else { Format::Yaml };
        Ok(has_content.then_some(Document { format, bytes, start, is_guess: false }))
    }

    /// Goes on to the next line; `false` at the end.
    fn next_line(&mut self) -> Result<bool, Problem> {
        self.position = Position { line: self.position.line + 1, column: 1 };
        let mut line = Vec::new();
        let more = self.read_line(&mut line)?;
        self.rest = line;
        Ok(more)
    }

    /// Appends a line; `false` at the end.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> Result<bool, Problem> {
        let room = (MAX_DOCUMENT + 1).saturating_sub(bytes.len());
        let read = self.reader.by_ref().take(room as u64).read_until(b'\n', bytes);
        let read = read.map_err(|error| unread(&error, self.position))?;
        too_large(bytes.len(), self.position)?;
        Ok(read > 0)
    }

    /// Reads the first line, and refuses what is not UTF-8 text at a glance.
    fn begin(&mut self) -> Result<(), Problem> {
        let first = self.reader.fill_buf().map_err(|error| unread(&error, self.position))?;
        if first.starts_with(&[0; 4]) {
            return Err(Problem::new("is not text").hint("a case or a manifest is YAML or JSON"));
        }
        let mut line = Vec::new();
        self.read_line(&mut line)?;
        if let Some(text) = line.strip_prefix(b"\xef\xbb\xbf") {
            line = text.to_vec();
        }
        self.rest = line;
        match self.rest.as_slice() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, 0, _, ..] | [_, 0, _, 0, ..] => {
                Err(Problem::new("is UTF-16 or UTF-32 text, not UTF-8").hint("iconv -f UTF-16 -t UTF-8 FILE"))
            }
            [0x1f, 0x8b, ..] => Err(Problem::new("is compressed").hint("gunzip it first")),
            _ => Ok(()),
        }
    }
}

fn unread(error: &std::io::Error, position: Position) -> Problem {
    Problem::new(&format!("cannot be read: {error}")).at(position)
}

/// Most bytes of empty lines and comments before a document: a stream of nothing else might never end.
const MAX_GAP: usize = 16 << 20;

fn nothing_in(length: usize, position: Position) -> Result<(), Problem> {
    if length <= MAX_GAP {
        return Ok(());
    }
    Err(Problem::new(&format!("{} MiB without a document", MAX_GAP >> 20)).at(position))
}

fn too_large(length: usize, position: Position) -> Result<(), Problem> {
    if length <= MAX_DOCUMENT {
        return Ok(());
    }
    Err(Problem::new(&format!("the document is larger than {} MiB", MAX_DOCUMENT >> 20)).at(position))
}

fn too_many(lines: usize, position: Position) -> Result<(), Problem> {
    if lines <= MAX_VALUES {
        return Ok(());
    }
    let words = format!("more than {MAX_VALUES} lines in YAML; as JSON it can have more");
    Err(Problem::new(&words).at(position))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    /// `---`
    Begin,
    /// `...`
    End,
}

/// A marker at the beginning of a line is one wherever it stands, even within a text.
fn marker(line: &[u8]) -> Option<Marker> {
    let (marker, rest) = line.split_at_checked(3)?;
    let marker = match marker {
        b"---" => Marker::Begin,
        b"..." => Marker::End,
        _ => return None,
    };
    rest.first().is_none_or(u8::is_ascii_whitespace).then_some(marker)
}

fn is_content(line: &[u8]) -> bool {
    let text = if marker(line).is_some() { &line[3..] } else { line };
    let is_directive = line.starts_with(b"%");
    !is_blank(text) && !text.trim_ascii_start().starts_with(b"#") && !is_directive
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.trim_ascii().is_empty()
}

#[cfg(test)]
mod tests {
    use super::Splitter;

    /// What a line that ends with a bracket is taken for, and what it is.
    #[test]
    fn a_guess_at_the_end_of_an_object_can_be_made_exact() {
        let mut splitter = Splitter::new("{\"a\": 1} {\"b\": 2}\n{\"c\":\n 3}\n".as_bytes());
        let mut pairs = Vec::new();
        while let Some(document) = splitter.next_document().expect("a document") {
            let (is_guess, guess) = (document.is_guess, document.bytes.clone());
            let document = splitter.exact(document).expect("a document");
            let [guess, exact] = [guess, document.bytes].map(|it| String::from_utf8(it).expect("text"));
            pairs.push((is_guess, guess.trim_end().len(), exact));
        }
        let exact = |text: &str| text.to_owned();
        assert_eq!(
            pairs,
            [
                (true, 17, exact("{\"a\": 1}")),
                (true, 8, exact("{\"b\": 2}")),
                (false, 9, exact("{\"c\":\n 3}"))
            ]
        );
    }
}
