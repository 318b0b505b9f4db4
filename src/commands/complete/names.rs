//! Names of the kubeconfig and the cluster.

use super::offers::Offer;
use super::world::{World, in_time};
use crate::cluster;
use kubectl_hpa_core::model::is_hpa_type;

/// Autoscalers by their names; after `TYPE/` what they scale of that type.
pub fn subjects(world: World, begun: &str) -> Vec<Offer> {
    match begun.split_once('/') {
        Some((type_name, _)) if !is_hpa_type(type_name) => targets(world, type_name.to_owned()),
        Some((type_name, _)) => autoscalers(world, &format!("{type_name}/")),
        None => autoscalers(world, ""),
    }
}

fn autoscalers(world: World, before: &str) -> Vec<Offer> {
    let hpas = in_time(|| Box::pin(async move { Ok(world.connect().await?.autoscalers().await?) }));
    let offer = |hpa: &kubectl_hpa_core::api::Hpa| {
        let target = &hpa.spec.scale_target_ref;
        Offer::new(format!("{before}{}", hpa.metadata.name), format!("{}/{}", target.kind, target.name))
    };
    hpas.iter().map(offer).collect()
}

fn targets(world: World, type_name: String) -> Vec<Offer> {
    let before = type_name.clone();
    let targets = in_time(|| Box::pin(async move { Ok(world.connect().await?.targets(&type_name).await?) }));
    targets.iter().map(|name| Offer::plain(format!("{before}/{name}"))).collect()
}

/// Namespaces of the cluster.
pub fn namespaces(world: World) -> Vec<Offer> {
    let names = in_time(|| Box::pin(async move { Ok(world.connect().await?.namespaces().await?) }));
    names.into_iter().map(Offer::plain).collect()
}

/// Contexts of the kubeconfig.
pub fn contexts(world: World) -> Vec<Offer> {
    let names =
        in_time(|| Box::pin(async move { Ok(cluster::contexts(world.connection.kubeconfig.as_deref())?) }));
    names.into_iter().map(Offer::plain).collect()
}
