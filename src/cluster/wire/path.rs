//! The API path of a read, escaped as Go escapes it, so that it is the very path that the controller asks.

use std::fmt::Write;

/// An API path with its query, built up segment by segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cluster) struct Path {
    text: String,
    has_query: bool,
    namespace: String,
}

impl Path {
    /// The root of an API group's version: `/apis/GROUP/VERSION`, or `/api/v1` for the core group.
    pub fn of(group: &str, version: &str) -> Self {
        let root = if group.is_empty() { "/api" } else { "/apis" };
        let path = Self::plain(root);
        if group.is_empty() { path.segment(version) } else { path.segment(group).segment(version) }
    }

    /// A path that is not of a group.
    pub fn plain(text: &str) -> Self {
        Self { text: text.into(), has_query: false, namespace: String::new() }
    }

    /// Goes into a namespace.
    pub fn namespace(self, namespace: &str) -> Self {
        Self { namespace: namespace.into(), ..self.segment("namespaces").segment(namespace) }
    }

    /// The namespace that it is in; empty where it is in none.
    pub fn in_namespace(&self) -> &str {
        &self.namespace
    }

    /// Adds one segment.
    pub fn segment(mut self, segment: &str) -> Self {
        self.text.push('/');
        escape(&mut self.text, segment, |byte| {
            matches!(byte, b'$' | b'&' | b'+' | b',' | b':' | b';' | b'=' | b'@')
        });
        self
    }

    /// Adds a parameter to the query, unless it is empty. Go sorts parameters by name: so must the caller.
    pub fn parameter(mut self, name: &str, value: &str) -> Self {
        if value.is_empty() {
            return self;
        }
        self.text.push(if self.has_query { '&' } else { '?' });
        self.has_query = true;
        escape(&mut self.text, name, |_| false);
        self.text.push('=');
        for (index, word) in value.split(' ').enumerate() {
            if index > 0 {
                self.text.push('+');
            }
            escape(&mut self.text, word, |_| false);
        }
        self
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Go's `net/url` escapes all but unreserved characters and, by place, a few more.
fn escape(into: &mut String, text: &str, stays: impl Fn(u8) -> bool) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') || stays(byte) {
            into.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(into, "%{byte:02X}");
        }
    }
}
