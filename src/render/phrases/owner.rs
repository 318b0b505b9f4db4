//! Who overwrites a change, in words.

use kubectl_hpa_core::edit::{Owner, Sign, Tool};

/// Who overwrites it, and how that is known.
pub(in crate::render) fn overwrites(owner: &Owner) -> String {
    let source = owner.source.as_deref().unwrap_or_default();
    let of = |what: &str| if source.is_empty() { what.to_owned() } else { format!("{what} {source}") };
    let who = match owner.tool {
        Tool::Keda => {
            format!("KEDA overwrites it from its {}: change it there", or(source, "ScaledObject"))
        }
        Tool::ArgoCd => format!("Argo CD overwrites it at its next sync of {}", of("the application")),
        Tool::Flux => {
            format!("Flux overwrites it at its next reconciliation of {}", or(source, "its source"))
        }
        Tool::Helm => format!("Helm may overwrite it at the next upgrade of {}", of("the release")),
        Tool::Controller => format!("{source} controls the object and may overwrite it"),
        Tool::Applier => format!(
            "{source} set this field by server-side apply: its next apply fails, or overwrites it if forced"
        ),
        Tool::KubectlApply => "the next kubectl apply of its manifest overwrites it".to_owned(),
        Tool::HpaController => {
            format!("the HPA controller decides on {source} again at its next sync and may change it")
        }
    };
    let sign = match &owner.sign {
        Sign::Label(label) => format!(" (label {label})"),
        Sign::Annotation(annotation) => format!(" (annotation {annotation})"),
        Sign::OwnerReference => " (owner reference)".to_owned(),
        Sign::FieldManager(manager) if owner.tool != Tool::Applier => format!(" (field manager {manager})"),
        Sign::FieldManager(_) | Sign::ScaleTargetRef => String::new(),
    };
    format!("{who}{sign}")
}

fn or<'a>(source: &'a str, otherwise: &'a str) -> &'a str {
    if source.is_empty() { otherwise } else { source }
}
