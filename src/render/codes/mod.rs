//! The long text of every code: what happened, why the controller does so, and what to do about it.

mod advice;
mod entry;
mod failure;
mod find;
mod gate;
mod lint;
mod metric;
mod normalize;
mod pod_codes;
mod state;
mod text;

use std::io::{self, Write};

pub use find::{UnknownCode, find};
pub use text::Entry;

use super::options::Options;
use super::page::{Page, Role};
use entry::entry;
use kubectl_hpa_core::advice::AdviceCode;
use kubectl_hpa_core::lint::Rule;
use kubectl_hpa_core::model::HpaState;
use kubectl_hpa_core::trace::Code;

/// What a code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// A branch of the algorithm.
    Branch(Code),
    /// A piece of advice.
    Advice(AdviceCode),
    /// A rule of lint.
    Lint(Rule),
    /// A state of `list`.
    State(HpaState),
}

impl Topic {
    /// All of them: the algorithm in its order, then advice, then the rules of lint, then the states of `list`.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        let branches = Code::ALL.iter().copied().map(Self::Branch);
        let advice = AdviceCode::ALL.iter().copied().map(Self::Advice);
        let rules = Rule::ALL.iter().copied().map(Self::Lint);
        branches.chain(advice).chain(rules).chain(HpaState::ALL.into_iter().map(Self::State))
    }

    /// The code as people and programs write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Branch(code) => code.as_str(),
            Self::Advice(code) => code.as_str(),
            Self::Lint(rule) => rule.as_str(),
            Self::State(state) => state.as_str(),
        }
    }

    /// The code in a few words.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.entry().title
    }

    /// All that is to be said about it.
    #[must_use]
    pub const fn entry(self) -> &'static Entry {
        match self {
            Self::Branch(code) => entry(code),
            Self::Advice(code) => advice::entry(code),
            Self::Lint(rule) => lint::entry(rule),
            Self::State(state) => state::entry(state),
        }
    }
}

/// All codes in a few words each, in the order of the algorithm; those of advice and of lint and the states last.
pub fn titles() -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
    Topic::all().map(|topic| (topic.as_str(), topic.title()))
}

/// Writes the long text of a code.
///
/// # Errors
/// Those of the writer.
pub fn why(out: &mut dyn Write, topic: Topic, options: &Options) -> io::Result<()> {
    let entry = topic.entry();
    let mut page = Page::new(options.style());
    page.beside(&page.line(Role::Title, entry.title), Role::Quiet, topic.as_str());
    page.push(page.line(Role::Plain, ""));
    for paragraph in entry.text.lines() {
        page.paragraph(paragraph);
    }
    if entry.upstream.is_empty() {
        page.push(page.line(Role::Plain, ""));
    } else {
        page.note("Controller", Role::Quiet, &entry.upstream.join(", "));
    }
    page.beside_at(&page.line(Role::Title, "Versions"), 12, Role::Quiet, entry.versions);
    page.write(out)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::render::options::Options;

    #[test]
    fn every_code_is_documented_and_none_twice() {
        let all = Code::ALL.len() + AdviceCode::ALL.len() + Rule::ALL.len() + HpaState::ALL.len();
        let titles: BTreeSet<&str> = Topic::all().map(Topic::title).collect();
        assert_eq!(titles.len(), all);
        let names: BTreeSet<&str> = Topic::all().map(Topic::as_str).collect();
        assert_eq!(names.len(), all);
        for topic in Topic::all() {
            let (code, entry) = (topic.as_str(), topic.entry());
            assert!(entry.text.len() > 40, "{code}: {}", entry.text);
            assert!(entry.text.ends_with('.'), "{code}: {}", entry.text);
            let is_ours = !matches!(topic, Topic::Branch(_));
            assert!(entry.upstream.is_empty() == is_ours && entry.versions.contains("1."), "{code}");
        }
    }

    #[test]
    fn a_long_text_is_a_page_of_its_own() -> io::Result<()> {
        let mut out = Vec::new();
        why(&mut out, Topic::Branch(Code::PodWasReadyOnce), &Options::default())?;
        let expected = "\
Not ready now, but it was once  pod-was-ready-once

  The cpu initialization period is over and the pod is not Ready, but it was at
  some time after its start. Its usage is real load (perhaps the very load that
  makes it fail its probe), so it counts as ready.

Controller  groupPods
Versions    1.23 to 1.37
";
        assert_eq!(String::from_utf8_lossy(&out), expected);
        Ok(())
    }
}
