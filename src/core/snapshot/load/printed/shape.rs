//! How text for people looks that kubectl prints.

/// As far as the lines show that were seen one after the other: text for people, or not.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Shape {
    /// There is nothing yet.
    #[default]
    Open,
    /// The first line may begin an HPA.
    Named,
    Text,
    Other,
}

impl Shape {
    pub fn see(&mut self, line: &[u8]) {
        let Ok(line) = std::str::from_utf8(line) else { return };
        *self = match self {
            Self::Open if is_passed_over(line) || line.trim_start().starts_with('#') => Self::Open,
            Self::Open if is_table(line) => Self::Text,
            Self::Open if is_name(line) => Self::Named,
            Self::Open => Self::Other,
            Self::Named if line.trim_start().starts_with("Reference:") => Self::Text,
            Self::Named | Self::Text | Self::Other => *self,
        }
    }
}

/// True if a line of YAML or JSON begins another document after text.
pub fn begins_object(line: &[u8]) -> bool {
    line.starts_with(b"{") || line.starts_with(b"apiVersion:")
}

/// True if a line begins text, after whatever.
pub fn begins_text(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| is_name(line) || is_table(line))
}

/// True if an HPA begins.
pub(super) fn is_name(line: &str) -> bool {
    line.trim_start().strip_prefix("Name:").is_some_and(|name| name.starts_with("  "))
}

const COLUMNS: [&str; 6] = ["NAMESPACE", "POD", "NAME", "CPU(cores)", "MEMORY(bytes)", "SWAP(bytes)"];

/// True if the table of pods begins; that of nodes has more columns.
pub(super) fn is_table(line: &str) -> bool {
    let is_known = || line.split_whitespace().all(|word| COLUMNS.contains(&word));
    line.contains("NAME ") && line.contains(" CPU(cores) ") && line.contains(" MEMORY(bytes)") && is_known()
}

/// A blank line, a fence of Markdown, the command before what it prints, or a warning of the API server.
pub(super) fn is_passed_over(line: &str) -> bool {
    let line = line.trim();
    let is_command = || ["kubectl describe ", "kubectl top "].iter().any(|command| line.contains(command));
    line.is_empty() || ["```", "$ ", "Warning: "].iter().any(|it| line.starts_with(it)) || is_command()
}
