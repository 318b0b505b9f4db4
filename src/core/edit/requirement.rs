//! What a write is bound to: `desired<=20`.

use std::fmt;
use std::str::FromStr;

use crate::model::Replicas;

/// What must hold of the replicas that would be decided, or nothing is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    comparison: Comparison,
    bound: Bound,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    Equal,
    Other,
    AtLeast,
    More,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Current,
    Number(i32),
}

/// A text that is not a requirement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected desired, one of < <= = != >= >, and a number or current, for example desired<=20 or desired>=current"
)]
pub struct RequirementError;

/// Longer ones first, so that `<=` is not read as `<`.
const SIGNS: [(&str, Comparison); 7] = [
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("==", Comparison::Equal),
    ("!=", Comparison::Other),
    ("<", Comparison::Less),
    (">", Comparison::More),
    ("=", Comparison::Equal),
];

impl FromStr for Requirement {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rest = text.trim().strip_prefix("desired").ok_or(RequirementError)?.trim_start();
        let signed = SIGNS.into_iter().find_map(|(sign, it)| Some((it, rest.strip_prefix(sign)?)));
        let (comparison, bound) = signed.ok_or(RequirementError)?;
        let bound = match bound.trim() {
            "current" => Bound::Current,
            digits => {
                let number: u32 = digits.parse().map_err(|_| RequirementError)?;
                Bound::Number(number.try_into().map_err(|_| RequirementError)?)
            }
        };
        Ok(Self { comparison, bound })
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = SIGNS.iter().find(|(_, it)| *it == self.comparison).map_or("", |(sign, _)| sign);
        match self.bound {
            Bound::Current => write!(f, "desired{sign}current"),
            Bound::Number(number) => write!(f, "desired{sign}{number}"),
        }
    }
}

impl Requirement {
    /// Whether it holds of every number of replicas that may be decided, lowest and highest given, where there are so many
    /// now. It does not hold of what is unknown.
    #[must_use]
    pub fn holds(&self, desired: Option<(Replicas, Replicas)>, current: Option<Replicas>) -> bool {
        let bound = match self.bound {
            Bound::Current => current,
            Bound::Number(number) => Some(Replicas(number)),
        };
        let (Some((low, high)), Some(bound)) = (desired, bound) else { return false };
        match self.comparison {
            Comparison::Less => high < bound,
            Comparison::AtMost => high <= bound,
            Comparison::Equal => low == bound && high == bound,
            Comparison::Other => high < bound || low > bound,
            Comparison::AtLeast => low >= bound,
            Comparison::More => low > bound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Requirement, RequirementError};
    use crate::model::Replicas;

    #[test]
    fn it_holds_only_where_it_holds_of_all_that_may_be_decided() {
        let holds = |text: &str, low, high| {
            let requirement: Result<Requirement, _> = text.parse();
            requirement.map(|it| it.holds(Some((Replicas(low), Replicas(high))), Some(Replicas(5))))
        };
        for (text, low, high, expected) in [
            ("desired<=20", 20, 20, true),
            ("desired<=20", 6, 21, false),
            ("desired < 20", 19, 19, true),
            ("desired<20", 20, 20, false),
            ("desired>=current", 5, 9, true),
            ("desired>=current", 4, 9, false),
            ("desired>current", 5, 9, false),
            ("desired==7", 7, 7, true),
            ("desired=7", 7, 8, false),
            ("desired!=0", 1, 9, true),
            ("desired != 3", 1, 9, false),
        ] {
            assert_eq!(holds(text, low, high), Ok(expected), "{text} of {low} to {high}");
        }
    }

    #[test]
    fn it_does_not_hold_of_what_is_unknown() {
        let requirement: Requirement = "desired!=current".parse().unwrap_or_else(|error| panic!("{error}"));
        assert!(!requirement.holds(None, Some(Replicas(5))));
        assert!(!requirement.holds(Some((Replicas(4), Replicas(4))), None));
        assert_eq!(requirement.to_string(), "desired!=current");
    }

    #[test]
    fn anything_else_is_no_requirement() {
        for text in [
            "",
            "desired",
            "desired<=",
            "desired<=2O",
            "desired<=-1",
            "desired<=3000000000",
            "replicas<=20",
            "desired~20",
            "20>=desired",
        ] {
            assert_eq!(text.parse::<Requirement>(), Err(RequirementError), "{text}");
        }
    }
}
