//! API groups and versions, such as `apps/v1`.
use std::fmt;

use thiserror::Error;

/// An API group and a version of it; the core group is empty.
///
/// Source: `schema.GroupVersion`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupVersion {
    /// Such as `apps`; empty for the core group.
    pub group: Box<str>,
    /// Such as `v1`.
    pub version: Box<str>,
}

/// A text with more than one slash, in the words of Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unexpected GroupVersion string: {0}")]
pub struct GroupVersionError(Box<str>);

impl GroupVersion {
    /// Reads `group/version` or `version`. Nothing is validated but the number of slashes.
    ///
    /// Source: `schema.ParseGroupVersion`.
    ///
    /// # Errors
    /// When there is more than one slash.
    pub fn parse(text: &str) -> Result<Self, GroupVersionError> {
        let (group, version) = Self::split(text)?;
        Ok(Self { group: group.into(), version: version.into() })
    }

    /// The group and the version of a text.
    ///
    /// # Errors
    /// When there is more than one slash.
    pub fn split(text: &str) -> Result<(&str, &str), GroupVersionError> {
        match text.split_once('/') {
            _ if text == "/" => Ok(("", "")),
            None => Ok(("", text)),
            Some((_, rest)) if rest.contains('/') => Err(GroupVersionError(text.into())),
            Some(parts) => Ok(parts),
        }
    }
}

impl fmt::Display for GroupVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() {
            f.write_str(&self.version)
        } else {
            write!(f, "{}/{}", self.group, self.version)
        }
    }
}
