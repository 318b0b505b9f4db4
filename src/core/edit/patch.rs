//! JSON merge patches (RFC 7386): what `kubectl patch --type merge` takes.

use serde_json::{Map, Value};

/// The patch that turns one value into another; `None` where they are the same. Only what differs stands in it: what is
/// gone as `null`, and a list as a whole.
#[must_use]
pub fn merge_patch(from: &Value, to: &Value) -> Option<Value> {
    if from == to {
        return None;
    }
    let (Value::Object(from), Value::Object(to)) = (from, to) else { return Some(to.clone()) };
    let gone = from.keys().filter(|key| !to.contains_key(*key)).map(|key| (key.clone(), Value::Null));
    let set = to.iter().filter_map(|(key, to)| {
        let from = from.get(key).unwrap_or(&Value::Null);
        Some((key.clone(), merge_patch(from, to)?))
    });
    Some(Value::Object(set.chain(gone).collect::<Map<_, _>>()))
}

/// A value with a merge patch applied.
///
/// Source: RFC 7386, section 2.
#[must_use]
pub fn merged(value: &Value, patch: &Value) -> Value {
    let Value::Object(changes) = patch else { return patch.clone() };
    let mut fields = value.as_object().cloned().unwrap_or_default();
    for (name, change) in changes {
        if change.is_null() {
            fields.shift_remove(name);
        } else {
            let before = fields.get(name).unwrap_or(&Value::Null);
            let after = merged(before, change);
            fields.insert(name.clone(), after);
        }
    }
    Value::Object(fields)
}

/// The fields that a patch sets or removes, each as its path.
#[must_use]
pub fn paths(patch: &Value) -> Vec<Vec<String>> {
    let Value::Object(fields) = patch else { return vec![Vec::new()] };
    let below = fields.iter().flat_map(|(name, value)| {
        paths(value).into_iter().map(move |rest| [vec![name.clone()], rest].concat())
    });
    below.collect()
}

/// A field that a patch would take away unasked, as `spec.metrics[0].resource.newField`: it stands in a list that the patch
/// writes as a whole, and our copy of what is stored lacks it.
#[must_use]
pub fn lost(patch: &Value, stored: &Value, copy: &Value) -> Option<String> {
    match patch {
        Value::Object(patch) => patch.iter().find_map(|(name, below)| {
            let lost = lost(below, stored.get(name)?, copy.get(name)?)?;
            Some(joined(name, &lost))
        }),
        Value::Array(_) => unknown_field(stored, copy),
        _ => None,
    }
}

/// The path of a field below another field; an empty path is the other field itself.
#[must_use]
pub fn joined(name: &str, below: &str) -> String {
    let dot = if below.is_empty() || below.starts_with('[') { "" } else { "." };
    format!("{name}{dot}{below}")
}

/// A field that a copy lacks.
fn unknown_field(stored: &Value, copy: &Value) -> Option<String> {
    match (stored, copy) {
        (Value::Object(stored), Value::Object(copy)) => stored.iter().find_map(|(name, value)| {
            let Some(ours) = copy.get(name) else {
                return (!value.is_null()).then(|| name.clone());
            };
            Some(joined(name, &unknown_field(value, ours)?))
        }),
        (Value::Array(stored), Value::Array(copy)) => {
            stored.iter().zip(copy).enumerate().find_map(|(place, (stored, copy))| {
                Some(format!("[{place}].{}", unknown_field(stored, copy)?))
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{lost, merge_patch, paths};

    #[test]
    fn a_patch_leads_from_one_value_to_the_other_and_holds_no_more() {
        let values = [
            json!({}),
            json!({"min": 2, "max": 10, "metrics": [{"cpu": 50}]}),
            json!({"max": 20, "metrics": [{"cpu": 50}]}),
            json!({"max": 20, "metrics": [{"cpu": 50}, {"memory": 1}], "behavior": {"up": {"window": 0}}}),
            json!({"max": 20, "metrics": [], "behavior": {"up": {"window": 3}, "down": {"policies": [1]}}}),
        ];
        for from in &values {
            for to in &values {
                let patch = merge_patch(from, to);
                assert_eq!(patch.is_none(), from == to);
                let mut merged = from.clone();
                json_patch::merge(&mut merged, &patch.unwrap_or(json!({})));
                assert_eq!(merged, *to, "{from} to {to}");
            }
        }
        assert_eq!(merge_patch(&values[1], &values[2]), Some(json!({"max": 20, "min": null})));
    }

    #[test]
    fn the_fields_of_a_patch_are_told_by_their_names() {
        let patch = json!({"spec": {"max": 3, "behavior": {"up": null}}});
        assert_eq!(paths(&patch), [vec!["spec", "max"], vec!["spec", "behavior", "up"]]);
    }

    #[test]
    fn what_a_list_would_lose_is_found() {
        let copy = json!({"spec": {"max": 3, "metrics": [{"type": "Resource"}, {"type": "Pods"}]}});
        let patch = json!({"spec": {"max": 4, "metrics": []}});
        assert_eq!(lost(&patch, &copy, &copy), None);
        let stored =
            json!({"spec": {"newer": 1, "metrics": [{"type": "Resource"}, {"type": "Pods", "newer": 1}]}});
        assert_eq!(lost(&patch, &stored, &copy).as_deref(), Some("spec.metrics[1].newer"));
        // A patch of other fields leaves it where it is.
        assert_eq!(lost(&json!({"spec": {"max": 4}}), &stored, &copy), None);
    }
}
