//! The kind of an object, and of those in a list.

use serde_json::Value;

/// The kind that an object says it is.
#[derive(Clone, Default)]
pub struct TypeMeta {
    /// Group and version, as `apps/v1`.
    pub api_version: String,
    /// Kind, as `Deployment`.
    pub kind: String,
}

impl TypeMeta {
    /// That of an object; empty where it says nothing.
    #[must_use]
    pub fn of(object: &Value) -> Self {
        let text = |field: &str| object.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { api_version: text("apiVersion"), kind: text("kind") }
    }

    /// The API group; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// The kind of the items of a list; those of kubectl's `List` say it themselves.
    #[must_use]
    pub fn of_items(&self) -> Option<Self> {
        let kind = self.kind.strip_suffix("List")?;
        Some(Self { kind: kind.to_owned(), api_version: self.api_version.clone() })
    }

    /// Writes it into an object.
    pub fn write(&self, object: &mut Value) {
        let Some(object) = object.as_object_mut() else { return };
        for (field, text) in [("apiVersion", &self.api_version), ("kind", &self.kind)] {
            object.insert(field.to_owned(), Value::String(text.clone()));
        }
    }
}
