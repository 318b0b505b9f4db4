//! What a rule finds.

use serde_json::Value;

use super::Rule;

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What was looked for.
    pub rule: Rule,
    /// How much it hurts: at most as much as its rule.
    pub severity: super::Severity,
    /// The object's place in the list.
    pub object: usize,
    /// The field, as `spec.metrics[0].type`; empty for the whole object.
    pub path: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// The same as a patch, where there is only one way.
    pub fix: Option<Fix>,
    /// Why it does not count, as its HPA's annotation or a file says.
    pub ignored: Option<String>,
    /// Whether a file says so, not the annotation.
    pub is_ignored_by_file: bool,
}

/// A merge patch (RFC 7386) of one object.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The object's place in the list.
    pub object: usize,
    /// The patch.
    pub patch: Value,
    /// Whether it is what was meant, as a name that is misspelled: not one way of several, and no guess.
    pub is_certain: bool,
}

impl Finding {
    /// One without a patch.
    pub(super) fn new(
        rule: Rule,
        object: usize,
        path: impl Into<String>,
        message: String,
        help: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            severity: rule.severity(),
            object,
            path: path.into(),
            message,
            help: help.into(),
            fix: None,
            ignored: None,
            is_ignored_by_file: false,
        }
    }

    /// With a patch of its object.
    pub(super) fn patch(self, patch: Value) -> Self {
        let object = self.object;
        self.patch_of(object, patch)
    }

    /// With a patch of another object.
    pub(super) fn patch_of(self, object: usize, patch: Value) -> Self {
        Self { fix: Some(Fix { object, patch, is_certain: false }), ..self }
    }

    /// The same with a patch of its object that is certain.
    pub(super) fn certain(self, patch: Value) -> Self {
        let mut patched = self.patch(patch);
        patched.fix.iter_mut().for_each(|fix| fix.is_certain = true);
        patched
    }
}
