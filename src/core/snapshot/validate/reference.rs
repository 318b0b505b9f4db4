//! References to objects, and names that stand in a path.

use super::findings::Findings;
use crate::model::go_text::quote;
use crate::model::naming::path_segment;

/// Kind and name of a reference (`ValidateCrossVersionObjectReference`).
pub(super) fn reference(kind: &str, name: &str, path: &str, findings: &mut Findings) {
    for (part, value) in [("kind", kind), ("name", name)] {
        let path = format!("{path}.{part}");
        if value.is_empty() {
            findings.required(path, "");
        } else {
            segment(value, &path, findings);
        }
    }
}

/// A name that stands in a path.
pub(super) fn segment(value: &str, path: &str, findings: &mut Findings) {
    for problem in path_segment(value) {
        findings.invalid(path.to_owned(), quote(value), &problem);
    }
}
