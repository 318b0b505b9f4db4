//! Which of the rules in which two versions differ lead from the answer of one to that of the other.

use crate::rules::{Rule, Rules};

/// The rules behind a difference between two versions.
#[derive(Clone, Debug, Default)]
pub struct RuleAttribution {
    /// These rules, in the order of the table.
    pub rules: Vec<&'static Rule>,
    /// Whether only all of them together make the difference; else each one does by itself.
    pub together: bool,
}

/// Replaces the rules of one version by those of another, one at a time, and checks each time whether the other answer
/// is reached. If none does it alone, starts with all that differ and drops those that are not needed.
pub fn attribute_to_rules(now: &Rules, then: &Rules, is_reached: impl Fn(&Rules) -> bool) -> RuleAttribution {
    let differing = Rule::between(now, then);
    let reaches = |taken: &[&Rule]| is_reached(&now.with(taken, then));
    let alone: Vec<&Rule> = differing.iter().copied().filter(|rule| reaches(&[rule])).collect();
    if !alone.is_empty() {
        return RuleAttribution { rules: alone, together: false };
    }
    let mut needed = differing;
    while let Some(idle) = (0..needed.len()).find(|place| reaches(&without(&needed, *place))) {
        needed.remove(idle);
    }
    RuleAttribution { rules: needed, together: true }
}

fn without<'a>(rules: &[&'a Rule], place: usize) -> Vec<&'a Rule> {
    let kept = rules.iter().enumerate().filter(|(at, _)| *at != place);
    kept.map(|(_, rule)| *rule).collect()
}
