//! YAML within bounds.

use serde_yaml::budget::BudgetBreach;
use serde_yaml::options::DuplicateKeyPolicy;
use serde_yaml::{Error, MergeKeyPolicy, Options, alias_limits, budget, options};

/// Largest document, in bytes: pods by the ten thousand as an API server lists them.
pub(super) const MAX_DOCUMENT: usize = 256 << 20;
/// Deepest nesting.
const MAX_DEPTH: usize = 64;
/// Most values, keys among them: what is read in about six seconds. Fifty thousand pods as a case keeps them are four million.
pub(super) const MAX_VALUES: usize = 6_000_000;

/// How a document is read: within bounds of time, and of what anchors and aliases make of it, so that a small file cannot
/// grow. Scalars mean what they mean to kubectl.
pub(super) fn bounds() -> Options {
    options! {
        budget: budget! {
            max_events: 2 * MAX_VALUES,
            max_nodes: MAX_VALUES,
            max_depth: MAX_DEPTH,
            max_documents: 1,
            max_aliases: 20_000,
            max_anchors: 1_000,
            max_merge_keys: 20_000,
            max_total_scalar_bytes: MAX_DOCUMENT,
            enforce_alias_anchor_ratio: false,
        },
        alias_limits: alias_limits! { max_total_replayed_events: 500_000 },
        merge_keys: MergeKeyPolicy::Merge,
        legacy_octal_numbers: true,
        emit_comments: false,
        with_snippet: false,
    }
}

/// Deepest nesting of an object of any kind: the schemas of custom resources are nested deeply.
const DEEPEST: usize = 200;

/// How a manifest of any kind is read. Of two fields of one name the later counts, as to kubectl.
pub(super) fn lenient() -> Options {
    let mut options = bounds();
    options.duplicate_keys = DuplicateKeyPolicy::LastWins;
    if let Some(budget) = &mut options.budget {
        budget.max_depth = DEEPEST;
    }
    options
}

/// Whether a bound was met: the same again would take as long.
pub(super) fn is_bound(error: &Error) -> bool {
    match error {
        Error::AliasError { error, .. } => is_bound(error),
        Error::Budget { .. } | Error::AliasReplayLimitExceeded { .. } => true,
        _ => false,
    }
}

/// What an error says, without its place.
pub(super) fn words(error: &Error) -> String {
    match error {
        Error::AliasError { error, .. } => words(error),
        Error::Budget { breach, .. } => breach_words(breach),
        Error::AliasReplayLimitExceeded { .. } => MANY_ALIASES.to_owned(),
        Error::DuplicateMappingKey { key, .. } => {
            format!("duplicate key `{}`", key.as_deref().unwrap_or_default())
        }
        Error::NonFiniteFloat { value, .. } => format!("`{value}` is not a finite number"),
        Error::NullIntoString { .. } => "must be a string, not null".to_owned(),
        Error::Unexpected { expected, .. } => format!("must be {}", expected_words(expected)),
        Error::MultipleDocuments { .. } => MANY_DOCUMENTS.to_owned(),
        _ => without_place(&error.to_string()),
    }
}

const MANY_DOCUMENTS: &str = "more than one document without a line `---` between them";
const MANY_ALIASES: &str = "more aliases of anchors than a case can need";

fn breach_words(breach: &BudgetBreach) -> String {
    match breach {
        BudgetBreach::Documents { .. } => MANY_DOCUMENTS.to_owned(),
        BudgetBreach::Depth { depth } => format!("nested deeper than {} levels", depth.saturating_sub(1)),
        BudgetBreach::Aliases { .. } | BudgetBreach::Anchors { .. } | BudgetBreach::MergeKeys { .. } => {
            MANY_ALIASES.to_owned()
        }
        BudgetBreach::Events { .. } | BudgetBreach::Nodes { .. } => {
            format!("more than {MAX_VALUES} values in YAML; as JSON it can have more")
        }
        _ => format!("larger than a case can be ({breach:?})"),
    }
}

fn expected_words(expected: &str) -> &str {
    match expected {
        "mapping start" => "an object",
        "sequence start" => "a list",
        "string scalar" => "a string",
        other => other,
    }
}

/// The parser ends its first line with the place.
fn without_place(words: &str) -> String {
    let line = words.lines().next().unwrap_or_default();
    line.rsplit_once(" at line ").map_or(line, |(words, _)| words).to_owned()
}
