//! The selector that API objects carry, with labels and expressions.
use std::fmt::Write;

use serde::{Deserialize, Deserializer, Serialize};

use super::labels::Labels;
use super::nullable;
use super::selector::{Operator, Requirement, Selector, SelectorError};

/// A label selector as an API object spells it. An absent one is `Option::None`: it selects nothing, see
/// [`Selector::nothing`].
///
/// Source: `metav1.LabelSelector`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LabelSelector {
    /// Labels that must have these values.
    #[serde(skip_serializing_if = "Labels::is_empty")]
    pub match_labels: Labels,
    /// Further conditions.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_items_are_default")]
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

/// One expression of a [`LabelSelector`].
///
/// Source: `metav1.LabelSelectorRequirement`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct LabelSelectorRequirement {
    /// The label's key.
    #[serde(deserialize_with = "nullable")]
    pub key: Box<str>,
    /// How the label relates to the values.
    #[serde(deserialize_with = "nullable")]
    pub operator: LabelSelectorOperator,
    /// The values, for `In` and `NotIn`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_items_are_default")]
    pub values: Vec<Box<str>>,
}

/// Source: `metav1.LabelSelectorOperator`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Box<str>", into = "Box<str>")]
pub enum LabelSelectorOperator {
    /// The label has one of the values.
    In,
    /// The label has none of the values or is absent.
    NotIn,
    /// The label is present.
    Exists,
    /// The label is absent.
    DoesNotExist,
    /// A word that means nothing to Kubernetes; the selector is invalid.
    Unknown(Box<str>),
}

impl LabelSelector {
    /// What the selector selects.
    ///
    /// Source: `metav1.LabelSelectorAsSelector`. Of several bad labels it names the first by key, where upstream
    /// names any.
    ///
    /// # Errors
    /// The first expression or label that is invalid, in Kubernetes' words.
    pub fn to_selector(&self) -> Result<Selector, SelectorError> {
        let labels = self.match_labels.iter();
        let labels = labels.map(|(key, value)| Requirement::new(key, Operator::Equals, vec![value.into()]));
        let expressions = self.match_expressions.iter().map(LabelSelectorRequirement::to_requirement);
        labels.chain(expressions).collect::<Result<_, _>>().map(Selector::of)
    }

    /// How Go's `fmt` prints a pointer to the selector.
    ///
    /// Source: the generated `LabelSelector.String`.
    #[must_use]
    pub fn go_string(&self) -> String {
        let mut text = String::from("&LabelSelector{MatchLabels:map[string]string{");
        // Writing to a string cannot fail.
        for (key, value) in self.match_labels.iter() {
            let _ = write!(text, "{key}: {value},");
        }
        text.push_str("},MatchExpressions:[]LabelSelectorRequirement{");
        for LabelSelectorRequirement { key, operator, values } in &self.match_expressions {
            let (operator, values) = (operator.as_str(), values.join(" "));
            let _ =
                write!(text, "LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{values}],}},");
        }
        text.push_str("},}");
        text
    }
}

impl LabelSelectorRequirement {
    fn to_requirement(&self) -> Result<Requirement, SelectorError> {
        let operator = match &self.operator {
            LabelSelectorOperator::In => Operator::In,
            LabelSelectorOperator::NotIn => Operator::NotIn,
            LabelSelectorOperator::Exists => Operator::Exists,
            LabelSelectorOperator::DoesNotExist => Operator::DoesNotExist,
            LabelSelectorOperator::Unknown(word) => {
                return Err(SelectorError::Operator(word.clone()));
            }
        };
        Requirement::new(&self.key, operator, self.values.clone())
    }
}

impl LabelSelectorOperator {
    /// The API's word for it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::In => "In",
            Self::NotIn => "NotIn",
            Self::Exists => "Exists",
            Self::DoesNotExist => "DoesNotExist",
            Self::Unknown(word) => word,
        }
    }
}

impl Default for LabelSelectorOperator {
    /// What an absent operator is.
    fn default() -> Self {
        Self::Unknown(Box::default())
    }
}

impl From<Box<str>> for LabelSelectorOperator {
    fn from(word: Box<str>) -> Self {
        match &*word {
            "In" => Self::In,
            "NotIn" => Self::NotIn,
            "Exists" => Self::Exists,
            "DoesNotExist" => Self::DoesNotExist,
            _ => Self::Unknown(word),
        }
    }
}

impl From<LabelSelectorOperator> for Box<str> {
    fn from(operator: LabelSelectorOperator) -> Self {
        operator.as_str().into()
    }
}

/// The same for a list and for each of its items.
fn null_items_are_default<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    let items = Option::<Vec<Option<T>>>::deserialize(deserializer)?;
    Ok(items.into_iter().flatten().map(Option::unwrap_or_default).collect())
}
