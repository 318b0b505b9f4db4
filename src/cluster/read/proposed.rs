//! An HPA as it is stored and as somebody wants it: what both decisions need is asked for once.

use super::gather::First;
use crate::cluster::connection::Connection;
use crate::cluster::error::ClusterError;
use crate::cluster::lookup::Subject;
use kubectl_hpa_core::api;
use kubectl_hpa_core::snapshot::{Case, Read, Scope, default_metric};

/// What is wanted in the place of what is stored.
#[derive(Clone, Copy)]
pub struct Proposed<'a> {
    /// Its spec stands in the place of the stored one; it need not be stored yet. The subject is its name.
    pub manifest: Option<&'a api::Hpa>,
    /// Changes that will be made to the spec: the metrics that they bring are asked for, nothing else comes of them here.
    pub change: &'a dyn Fn(&mut api::HpaSpec),
}

/// The two cases. CurrentAndProposed hold the answers to what either needs, as long as they have one target.
#[derive(Clone, Debug)]
pub struct CurrentAndProposed {
    /// As it is stored; `None` where a manifest's HPA is not.
    pub current: Option<Case>,
    /// With the spec of the manifest, where there is one; else the same.
    pub proposed: Case,
}

impl Connection {
    /// Reads all that two decisions depend on: the one of the HPA as it is stored, and the one of the HPA
    /// that is proposed. It takes no more round trips than [`Connection::gather`].
    ///
    /// # Errors
    /// As [`Connection::gather`]; but with a manifest its HPA need not be there.
    pub async fn gather_proposed(
        &self,
        subject: &Subject,
        proposed: Proposed<'_>,
    ) -> Result<CurrentAndProposed, ClusterError> {
        let settings = async { Ok(self.controller().await) };
        let (mut both, controller) = tokio::try_join!(self.decisions(subject, proposed), settings)?;
        if let Some(now) = &mut both.current {
            now.controller.clone_from(&controller);
        }
        both.proposed.controller = controller;
        Ok(both)
    }

    async fn decisions(
        &self,
        subject: &Subject,
        proposed: Proposed<'_>,
    ) -> Result<CurrentAndProposed, ClusterError> {
        let (Subject::Hpa(name), Some(manifest)) = (subject, proposed.manifest) else {
            let first = self.first(subject).await?;
            let stored = first.hpa.clone();
            return Box::pin(self.stored(first, stored.clone(), stored, proposed)).await;
        };
        let first = self.first_by_name(name).await;
        match &first.hpa {
            Err(error) if error.code == Some(404) && error.scope == Scope::Everyone => {
                Box::pin(self.unstored(first, manifest, proposed)).await
            }
            Err(error) => Err(self.refused(error.clone())),
            Ok(stored) => {
                let (stored, then) = (stored.clone(), stored.replaced(manifest));
                Box::pin(self.stored(first, stored, then, proposed)).await
            }
        }
    }

    /// The HPA is stored, and another spec is proposed. Where it has another target, that one is read too.
    async fn stored<H>(
        &self,
        mut first: First<H>,
        now: api::Hpa,
        then: api::Hpa,
        proposed: Proposed<'_>,
    ) -> Result<CurrentAndProposed, ClusterError> {
        let changed = changed(&then, proposed);
        self.complete(&mut first.discovery, &first.hpas, &[&now.spec, &changed]).await;
        let (of_now, of_then) = (metrics(&now.spec), metrics(&changed));
        if now.spec.scale_target_ref == then.spec.scale_target_ref {
            let now = self.read_remaining(&first, now, &[of_now, of_then].concat()).await?;
            let then = now.with_spec_of(then);
            return Ok(CurrentAndProposed { current: Some(now), proposed: then });
        }
        let (now, then) = tokio::try_join!(
            self.read_remaining(&first, now, &of_now),
            self.read_remaining(&first, then, &of_then)
        )?;
        let at = now.at.max(then.at);
        let mut then = Case { at, ..then };
        then.keep_synced(&now.hpa.0);
        Ok(CurrentAndProposed { current: Some(Case { at, ..now }), proposed: then })
    }

    /// The HPA is not stored.
    async fn unstored(
        &self,
        mut first: First<Read<api::Hpa>>,
        manifest: &api::Hpa,
        proposed: Proposed<'_>,
    ) -> Result<CurrentAndProposed, ClusterError> {
        let mut created = manifest.created();
        created.metadata.namespace = self.client.namespace.as_str().into();
        let changed = changed(&created, proposed);
        self.complete(&mut first.discovery, &first.hpas, &[&changed]).await;
        let case = self.read_remaining(&first, created, &metrics(&changed)).await?;
        Ok(CurrentAndProposed { current: None, proposed: case.without_a_past() })
    }
}

fn changed(then: &api::Hpa, proposed: Proposed<'_>) -> api::HpaSpec {
    let mut spec = then.spec.clone();
    (proposed.change)(&mut spec);
    spec
}

/// The metrics of a spec, with the one that the API server puts in the place of none.
fn metrics(spec: &api::HpaSpec) -> Vec<api::MetricSpec> {
    if spec.metrics.is_empty() { vec![default_metric()] } else { spec.metrics.clone() }
}
