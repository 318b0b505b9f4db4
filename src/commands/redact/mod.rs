//! Masks the names of pods, of the control plane's machines and of people in a case.

mod controller;
mod people;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use kubectl_hpa_core::model::Labels;
use kubectl_hpa_core::snapshot::Case;

/// A case in which every pod has a name by its place among all names: in the pods, in what measures them, in labels and in
/// messages. Their order stays, and so does what is decided. Machines and people have no names at all.
pub fn redacted(mut case: Case) -> Value {
    let masks = Masks::of(&case);
    for pod in case.pods.iter_mut().flat_map(|pods| &mut pods.items).flatten() {
        let metadata = &mut Arc::make_mut(pod).metadata;
        masks.mask(&mut metadata.name, &mut metadata.labels);
    }
    for item in case.pod_metrics.iter_mut().flat_map(|metrics| &mut metrics.items).flatten() {
        let metadata = &mut Arc::make_mut(item).metadata;
        masks.mask(&mut metadata.name, &mut metadata.labels);
    }
    case.access.iter_mut().for_each(people::mask);
    let mut value = json!(case);
    controller::mask(&mut value["controller"]);
    masks.mask_texts(&mut value);
    value
}

/// What the StatefulSet controller labels each pod with. Other labels stay, for selectors go by them.
const POD_NAME: &str = "statefulset.kubernetes.io/pod-name";

/// A mask for each name.
struct Masks(BTreeMap<String, String>);

impl Masks {
    fn of(case: &Case) -> Self {
        let pods = case.pods.iter().flat_map(|pods| &pods.items).flatten().map(|it| &it.metadata.name);
        let measured = case.pod_metrics.iter().flat_map(|it| &it.items).flatten().map(|it| &it.metadata.name);
        let of_pods = case.custom_metrics.iter().filter(|it| it.query.described_object.is_none());
        let items = of_pods.flat_map(|it| &it.items).flatten().map(|it| &it.described_object.name);
        let names: BTreeSet<&String> =
            pods.chain(measured).chain(items).filter(|name| !name.is_empty()).collect();
        let width = names.len().to_string().len();
        let masked = |(name, number): (&String, usize)| (name.clone(), format!("pod-{number:0width$}"));
        Self(names.into_iter().zip(1..).map(masked).collect())
    }

    fn name<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// The name, and the label that repeats it.
    fn mask(&self, name: &mut String, labels: &mut Labels) {
        *name = self.name(name).to_owned();
        let masked = |(key, value)| (key, if key == POD_NAME { self.name(value) } else { value });
        *labels = labels.iter().map(masked).collect();
    }

    /// Messages, the labels of a metric's series, and pods that a metric describes.
    fn mask_texts(&self, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value {
                        Value::String(text) if key == "message" => *text = people::text(&self.text(text)),
                        Value::Object(labels) if key == "metricLabels" => {
                            labels.values_mut().for_each(|value| self.mask_name(value));
                        }
                        // What is said of pods may leave out their kind.
                        Value::Object(described)
                            if key == "describedObject"
                                && ["", "Pod"].contains(&text(described.get("kind"))) =>
                        {
                            described.get_mut("name").into_iter().for_each(|name| self.mask_name(name));
                        }
                        value => self.mask_texts(value),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.mask_texts(item)),
            _ => {}
        }
    }

    fn mask_name(&self, value: &mut Value) {
        if let Value::String(name) = value {
            *name = self.name(name).to_owned();
        }
    }

    /// A text with masks in the place of names. A name is a whole word of letters that names have.
    fn text(&self, text: &str) -> String {
        let is_outside = |letter: char| !(letter.is_ascii_alphanumeric() || ['-', '.'].contains(&letter));
        let words = text.split_inclusive(is_outside);
        let masked = words.map(|word| {
            let name = word.trim_end_matches(is_outside);
            // A full stop may end the sentence.
            let name = name.trim_end_matches('.');
            format!("{}{}", self.name(name), &word[name.len()..])
        });
        masked.collect()
    }
}

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use kubectl_hpa_core::snapshot::Cases;

    use super::{POD_NAME, redacted};

    #[test]
    fn whole_names_are_masked_in_labels_and_messages_and_nothing_else() {
        let text = r#"{"apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": "2026-11-21T10:42:00Z",
            "hpa": {"metadata": {"name": "web-1"}, "status": {"conditions": [{"type": "AbleToScale", "status": "True",
                "message": "web-10, web-1: \"web-1.\" but neither web-100 nor aweb-1."}]}},
            "pods": {"items": [
                {"metadata": {"name": "web-10", "labels": {"statefulset.kubernetes.io/pod-name": "web-10", "app": "web-10"}}},
                {"metadata": {"name": "web-1", "labels": {"statefulset.kubernetes.io/pod-name": "web-1"},
                    "ownerReferences": [{"kind": "StatefulSet", "name": "web", "controller": true}]}}]},
            "customMetrics": [{"query": {"metric": {"name": "rps"}}, "items": [
                {"describedObject": {"name": "web-10"}, "value": "1"},
                {"describedObject": {"kind": "Service", "name": "web-1"}, "value": "1"}]}],
            "externalMetrics": [{"query": {"metric": {"name": "lag"}}, "items": [
                {"metricName": "lag", "metricLabels": {"pod": "web-1", "topic": "web-100"}, "value": "1"}]}]}"#;
        let case = Cases::new("a case", text.as_bytes()).next().expect("a case").expect("a case");
        let masked = redacted(case);
        assert_eq!(masked["hpa"]["metadata"]["name"], "web-1");
        assert_eq!(
            masked["hpa"]["status"]["conditions"][0]["message"],
            "pod-2, pod-1: \"pod-1.\" but neither web-100 nor aweb-1."
        );
        let [first, second] = [0, 1].map(|place| &masked["pods"]["items"][place]["metadata"]);
        assert_eq!((&first["name"], &first["labels"][POD_NAME]), (&"pod-2".into(), &"pod-2".into()));
        // The selector may name it.
        assert_eq!(first["labels"]["app"], "web-10");
        assert_eq!((&second["name"], &second["labels"][POD_NAME]), (&"pod-1".into(), &"pod-1".into()));
        let items = &masked["customMetrics"][0]["items"];
        let [pod, service] = [0, 1].map(|place| &items[place]["describedObject"]["name"]);
        assert_eq!((pod, service), (&"pod-2".into(), &"web-1".into()));
        let series = &masked["externalMetrics"][0]["items"][0]["metricLabels"];
        assert_eq!((&series["pod"], &series["topic"]), (&"pod-1".into(), &"web-100".into()));
        assert_eq!(second["ownerReferences"][0]["name"], "web");
    }

    #[test]
    fn people_and_machines_are_masked_wherever_they_are_named() {
        let text = r#"{"apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": "2026-11-21T10:42:00Z",
            "controller": {"unelected": ["kube-system/kcm-n1"],
                "lease": {"holder": "n1_3f0c", "renewed": "2026-11-21T10:41:59Z", "lasts": "15s"}},
            "hpa": {"metadata": {"name": "web"}, "status": {"conditions": [{"type": "AbleToScale", "status": "False",
                "message": "pods is forbidden: User \"eve\" cannot list resource \"pods\""}]}},
            "access": [{"user": "eve", "verb": "list", "resource": "pods", "allowed": false},
                {"user": "system:kube-controller-manager", "verb": "get", "resource": "pods", "allowed": true}]}"#;
        let case = Cases::new("a case", text.as_bytes()).next().expect("a case").expect("a case");
        let masked = redacted(case);
        assert_eq!(masked["controller"]["unelected"][0], "kube-system/control-plane-1");
        assert_eq!(masked["controller"]["lease"]["holder"], "holder");
        assert_eq!(
            [0, 1].map(|place| &masked["access"][place]["user"]),
            ["user", "system:kube-controller-manager"]
        );
        assert_eq!(
            masked["hpa"]["status"]["conditions"][0]["message"],
            "pods is forbidden: User \"user\" cannot list resource \"pods\""
        );
    }
}
