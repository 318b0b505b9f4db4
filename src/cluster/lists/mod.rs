//! Whole lists, each read once, for questions about most HPAs of a namespace or a cluster: the number of requests does not
//! grow with the HPAs. What one HPA needs is picked out of them, so that its case is the one that single reads give.

mod list;
mod workload;

pub(in crate::cluster) use list::Lists;
pub(in crate::cluster) use workload::{Workload, WorkloadItem};

use std::sync::Arc;

use crate::cluster::wire::{Get, Path};
use kubectl_hpa_core::api;

/// What is listed whole.
pub(in crate::cluster) struct Whole {
    /// Of all namespaces at once; else each namespace has lists of its own.
    is_everywhere: bool,
    pub pods: Lists<Arc<api::Pod>>,
    pub pod_metrics: Lists<Arc<api::PodMetrics>>,
    pub events: Lists<api::Event>,
    pub workloads: Lists<Workload>,
}

impl Whole {
    /// Nothing yet.
    pub fn new(is_everywhere: bool) -> Self {
        Self {
            is_everywhere,
            pods: Lists::default(),
            pod_metrics: Lists::default(),
            events: Lists::default(),
            workloads: Lists::default(),
        }
    }

    /// Where the list is that has what a namespace needs: in it, or in none.
    pub fn scope<'a>(&self, namespace: &'a str) -> &'a str {
        if self.is_everywhere { "" } else { namespace }
    }

    /// A list of a namespace, or of all.
    pub fn list(group: &str, version: &str, scope: &str, resource: &str) -> Path {
        let path = Path::of(group, version);
        let path = if scope.is_empty() { path } else { path.namespace(scope) };
        path.segment(resource)
    }

    /// The same in pages.
    pub fn paged(path: Path, group: &str, resource: &str) -> Get {
        Get::list(path, group, resource).paged()
    }

    /// The same from the API server's cache, which gives it in one piece: as fresh as what the controller's own watch has.
    pub fn cached(path: Path, group: &str, resource: &str) -> Get {
        Get::list(path.parameter("resourceVersion", "0"), group, resource)
    }
}
