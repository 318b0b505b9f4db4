//! Provisional.
use super::Selector;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
/// LabelSelector.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LabelSelector {
    /// Labels.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
}
impl LabelSelector {
    /// Selector.
    pub fn to_selector(&self) -> Result<Selector, String> {
        Ok(Selector(self.match_labels.iter().map(|(k, v)| (k.clone(), v.clone())).collect()))
    }
    /// Go.
    #[must_use]
    pub fn go_string(&self) -> String {
        String::new()
    }
}
