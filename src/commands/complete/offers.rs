//! Words to choose from, and the form in which kubectl and the shells' scripts take them.

use std::io::{self, Write};

use crate::render::sanitize;

/// A word to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    value: String,
    help: String,
}

impl Offer {
    /// A word that needs no words.
    pub fn plain(value: impl Into<String>) -> Self {
        Self { value: value.into(), help: String::new() }
    }

    /// Whether it is this word.
    pub fn is(&self, word: &str) -> bool {
        self.value == word
    }

    /// A word with what it stands for, cut to its first sentence.
    pub fn new(value: impl Into<String>, help: impl AsRef<str>) -> Self {
        let help = help.as_ref();
        let sentence = help.split(". ").next().unwrap_or_default();
        Self { value: value.into(), help: sanitize(sentence.trim_end_matches('.')).into_owned() }
    }
}

/// What a shell does after a word was chosen, or where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// It ends the word with a space.
    Done,
    /// It leaves the cursor at the word's end, for more is to follow.
    GoOn,
    /// It offers files.
    Files,
}

impl Then {
    /// Cobra's `ShellCompDirective`: 2 is `NoSpace`, 4 is `NoFileComp`.
    const fn directive(self) -> u8 {
        match self {
            Self::Done => 4,
            Self::GoOn => 4 | 2,
            Self::Files => 0,
        }
    }
}

/// Words to choose from.
#[derive(Clone, Debug)]
pub struct Offers {
    /// The words.
    pub list: Vec<Offer>,
    /// What comes after.
    pub then: Then,
}

impl Offers {
    /// Nothing to choose from, and no files either.
    pub fn none() -> Self {
        Self::done(Vec::new())
    }

    /// Whole words.
    pub fn done(list: Vec<Offer>) -> Self {
        Self { list, then: Then::Done }
    }

    /// Beginnings of words.
    pub fn go_on(list: Vec<Offer>) -> Self {
        Self { list, then: Then::GoOn }
    }

    /// One a line, only those that go on from what was typed. A name that a terminal would obey is not offered.
    pub fn print(&self, begun: &str, out: &mut dyn Write) -> io::Result<()> {
        let is_safe = |offer: &&Offer| sanitize(&offer.value) == offer.value;
        for Offer { value, help } in self.list.iter().filter(is_safe) {
            if !value.starts_with(begun) {
                continue;
            }
            if help.is_empty() {
                writeln!(out, "{value}")?;
            } else {
                writeln!(out, "{value}\t{help}")?;
            }
        }
        writeln!(out, ":{}", self.then.directive())
    }
}
