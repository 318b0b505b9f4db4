//! A version of Kubernetes, as far as the rules distinguish versions.

/// A release of major 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Release {
    /// The minor.
    pub minor: u32,
    /// The patch; the highest number where only the minor is known.
    pub patch: u32,
}

impl Release {
    /// Reads `v1.31.5`, `1.31`, `1.31+` (as some providers write the minor) and `v1.31.5-gke.100`.
    pub fn parse(version: &str) -> Option<Self> {
        let mut parts = version.strip_prefix('v').unwrap_or(version).split('.');
        if parts.next() != Some("1") {
            return None;
        }
        let minor = parts.next()?.trim_end_matches('+').parse().ok()?;
        let patch = parts.next().map_or(Some(u32::MAX), leading_number)?;
        Some(Self { minor, patch })
    }

    /// Whether a fix is in it that came with a minor and was taken back into these patches of older ones.
    pub fn has(self, minor: u32, backports: &[(u32, u32)]) -> bool {
        self.minor >= minor
            || backports.iter().any(|&(minor, patch)| self.minor == minor && self.patch >= patch)
    }
}

/// The number before whatever a provider adds to it.
fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}
