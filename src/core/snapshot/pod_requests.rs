//! Requests of a pod as a whole (`PodRequests` of component-helpers `resource/helpers.go`).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::api::{self, PodSpec, ResourceList};
use crate::model::{Amounts, Quantity, ResourceName};

/// Quantities that are added up, by resource name.
type Sums<'a> = BTreeMap<&'a str, Quantity>;

/// The pod's requests where it sets any as a whole, in milli-units; `None` where it sets none.
pub(super) fn pod_requests(spec: &PodSpec) -> Option<Amounts> {
    let own = &spec.resources.as_ref()?.requests;
    let is_pod_level = |name: &str| ResourceName::from(name).is_pod_level();
    if !own.iter().any(|(name, _)| is_pod_level(name)) {
        return None;
    }
    let mut requests = of_containers(spec);
    for (name, quantity) in own.iter().filter(|(name, _)| is_pod_level(name)) {
        requests.insert(name, quantity.clone());
    }
    add(&mut requests, &spec.overhead);
    Some(requests.iter().map(|(name, quantity)| (*name, quantity)).collect())
}

/// Containers and sidecars together, or the hungriest moment of the init sequence where that is more.
fn of_containers(spec: &PodSpec) -> Sums<'_> {
    let mut running = Sums::new();
    for container in &spec.containers {
        add(&mut running, &container.resources.requests);
    }
    let (mut sidecars, mut starting) = (Sums::new(), Sums::new());
    for container in &spec.init_containers {
        let requests = &container.resources.requests;
        let mut moment = sidecars.clone();
        add(&mut moment, requests);
        if container.is_sidecar() {
            add(&mut running, requests);
            sidecars.clone_from(&moment);
        }
        raise(&mut starting, moment);
    }
    raise(&mut running, starting);
    running
}

fn add<'a>(sum: &mut Sums<'a>, more: &'a ResourceList) {
    for (name, quantity) in more.iter() {
        match sum.entry(name) {
            Entry::Occupied(mut entry) => entry.get_mut().add(quantity),
            Entry::Vacant(entry) => {
                entry.insert(quantity.clone());
            }
        }
    }
}

fn raise<'a>(highest: &mut Sums<'a>, other: Sums<'a>) {
    for (name, quantity) in other {
        let known = highest.entry(name).or_insert_with(|| quantity.clone());
        if quantity > *known {
            *known = quantity;
        }
    }
}

/// The containers whose requests count one by one: all, then the init containers that run on as sidecars.
pub(super) fn counted_containers(spec: &PodSpec, names: &mut Names) -> Vec<Container> {
    let mut container = |container: &api::Container, sidecar| Container {
        name: names.shared(&container.name),
        requests: container.resources.requests.iter().collect(),
        limits: container.resources.limits.iter().collect(),
        sidecar,
    };
    let is_sidecar = api::Container::is_sidecar;
    let sidecars = spec.init_containers.iter().filter(|container| is_sidecar(container)).count();
    let mut counted = Vec::with_capacity(spec.containers.len() + sidecars);
    counted.extend(spec.containers.iter().map(|it| container(it, false)));
    counted.extend(spec.init_containers.iter().filter(|it| is_sidecar(it)).map(|it| container(it, true)));
    counted
}

/// The names of containers and owners: the same few in every pod.
#[derive(Default)]
pub(super) struct Names(BTreeSet<Arc<str>>);

impl Names {
    /// One text for all names that are equal.
    pub fn shared(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.get(name) {
            return Arc::clone(known);
        }
        let name: Arc<str> = name.into();
        self.0.insert(Arc::clone(&name));
        name
    }
}

/// A container with what it requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Name; ten thousand pods share one text.
    pub name: Arc<str>,
    /// `resources.requests`.
    pub requests: Amounts,
    /// `resources.limits`: the controller does not look at them.
    pub limits: Amounts,
    /// Whether it is a restartable init container.
    pub sidecar: bool,
}

impl Container {
    /// True if the controller counts it: restartable init containers from 1.29 on (`calculatePodRequests`).
    #[must_use]
    pub const fn counts(&self, sidecars_count: bool) -> bool {
        sidecars_count || !self.sidecar
    }
}
