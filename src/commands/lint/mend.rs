//! A fix, written into the text of its file: comments and order stay.
//!
//! What comes out is read again. Only if it has the same objects as before, and the one that is mended is as the patch makes it,
//! is it taken; so nothing is lost by a text that the editor does not understand.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::Value;
use yaml_edit::path::YamlPath;
use yaml_edit::{Document, YamlFile};

use kubectl_hpa_core::edit::merged;
use kubectl_hpa_core::snapshot::{Objects, Position, Written};

/// The text of a file with merge patches of the objects that begin at these places, each of another; `None` if they cannot be
/// written, or not without the loss of a comment.
pub fn mended(text: &str, patches: &BTreeMap<Position, &Value>) -> Option<String> {
    let mut before = objects(text)?;
    let file = YamlFile::from_str(text).ok()?;
    let begins: Vec<(u64, Document)> = file.documents().map(|it| (line(&it, text), it)).collect();
    let comments = file.comments().count();
    let (mut may_go, mut found) = (0, 0);
    for number in 0..before.len() {
        let at = before[number].at("");
        let Some(patch) = patches.get(&at) else { continue };
        let wanted = merged(&before[number].value, patch);
        let (begin, document) = begins.iter().rfind(|(begin, _)| *begin <= at.line)?;
        let item = document
            .get_sequence("items")
            .map(|_| before.iter().take(number).filter(|it| it.at("").line >= *begin).count());
        let prefix = item.map_or_else(String::new, |item| format!("items[{item}]"));
        for change in changes(&prefix, &before[number].value, &wanted) {
            // A field that goes takes the comment at its end along.
            may_go += usize::from(matches!(change, Change::Remove { .. }) && removes(patch));
            change.apply(document)?;
        }
        before[number].value = wanted;
        found += 1;
    }
    let text_then = file.to_string();
    let comments_then = YamlFile::from_str(&text_then).ok()?.comments().count();
    if found < patches.len() || comments_then + may_go < comments {
        return None;
    }
    let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok();
    let then = objects(&text_then)?;
    let expected = before.iter().map(|it| &it.value);
    let is_right = then.iter().map(|it| &it.value).eq(expected) && is_json(text) == is_json(&text_then);
    is_right.then_some(text_then)
}

/// Whether a merge patch takes a field away.
fn removes(patch: &Value) -> bool {
    patch.is_null() || patch.as_object().is_some_and(|fields| fields.values().any(removes))
}

fn objects(text: &str) -> Option<Vec<Written>> {
    Objects::new("", text.as_bytes()).collect::<Result<_, _>>().ok()
}

fn line(document: &Document, text: &str) -> u64 {
    u64::try_from(document.start_position(text).line).unwrap_or(u64::MAX)
}

/// One change of one field.
enum Change {
    Set {
        path: String,
        to: Value,
    },
    Remove {
        path: String,
    },
    /// Another name for a field that stays where it is.
    Rename {
        of: String,
        from: String,
        to: String,
    },
}

/// A path with one more field.
fn field(path: &str, name: &str) -> String {
    let dot = if path.is_empty() { "" } else { "." };
    let name = name.replace('\\', "\\\\").replace('.', "\\.").replace('[', "\\[");
    format!("{path}{dot}{name}")
}

/// What makes one value of another: as few and as small changes as there can be.
fn changes(path: &str, from: &Value, to: &Value) -> Vec<Change> {
    match (from, to) {
        _ if from == to => Vec::new(),
        (Value::Object(from), Value::Object(to)) => {
            let gone: Vec<_> = from.iter().filter(|(name, _)| !to.contains_key(*name)).collect();
            let new: Vec<_> = to.iter().filter(|(name, _)| !from.contains_key(*name)).collect();
            let stays = to.iter().filter_map(|(name, to)| Some((name, from.get(name)?, to)));
            let stays = stays.flat_map(|(name, from, to)| changes(&field(path, name), from, to));
            // A part of another name keeps its fields, and their comments.
            if let ([(old, from @ Value::Object(_))], [(name, to @ Value::Object(_))]) =
                (gone.as_slice(), new.as_slice())
            {
                let (of, old, name) = (path.to_owned(), (*old).clone(), (*name).clone());
                let below = changes(&field(path, &name), from, to);
                let renamed = Change::Rename { of, from: old, to: name };
                return stays.chain([renamed]).chain(below).collect();
            }
            let set = new.iter().map(|(name, to)| Change::Set { path: field(path, name), to: (*to).clone() });
            // What comes goes below what stays, so it is written before the rest goes.
            let removed = gone.iter().map(|(name, _)| Change::Remove { path: field(path, name) });
            stays.chain(set).chain(removed).collect()
        }
        (Value::Array(from), Value::Array(to)) if from.len() == to.len() => {
            let items = from.iter().zip(to).enumerate();
            items.flat_map(|(index, (from, to))| changes(&format!("{path}[{index}]"), from, to)).collect()
        }
        _ => vec![Change::Set { path: path.to_owned(), to: to.clone() }],
    }
}

impl Change {
    fn apply(self, document: &Document) -> Option<()> {
        match self {
            Self::Set { path, to } => set(document, &path, &to),
            Self::Remove { path } => document.try_remove_path(&path).ok().map(drop),
            Self::Rename { of, from, to } if of.is_empty() => document.rename_key(from, to).then_some(()),
            Self::Rename { of, from, to } => {
                let whole = document.try_get_path(&of).ok()?;
                whole.as_mapping()?.rename_key(from, to).then_some(())
            }
        }
    }
}

fn set(document: &Document, path: &str, to: &Value) -> Option<()> {
    let is_set = match to {
        Value::String(text) => document.try_set_path(path, text.as_str()),
        Value::Bool(it) => document.try_set_path(path, *it),
        Value::Number(it) => document.try_set_path(path, it.as_i64()?),
        to => {
            let value = Document::from_str(&serde_yaml::to_string(to).ok()?).ok()?;
            match (value.as_mapping(), value.as_sequence()) {
                (Some(it), _) => document.try_set_path(path, it),
                (_, Some(it)) => document.try_set_path(path, it),
                _ => return None,
            }
        }
    };
    is_set.ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use kubectl_hpa_core::edit::merged;
    use kubectl_hpa_core::lint::{Rule, lint};
    use kubectl_hpa_core::snapshot::Position;
    use serde_json::{Value, json};

    use super::objects;

    fn mended(text: &str, at: Position, patch: &Value) -> Option<String> {
        super::mended(text, &BTreeMap::from([(at, patch)]))
    }

    /// Each patch that a rule has is written into the example of the rule, and each comment stays that is on a line that stays.
    #[test]
    fn each_patch_of_each_example_is_written_and_comments_stay() {
        let mut written = 0;
        for rule in Rule::ALL {
            let text = fs::read_to_string(format!("tests/lint/{rule}.bad.yaml")).expect("an example");
            let all = objects(&text).expect("objects");
            for finding in lint(&all) {
                let Some(fix) = &finding.fix else { continue };
                let object = &all[fix.object];
                let then = mended(&text, object.at(""), &fix.patch);
                let then = then.unwrap_or_else(|| panic!("{rule}: {}", fix.patch));
                assert_eq!(
                    objects(&then).expect("objects")[fix.object].value,
                    merged(&object.value, &fix.patch)
                );
                let comments = |text: &str| text.matches(" # finds: ").count();
                let is_gone = fix.patch.to_string().contains("null");
                assert!(comments(&then) >= comments(&text) - usize::from(is_gone), "{rule}\n{then}");
                written += 1;
            }
        }
        assert!(written > 20, "{written}");
    }

    const HPA: &str = "apiVersion: autoscaling/v2beta2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web} # its name\nspec:\n  \
                       maxReplicas: 4\n";

    fn to_v2(text: &str, object: usize) -> Option<String> {
        let at = objects(text).expect("objects")[object].at("");
        mended(text, at, &json!({"apiVersion": "autoscaling/v2"}))
    }

    /// The second document, an item of a list, JSON, lines that end as on Windows.
    #[test]
    fn only_the_object_that_is_meant_changes() {
        let two = format!("# first\n{HPA}---\n# second\n{HPA}");
        let expected = format!("# first\n{HPA}---\n# second\n{}", HPA.replace("v2beta2", "v2"));
        assert_eq!(to_v2(&two, 1), Some(expected));
        let item = |version: &str| {
            format!(
                "- apiVersion: autoscaling/{version}\n  kind: HorizontalPodAutoscaler\n  metadata: {{name: web}}\n  spec: {{maxReplicas: 4}}\n"
            )
        };
        let list =
            |second: &str| format!("apiVersion: v1\nkind: List\nitems:\n{}{}", item("v2beta2"), item(second));
        assert_eq!(to_v2(&list("v2beta2"), 1), Some(list("v2")));
        let json =
            "{\n  \"apiVersion\": \"autoscaling/v2beta2\",\n  \"kind\": \"HorizontalPodAutoscaler\"\n}\n";
        assert_eq!(to_v2(json, 0), Some(json.replace("v2beta2", "v2")));
        let windows = HPA.replace('\n', "\r\n");
        assert_eq!(to_v2(&windows, 0), Some(windows.replace("v2beta2", "v2")));
    }

    /// What an alias repeats is changed in one place only if that is what the patch says.
    #[test]
    fn what_cannot_be_written_as_the_patch_says_is_left() {
        let text = "a: &spec {maxReplicas: 4}\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: *spec\n";
        let at = objects(text).expect("objects")[0].at("");
        assert_eq!(mended(text, at, &json!({"spec": {"maxReplicas": 5}})), None);
        assert_eq!(mended("{", at, &json!({"spec": 1})), None);
    }
}
