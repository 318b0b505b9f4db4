//! The scale of an HPA's own target.

use tokio::sync::OnceCell;

use crate::cluster::connection::Connection;
use crate::cluster::discovery::{Discovery, Mapping};
use crate::cluster::wire::DatedRead;
use kubectl_hpa_core::api;

/// A scale that is read once, although other HPAs with the same target need it, too.
pub(super) struct OwnScale<'a> {
    connection: &'a Connection,
    discovery: &'a Discovery,
    pub target: &'a api::ObjectReference,
    answer: OnceCell<DatedRead<(api::Scale, Mapping)>>,
}

impl<'a> OwnScale<'a> {
    /// One that is not read yet.
    pub fn new(
        connection: &'a Connection,
        discovery: &'a Discovery,
        target: &'a api::ObjectReference,
    ) -> Self {
        Self { connection, discovery, target, answer: OnceCell::new() }
    }

    /// The scale, with the resource that answered: read anew, unless all is listed.
    pub async fn read(&self) -> DatedRead<(api::Scale, Mapping)> {
        let Self { connection, discovery, target, answer } = self;
        let read = async || match connection.shared_by_all() {
            Some(shared) => connection.scale_once(shared, discovery, target).await,
            None => connection.mapped_scale(discovery, target).await,
        };
        answer.get_or_init(read).await.clone()
    }
}
