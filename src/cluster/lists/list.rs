//! Lists by what was asked for, each read once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use super::workload::Workload;
use crate::cluster::client::Client;
use crate::cluster::wire::{DatedRead, Get, Item};
use kubectl_hpa_core::api;
use kubectl_hpa_core::snapshot::ReadError;

/// A right that is missing.
const FORBIDDEN: u16 = 403;
/// A page that came too late, and a request that has to wait: single reads may go well.
const OF_THE_LIST: [u16; 2] = [410, 429];

/// An item that knows its namespace.
pub(in crate::cluster) trait Placed {
    fn metadata(&self) -> &api::ObjectMeta;
}

impl Placed for api::Pod {
    fn metadata(&self) -> &api::ObjectMeta {
        &self.metadata
    }
}

impl Placed for api::PodMetrics {
    fn metadata(&self) -> &api::ObjectMeta {
        &self.metadata
    }
}

impl Placed for api::Event {
    fn metadata(&self) -> &api::ObjectMeta {
        &self.metadata
    }
}

impl Placed for Workload {
    fn metadata(&self) -> &api::ObjectMeta {
        &self.metadata
    }
}

/// The items of a list by their namespaces.
type Grouped<T> = BTreeMap<String, Vec<T>>;
type Cell<T> = Arc<OnceCell<DatedRead<Grouped<T>>>>;

/// What was listed, by path.
pub(in crate::cluster) struct Lists<T>(Mutex<BTreeMap<String, Cell<T>>>);

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Placed + Clone> Lists<T> {
    /// What a read of `single` returns, picked out of a list. `None` if only that read itself can tell: the list could not
    /// be had for a reason of its own.
    pub async fn items<R: Item + Into<T>>(
        &self,
        client: &Client,
        list: &Get,
        single: &Get,
        keep: impl Fn(&T) -> bool,
    ) -> Option<DatedRead<Vec<T>>> {
        let cell = self.cell(list.path.as_str());
        let answer = cell.get_or_init(|| Box::pin(read::<R, T>(client, list))).await;
        match &answer.read {
            Ok(all) => {
                let items = all.get(&client.namespace).into_iter().flatten();
                let items = items.filter(|item| keep(item)).cloned().collect();
                Some(DatedRead { read: Ok(items), at: answer.at })
            }
            Err(error) => is_of_all(list, error).then(|| {
                let path = single.path.as_str().into();
                DatedRead { read: Err(ReadError { path, ..error.clone() }), at: answer.at }
            }),
        }
    }

    fn cell(&self, path: &str) -> Cell<T> {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cells.entry(path.to_owned()).or_default())
    }
}

async fn read<R: Item + Into<T>, T: Placed>(client: &Client, list: &Get) -> DatedRead<Grouped<T>> {
    client.list::<R>(list).await.map(|items| {
        let mut grouped = Grouped::new();
        for item in items.into_iter().map(Into::into) {
            let namespace = item.metadata().namespace.clone();
            grouped.entry(namespace).or_insert_with(Vec::new).push(item);
        }
        grouped
    })
}

/// Whether a read of a part gets the same error: what the API server answers. A right that is missing in the whole cluster
/// may be there in a namespace, and its error has other words there; a list that is too long or breaks off may be short for
/// one HPA.
fn is_of_all(list: &Get, error: &ReadError) -> bool {
    let Some(code) = error.code.filter(|code| *code >= 400 && !error.is_foreign()) else { return false };
    let is_everywhere = list.path.in_namespace().is_empty();
    !(OF_THE_LIST.contains(&code) || code == FORBIDDEN && is_everywhere)
}
