//! What a person asks about: an HPA by its name, or the one that scales a target.

use std::fmt::{self, Display, Formatter};

use kubectl_hpa_core::api::{Hpa, ObjectReference};
use kubectl_hpa_core::model::is_hpa_type;

/// The subject of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An HPA: `web` or `hpa/web`.
    Hpa(String),
    /// The HPA of a target: `deploy/web`, `rollouts.argoproj.io/web`.
    Target {
        /// The type as it was typed: plural, singular, short name or kind, with or without its API group.
        type_name: String,
        /// The target's name.
        name: String,
    },
}

/// Types that are known without asking.
const BUILTIN: [&str; 9] = [
    "deploy",
    "deployment",
    "deployments",
    "sts",
    "statefulset",
    "statefulsets",
    "rs",
    "replicaset",
    "replicasets",
];

/// A subject that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither NAME nor TYPE/NAME")]
pub struct SubjectError(String);

/// As it can be typed.
impl Display for Subject {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hpa(name) => write!(f, "hpa/{name}"),
            Self::Target { type_name, name } => write!(f, "{type_name}/{name}"),
        }
    }
}

impl Subject {
    /// Reads `NAME`, `hpa/NAME` or `TYPE/NAME`.
    ///
    /// # Errors
    /// If a part is empty or there is more than one slash.
    pub fn parse(text: &str) -> Result<Self, SubjectError> {
        let wrong = || SubjectError(text.into());
        let subject = match text.split_once('/') {
            None => Self::Hpa(text.into()),
            Some((type_name, name)) if is_hpa_type(type_name) => Self::Hpa(name.into()),
            Some((type_name, name)) => Self::Target { type_name: type_name.into(), name: name.into() },
        };
        let is_name = |name: &str| !name.is_empty() && !name.contains('/');
        let is_whole = match &subject {
            Self::Hpa(name) => is_name(name),
            Self::Target { type_name, name } => is_name(name) && !type_name.is_empty(),
        };
        if is_whole { Ok(subject) } else { Err(wrong()) }
    }

    /// True if it means this HPA, where no API server says which types there are: a type is the kind, its plural or the short
    /// name that kubectl knows, and what is no type may be the namespace.
    #[must_use]
    pub fn is(&self, hpa: &Hpa) -> bool {
        let (metadata, target) = (&hpa.metadata, &hpa.spec.scale_target_ref);
        match self {
            Self::Hpa(name) => metadata.name == *name,
            Self::Target { type_name, name } => {
                (target.name == *name && is_type(type_name, target))
                    || self.place() == Some((&metadata.namespace, &metadata.name))
            }
        }
    }

    /// The namespace and the name, if it may be `NAMESPACE/NAME`: what the API server serves tells types from namespaces.
    #[must_use]
    pub fn place(&self) -> Option<(&str, &str)> {
        let Self::Target { type_name, name } = self else { return None };
        let is_label = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
        let may_be = type_name.chars().all(is_label) && !BUILTIN.contains(&type_name.as_str());
        may_be.then_some((type_name, name))
    }
}

fn is_type(typed: &str, target: &ObjectReference) -> bool {
    let typed = typed.to_ascii_lowercase();
    let (resource, group) = typed.split_once('.').unwrap_or((&typed, target.group()));
    let kind = target.kind.to_ascii_lowercase();
    let short = match kind.as_str() {
        "deployment" => "deploy",
        "statefulset" => "sts",
        "replicaset" => "rs",
        "replicationcontroller" => "rc",
        _ => &kind,
    };
    let is_versioned = group.strip_suffix(target.group()).is_some_and(|version| version.ends_with('.'));
    (resource == kind || resource == short || resource.strip_suffix('s') == Some(&kind))
        && (group == target.group() || is_versioned)
}
