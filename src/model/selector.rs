//! Provisional.
use std::collections::BTreeMap;
/// Labels.
pub type Labels = BTreeMap<String, String>;
/// Selector.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Selector(pub Vec<(String, String)>);
impl Selector {
    /// Parses.
    pub fn parse(text: &str) -> Result<Self, String> {
        text.split(',').map(|p| p.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned())).ok_or_else(|| p.to_owned())).collect::<Result<_, _>>().map(Self)
    }
    /// Matches.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        self.0.iter().all(|(k, v)| labels.get(k) == Some(v))
    }
}
