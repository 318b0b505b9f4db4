//! What a write, or the trial of one, found and left.

use serde_json::{Value, json};

use kubectl_hpa_core::edit::otherwise;

/// What a write, or the trial of one, found and left.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    pub before: Value,
    pub after: Value,
}

impl Stored {
    /// What is to come of a write.
    pub fn wanted(before: &Value, wanted: &Value) -> Self {
        Self { before: before.clone(), after: wanted.clone() }
    }

    /// The first field that another object holds otherwise than is shown; `None` where it holds all of it and no more.
    pub fn otherwise_than(&self, found: &Value) -> Option<String> {
        let (shown, found) = (spec(&self.after), spec(found));
        if shown == found {
            return None;
        }
        let more = || Some("it has fields that were not shown".to_owned());
        otherwise(&shown, &Value::Null, &found).or_else(more)
    }
}

/// The part of an object that is written.
pub(super) fn spec(object: &Value) -> Value {
    json!({"spec": object.get("spec")})
}
