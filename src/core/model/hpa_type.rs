//! The type of an HPA, as it is typed.

/// Whether a type is the HPA itself, in any of the forms that kubectl takes: `hpa`,
/// `horizontalpodautoscalers.autoscaling`.
#[must_use]
pub fn is_hpa_type(type_name: &str) -> bool {
    let type_name = type_name.to_ascii_lowercase();
    let (resource, group) = type_name.split_once('.').unwrap_or((&type_name, "autoscaling"));
    matches!(resource, "hpa" | "horizontalpodautoscaler" | "horizontalpodautoscalers")
        && matches!(group, "autoscaling" | "v1.autoscaling" | "v2.autoscaling")
}
