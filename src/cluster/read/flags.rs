//! The command line of a component of the control plane.

use std::collections::BTreeMap;

use kubectl_hpa_core::model::feature_gate;

/// A flag whose values add up, and may begin with a dash: pflag's string slice.
pub(super) const CONTROLLERS: &str = "controllers";

/// The flags that were set, by their name without dashes in front. Of several the last counts, but of
/// [`CONTROLLERS`] all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    values: BTreeMap<String, String>,
    /// Feature gates, which add up over several flags.
    pub gates: BTreeMap<String, bool>,
}

impl Flags {
    /// Reads the words of a command and its arguments. A word may be a shell's whole command line.
    pub fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut flags = Self::default();
        let mut words = words.flat_map(str::split_whitespace).peekable();
        while let Some(word) = words.next() {
            let Some(flag) = word.strip_prefix("--") else { continue };
            let is_value = |next: &&str| flag == CONTROLLERS || !next.starts_with('-');
            let (name, value) = match flag.split_once('=') {
                Some((name, value)) => (name, value),
                None => (flag, words.next_if(is_value).unwrap_or("true")),
            };
            flags.set(name, value.trim_matches(['"', '\'']));
        }
        flags
    }

    /// A flag's value.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Source: `WordSepNormalizeFunc` of component-base: underscores are dashes.
    fn set(&mut self, name: &str, value: &str) {
        let name = name.replace('_', "-");
        if name == "feature-gates" {
            self.gates.extend(gates(value));
        } else if let Some(list) = self.values.get_mut(&name).filter(|_| name == CONTROLLERS) {
            *list = format!("{list},{value}");
        } else {
            self.values.insert(name, value.into());
        }
    }
}

/// `A=true,B=false`, without what is no gate.
fn gates(text: &str) -> impl Iterator<Item = (String, bool)> {
    let read = text.split(',').filter_map(|gate| feature_gate(gate).ok());
    read.map(|(name, value)| (name.to_owned(), value))
}
