//! A change before it is written, and who would take it back.

use std::io::{self, Write};

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

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
        page.note("Taken back", Role::Holds, &taken_back(owner));
    }
    page.write(out)
}

fn differences(page: &mut Page, before: &str, after: &str) {
    let diff = TextDiff::from_lines(before, after);
    for (place, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if place > 0 {
            page.push(page.line(Role::Quiet, "    …"));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (sign, role) = match change.tag() {
                ChangeTag::Delete => ("-", Role::Removed),
                ChangeTag::Insert => ("+", Role::Added),
                ChangeTag::Equal => (" ", Role::Plain),
            };
            let line = page.line(role, &format!("  {sign} {}", change.value().trim_end_matches('\n')));
            page.push(line);
        }
    }
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
        Tool::Applier => {
            format!("{source} set this field by server-side apply, and sets it again at its next")
        }
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
