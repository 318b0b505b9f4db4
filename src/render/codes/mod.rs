//! The long text of every code: what happened, why the controller does so, and what to do about it.

mod entry;
mod failure;
mod find;
mod gate;
mod metric;
mod normalize;
mod pods;

use std::io::{self, Write};

pub use find::{UnknownCode, find};

use super::options::Options;
use super::page::{Page, Role};
use crate::trace::Code;
use entry::entry;

/// The versions for which there are rules, as most entries name them.
const VERSIONS: &str = "1.36, 1.37";

/// What is to be said about a code.
struct Entry {
    /// In a few words.
    title: &'static str,
    /// In full; one paragraph a line.
    text: &'static str,
    /// The functions of `pkg/controller/podautoscaler` in which it happens.
    upstream: &'static [&'static str],
    /// The minor versions of Kubernetes that it holds for.
    versions: &'static str,
}

/// A code in a few words.
#[must_use]
pub fn title(code: Code) -> &'static str {
    entry(code).title
}

/// All codes in a few words each, in the order of the algorithm.
pub fn titles() -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
    Code::ALL.iter().map(|code| (code.as_str(), title(*code)))
}

/// Writes the long text of a code.
///
/// # Errors
/// Those of the writer.
pub fn why(out: &mut dyn Write, code: Code, options: &Options) -> io::Result<()> {
    let entry = entry(code);
    let mut page = Page::new(options.style());
    page.beside(&page.line(Role::Title, entry.title), Role::Quiet, code.as_str());
    page.push(page.line(Role::Plain, ""));
    for paragraph in entry.text.lines() {
        page.paragraph(paragraph);
    }
    page.note("Controller", Role::Quiet, &entry.upstream.join(", "));
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
        let titles: BTreeSet<&str> = Code::ALL.iter().map(|code| title(*code)).collect();
        assert_eq!(titles.len(), Code::ALL.len());
        let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            let entry = entry(*code);
            assert!(entry.text.len() > 40, "{code}: {}", entry.text);
            assert!(entry.text.ends_with('.'), "{code}: {}", entry.text);
            assert!(!entry.upstream.is_empty() && entry.versions.contains("1.3"), "{code}");
        }
    }

    #[test]
    fn a_long_text_is_a_page_of_its_own() -> io::Result<()> {
        let mut out = Vec::new();
        why(&mut out, Code::PodWasReadyOnce, &Options::default())?;
        let expected = "\
Not ready now, but it was once  pod-was-ready-once

  The cpu initialization period is over and the pod is not Ready, but it was at
  some time after its start. Its usage is real load (perhaps the very load that
  makes it fail its probe), so it counts as ready.

Controller  groupPods
Versions    1.36, 1.37
";
        assert_eq!(String::from_utf8_lossy(&out), expected);
        Ok(())
    }
}
