//! Answers that several questions of one run have in common, each read once.
//!
//! What is shared is what another autoscaler's decision is only seen beside: what is served, the controller's settings,
//! the list of autoscalers and the scales of the others. An autoscaler, its own scale and its pods are always read anew.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use super::answer::Answer;
use super::connection::Connection;
use super::discovery::Discovery;
use kubectl_hpa_core::api;
use kubectl_hpa_core::snapshot::case::ControllerCase;

/// By namespace, or by namespace and target.
type Known<T> = Mutex<BTreeMap<String, Answer<T>>>;

/// What was read already.
#[derive(Default)]
pub(super) struct Shared {
    settings: OnceCell<ControllerCase>,
    discovery: OnceCell<Discovery>,
    hpas: Known<Vec<api::Hpa>>,
    scales: Known<api::Scale>,
}

impl Connection {
    /// The same connection for several questions, which share what they have in common.
    #[must_use]
    pub fn sharing(mut self) -> Self {
        self.shared = Some(Arc::default());
        self
    }

    /// The controller's settings.
    pub(super) async fn settings(&self) -> ControllerCase {
        match &self.shared {
            Some(shared) => shared.settings.get_or_init(|| self.read_settings()).await.clone(),
            None => self.read_settings().await,
        }
    }

    /// What is served.
    pub(super) async fn discovery(&self) -> Discovery {
        match &self.shared {
            Some(shared) => shared.discovery.get_or_init(|| self.read_discovery()).await.clone(),
            None => self.read_discovery().await,
        }
    }

    /// All autoscalers of the namespace.
    pub(super) async fn hpas(&self) -> Answer<Vec<api::Hpa>> {
        let Some(shared) = &self.shared else { return self.read_hpas().await };
        if let Some(known) = get(&shared.hpas, &self.namespace) {
            return known;
        }
        let read = self.read_hpas().await;
        put(&shared.hpas, self.namespace.clone(), &read);
        read
    }

    /// Keeps a list of another namespace, which a list of all namespaces holds.
    pub(super) fn keep_hpas(&self, namespace: &str, hpas: &Answer<Vec<api::Hpa>>) {
        if let Some(shared) = &self.shared {
            put(&shared.hpas, namespace.into(), hpas);
        }
    }

    /// The scale of another autoscaler's target.
    pub(super) async fn scale_of_other(
        &self,
        discovery: &Discovery,
        target: &api::ObjectReference,
    ) -> Answer<api::Scale> {
        let Some(shared) = &self.shared else { return self.scale(discovery, target).await };
        let api::ObjectReference { api_version, kind, name, .. } = target;
        let key = [&self.namespace, api_version, kind, name].map(String::as_str).join("\n");
        if let Some(known) = get(&shared.scales, &key) {
            return known;
        }
        let read = self.scale(discovery, target).await;
        put(&shared.scales, key, &read);
        read
    }
}

fn get<T: Clone>(known: &Known<T>, key: &str) -> Option<Answer<T>> {
    known.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
}

fn put<T: Clone>(known: &Known<T>, key: String, answer: &Answer<T>) {
    known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, answer.clone());
}
