//! Names of the kubeconfig and the cluster.

use super::offers::Offer;
use super::source::{NameSource, in_time};
use crate::cluster;
use kubectl_hpa_core::model::is_hpa_type;

/// Autoscalers by their names; after `TYPE/` what they scale of that type.
pub fn subjects(source: NameSource, begun: &str) -> Vec<Offer> {
    match begun.split_once('/') {
        Some((type_name, _)) if !is_hpa_type(type_name) => targets(source, type_name.to_owned()),
        Some((type_name, _)) => autoscalers(source, &format!("{type_name}/")),
        None => autoscalers(source, ""),
    }
}

fn autoscalers(source: NameSource, before: &str) -> Vec<Offer> {
    let hpas = in_time(|| Box::pin(source.named()));
    let offer = |hpa: &kubectl_hpa_core::api::Hpa| {
        let target = &hpa.spec.scale_target_ref;
        Offer::new(format!("{before}{}", hpa.metadata.name), format!("{}/{}", target.kind, target.name))
    };
    hpas.iter().map(offer).collect()
}

fn targets(source: NameSource, type_name: String) -> Vec<Offer> {
    let before = type_name.clone();
    let targets = in_time(|| Box::pin(source.targets(type_name)));
    targets.iter().map(|name| Offer::plain(format!("{before}/{name}"))).collect()
}

/// Namespaces of the cluster.
pub fn namespaces(source: NameSource) -> Vec<Offer> {
    let names = in_time(|| Box::pin(async move { Ok(source.connect().await?.namespaces().await?) }));
    names.into_iter().map(Offer::plain).collect()
}

/// Contexts of the kubeconfig.
pub fn contexts(source: NameSource) -> Vec<Offer> {
    let names =
        in_time(|| Box::pin(async move { Ok(cluster::contexts(source.connection.kubeconfig.as_deref())?) }));
    names.into_iter().map(Offer::plain).collect()
}
