use std::collections::BTreeSet;
use std::fmt;

use super::error::{Fault, SelectorError, Value};
use super::validate::{check_key, check_value};
use crate::model::labels::Labels;

/// How a [`Requirement`] relates a label to its values.
///
/// Source: `selection.Operator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `!key`
    DoesNotExist,
    /// `key=value`
    Equals,
    /// `key==value`
    DoubleEquals,
    /// `key in (a,b)`
    In,
    /// `key!=value`
    NotEquals,
    /// `key notin (a,b)`
    NotIn,
    /// `key`
    Exists,
    /// `key>5`
    GreaterThan,
    /// `key<5`
    LessThan,
}

/// One condition on a label.
///
/// Source: `labels.Requirement`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Requirement {
    key: Box<str>,
    operator: Operator,
    values: Box<[Box<str>]>,
}

pub(super) type Meaning<'a> = (&'a str, Operator, BTreeSet<&'a str>);

impl Requirement {
    /// A requirement, if its key, its values and their number are valid.
    ///
    /// Source: `labels.NewRequirement`.
    ///
    /// # Errors
    /// Everything that is wrong with it, in Kubernetes' words.
    pub fn new(key: &str, operator: Operator, values: Vec<Box<str>>) -> Result<Self, SelectorError> {
        let faults = faults(key, operator, &values);
        if !faults.is_empty() {
            return Err(SelectorError::Invalid(faults));
        }
        Ok(Self { key: key.into(), operator, values: values.into() })
    }

    /// The label's key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The key, the operator that is the same for one value and for several, and the values in order.
    pub(super) fn meaning(&self) -> Meaning<'_> {
        let operator = match self.operator {
            Operator::Equals | Operator::DoubleEquals => Operator::In,
            Operator::NotEquals => Operator::NotIn,
            operator => operator,
        };
        (&self.key, operator, self.values.iter().map(AsRef::as_ref).collect())
    }

    /// Whether an object with these labels satisfies the requirement.
    ///
    /// Source: `labels.Requirement.Matches`.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        let label = labels.get(&self.key);
        let listed = |value: &str| self.values.iter().any(|listed| **listed == *value);
        match self.operator {
            Operator::In | Operator::Equals | Operator::DoubleEquals => label.is_some_and(listed),
            Operator::NotIn | Operator::NotEquals => !label.is_some_and(listed),
            Operator::Exists => label.is_some(),
            Operator::DoesNotExist => label.is_none(),
            Operator::GreaterThan => self.compare(label, |label, bound| label > bound),
            Operator::LessThan => self.compare(label, |label, bound| label < bound),
        }
    }

    /// The one label that satisfies it.
    pub(super) fn label(&self) -> Option<(&str, &str)> {
        match (self.operator, &*self.values) {
            (Operator::In | Operator::Equals | Operator::DoubleEquals, [value]) => Some((&self.key, value)),
            _ => None,
        }
    }

    /// Labels that are not integers satisfy nothing.
    fn compare(&self, label: Option<&str>, holds: impl Fn(i64, i64) -> bool) -> bool {
        let bound = self.values.first().and_then(|value| value.parse().ok());
        let label = label.and_then(|label| label.parse().ok());
        label.zip(bound).is_some_and(|(label, bound)| holds(label, bound))
    }
}

/// All that is wrong with a requirement.
fn faults(key: &str, operator: Operator, values: &[Box<str>]) -> Vec<Fault> {
    let mut faults = Vec::new();
    faults.extend(check_key(key, "key").err());
    faults.extend(check_count(operator, values).map(|detail| Fault {
        path: "values".to_owned(),
        value: Value::List(values.to_vec()),
        detail: detail.to_owned(),
    }));
    if matches!(operator, Operator::GreaterThan | Operator::LessThan) {
        faults.extend(values.iter().enumerate().filter_map(|(index, value)| check_integer(index, value)));
    }
    let paths = values.iter().enumerate();
    faults.extend(
        paths.filter_map(|(index, value)| check_value(value, &format!("values[{index}][{key}]")).err()),
    );
    faults
}

fn check_count(operator: Operator, values: &[Box<str>]) -> Option<&'static str> {
    match operator {
        Operator::In | Operator::NotIn => {
            values.is_empty().then_some("for 'in', 'notin' operators, values set can't be empty")
        }
        Operator::Equals | Operator::DoubleEquals | Operator::NotEquals => {
            (values.len() != 1).then_some("exact-match compatibility requires one single value")
        }
        Operator::Exists | Operator::DoesNotExist => {
            (!values.is_empty()).then_some("values set must be empty for exists and does not exist")
        }
        Operator::GreaterThan | Operator::LessThan => {
            (values.len() != 1).then_some("for 'Gt', 'Lt' operators, exactly one value is required")
        }
    }
}

fn check_integer(index: usize, value: &str) -> Option<Fault> {
    let detail = "for 'Gt', 'Lt' operators, the value must be an integer";
    let fault = || Fault {
        path: format!("values[{index}]"),
        value: Value::Text(value.into()),
        detail: detail.to_owned(),
    };
    value.parse::<i64>().is_err().then(fault)
}

/// Source: `labels.Requirement.String`. Values are sorted.
impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut values: Vec<&str> = self.values.iter().map(Box::as_ref).collect();
        values.sort_unstable();
        let (key, values) = (&self.key, values.join(","));
        match self.operator {
            Operator::DoesNotExist => write!(f, "!{key}"),
            Operator::Exists => write!(f, "{key}"),
            Operator::Equals => write!(f, "{key}={values}"),
            Operator::DoubleEquals => write!(f, "{key}=={values}"),
            Operator::NotEquals => write!(f, "{key}!={values}"),
            Operator::In => write!(f, "{key} in ({values})"),
            Operator::NotIn => write!(f, "{key} notin ({values})"),
            Operator::GreaterThan => write!(f, "{key}>{values}"),
            Operator::LessThan => write!(f, "{key}<{values}"),
        }
    }
}
