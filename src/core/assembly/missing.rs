//! The commands that print what is not given.

use crate::api::ObjectReference;
use crate::model::shell_word;

/// The target, or its scale if only that tells the replicas.
pub(super) fn scale(namespace: &str, target: &ObjectReference) -> String {
    if matches!(target.group(), "" | "apps") {
        return get(&target.kind.to_lowercase(), Some(&target.name), namespace, "");
    }
    let (version, resource, name) = (&target.api_version, resource(&target.kind), &target.name);
    raw(&format!("/apis/{version}/namespaces/{namespace}/{resource}/{name}/scale"), &[])
}

pub(super) fn pods(namespace: &str, selector: &str) -> String {
    get("pods", None, namespace, selector)
}

pub(super) fn pod_metrics(namespace: &str, selector: &str) -> String {
    get("pods.metrics.k8s.io", None, namespace, selector)
}

/// The managed fields tell when the controller and others wrote.
pub(super) fn hpas(namespace: &str) -> String {
    format!("{} --show-managed-fields", get("hpa", None, namespace, ""))
}

pub(super) fn events(namespace: &str) -> String {
    get("events", None, namespace, "")
}

/// A metric of the pods that `pods` selects.
pub(super) fn pods_metric(namespace: &str, metric: &str, pods: &str, selector: &str) -> String {
    let path = format!("/apis/custom.metrics.k8s.io/v1beta2/namespaces/{namespace}/pods/*/{metric}");
    raw(&path, &[("labelSelector", pods), ("metricLabelSelector", selector)])
}

/// Source: `namespacedMetrics.GetForObject` of `k8s.io/metrics/pkg/client/custom_metrics`.
pub(super) fn object_metric(
    namespace: &str,
    object: &ObjectReference,
    metric: &str,
    selector: &str,
) -> String {
    let group = object.group();
    let path = format!("/apis/custom.metrics.k8s.io/v1beta2/namespaces/{namespace}");
    let path = if object.is_namespace() {
        format!("{path}/metrics/{metric}")
    } else {
        let dot = if group.is_empty() { "" } else { "." };
        format!("{path}/{}{dot}{group}/{}/{metric}", resource(&object.kind), object.name)
    };
    raw(&path, &[("metricLabelSelector", selector)])
}

pub(super) fn external_metric(namespace: &str, metric: &str, selector: &str) -> String {
    let path = format!("/apis/external.metrics.k8s.io/v1beta1/namespaces/{namespace}/{metric}");
    raw(&path, &[("labelSelector", selector)])
}

fn get(resource: &str, name: Option<&str>, namespace: &str, selector: &str) -> String {
    let name = name.map_or_else(String::new, |name| format!(" {}", shell_word(name)));
    let selector = if selector.is_empty() { String::new() } else { format!(" -l {}", shell_word(selector)) };
    format!("kubectl get {}{name} -n {}{selector} -o yaml", shell_word(resource), shell_word(namespace))
}

/// Selectors that select everything are left out.
fn raw(path: &str, parameters: &[(&str, &str)]) -> String {
    let said = parameters.iter().filter(|(_, value)| !value.is_empty());
    let said: Vec<String> = said.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let query = if said.is_empty() { String::new() } else { format!("?{}", said.join("&")) };
    format!("kubectl get --raw {}", shell_word(&format!("{path}{query}")))
}

/// RFC 3986: all but unreserved characters.
fn encoded(text: &str) -> String {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-._~".contains(&it);
    let byte = |it: u8| if is_plain(it) { char::from(it).to_string() } else { format!("%{it:02X}") };
    text.bytes().map(byte).collect()
}

/// The resource that a kind most likely is.
///
/// Source: `UnsafeGuessKindToResource` of apimachinery's `pkg/api/meta`.
fn resource(kind: &str) -> String {
    let kind = kind.to_lowercase();
    match kind.strip_suffix('y') {
        _ if kind.ends_with("endpoints") => kind,
        Some(stem) => format!("{stem}ies"),
        None if kind.ends_with('s') => format!("{kind}es"),
        None => format!("{kind}s"),
    }
}
