use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::error::SelectorError;
use super::parser;
use super::requirement::{Meaning, Requirement};
use crate::model::labels::Labels;

/// A condition on an object's labels: all of its requirements hold, or it matches nothing at all.
///
/// Source: `labels.Selector`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Selector {
    /// Sorted by key; absent in the selector that matches nothing.
    requirements: Option<Box<[Requirement]>>,
}

impl Selector {
    /// Reads the text of a selector, such as `app=web,tier in (front,back),!canary`. The empty text matches everything.
    ///
    /// Source: `labels.Parse`.
    ///
    /// # Errors
    /// What Kubernetes says about the text, when it refuses it.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        parser::parse(text).map(Self::of)
    }

    /// The selector of all `requirements`.
    ///
    /// Source: `labels.NewSelector().Add`. Requirements of one key keep their order; upstream promises none, and
    /// keeps theirs up to twelve requirements.
    #[must_use]
    pub fn of(mut requirements: Vec<Requirement>) -> Self {
        requirements.sort_by(|left, right| left.key().cmp(right.key()));
        Self { requirements: Some(requirements.into()) }
    }

    /// The selector that matches every object.
    ///
    /// Source: `labels.Everything`.
    #[must_use]
    pub fn everything() -> Self {
        Self::of(Vec::new())
    }

    /// The selector that matches no object. It prints as nothing, like the one that matches every object.
    ///
    /// Source: `labels.Nothing`.
    #[must_use]
    pub const fn nothing() -> Self {
        Self { requirements: None }
    }

    /// Whether an object with these labels is selected.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        let requirements = self.requirements.as_deref();
        requirements.is_some_and(|all| all.iter().all(|requirement| requirement.matches(labels)))
    }

    /// The labels, key and value, that each selected object has for certain.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.requirements.iter().flatten().filter_map(Requirement::label)
    }

    /// Whether both say the same of each label, in any order and any of the ways to write it: `a=b` is `a in (b)`.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        self.meanings() == other.meanings()
    }

    fn meanings(&self) -> Option<BTreeSet<Meaning<'_>>> {
        self.requirements.as_ref().map(|all| all.iter().map(Requirement::meaning).collect())
    }

    /// Whether every object is selected.
    ///
    /// Source: `labels.Selector.Empty`.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.requirements.as_deref().is_some_and(<[Requirement]>::is_empty)
    }
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

/// Source: `labels.Selector.String`.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, requirement) in self.requirements.iter().flatten().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            write!(f, "{requirement}")?;
        }
        Ok(())
    }
}
