//! A change before it is written, and who would take it back.

use std::io::{self, Write};

use serde::Serialize;
use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{ChangeTag, DiffOp, group_diff_ops};

use crate::render::options::Options;
use crate::render::page::{Page, Role};
use crate::render::phrases::owner::overwrites;
use crate::render::view::yaml_lines;
use kubectl_hpa_core::edit::Owner;

/// So many lines of a spec are shown around each that changes.
const CONTEXT: usize = 3;

/// Writes what differs between two forms of an object, line by line as YAML, and whose word it is against.
///
/// # Errors
/// Those of the writer.
pub fn change(
    out: &mut dyn Write,
    name: &str,
    (before, after): (&impl Serialize, &impl Serialize),
    owners: &[Owner],
    options: &Options,
) -> io::Result<()> {
    let mut page = Page::new(options.style());
    page.title("To write", name);
    differences(&mut page, &yaml_lines(before)?, &yaml_lines(after)?);
    for owner in owners {
        page.note("Owner", Role::Holds, &overwrites(owner));
    }
    page.write(out)
}

fn differences(page: &mut Page, before: &str, after: &str) {
    let (lines, others): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    for (place, group) in group_diff_ops(compared(&lines, &others), CONTEXT).iter().enumerate() {
        if place > 0 {
            page.push(page.line(Role::Quiet, "    …"));
        }
        let first = group.first().map_or(0, |op| op.old_range().start);
        for line in above(&lines, first) {
            page.push(page.line(Role::Quiet, &format!("    {line}")));
        }
        for change in group.iter().flat_map(|op| op.iter_changes(&lines[..], &others[..])) {
            let (sign, role) = match change.tag() {
                ChangeTag::Delete => ("-", Role::Removed),
                ChangeTag::Insert => ("+", Role::Added),
                ChangeTag::Equal => (" ", Role::Plain),
            };
            let line = page.line(role, &format!("  {sign} {}", change.value()));
            page.push(line);
        }
    }
}

/// Which lines stay, go and come. Asked for by its name, the one algorithm is all that the binary has to hold; by the others'
/// common entrance it would be half a megabyte.
fn compared(before: &[&str], after: &[&str]) -> Vec<DiffOp> {
    let mut found = Compact::new(Replace::new(Capture::new()), before, after);
    match myers::diff(&mut found, before, 0..before.len(), after, 0..after.len()) {
        Ok(()) => found.into_inner().into_inner().into_ops(),
    }
}

/// The fields and list items that a line stands in, outermost first.
fn above<'a>(lines: &[&'a str], line: usize) -> Vec<&'a str> {
    let mut inner = lines.get(line).map_or(Indent { start: 0, key: 0 }, |line| Indent::of(line));
    let mut above = Vec::new();
    for line in lines.iter().take(line).rev() {
        let outer = Indent::of(line);
        if outer.holds(inner) {
            inner = outer;
            above.push(*line);
        }
    }
    above.reverse();
    above
}

/// Where a line begins, and where its key does: behind the dash, of an item of a list.
#[derive(Clone, Copy)]
struct Indent {
    start: usize,
    key: usize,
}

impl Indent {
    fn of(line: &str) -> Self {
        let begins = |blanks: &[char]| line.len() - line.trim_start_matches(blanks).len();
        Self { start: begins(&[' ']), key: begins(&[' ', '-']) }
    }

    const fn is_item(self) -> bool {
        self.start < self.key
    }

    /// Whether it is the nearest field or item that another line further down stands in: items may begin where the name of
    /// their list does, and the further fields of an item begin where its first one does.
    const fn holds(self, inner: Self) -> bool {
        let is_list = inner.is_item() && self.key == inner.start;
        let is_own_item = !inner.is_item() && self.is_item() && self.key == inner.key;
        self.key < inner.start || is_list || is_own_item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "\
spec:
  maxReplicas: 10
  metrics:
  - resource:
      name: memory
    type: Resource
  - external:
      metric:
        name: queue
        selector:
          matchExpressions:
          - key: queue
            operator: Exists
      target:
        type: Value
        value: 100
    type: External
  minReplicas: 1
";

    #[track_caller]
    fn stands_in(line: &str, expected: &[&str]) {
        let lines: Vec<&str> = SPEC.lines().collect();
        let place = lines.iter().position(|it| *it == line).expect("the line is there");
        assert_eq!(above(&lines, place), expected);
    }

    #[test]
    fn a_line_deep_in_a_list_is_shown_with_the_dash_of_its_item() {
        stands_in("        value: 100", &["spec:", "  metrics:", "  - external:", "      target:"]);
        stands_in("    type: External", &["spec:", "  metrics:", "  - external:"]);
        stands_in("  - external:", &["spec:", "  metrics:"]);
        stands_in(
            "            operator: Exists",
            &[
                "spec:",
                "  metrics:",
                "  - external:",
                "      metric:",
                "        selector:",
                "          matchExpressions:",
                "          - key: queue",
            ],
        );
        stands_in("  minReplicas: 1", &["spec:"]);
        stands_in("spec:", &[]);
    }
}
