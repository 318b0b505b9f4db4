//! Names that a mistyped one may have been meant for.

/// The most names that are worth reading.
const MOST: usize = 3;

/// Those of the names that are near to the typed one, nearest first, at most three.
#[must_use]
pub fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let limit = 1 + typed.chars().count() / 4;
    let scored = names.map(|name| {
        // Letters that are put in, left out, changed or swapped with their neighbor.
        let distance = strsim::osa_distance(typed, name);
        (if is_part(typed, name) { distance.min(limit) } else { distance }, name)
    });
    let mut near: Vec<(usize, &str)> = scored.filter(|(distance, _)| *distance <= limit).collect();
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
        ] {
            assert_eq!(nearest(typed, names.into_iter()), near, "{typed}");
        }
    }
}
