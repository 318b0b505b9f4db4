use thiserror::Error;

use crate::model::go_text::{go_list, json_list, quote};

/// Why a selector is invalid; printed, word for word as Kubernetes says it since 1.34.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SelectorError {
    /// The text goes on with something else than a selector can.
    #[error("found '{found}', expected: {expected}")]
    Unexpected {
        /// What is there.
        found: Box<str>,
        /// What can be there.
        expected: &'static str,
    },
    /// No list of values where there should be one. Upstream forgets the comma here.
    #[error("found '{0}' expected: '('")]
    NoList(Box<str>),
    /// A requirement in a text.
    #[error("unable to parse requirement: {0}")]
    Requirement(Box<Self>),
    /// An operator that does not exist.
    #[error("{} is not a valid label selector operator", quote(.0))]
    Operator(Box<str>),
    /// A key or values that cannot be.
    #[error("{}", aggregate(.0, SelectorWords::JsonList))]
    Invalid(Vec<Fault>),
}

/// An invalid field of a requirement.
///
/// Source: `field.Invalid`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(super) path: String,
    pub(super) value: Value,
    pub(super) detail: String,
}

/// What a field is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(Box<str>),
    List(Vec<Box<str>>),
}

/// How an error about a selector is worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorWords {
    /// An unknown operator is no "pod selector operator" (`LabelSelectorAsSelector`), and lists are Go source.
    PodOperator,
    /// An unknown operator is no "label selector operator". Up to 1.33 a list of strings is shown as Go source,
    /// `[]string{"a"}` (`field.Error.ErrorBody`).
    GoList,
    /// Since 1.34 as JSON, `["a"]`.
    JsonList,
}

impl SelectorError {
    /// What a version says.
    #[must_use]
    pub fn words(&self, how: SelectorWords) -> String {
        match self {
            Self::Operator(word) if how == SelectorWords::PodOperator => {
                format!("{} is not a valid pod selector operator", quote(word))
            }
            Self::Invalid(faults) => aggregate(faults, how),
            alike => alike.to_string(),
        }
    }
}

impl From<Fault> for SelectorError {
    fn from(fault: Fault) -> Self {
        Self::Invalid(vec![fault])
    }
}

impl Fault {
    fn words(&self, how: SelectorWords) -> String {
        let value = match (&self.value, how) {
            (Value::Text(text), _) => quote(text),
            (Value::List(list), SelectorWords::JsonList) => json_list(list),
            (Value::List(list), _) => go_list(list),
        };
        format!("{}: Invalid value: {value}: {}", self.path, self.detail)
    }
}

/// Source: `field.ErrorList.ToAggregate`. The same fault is named once.
fn aggregate(faults: &[Fault], how: SelectorWords) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for fault in faults.iter().map(|fault| fault.words(how)) {
        if !distinct.contains(&fault) {
            distinct.push(fault);
        }
    }
    let joined = distinct.join(", ");
    if distinct.len() == 1 { joined } else { format!("[{joined}]") }
}
