//! Finding a code by what somebody typed.

use super::Topic;

/// A text that is no code, with those that come closest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no code `{text}`{}", hint(.close))]
pub struct UnknownCode {
    text: String,
    close: Vec<Topic>,
}

impl UnknownCode {
    /// The codes that come closest, best first; may be empty.
    #[must_use]
    pub fn suggestions(&self) -> &[Topic] {
        &self.close
    }
}

fn hint(close: &[Topic]) -> String {
    let names: Vec<&str> = close.iter().map(|code| code.as_str()).collect();
    if names.is_empty() {
        "; --why alone lists them".to_owned()
    } else {
        format!("; did you mean {}?", names.join(", "))
    }
}

/// The most suggestions.
const MOST: usize = 3;

/// The code of a name; case and underscores do not matter.
///
/// # Errors
/// No such code; with suggestions.
pub fn find(text: &str) -> Result<Topic, UnknownCode> {
    let asked = text.trim().to_ascii_lowercase().replace(['_', ' '], "-");
    let exact = Topic::all().find(|code| code.as_str() == asked);
    exact.ok_or_else(|| UnknownCode {
        text: super::super::page::sanitize(text).into_owned(),
        close: close_to(&asked),
    })
}

/// Codes within a few keystrokes, or that share the words.
fn close_to(asked: &str) -> Vec<Topic> {
    let far = asked.len() / 3 + 1;
    let mut scored: Vec<(usize, Topic)> = Topic::all()
        .map(|code| (distance(asked, code.as_str()), code))
        .filter(|(distance, code)| *distance <= far || (asked.len() > 3 && code.as_str().contains(asked)))
        .collect();
    scored.sort_by_key(|(distance, code)| (*distance, code.as_str()));
    let best = scored.first().map_or(0, |(distance, _)| *distance);
    scored.retain(|(distance, _)| *distance <= best + 2);
    scored.into_iter().take(MOST).map(|(_, code)| code).collect()
}

/// Levenshtein's distance, in bytes: codes are ASCII.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, letter) in one.bytes().enumerate() {
        let mut diagonal = place;
        let mut left = place + 1;
        for (above, opposite) in row.iter_mut().skip(1).zip(other.bytes()) {
            let replaced = diagonal + usize::from(letter != opposite);
            diagonal = *above;
            left = replaced.min(left + 1).min(*above + 1);
            *above = left;
        }
        if let Some(first) = row.first_mut() {
            *first = place + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kubectl_hpa_core::advice::AdviceCode;
    use kubectl_hpa_core::trace::Code;

    #[test]
    fn codes_are_found_as_they_are_typed() {
        assert_eq!(find("within-tolerance"), Ok(Topic::Branch(Code::WithinTolerance)));
        assert_eq!(find(" Within_Tolerance "), Ok(Topic::Branch(Code::WithinTolerance)));
        assert_eq!(find("wake-up"), Ok(Topic::Advice(AdviceCode::WakeUp)));
        let cases = [
            ("within-tolerence", "there is no code `within-tolerence`; did you mean within-tolerance?"),
            ("tolerance", "there is no code `tolerance`; did you mean narrow-tolerance, within-tolerance?"),
            ("zzzzzzzz", "there is no code `zzzzzzzz`; --why alone lists them"),
            ("\u{1b}[2J", "there is no code `\\u{1b}[2J`; --why alone lists them"),
        ];
        for (typed, told) in cases {
            assert_eq!(find(typed).map_err(|error| error.to_string()), Err(told.to_owned()));
        }
    }

    #[test]
    fn distance_counts_keystrokes() {
        let cases = [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("flaw", "lawn", 2)];
        for (one, other, keystrokes) in cases {
            assert_eq!(distance(one, other), keystrokes, "{one} {other}");
        }
    }
}
