//! What is different in a list since the one before.

use std::collections::BTreeMap;

use crate::commands::looks::Place;
use crate::render::Listed;

/// The rows that were told last.
#[derive(Debug, Default)]
pub struct News {
    told: Option<BTreeMap<Place, Listed>>,
}

impl News {
    /// Whether nothing was told so far.
    pub fn is_first(&self) -> bool {
        self.told.is_none()
    }

    /// The rows that are new or have changed, in their order, and those that have gone. One that only is not shown any more is
    /// told once as it is now.
    pub fn of(&mut self, shown: &[Listed], now: impl Fn(&Place) -> Option<Listed>) -> Vec<(Listed, bool)> {
        let mut before = self.told.take().unwrap_or_default();
        let mut news = Vec::new();
        for row in shown {
            let is_told = before.remove(&row.place()).is_some_and(|told| told.says_the_same_as(row));
            if !is_told {
                news.push((row.clone(), false));
            }
        }
        news.extend(before.into_iter().map(|(place, last)| match now(&place) {
            Some(row) => (row, false),
            None => (last, true),
        }));
        self.told = Some(shown.iter().map(|row| (row.place(), row.clone())).collect());
        news
    }
}
