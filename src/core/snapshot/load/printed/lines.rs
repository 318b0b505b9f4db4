//! The lines of a text, one after the other.

/// A line that is not as kubectl prints it.
#[derive(Debug)]
pub struct Unreadable {
    /// From 1.
    pub line: u64,
    /// A noun phrase.
    pub expected: String,
}

pub(super) struct Lines<'a> {
    all: Vec<&'a str>,
    at: usize,
    /// By how much the whole of what is read is indented.
    indent: usize,
    /// True if the last line has an end: else it may be cut.
    is_ended: bool,
}

impl<'a> Lines<'a> {
    pub fn of(text: &'a str) -> Self {
        let all = text.lines().map(str::trim_end).collect();
        Self { all, at: 0, indent: 0, is_ended: text.ends_with('\n') }
    }

    /// Takes the indentation of the current line for that of the whole.
    pub fn indent_here(&mut self) {
        self.indent = self.all.get(self.at).map_or(0, |line| line.len() - line.trim_start().len());
    }

    /// The current line, without the indentation of the whole and without what is blank at its end.
    pub fn peek(&self) -> Option<&'a str> {
        let line = self.all.get(self.at)?;
        let blank = line.len() - line.trim_start().len();
        line.get(blank.min(self.indent)..)
    }

    /// True if a later line begins so, before the next one that `ends`.
    pub fn has_before(&self, label: &str, ends: impl Fn(&str) -> bool) -> bool {
        let mut later = self.all.iter().skip(self.at + 1).take_while(|line| !ends(line));
        later.any(|line| line.trim_start().starts_with(label))
    }

    pub fn skip(&mut self) {
        self.at += 1;
    }

    /// True if the text ends here, and not at the end of a line.
    pub fn is_cut(&self) -> bool {
        self.at == self.all.len() && !self.is_ended
    }

    /// The rest of the current line after a label that begins it.
    pub fn field(&mut self, label: &str) -> Option<&'a str> {
        let value = self.peek()?.strip_prefix(label)?;
        self.at += 1;
        Some(value.trim())
    }

    /// A field that has to be there, as `read` reads it; `form` is how it looks.
    pub fn needed<T>(
        &mut self,
        label: &str,
        form: &str,
        read: impl Fn(&'a str) -> Option<T>,
    ) -> Result<T, Unreadable> {
        let expected = self.expected(&format!("`{label}  {form}`"));
        self.field(label).and_then(read).ok_or(expected)
    }

    /// The current line, if it stands below another: without its indentation.
    pub fn below(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        let text = line.trim_start();
        if text.len() == line.len() {
            return None;
        }
        self.at += 1;
        Some(text)
    }

    /// The rest of such a line after a label that begins it.
    pub fn field_below(&mut self, label: &str) -> Option<&'a str> {
        let value = self.peek()?.trim_start().strip_prefix(label)?;
        self.at += 1;
        Some(value.trim())
    }

    /// An error of the current line.
    pub fn expected(&self, expected: &str) -> Unreadable {
        Unreadable { line: self.at as u64 + 1, expected: expected.to_owned() }
    }

    /// An error of the line before.
    pub fn expected_before(&self, expected: &str) -> Unreadable {
        Unreadable { line: self.at as u64, expected: expected.to_owned() }
    }
}
