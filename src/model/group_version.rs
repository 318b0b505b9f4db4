//! Provisional.
/// Group and version.
pub struct GroupVersion;
impl GroupVersion {
    /// Parses.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.matches('/').count() > 1 { Err(format!("unexpected GroupVersion string: {text}")) } else { Ok(Self) }
    }
}
