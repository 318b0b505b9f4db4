//! Whether what an API server answers to a write is what was written.

use serde_json::Value;

use crate::model::Quantity;

/// Which object is written.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    /// `HorizontalPodAutoscaler`, `Scale`.
    pub kind: &'a str,
    /// The namespace.
    pub namespace: &'a str,
    /// The name.
    pub name: &'a str,
    /// What tells it from another one of the same name; empty where that is not known.
    pub uid: &'a str,
}

impl Identity<'_> {
    /// What an answer is instead of the object; `None` where it is the object.
    #[must_use]
    pub fn other(&self, answer: &Value) -> Option<String> {
        if !answer.is_object() {
            return Some(format!("the answer is {}, not a {}", shown(answer), self.kind));
        }
        let text = |path: &str| answer.pointer(path).and_then(Value::as_str).unwrap_or_default();
        if text("/kind") == "Status" && self.kind != "Status" {
            return Some(format!("the answer is a Status: {}", shown(&answer["message"])));
        }
        let fields = [
            ("kind", text("/kind"), self.kind),
            ("namespace", text("/metadata/namespace"), self.namespace),
            ("name", text("/metadata/name"), self.name),
            ("uid", text("/metadata/uid"), self.uid),
        ];
        let other = fields.into_iter().find(|(_, found, expected)| found != expected)?;
        let (field, found, expected) = other;
        Some(format!("the answer is another object: its {field} is {found:?}, not {expected:?}"))
    }
}

/// The first field of a patch that an object holds otherwise, as `spec.maxReplicas is 30, not 40`. What a patch takes away
/// may come back as the API server's default, and what it sets may have defaults beside it. Or the first field of the spec that
/// the patch does not name and that is not as before.
#[must_use]
pub fn otherwise(patch: &Value, before: &Value, after: &Value) -> Option<String> {
    let beside = || beside(patch.get("spec"), before.get("spec")?, after.get("spec"), "spec");
    differs(patch, Some(before), Some(after), "").or_else(beside)
}

/// A field that was there, and that a patch leaves alone.
fn beside(patch: Option<&Value>, before: &Value, after: Option<&Value>, at: &str) -> Option<String> {
    match (patch, before) {
        (None, before) => after.is_none_or(|after| !is_same(before, after)).then(|| {
            format!("{at} is {}, not {}", after.map_or_else(|| "absent".into(), shown), shown(before))
        }),
        (Some(Value::Object(patch)), Value::Object(before)) => before.iter().find_map(|(name, before)| {
            beside(patch.get(name), before, after.and_then(|after| after.get(name)), &joined(at, name))
        }),
        (Some(_), _) => None,
    }
}

fn differs(patch: &Value, before: Option<&Value>, after: Option<&Value>, at: &str) -> Option<String> {
    match (patch, after) {
        (Value::Null, None | Some(Value::Null)) => None,
        (Value::Null, Some(after)) => {
            (before == Some(after)).then(|| format!("{at} is still {}", shown(after)))
        }
        (Value::Object(fields), Some(Value::Object(_))) => fields.iter().find_map(|(name, patch)| {
            let [before, after] = [before, after].map(|side| side.and_then(|side| side.get(name)));
            differs(patch, before, after, &joined(at, name))
        }),
        (Value::Array(items), Some(Value::Array(stored))) if items.len() == stored.len() => {
            // API servers before 1.27 move a utilization of cpu to the end of the metrics.
            let is_there = |item| stored.iter().any(|stored| differs(item, None, Some(stored), "").is_none());
            let mut pairs = items.iter().zip(stored).enumerate().filter(|(_, (item, _))| !is_there(*item));
            pairs.find_map(|(place, (item, stored))| {
                differs(item, None, Some(stored), &format!("{at}[{place}]"))
            })
        }
        (patch, Some(after)) if is_equal(patch, after) => None,
        (patch, after) => {
            Some(format!("{at} is {}, not {}", after.map_or_else(|| "absent".into(), shown), shown(patch)))
        }
    }
}

/// API servers before 1.27 move a utilization of cpu to the end of the metrics.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().all(|item| other.contains(item))
        }
        (one, other) => one == other,
    }
}

/// The API server prints quantities in its own form.
fn is_equal(one: &Value, other: &Value) -> bool {
    let quantity = |value: &Value| value.as_str().and_then(|text| Quantity::parse(text).ok());
    one == other
        || matches!((quantity(one), quantity(other)), (Some(one), Some(other)) if one.cmp(&other).is_eq())
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// How much of a foreign value is quoted.
const LONGEST: usize = 200;

fn shown(value: &Value) -> String {
    let text = value.to_string();
    let mut head: String = text.chars().take(LONGEST).collect();
    if head.len() < text.len() {
        head.push('…');
    }
    head
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Identity, otherwise};

    #[test]
    fn an_answer_that_is_not_the_object_is_named() {
        let identity = Identity { kind: "Scale", namespace: "shop", name: "web", uid: "a" };
        let object = json!({"kind": "Scale", "metadata": {"namespace": "shop", "name": "web", "uid": "a"}});
        assert_eq!(identity.other(&object), None);
        let changed = |path: &str, value: Value| {
            let mut object = object.clone();
            *object.pointer_mut(path).expect("the field") = value;
            identity.other(&object).unwrap_or_default()
        };
        for (words, told) in [
            ("the answer is [], not a Scale", identity.other(&json!([])).unwrap_or_default()),
            ("the answer is null, not a Scale", identity.other(&Value::Null).unwrap_or_default()),
            ("kind is \"\", not \"Scale\"", identity.other(&json!({})).unwrap_or_default()),
            (
                "a Status: \"no\"",
                identity.other(&json!({"kind": "Status", "message": "no"})).unwrap_or_default(),
            ),
            ("kind is \"Foo\", not \"Scale\"", changed("/kind", json!("Foo"))),
            ("namespace is \"other\"", changed("/metadata/namespace", json!("other"))),
            ("name is \"api\", not \"web\"", changed("/metadata/name", json!("api"))),
            ("uid is \"b\", not \"a\"", changed("/metadata/uid", json!("b"))),
        ] {
            assert!(told.contains(words), "{words}: {told}");
        }
    }

    #[test]
    fn a_field_that_is_stored_otherwise_is_named_with_both_values() {
        let before = json!({"spec": {"max": 10, "min": 3}});
        let patch = json!({"spec": {"max": 40, "min": null, "list": [{"value": "1000m"}]}});
        let stored = |spec: Value| otherwise(&patch, &before, &json!({ "spec": spec }));
        assert_eq!(stored(json!({"max": 40, "min": 1, "list": [{"value": "1", "default": true}]})), None);
        assert_eq!(stored(json!({"max": 40, "list": [{"value": "1"}]})), None);
        for (spec, words) in [
            (json!({"max": 30, "list": [{"value": "1"}]}), "spec.max is 30, not 40"),
            (json!({"list": [{"value": "1"}]}), "spec.max is absent, not 40"),
            (json!({"max": 40, "min": 3, "list": [{"value": "1"}]}), "spec.min is still 3"),
            (json!({"max": 40, "list": [{"value": "2"}]}), "spec.list[0].value is \"2\", not \"1000m\""),
            (json!({"max": 40, "list": []}), "spec.list is [], not [{\"value\":\"1000m\"}]"),
        ] {
            assert_eq!(stored(spec).as_deref(), Some(words));
        }
        assert_eq!(
            otherwise(&patch, &before, &json!({})).as_deref(),
            Some("spec is absent, not {\"max\":40,\"min\":null,\"list\":[{\"value\":\"1000m\"}]}")
        );
    }

    #[test]
    fn a_field_that_the_patch_leaves_alone_must_be_as_it_was() {
        let before = json!({"spec": {"max": 10, "min": 3, "target": {"name": "web"}, "behavior": {"down": {"window": 300}}}});
        let patch = json!({"spec": {"max": 40, "behavior": {"down": {"select": "Max"}}}});
        let stored = |spec: Value| otherwise(&patch, &before, &json!({ "spec": spec }));
        let down = json!({"down": {"window": 300, "select": "Max", "tolerance": null}});
        let as_shown = json!({"max": 40, "min": 3, "target": {"name": "web"}, "behavior": down, "more": 1});
        assert_eq!(stored(as_shown.clone()), None);
        let changed = |path: &str, value: Value| {
            let mut spec = as_shown.clone();
            *spec.pointer_mut(path).expect("the field") = value;
            stored(spec)
        };
        assert_eq!(changed("/min", json!(2)).as_deref(), Some("spec.min is 2, not 3"));
        assert_eq!(
            changed("/target", json!(null)).as_deref(),
            Some("spec.target is null, not {\"name\":\"web\"}")
        );
        assert_eq!(
            changed("/behavior/down/window", json!(0)).as_deref(),
            Some("spec.behavior.down.window is 0, not 300")
        );
    }
}
