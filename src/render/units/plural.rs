//! One pod, two pods.

use kubectl_hpa_core::model::Replicas;

/// A count of things: `1 pod`, `2 pods`, `3 policies`.
pub(in crate::render) fn count(number: usize, thing: &str) -> String {
    format!("{number} {}", if number == 1 { thing.to_owned() } else { several(thing) })
}

/// Pods without something: `5 pods have no cpu request`.
pub(in crate::render) fn lacking(pods: usize, what: &str) -> String {
    format!("{} {} no {what}", count(pods, "pod"), if pods == 1 { "has" } else { "have" })
}

/// Replicas, as a count.
pub(in crate::render) fn replicas(number: i32) -> String {
    if number == 1 { "1 replica".to_owned() } else { format!("{number} replicas") }
}

/// `6`, or `6–10` where the decision is not exact.
pub(in crate::render) fn range((low, high): (Replicas, Replicas)) -> String {
    if low == high { low.0.to_string() } else { format!("{}–{}", low.0, high.0) }
}

fn several(thing: &str) -> String {
    match thing.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{thing}s"),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(in crate::render) fn list<T: AsRef<str>>(things: &[T]) -> String {
    match things {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// A list of the first few, and how many more there are.
pub(in crate::render) fn few<T: AsRef<str>>(things: &[T], most: usize) -> String {
    let mut shown: Vec<String> = things.iter().take(most).map(|thing| thing.as_ref().to_owned()).collect();
    let more = things.len() - shown.len();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    list(&shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_with_their_nouns() {
        assert_eq!([count(1, "pod"), count(0, "pod"), count(3, "policy")], ["1 pod", "0 pods", "3 policies"]);
        assert_eq!([replicas(1), replicas(0)], ["1 replica", "0 replicas"]);
        assert_eq!([few(&["a", "b"], 2), few(&["a", "b", "c", "d"], 2)], ["a and b", "a, b and 2 more"]);
        assert_eq!([list(&["a"]), list(&["a", "b"]), list(&["a", "b", "c"])], ["a", "a and b", "a, b and c"]);
    }
}
