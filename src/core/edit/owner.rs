//! Who would take a change back.

use serde_json::Value;

use super::Metadata;
use super::metadata::Manager;

/// A tool that overwrites an object from its own source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Who.
    pub tool: Tool,
    /// What the tool calls the source: an application, a release, an object.
    pub source: Option<String>,
    /// The evidence for it.
    pub sign: Sign,
}

/// Who writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// KEDA, from a `ScaledObject`.
    Keda,
    /// Argo CD, from an Application.
    ArgoCd,
    /// Flux, from a Kustomization or a `HelmRelease`.
    Flux,
    /// Helm, at the next upgrade of a release.
    Helm,
    /// Whatever controls the object by its owner reference.
    Controller,
    /// A field manager that set this very field by server-side apply.
    Applier,
    /// `kubectl apply` of a manifest that holds the field.
    KubectlApply,
    /// The controller of an HPA that scales the object.
    HpaController,
}

/// The evidence for an owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A label.
    Label(&'static str),
    /// An annotation.
    Annotation(&'static str),
    /// An owner reference.
    OwnerReference,
    /// A field manager that set the field.
    FieldManager(String),
    /// An HPA's `scaleTargetRef`.
    ScaleTargetRef,
}

const MANAGED_BY: &str = "app.kubernetes.io/managed-by";

/// Who would take back a change of these fields, each tool once.
#[must_use]
pub fn owners(metadata: &Metadata, changed: &[Vec<String>]) -> Vec<Owner> {
    let setters = metadata.managed_fields.iter();
    let setters: Vec<&Manager> = setters.filter(|it| changed.iter().any(|path| it.has(path))).collect();
    let known = [keda, argo_cd, flux, helm];
    let mut owners: Vec<Owner> = known.into_iter().filter_map(|owner| owner(metadata, &setters)).collect();
    // Flux upgrades Helm releases: then it is Flux who comes first.
    if owners.iter().any(|it| it.tool == Tool::Flux && it.source.as_deref().is_some_and(is_release)) {
        owners.retain(|it| it.tool != Tool::Helm);
    }
    if owners.is_empty() {
        let others = controller(metadata).or_else(|| applier(&setters));
        let by_annotation = || kubectl_apply(metadata, changed);
        // A case has no annotations.
        let by_manager = || by_manager(Tool::KubectlApply, &setters, &["kubectl-client-side-apply"]);
        owners.extend(others.or_else(by_annotation).or_else(by_manager));
    }
    owners
}

fn keda(metadata: &Metadata, setters: &[&Manager]) -> Option<Owner> {
    let owner = metadata.owner_references.iter().find(|it| it.kind == "ScaledObject");
    let by_reference =
        owner.map(|it| found(Tool::Keda, Some(object(&it.kind, &it.name)), Sign::OwnerReference));
    let by_label = || {
        let label = "scaledobject.keda.sh/name";
        let name = metadata.labels.get(label)?;
        Some(found(Tool::Keda, Some(object("ScaledObject", name)), Sign::Label(label)))
    };
    by_reference.or_else(by_label).or_else(|| by_manager(Tool::Keda, setters, &["keda"]))
}

fn argo_cd(metadata: &Metadata, setters: &[&Manager]) -> Option<Owner> {
    let annotation = "argocd.argoproj.io/tracking-id";
    let by_annotation = metadata.annotations.get(annotation).map(|id| {
        let application = id.split(':').next().map(str::to_owned);
        found(Tool::ArgoCd, application, Sign::Annotation(annotation))
    });
    let label = "argocd.argoproj.io/instance";
    let by_label = || {
        let application = metadata.labels.get(label)?;
        Some(found(Tool::ArgoCd, Some(application.clone()), Sign::Label(label)))
    };
    by_annotation.or_else(by_label).or_else(|| by_manager(Tool::ArgoCd, setters, &["argocd", "argo-cd"]))
}

fn flux(metadata: &Metadata, setters: &[&Manager]) -> Option<Owner> {
    let labels = [
        ("kustomize.toolkit.fluxcd.io/name", "kustomize.toolkit.fluxcd.io/namespace", "Kustomization"),
        ("helm.toolkit.fluxcd.io/name", "helm.toolkit.fluxcd.io/namespace", "HelmRelease"),
    ];
    let by_label = labels.into_iter().find_map(|(label, namespace, kind)| {
        let name = metadata.labels.get(label)?;
        let name = metadata.labels.get(namespace).map_or_else(|| name.clone(), |it| format!("{it}/{name}"));
        Some(found(Tool::Flux, Some(object(kind, &name)), Sign::Label(label)))
    });
    by_label.or_else(|| by_manager(Tool::Flux, setters, &["kustomize-controller", "helm-controller"]))
}

fn helm(metadata: &Metadata, setters: &[&Manager]) -> Option<Owner> {
    let annotation = "meta.helm.sh/release-name";
    let by_annotation = metadata
        .annotations
        .get(annotation)
        .map(|release| found(Tool::Helm, Some(release.clone()), Sign::Annotation(annotation)));
    let is_labeled = metadata.labels.get(MANAGED_BY).is_some_and(|by| by.eq_ignore_ascii_case("helm"));
    let by_label = || is_labeled.then(|| found(Tool::Helm, None, Sign::Label(MANAGED_BY)));
    by_annotation.or_else(by_label).or_else(|| by_manager(Tool::Helm, setters, &["helm"]))
}

fn by_manager(tool: Tool, setters: &[&Manager], names: &[&str]) -> Option<Owner> {
    let is_named = |manager: &&&Manager| names.iter().any(|name| manager.name.starts_with(name));
    let manager = setters.iter().find(is_named)?;
    Some(found(tool, None, Sign::FieldManager(manager.name.clone())))
}

fn controller(metadata: &Metadata) -> Option<Owner> {
    let owner = metadata.owner_references.iter().find(|it| it.controller == Some(true))?;
    Some(found(Tool::Controller, Some(object(&owner.kind, &owner.name)), Sign::OwnerReference))
}

fn applier(setters: &[&Manager]) -> Option<Owner> {
    let manager = setters.iter().find(|it| it.operation == "Apply")?.name.clone();
    Some(found(Tool::Applier, Some(manager.clone()), Sign::FieldManager(manager)))
}

/// Its manifest as it was applied last stands in an annotation.
fn kubectl_apply(metadata: &Metadata, changed: &[Vec<String>]) -> Option<Owner> {
    let annotation = "kubectl.kubernetes.io/last-applied-configuration";
    let applied: Value = serde_json::from_str(metadata.annotations.get(annotation)?).ok()?;
    let holds = |path: &Vec<String>| path.iter().try_fold(&applied, |at, name| at.get(name)).is_some();
    let owner = found(Tool::KubectlApply, None, Sign::Annotation(annotation));
    changed.iter().any(holds).then_some(owner)
}

fn is_release(source: &str) -> bool {
    source.starts_with("HelmRelease/")
}

fn found(tool: Tool, source: Option<String>, sign: Sign) -> Owner {
    Owner { tool, source, sign }
}

fn object(kind: &str, name: &str) -> String {
    format!("{kind}/{name}")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Metadata, Sign, Tool, owners};

    fn told(metadata: &Value) -> Vec<(Tool, Option<String>)> {
        let metadata = Metadata::of(&json!({ "metadata": metadata }));
        let changed = [vec!["spec".to_owned(), "maxReplicas".to_owned()]];
        owners(&metadata, &changed).into_iter().map(|owner| (owner.tool, owner.source)).collect()
    }

    fn managed(manager: &str, operation: &str, field: &str) -> Value {
        let fields = json!({"f:spec": {format!("f:{field}"): {}}});
        json!({"managedFields": [{"manager": manager, "operation": operation, "fieldsV1": fields}]})
    }

    #[test]
    fn tools_are_known_by_their_labels_annotations_and_references() {
        let cases = [
            (json!({}), None),
            (json!({"labels": null, "annotations": null}), None),
            (json!({"labels": {"app.kubernetes.io/managed-by": "Helm"}}), Some((Tool::Helm, None))),
            (
                json!({"annotations": {"meta.helm.sh/release-name": "shop"}}),
                Some((Tool::Helm, Some("shop".to_owned()))),
            ),
            (
                json!({"annotations": {"argocd.argoproj.io/tracking-id": "shop:autoscaling/HPA:ns/web"}}),
                Some((Tool::ArgoCd, Some("shop".to_owned()))),
            ),
            (
                json!({"labels": {"kustomize.toolkit.fluxcd.io/name": "apps",
                    "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}}),
                Some((Tool::Flux, Some("Kustomization/flux-system/apps".to_owned()))),
            ),
            (
                json!({"ownerReferences": [{"kind": "ScaledObject", "name": "web", "controller": true}]}),
                Some((Tool::Keda, Some("ScaledObject/web".to_owned()))),
            ),
            (
                json!({"ownerReferences": [{"kind": "Shop", "name": "main", "controller": true}]}),
                Some((Tool::Controller, Some("Shop/main".to_owned()))),
            ),
            (json!({"ownerReferences": [{"kind": "Shop", "name": "main"}]}), None),
        ];
        for (metadata, owner) in cases {
            assert_eq!(told(&metadata), Vec::from_iter(owner), "{metadata}");
        }
    }

    #[test]
    fn a_field_manager_counts_only_where_it_set_the_changed_field() {
        assert_eq!(told(&managed("argocd-controller", "Apply", "maxReplicas")), [(Tool::ArgoCd, None)]);
        assert_eq!(told(&managed("argocd-controller", "Apply", "minReplicas")), []);
        let applier = [(Tool::Applier, Some("deployer".to_owned()))];
        assert_eq!(told(&managed("deployer", "Apply", "maxReplicas")), applier);
        assert_eq!(told(&managed("deployer", "Update", "maxReplicas")), []);
        let kubectl = [(Tool::KubectlApply, None)];
        assert_eq!(told(&managed("kubectl-client-side-apply", "Update", "maxReplicas")), kubectl);
    }

    #[test]
    fn a_release_of_flux_is_not_told_twice() {
        let history = |label: &'static str| {
            let labels = json!({label: "shop", "app.kubernetes.io/managed-by": "Helm"});
            let metadata = Metadata::of(&json!({"metadata": {"labels": labels}}));
            owners(&metadata, &[]).into_iter().map(|owner| owner.sign).collect::<Vec<_>>()
        };
        let release = "helm.toolkit.fluxcd.io/name";
        assert_eq!(history(release), [Sign::Label(release)]);
        let kustomization = "kustomize.toolkit.fluxcd.io/name";
        assert_eq!(history(kustomization), [Sign::Label(kustomization), Sign::Label(super::MANAGED_BY)]);
    }

    #[test]
    fn kubectl_apply_takes_back_what_its_manifest_holds() {
        let applied = |spec: Value| {
            let text = json!({"spec": spec}).to_string();
            json!({"annotations": {"kubectl.kubernetes.io/last-applied-configuration": text}})
        };
        assert_eq!(told(&applied(json!({"maxReplicas": 3}))), [(Tool::KubectlApply, None)]);
        assert_eq!(told(&applied(json!({"minReplicas": 3}))), []);
        let broken = json!({"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{"}});
        assert_eq!(told(&broken), []);
    }
}
