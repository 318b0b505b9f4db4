//! A read to be made, with the words that client-go uses about it.

use super::path::Path;

/// Items in one page, as kubectl asks for.
const PAGE: &str = "500";

/// One GET.
#[derive(Clone, Debug)]
pub(in crate::cluster) struct Get {
    pub path: Path,
    pub about: About,
    /// True for a list that is asked for in pages.
    pub has_pages: bool,
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
        Self { path, about, has_pages: false }
    }

    /// A read of that list in pages.
    pub fn paged(self) -> Self {
        Self { has_pages: true, ..self }
    }

    /// The path that is asked for first. Whatever the form, an error is that of the path.
    pub fn first(&self) -> Path {
        if self.has_pages { self.path.clone().parameter("limit", PAGE) } else { self.path.clone() }
    }

    /// The path that is asked for next, after a part that ends with a token.
    pub fn next(&self, token: &str) -> Path {
        self.first().parameter("continue", token)
    }

    /// A read of something that is not a resource.
    pub fn plain(path: &str) -> Self {
        Self::named(Path::plain(path), "", "", "")
    }

    /// The resource that it is about, with its group, or the path of what is no resource.
    pub fn resource(&self) -> String {
        let About { group, resource, .. } = &self.about;
        if resource.is_empty() { self.path.as_str().to_owned() } else { format!("{resource}.{group}") }
    }
}
