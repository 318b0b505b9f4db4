//! What a version is called.

use kubectl_hpa_core::rules::Rules;

/// A version, and by which rules it is decided where it has none of its own.
pub(super) fn named(version: &str, rules: &Rules) -> String {
    if Rules::is_beyond(version) {
        format!("{version}, by the rules of {}", rules.row)
    } else {
        version.to_owned()
    }
}
