//! Masks what a case says of the machines that the controller runs on.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The namespace of the control plane's pods, whose names have the node's at the end.
const NAMESPACE: &str = "kube-system/";
/// The Lease is no pod.
const LEASE: &str = "kube-system/kube-controller-manager";
const HOLDER: &str = "holder";

/// Masks the control plane's pods and the holder of its Lease, a host name, wherever the controller of a case tells of them.
pub(super) fn mask(controller: &mut Value) {
    let (mut pods, mut holders) = (BTreeSet::new(), BTreeSet::new());
    each_text(controller, &mut |key, text| {
        let holder =
            if key == HOLDER { Some(text.as_str()) } else { text.split_once("held by ").map(|it| it.1) };
        holders.extend(holder.filter(|holder| !holder.is_empty()).map(str::to_owned));
        let names = text.split(is_between).filter(|word| word.starts_with(NAMESPACE) && *word != LEASE);
        pods.extend(names.map(str::to_owned));
    });
    let masked = |(name, number)| (name, format!("{NAMESPACE}control-plane-{number}"));
    let holders = holders.into_iter().map(|holder| (holder, HOLDER.to_owned()));
    let masks: BTreeMap<String, String> = pods.into_iter().zip(1..).map(masked).chain(holders).collect();
    each_text(controller, &mut |_, text| {
        let words = text.split_inclusive(is_between).map(|word| {
            let name = word.trim_end_matches(is_between);
            masks.get(name).map_or_else(|| word.to_owned(), |mask| format!("{mask}{}", &word[name.len()..]))
        });
        *text = words.collect();
    });
}

const fn is_between(letter: char) -> bool {
    matches!(letter, ' ' | ',' | ':')
}

/// Visits where settings were found, who holds the Lease, and the pods of a list, each with the field's name.
fn each_text(value: &mut Value, visit: &mut impl FnMut(&str, &mut String)) {
    for (key, value) in value.as_object_mut().into_iter().flatten() {
        match value {
            Value::String(text) if ["from", HOLDER].contains(&key.as_str()) => visit(key, text),
            Value::Array(texts) => texts.iter_mut().for_each(|text| {
                if let Value::String(text) = text {
                    visit(key, text);
                }
            }),
            value => each_text(value, visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn pods_and_the_holder_are_masked_wherever_they_are_told_of() {
        let mut controller = json!({
            "version": {"value": "v1.37.1", "from": "image of pod kube-system/kcm-n1.example, kube-system/kcm-n2"},
            "tolerance": {"value": 0.1, "from": "replicas differ in tolerance: kube-system/kcm-n2 has 0.1, \
                kube-system/kcm-n1.example has the default"},
            "featureGates": {"A": {"value": true, "from": "--feature-gates of pod kube-system/kcm-n2"}},
            "started": {"value": "2026-11-21T10:00:00Z",
                "from": "Lease kube-system/kube-controller-manager, held by n1.example_1f6d"},
            "lease": {"holder": "n1.example_1f6d", "renewed": "2026-11-21T10:41:59Z", "lasts": "15s"},
            "unelected": ["kube-system/kcm-n1.example", "kube-system/kcm-n2"],
            "architecture": {"value": "amd64", "from": "platform of GET /version of the API server"},
        });
        super::mask(&mut controller);
        let expected = json!({
            "version": {"value": "v1.37.1",
                "from": "image of pod kube-system/control-plane-1, kube-system/control-plane-2"},
            "tolerance": {"value": 0.1, "from": "replicas differ in tolerance: kube-system/control-plane-2 has 0.1, \
                kube-system/control-plane-1 has the default"},
            "featureGates": {"A": {"value": true, "from": "--feature-gates of pod kube-system/control-plane-2"}},
            "started": {"value": "2026-11-21T10:00:00Z",
                "from": "Lease kube-system/kube-controller-manager, held by holder"},
            "lease": {"holder": "holder", "renewed": "2026-11-21T10:41:59Z", "lasts": "15s"},
            "unelected": ["kube-system/control-plane-1", "kube-system/control-plane-2"],
            "architecture": {"value": "amd64", "from": "platform of GET /version of the API server"},
        });
        assert_eq!(controller, expected);
    }
}
