//! Names that a mistyped one may have been meant for.

/// Those of the names that are near to the typed one, nearest first, at most three.
pub(super) fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let limit = 1 + typed.chars().count() / 4;
    let mut near: Vec<(usize, &str)> = names
        .map(|name| (distance(typed, name), name))
        .map(
            |(distance, name)| {
                if is_part(typed, name) { (distance.min(limit), name) } else { (distance, name) }
            },
        )
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// `web` is near to `web-frontend`, and the other way round.
fn is_part(typed: &str, name: &str) -> bool {
    let (short, long) = if typed.len() < name.len() { (typed, name) } else { (name, typed) };
    short.len() >= 3 && long.contains(short)
}

/// How many letters must be put in, left out, changed or swapped with their neighbor.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (row, letter) in from.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, other) in to.iter().enumerate() {
            let changed = last[column] + usize::from(letter != other);
            let mut best = changed.min(last[column + 1] + 1).min(line[column] + 1);
            if row > 0 && column > 0 && *letter == to[column - 1] && from[row - 1] == *other {
                best = best.min(before_last[column - 1] + 1);
            }
            line.push(best);
        }
        before_last = std::mem::replace(&mut last, line);
    }
    last.last().copied().unwrap_or(0)
}
