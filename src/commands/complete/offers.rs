//! Words to choose from, and the form in which kubectl and the shells' scripts take them.
//!
//! Names come from a cluster, a kubeconfig or a file, where somebody else chose them. kubectl's script for bash hands
//! what it is offered to `compgen -W`, which expands it as a command line is expanded, command substitution included;
//! others put it on the line as it is. So only words that every shell takes as they are get out of here.

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::render::sanitize;

/// A word to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    value: String,
    help: String,
    /// Whether it is one of our own flags, which alone may begin with `-`.
    is_flag: bool,
}

impl Offer {
    /// A word that needs no words.
    pub fn plain(value: impl Into<String>) -> Self {
        Self { value: value.into(), help: String::new(), is_flag: false }
    }

    /// A flag with what it stands for.
    pub fn flag(value: impl Into<String>, help: impl AsRef<str>) -> Self {
        Self { is_flag: true, ..Self::new(value, help) }
    }

    /// Whether it is this word.
    pub fn is(&self, word: &str) -> bool {
        self.value == word
    }

    /// A word with what it stands for, cut to its first sentence.
    pub fn new(value: impl Into<String>, help: impl AsRef<str>) -> Self {
        let help = help.as_ref();
        let sentence = help.split(". ").next().unwrap_or_default();
        let help = sanitize(sentence.trim_end_matches('.')).into_owned();
        Self { value: value.into(), help, is_flag: false }
    }

    /// Whether every shell takes the word as it is, and as what it stands for: `-x` would be a flag, `=ls` is the path of
    /// ls to zsh, `%1` is a job, and `:4` is how the lines end that the scripts are given.
    fn is_plain(&self) -> bool {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "._:=/@,+%-".contains(it);
        let is_taken_otherwise =
            self.value.starts_with(['=', '~', '%', ':']) || (self.value.starts_with('-') && !self.is_flag);
        !self.value.is_empty() && self.value.chars().all(is_plain) && !is_taken_otherwise
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

    /// One a line, only those that go on from what was typed. A word that a shell would not take as it is is not offered.
    /// One that is there twice is offered once: a shell inserts what two lines have in common, and that would be what it
    /// stands for, too.
    pub fn print(&self, begun: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut printed = BTreeSet::new();
        let goes_on = |offer: &&Offer| offer.value.starts_with(begun) && offer.is_plain();
        for Offer { value, help, .. } in self.list.iter().filter(goes_on) {
            if !printed.insert(value) {
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
