//! API groups.

/// The group that serves a kind now: what began in `extensions` is in `apps` since 1.16, whatever the manifest says.
pub(super) fn served_group(api_version: &str) -> &str {
    match group(api_version) {
        "extensions" => "apps",
        group => group,
    }
}

/// The group of an `apiVersion`.
pub(super) fn group(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}
