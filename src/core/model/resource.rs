//! Names and amounts of resources.

use super::{Milli, Quantity};

/// The name of a resource as requests, usage and metrics use it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ResourceName {
    /// `cpu`: the only resource with rules about readiness and initialization.
    Cpu,
    /// `memory`: the only resource that a status prints in binary units.
    Memory,
    /// Any other name. Boxed twice: a list of ten thousand HPAs keeps these names a hundred thousand times, and few are such.
    Other(Box<Box<str>>),
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
            other => Self::Other(Box::new(other.into())),
        }
    }
}

/// Amounts by resource in milli-units, rounded once at the door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amounts(Listed);

/// Nearly every list is of cpu, memory or both. Those stand in the container itself: a decision over ten thousand pods
/// spends its time on waiting for memory, and each list on the heap is one more place to wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Listed {
    /// No other resource.
    Common { cpu: Option<Milli>, memory: Option<Milli> },
    /// All of them, in the order in which they were read.
    Any(Box<[(ResourceName, Milli)]>),
}

impl Amounts {
    /// The amount of one resource, if it is listed.
    #[must_use]
    pub fn get(&self, name: &ResourceName) -> Option<Milli> {
        match (&self.0, name) {
            (Listed::Common { cpu, .. }, ResourceName::Cpu) => *cpu,
            (Listed::Common { memory, .. }, ResourceName::Memory) => *memory,
            (Listed::Common { .. }, ResourceName::Other(_)) => None,
            (Listed::Any(all), _) => all.iter().find(|(listed, _)| listed == name).map(|(_, amount)| *amount),
        }
    }

    /// All amounts; those of cpu and memory alone in this order, others in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = (&ResourceName, Milli)> {
        let (cpu, memory, all) = match &self.0 {
            Listed::Common { cpu, memory } => (*cpu, *memory, [].as_slice()),
            Listed::Any(all) => (None, None, &**all),
        };
        let common = [(&ResourceName::Cpu, cpu), (&ResourceName::Memory, memory)];
        let common = common.into_iter().filter_map(|(name, amount)| Some((name, amount?)));
        common.chain(all.iter().map(|(name, amount)| (name, *amount)))
    }
}

/// Of two amounts of one resource the first counts.
impl FromIterator<(ResourceName, Milli)> for Amounts {
    fn from_iter<I: IntoIterator<Item = (ResourceName, Milli)>>(pairs: I) -> Self {
        let (mut cpu, mut memory) = (None, None);
        let mut pairs = pairs.into_iter();
        for (name, amount) in pairs.by_ref() {
            let slot = match name {
                ResourceName::Cpu => &mut cpu,
                ResourceName::Memory => &mut memory,
                ResourceName::Other(_) => {
                    let before = Self(Listed::Common { cpu, memory });
                    let before: Vec<_> = before.iter().map(|(name, amount)| (name.clone(), amount)).collect();
                    let all = before.into_iter().chain([(name, amount)]).chain(pairs);
                    return Self(Listed::Any(all.collect()));
                }
            };
            slot.get_or_insert(amount);
        }
        Self(Listed::Common { cpu, memory })
    }
}

impl Default for Amounts {
    fn default() -> Self {
        Self(Listed::Common { cpu: None, memory: None })
    }
}

impl<'a> FromIterator<(&'a str, &'a Quantity)> for Amounts {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a Quantity)>>(pairs: I) -> Self {
        pairs.into_iter().map(|(name, amount)| (name.into(), Milli(amount.milli_value()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Amounts, ResourceName};
    use crate::model::Quantity;

    fn listed(pairs: &[(&str, &str)]) -> Vec<(String, i64)> {
        let pairs: Vec<_> =
            pairs.iter().map(|(name, text)| (*name, Quantity::parse(text).expect("a quantity"))).collect();
        let amounts: Amounts = pairs.iter().map(|(name, quantity)| (*name, quantity)).collect();
        for (name, quantity) in &pairs {
            let name = ResourceName::from(*name);
            assert_eq!(amounts.get(&name).map(|milli| milli.0), Some(quantity.milli_value()), "{name:?}");
        }
        assert_eq!(amounts.get(&"unheard-of".into()), None);
        amounts.iter().map(|(name, milli)| (name.as_str().to_owned(), milli.0)).collect()
    }

    #[test]
    fn every_list_gives_back_what_was_read() {
        let pair = |name: &str, milli| (name.to_owned(), milli);
        assert_eq!(listed(&[]), []);
        assert_eq!(listed(&[("memory", "1")]), [pair("memory", 1000)]);
        assert_eq!(listed(&[("cpu", "5m"), ("memory", "1")]), [pair("cpu", 5), pair("memory", 1000)]);
        let all = [("cpu", "5m"), ("example.com/gpu", "1"), ("memory", "2")];
        assert_eq!(listed(&all), [pair("cpu", 5), pair("example.com/gpu", 1000), pair("memory", 2000)]);
    }

    /// What a pod's containers hold, beside their names.
    #[test]
    fn amounts_are_small() {
        assert!(size_of::<Amounts>() <= 32, "{}", size_of::<Amounts>());
    }
}
