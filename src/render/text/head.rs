//! The first two lines: what this is about, and the answer.

use crate::model::Evidence;
use crate::render::explanation::Explanation;
use crate::render::page::{Page, Role};
use crate::render::phrases::answer::answer;
use crate::rules::Rules;
use crate::snapshot::Controller;

/// The least column in which the right halves begin.
const COLUMN: usize = 32;

/// What this is about, alone.
pub(super) fn subject(page: &mut Page, explanation: Explanation<'_>) {
    let key = &explanation.snapshot.hpa.key;
    let subject = format!("{}/{} → {}", key.namespace, key.name, explanation.target());
    let subject = page.line(Role::Title, &subject);
    page.beside_at(&subject, COLUMN, Role::Quiet, &about(explanation));
}

pub(super) fn section(page: &mut Page, explanation: Explanation<'_>) {
    let key = &explanation.snapshot.hpa.key;
    let subject = format!("{}/{} → {}", key.namespace, key.name, explanation.target());
    let answer = answer(explanation);
    let subject = page.line(Role::Title, &subject);
    let left = page.line(answer.role, &answer.left);
    let column = (subject.width().max(left.width()) + 3).max(COLUMN);
    page.beside_at(&subject, column, Role::Quiet, &about(explanation));
    page.beside_at(&left, column, Role::Plain, &answer.right);
}

fn about(explanation: Explanation<'_>) -> String {
    let now = explanation.now().to_string();
    let now = now.replace('T', "\u{a0}").replace('Z', "\u{a0}UTC");
    let controller = &explanation.snapshot.controller;
    format!(
        "controller {} · {} · {now}",
        version(explanation, controller),
        settings(controller.weakest_evidence())
    )
}

fn version(explanation: Explanation<'_>, controller: &Controller) -> String {
    let version = &controller.version.value;
    if Rules::is_beyond(version) {
        format!("{version}, by the rules of {}", explanation.rules.row)
    } else if controller.version.evidence == Evidence::Assumed {
        format!("{version} (assumed)")
    } else {
        version.to_string()
    }
}

fn settings(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Given => "settings given",
        Evidence::Observed => "settings from kube-controller-manager",
        Evidence::Inferred => "settings inferred",
        Evidence::Assumed => "settings assumed (defaults)",
        Evidence::Unknown => "settings unknown",
    }
}
