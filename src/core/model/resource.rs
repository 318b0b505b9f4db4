//! Names and amounts of resources.

use super::{Milli, Quantity};

/// The name of a resource as requests, usage and metrics use it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ResourceName {
    /// `cpu`: the only resource with rules about readiness and initialization.
    Cpu,
    /// `memory`: the only resource that a status prints in binary units.
    Memory,
    /// Any other name.
    Other(Box<str>),
}

impl ResourceName {
    /// The name as the API writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Other(name) => name,
        }
    }

    /// Whether pod-level requests of this resource exist (upstream `IsSupportedPodLevelResource`).
    #[must_use]
    pub fn is_pod_level(&self) -> bool {
        match self {
            Self::Cpu | Self::Memory => true,
            Self::Other(name) => name.starts_with("hugepages-"),
        }
    }
}

impl From<&str> for ResourceName {
    fn from(name: &str) -> Self {
        match name {
            "cpu" => Self::Cpu,
            "memory" => Self::Memory,
            other => Self::Other(other.into()),
        }
    }
}

/// Amounts by resource: a short list, in milli-units, rounded once at the door.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amounts(Box<[(ResourceName, Milli)]>);

impl Amounts {
    /// The amount of one resource, if it is listed.
    #[must_use]
    pub fn get(&self, name: &ResourceName) -> Option<Milli> {
        self.0.iter().find(|(listed, _)| listed == name).map(|(_, amount)| *amount)
    }

    /// All amounts, in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = &(ResourceName, Milli)> {
        self.0.iter()
    }
}

impl FromIterator<(ResourceName, Milli)> for Amounts {
    fn from_iter<I: IntoIterator<Item = (ResourceName, Milli)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}

impl<'a> FromIterator<(&'a str, &'a Quantity)> for Amounts {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a Quantity)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(name, amount)| (name.into(), Milli(amount.milli_value()))).collect())
    }
}
