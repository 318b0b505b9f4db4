//! Aggregated discovery: everything that is served, in two requests.

use super::builtin;
use super::groups::{Discovery, Group};
use crate::cluster::client::Client;
use crate::cluster::wire::Get;
use kubectl_hpa_core::snapshot::Read;

/// The aggregated form in its two versions.
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
    application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

impl Client {
    /// Asks what is served, in the aggregated form.
    pub(in crate::cluster) async fn read_discovery(&self) -> Discovery {
        let (core, named) = (Get::plain("/api"), Get::plain("/apis"));
        let (core, named) = tokio::join!(self.list_as(&core, AGGREGATED), self.list_as(&named, AGGREGATED));
        let both = |core: Vec<Group>, named: Vec<Group>| core.into_iter().chain(named).collect();
        let groups: Read<Vec<Group>> = core.read.and_then(|core| Ok(both(core, named.read?)));
        match groups {
            Ok(groups) => Discovery { groups, doubt: None },
            Err(error) => {
                let doubt = Some(error.of_reader());
                Discovery { groups: builtin::groups(), doubt }
            }
        }
    }
}
