//! Finding a code by what somebody typed.

use kubectl_hpa_core::model::nearest;

use super::Topic;

/// A text that is not a code, with the codes that come closest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no code \"{text}\"{}", hint(.close))]
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
        "; explain --why lists them".to_owned()
    } else {
        format!("; did you mean {}?", names.join(", "))
    }
}

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
    let near = nearest(asked, Topic::all().map(Topic::as_str));
    near.into_iter().filter_map(|name| Topic::all().find(|code| code.as_str() == name)).collect()
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
            ("within-tolerence", "no code \"within-tolerence\"; did you mean within-tolerance?"),
            (
                "tolerance",
                "no code \"tolerance\"; did you mean narrow-tolerance, tolerance-too-wide, within-tolerance?",
            ),
            ("zzzzzzzz", "no code \"zzzzzzzz\"; explain --why lists them"),
            ("\u{1b}[2J", "no code \"\\u{1b}[2J\"; explain --why lists them"),
        ];
        for (typed, told) in cases {
            assert_eq!(find(typed).map_err(|error| error.to_string()), Err(told.to_owned()));
        }
    }
}
