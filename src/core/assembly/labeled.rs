//! Objects by their labels.

use std::collections::BTreeMap;

use crate::model::{Labels, Selector};

/// Objects by namespace, and by each label that they have: of ten thousand HPAs each finds its pods without a look at all.
pub(super) struct Labeled<T> {
    items: Vec<T>,
    labels: fn(&T) -> &Labels,
    /// The places of the objects of a namespace.
    all: BTreeMap<String, Vec<usize>>,
    /// Those of a namespace that have a label.
    by_label: BTreeMap<(String, String, String), Vec<usize>>,
}

impl<T: Clone> Labeled<T> {
    pub fn of(items: BTreeMap<(String, String), T>, labels: fn(&T) -> &Labels) -> Self {
        let mut found = Self { items: Vec::new(), labels, all: BTreeMap::new(), by_label: BTreeMap::new() };
        for ((namespace, _), item) in items {
            let place = found.items.len();
            for (key, value) in labels(&item).iter() {
                let label = (namespace.clone(), key.to_owned(), value.to_owned());
                found.by_label.entry(label).or_default().push(place);
            }
            found.all.entry(namespace).or_default().push(place);
            found.items.push(item);
        }
        found
    }

    /// True if a namespace has none.
    pub fn is_empty(&self, namespace: &str) -> bool {
        !self.all.contains_key(namespace)
    }

    /// Those of a namespace that a selector matches, by name.
    pub fn selected(&self, namespace: &str, selector: &Selector) -> Vec<T> {
        let label = |(key, value): (&str, &str)| {
            self.by_label.get(&(namespace.to_owned(), key.to_owned(), value.to_owned()))
        };
        let with_each = selector.labels().map(|of| label(of).map_or(&[][..], Vec::as_slice));
        let rarest = with_each.min_by_key(|places| places.len());
        let all = || self.all.get(namespace).map_or(&[][..], Vec::as_slice);
        let places = rarest.unwrap_or_else(all).iter();
        let items = places.filter_map(|place| self.items.get(*place));
        items.filter(|item| selector.matches((self.labels)(item))).cloned().collect()
    }
}
