//! What is applied together with an object, found by a word instead of a look at all objects.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use super::folders::{Folders, namespace};
use crate::snapshot::Written;

/// Numbers of objects (or of what the word is about) by file or folder and word, then by namespace.
pub(super) struct Near<'a> {
    folders: Folders<'a>,
    /// Two words may have one key, so whoever finds something looks at it.
    keys: BTreeMap<u64, BTreeMap<&'a str, BTreeSet<usize>>>,
}

impl<'a> Near<'a> {
    pub fn new(folders: Folders<'a>) -> Self {
        Self { folders, keys: BTreeMap::new() }
    }

    pub fn folders(&self) -> &Folders<'a> {
        &self.folders
    }

    fn key(bundle: &Path, word: &impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        (bundle, word).hash(&mut hasher);
        hasher.finish()
    }

    /// Those of this namespace, to add some.
    pub fn of(&mut self, written: &'a Written, word: impl Hash) -> &mut BTreeSet<usize> {
        let key = Self::key(self.folders.bundle(written), &word);
        self.keys.entry(key).or_default().entry(namespace(written)).or_default()
    }

    /// The sets of the namespaces that an object may be applied to: one that names none goes wherever another does.
    fn sets(&self, written: &Written, word: impl Hash) -> impl Iterator<Item = &BTreeSet<usize>> {
        let bundles = self.folders.bundles(written);
        let found = bundles.filter_map(move |bundle| self.keys.get(&Self::key(bundle, &word))).flatten();
        let own = namespace(written);
        let is_together = move |other: &str| own.is_empty() || other.is_empty() || own == other;
        found.filter(move |(other, _)| is_together(other)).map(|(_, numbers)| numbers)
    }

    /// The first below a number that meets a condition.
    pub fn first(
        &self,
        written: &Written,
        word: impl Hash,
        below: usize,
        is_it: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let firsts = self.sets(written, word).map(|set| set.range(..below).copied().find(|it| is_it(*it)));
        firsts.flatten().min()
    }

    /// All of them, in their order.
    pub fn all(&self, written: &Written, word: impl Hash) -> BTreeSet<usize> {
        self.sets(written, word).flatten().copied().collect()
    }
}
