//! The lines that findings are about.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};

use kubectl_hpa_core::lint::Finding;
use kubectl_hpa_core::snapshot::{Position, Written, snippet};

/// No person reads lines of a larger file.
const LARGEST: u64 = 4 << 20;

/// The lines of the findings with a mark under the column, by file and place. A file is read again for them; what cannot be,
/// as a pipe, has none.
pub fn of(objects: &[Written], findings: &[Finding]) -> BTreeMap<(String, Position), String> {
    let mut places = BTreeMap::<&str, BTreeSet<Position>>::new();
    for finding in findings {
        let Some(written) = objects.get(finding.object).filter(|written| written.places.is_known()) else {
            continue;
        };
        places.entry(&written.source).or_default().insert(written.at(&finding.path));
    }
    places.into_iter().flat_map(|(file, places)| lines(file, &places)).collect()
}

fn lines(file: &str, places: &BTreeSet<Position>) -> Vec<((String, Position), String)> {
    let is_small = fs::metadata(file).is_ok_and(|it| it.is_file() && it.len() <= LARGEST);
    let Some(text) = File::open(file).ok().filter(|_| is_small) else { return Vec::new() };
    let mut numbered = (1..).zip(BufReader::new(text.take(LARGEST)).lines().map_while(Result::ok));
    let mut last: Option<(u64, String)> = None;
    let found = places.iter().filter_map(|at| {
        if last.as_ref().is_none_or(|(number, _)| *number != at.line) {
            last = numbered.find(|(number, _)| *number == at.line);
        }
        let (_, line) = last.as_ref()?;
        Some(((file.to_owned(), *at), snippet(line, at.column)?))
    });
    found.collect()
}
