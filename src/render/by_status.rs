//! Rows that are known from the status alone, and why.

/// Why a state is that of the last status: what the controller reads could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByStatus {
    /// What came instead, in a few words.
    pub why: String,
    /// Whether rights would help.
    pub lacks_rights: bool,
}

impl ByStatus {
    /// What would help, to end a line about it; empty where nothing would.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        if self.lacks_rights { "; kubectl hpa rbac prints the rights" } else { "" }
    }
}
