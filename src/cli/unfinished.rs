//! A command line that is still being typed: what its last word is going to be.
//!
//! The parser cannot tell, because it refuses what is not finished. So the words are walked once along its own
//! description of the commands, and nothing of that description is repeated here.

use clap::builder::ValueRange;
use clap::{Arg, Command};

use kubectl_hpa_core::model::boolean;

/// A command line up to the word that is being typed.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// The verb whose words these are, or the whole command where there is none yet.
    pub command: Command,
    /// Flags and arguments that are there already, by their ids, flags without a value with an empty one.
    typed: Vec<(String, String)>,
    /// What the last word is.
    pub slot: Slot,
    /// What there is of it: of `--output=js` the `js`.
    pub begun: String,
}

/// What a word is.
#[derive(Clone, Debug)]
pub enum Slot {
    /// A verb.
    Verb,
    /// A flag.
    Flag,
    /// The value of a flag, or an argument.
    Value(Box<Arg>),
    /// One word too many.
    Nothing,
}

impl Unfinished {
    /// Walks the words after the command's name. The last one is not finished.
    #[must_use]
    pub fn read(mut command: Command, words: &[String]) -> Self {
        command.build();
        let (last, finished) = words.split_last().map_or(("", &[][..]), |(last, rest)| (last, rest));
        let mut walk =
            Walk { command, typed: Vec::new(), waiting: None, arguments: 0, only_arguments: false };
        for word in finished {
            walk.finish(word);
        }
        let (slot, begun) = walk.begin(last);
        Self { command: walk.command, typed: walk.typed, slot, begun: begun.to_owned() }
    }

    /// The last value of a flag or an argument.
    #[must_use]
    pub fn value(&self, id: &str) -> Option<&str> {
        self.values(id).last()
    }

    /// All values of a flag or an argument.
    pub fn values(&self, id: &str) -> impl Iterator<Item = &str> {
        self.typed.iter().filter(move |typed| typed.0 == id).map(|typed| typed.1.as_str())
    }

    /// Whether a flag or an argument may be added to those that are there.
    #[must_use]
    pub fn is_free(&self, arg: &Arg) -> bool {
        let is_there = |arg: &Arg| self.value(arg.get_id().as_str()).is_some();
        let is_in_the_way =
            |other: &Arg| is_there(other) && (self.excludes(other, arg) || self.excludes(arg, other));
        !arg.is_hide_set()
            && (is_repeatable(arg) || !is_there(arg))
            && !self.command.get_arguments().any(is_in_the_way)
    }

    fn excludes(&self, one: &Arg, other: &Arg) -> bool {
        self.command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
    }
}

struct Walk {
    command: Command,
    typed: Vec<(String, String)>,
    /// A flag whose value is to come.
    waiting: Option<Arg>,
    arguments: usize,
    /// Whether `--` has been typed.
    only_arguments: bool,
}

impl Walk {
    fn finish(&mut self, word: &str) {
        if let Some(flag) = self.waiting.take()
            && (is_required(&flag) || !word.starts_with('-'))
        {
            return self.keep(&flag, word);
        }
        if self.only_arguments || !word.starts_with('-') || word == "-" {
            return self.finish_argument(word);
        }
        if word == "--" {
            self.only_arguments = true;
            return;
        }
        match self.flag(word) {
            Some((flag, Some(value))) => self.keep(&flag, value),
            Some((flag, None)) if flag.get_action().takes_values() => {
                // A flag whose value is optional is complete without one.
                if !is_required(&flag) {
                    self.keep(&flag, "");
                }
                self.waiting = Some(flag);
            }
            Some((flag, None)) if is_off(word) => self.typed.retain(|typed| typed.0 != *flag.get_id()),
            Some((flag, None)) => self.keep(&flag, ""),
            None => {}
        }
    }

    fn finish_argument(&mut self, word: &str) {
        if let Some(verb) = self.command.find_subcommand(word).filter(|_| !self.only_arguments) {
            self.command = verb.clone();
            return;
        }
        if let Some(argument) = self.argument() {
            self.keep(&argument, word);
        }
        self.arguments += 1;
    }

    /// What the last word is, and what there is of its value.
    fn begin<'a>(&mut self, word: &'a str) -> (Slot, &'a str) {
        if let Some(flag) = self.waiting.take()
            && (is_required(&flag) || !word.starts_with('-'))
        {
            return (Slot::Value(Box::new(flag)), word);
        }
        if !self.only_arguments && word.starts_with('-') {
            return match self.flag(word) {
                // Without a = between flag and value, a shell cannot tell which part of the word an offer replaces.
                Some((_, Some(_))) if !word.contains('=') => (Slot::Nothing, word),
                Some((flag, Some(value))) => (Slot::Value(Box::new(flag)), value),
                _ => (Slot::Flag, word),
            };
        }
        if self.command.has_subcommands() && !self.only_arguments {
            return (Slot::Verb, word);
        }
        let argument = self.argument();
        (argument.map_or(Slot::Nothing, |argument| Slot::Value(Box::new(argument))), word)
    }

    /// The flag of a word, and its value where it is in the same word.
    fn flag<'a>(&self, word: &'a str) -> Option<(Arg, Option<&'a str>)> {
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            let flag = self.command.get_arguments().find(|arg| arg.get_long() == Some(name))?;
            return Some((flag.clone(), value.filter(|_| flag.get_action().takes_values())));
        }
        let mut letters = word.strip_prefix('-')?.chars();
        let letter = letters.next()?;
        let flag = self.command.get_arguments().find(|arg| arg.get_short() == Some(letter))?;
        let rest = letters.as_str();
        let value = (flag.get_action().takes_values() && !rest.is_empty())
            .then(|| rest.strip_prefix('=').unwrap_or(rest));
        Some((flag.clone(), value))
    }

    /// The argument that comes next; the last one may take all that follow.
    fn argument(&self) -> Option<Arg> {
        let next = self.command.get_positionals().nth(self.arguments);
        next.or_else(|| self.command.get_positionals().last().filter(|last| is_repeatable(last))).cloned()
    }

    fn keep(&mut self, arg: &Arg, value: &str) {
        self.typed.push((arg.get_id().to_string(), value.to_owned()));
    }
}

/// Whether a word turns its switch off: `--watch=false`.
fn is_off(word: &str) -> bool {
    word.split_once('=').and_then(|(_, value)| boolean(value)) == Some(false)
}

/// Whether a flag needs a value.
fn is_required(flag: &Arg) -> bool {
    flag.get_num_args().unwrap_or(ValueRange::SINGLE).min_values() > 0
}

fn is_repeatable(arg: &Arg) -> bool {
    matches!(arg.get_action(), clap::ArgAction::Append | clap::ArgAction::Count)
        || arg.get_num_args().is_some_and(|count| count.max_values() > 1)
}
