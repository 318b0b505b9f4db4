//! A change before it is written, and who would take it back.

use std::io::{self, Write};

use serde::Serialize;
use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{ChangeTag, DiffOp, group_diff_ops};

use crate::edit::{Owner, Sign, Tool};
use crate::render::options::Options;
use crate::render::page::{Page, Role};
use crate::render::view::yaml_lines;

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
        page.note("Owner", Role::Holds, &taken_back(owner));
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

/// The fields that a line stands in, outermost first.
fn above<'a>(lines: &[&'a str], line: usize) -> Vec<&'a str> {
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
    let mut least = lines.get(line).map_or(0, |line| depth(line));
    let mut above = Vec::new();
    for line in lines.iter().take(line).rev() {
        if depth(line) < least {
            least = depth(line);
            above.push(*line);
        }
    }
    above.reverse();
    above
}

/// Who writes it again, and how that is known.
fn taken_back(owner: &Owner) -> String {
    let source = owner.source.as_deref().unwrap_or_default();
    let of = |what: &str| if source.is_empty() { what.to_owned() } else { format!("{what} {source}") };
    let who = match owner.tool {
        Tool::Keda => format!("KEDA writes it again from its {}: change that", or(source, "ScaledObject")),
        Tool::ArgoCd => format!("Argo CD writes it again at its next sync of {}", of("the application")),
        Tool::Flux => {
            format!("Flux writes it again at its next reconciliation of {}", or(source, "its source"))
        }
        Tool::Helm => format!("Helm may write it again at the next upgrade of {}", of("the release")),
        Tool::Controller => format!("{source} controls the object and may write it again"),
        Tool::Applier => format!(
            "{source} set this field by server-side apply: its next one fails, or is forced and takes it back"
        ),
        Tool::KubectlApply => "the next kubectl apply of its manifest writes it again".to_owned(),
        Tool::HpaController => {
            format!(
                "the HPA controller decides on {source} again at its next sync, and may set another number"
            )
        }
    };
    let sign = match &owner.sign {
        Sign::Label(label) => format!(" (label {label})"),
        Sign::Annotation(annotation) => format!(" (annotation {annotation})"),
        Sign::OwnerReference => " (owner reference)".to_owned(),
        Sign::FieldManager(manager) if owner.tool != Tool::Applier => format!(" (field manager {manager})"),
        Sign::FieldManager(_) | Sign::ScaleTargetRef => String::new(),
    };
    format!("{who}{sign}")
}

fn or<'a>(source: &'a str, otherwise: &'a str) -> &'a str {
    if source.is_empty() { otherwise } else { source }
}
