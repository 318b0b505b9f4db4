//! Names that a mistyped one may have been meant for.

/// The most names that are worth reading.
const MOST: usize = 3;

/// One keystroke in so many letters is a slip; more of them make another word.
const LETTERS: usize = 3;
/// As far as this is at most what is only a part of a name.
const PART: usize = 3;

/// Those of the names that are near to the typed one, nearest first, at most three.
#[must_use]
pub fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let scored = names.filter_map(|name| {
        // Letters that are put in, left out, changed or swapped with their neighbor.
        let distance = strsim::osa_distance(typed, name);
        let letters = typed.chars().count().max(name.chars().count());
        if is_part(typed, name) {
            return Some((distance.min(PART), name));
        }
        (distance * LETTERS <= letters).then_some((distance, name))
    });
    let mut near: Vec<(usize, &str)> = scored.collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|(_, name)| name).take(MOST).collect()
}

/// `web` is near to `web-frontend`, and the other way round.
fn is_part(typed: &str, name: &str) -> bool {
    let (short, long) = if typed.len() < name.len() { (typed, name) } else { (name, typed) };
    short.len() >= 3 && long.contains(short)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn nearest_counts_keystrokes_and_knows_parts() {
        let names = ["web", "web-frontend", "api", "cart", "worker"];
        for (typed, near) in [
            ("wbe", &["web"][..]),
            ("carts", &["cart"]),
            ("wroker", &["worker"]),
            ("frontend", &["web-frontend"]),
            ("database", &[]),
            // Two of four letters are another word.
            ("acrt", &["cart"]),
            ("dart", &["cart"]),
            ("darn", &[]),
            ("aqi", &["api"]),
            ("aq", &[]),
        ] {
            assert_eq!(nearest(typed, names.into_iter()), near, "{typed}");
        }
    }
}
