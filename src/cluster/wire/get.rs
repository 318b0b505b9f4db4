//! A read to be made, with the words that client-go uses about it.

use super::path::Path;

/// One GET.
#[derive(Clone, Debug)]
pub(in crate::cluster) struct Get {
    pub path: Path,
    pub about: About,
}

/// What client-go puts in brackets behind an error that is not a `Status`: `(get RESOURCE.GROUP NAME)`. Which parts it
/// knows differs by client, for one and the same path.
#[derive(Clone, Debug, Default)]
pub(in crate::cluster) struct About {
    pub group: String,
    pub resource: String,
    pub name: String,
}

impl Get {
    /// A read of a list, or of anything else without a name.
    pub fn list(path: Path, group: &str, resource: &str) -> Self {
        Self::named(path, group, resource, "")
    }

    /// A read of one object.
    pub fn named(path: Path, group: &str, resource: &str, name: &str) -> Self {
        let about = About { group: group.into(), resource: resource.into(), name: name.into() };
        Self { path, about }
    }

    /// The next part of a list.
    pub fn page(&self, token: &str) -> Self {
        Self { path: self.path.clone().parameter("continue", token), about: self.about.clone() }
    }

    /// A read of something that is not a resource.
    pub fn plain(path: &str) -> Self {
        Self { path: Path::plain(path), about: About::default() }
    }
}
