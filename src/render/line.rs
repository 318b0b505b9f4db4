//! A decision in one line, for whoever follows it as it changes.

use std::io::{self, Write};

use super::explanation::Explanation;
use super::options::Options;
use super::page::{Line, Role};
use super::phrases::answer::answer;
use kubectl_hpa_core::api::{Condition, HpaStatus};

/// Writes the answer in one line: when, of which autoscaler, what, and why.
///
/// # Errors
/// Those of the writer.
pub fn line(out: &mut dyn Write, explanation: Explanation<'_>, options: &Options) -> io::Result<()> {
    let (key, answer) = (&explanation.snapshot.hpa.key, answer(explanation));
    let piece = |role, text: &str| Line::of(options.glyphs, role, text);
    let line = piece(Role::Quiet, &format!("{}  ", explanation.now()))
        .joined(piece(Role::Title, &format!("{}/{}", key.namespace, key.name)))
        .joined(piece(answer.role, &format!("  {}", answer.left)))
        .joined(piece(Role::Plain, &format!("  {}", answer.right)));
    writeln!(out, "{}", line.paint(options.paint))
}

/// What such a line says, without the times in it: two looks with the same essence have nothing new to tell. With the
/// whole of it also what the controller would write, its times left out.
#[must_use]
pub fn essence(explanation: Explanation<'_>, is_whole: bool) -> String {
    let answer = answer(explanation);
    let words = answer.right.split(' ').filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ");
    let evidence = explanation.snapshot.memory_evidence;
    let status = is_whole.then(|| timeless(&explanation.report.status));
    format!("{} {words} {:?}", answer.left, status.map(|status| (evidence, explanation.current(), status)))
}

/// `10:44:10`, and how far off that is: `(2m10s ago)`, `(in 13s)`.
fn is_time(word: &str) -> bool {
    let begins = word.trim_start_matches('(').starts_with(|letter: char| letter.is_ascii_digit());
    let is_clock = word.matches(':').count() == 2;
    begins && (is_clock || word.starts_with('(') || word.ends_with(')'))
}

fn timeless(status: &HpaStatus) -> HpaStatus {
    let condition = |it: &Condition| Condition { last_transition_time: None, ..it.clone() };
    let conditions = status.conditions.iter().map(condition).collect();
    HpaStatus { last_scale_time: None, conditions, ..status.clone() }
}

#[cfg(test)]
mod tests {
    use super::is_time;

    #[test]
    fn times_are_told_from_numbers() {
        for (word, expected) in [
            ("10:44:10", true),
            ("10:44:10,", true),
            ("(29m", true),
            ("13s)", true),
            ("90", false),
            ("90m", false),
            ("5", false),
            ("pods", false),
            ("503", false),
        ] {
            assert_eq!(is_time(word), expected, "{word}");
        }
    }
}
