//! The figures of a search for witnesses.

use std::collections::BTreeMap;
use std::fmt;

use super::witness::Searched;

/// How many ends have witnesses.
pub struct Shares(pub Vec<Searched>);

impl Shares {
    /// Of a hundred ends, how many are witnessed.
    pub fn witnessed(&self) -> usize {
        let ends = self.0.iter().flat_map(|it| it.is_witnessed);
        ends.filter(|is_witnessed| *is_witnessed).count() * 50 / self.0.len().max(1)
    }

    /// Of the ends that were not decided for: how many there are, and how many the search found.
    fn searched(&self) -> (usize, usize) {
        let free = |it: &Searched| it.ends().iter().filter(|end| Some(**end) == it.truth).count();
        let witnessed = |it: &Searched| it.is_witnessed.iter().filter(|it| **it).count();
        let (all, found): (Vec<usize>, Vec<usize>) =
            self.0.iter().map(|it| (2 - free(it), witnessed(it) - free(it))).unzip();
        (all.iter().sum(), found.iter().sum())
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open: BTreeMap<String, usize> = BTreeMap::new();
        for it in self.0.iter().filter(|it| !it.is_done()) {
            *open.entry(it.rests_on()).or_default() += it.is_witnessed.iter().filter(|it| !**it).count();
            writeln!(f, "not witnessed: {it}")?;
        }
        let mut open: Vec<(String, usize)> = open.into_iter().collect();
        open.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (rests_on, count) in open {
            writeln!(f, "{count:6} ends not witnessed: {rests_on}")?;
        }
        let whole = self.0.iter().filter(|it| it.is_done()).count();
        let replays: u32 = self.0.iter().map(|it| it.replays).sum();
        let (searched, found) = self.searched();
        write!(
            f,
            "{} intervals, {whole} with both ends witnessed; {}% of all ends; {found} of {searched} that were not decided \
             for; {replays} histories",
            self.0.len(),
            self.witnessed()
        )
    }
}
