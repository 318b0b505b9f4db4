//! A Deployment, as far as its replicas go: who owns them follows the rules of managed fields.

use serde_json::{Value, json};

use crate::world::{Millis, at};

/// Who writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The controller, for an HPA.
    Hpa(&'static str),
    /// Through the scale subresource, which leaves no time: `kubectl scale`.
    Scaler(&'static str),
    /// Through the object itself.
    Editor(&'static str),
}

impl Who {
    /// The field manager.
    pub fn manager(self) -> &'static str {
        match self {
            Self::Hpa(_) => "kube-controller-manager",
            Self::Scaler(name) | Self::Editor(name) => name,
        }
    }
}

/// A target.
#[derive(Clone, Debug)]
pub struct Target {
    pub name: &'static str,
    pub replicas: i32,
    pub generation: i64,
    /// `metadata.resourceVersion`: any write that changes something.
    pub version: u64,
    /// Who owns `spec.replicas`, and since when.
    owners: Vec<(Who, Millis)>,
}

impl Target {
    pub fn new(name: &'static str, replicas: i32) -> Self {
        Self { name, replicas, generation: 1, version: 1, owners: vec![(Who::Editor("kubectl-create"), 0)] }
    }

    /// Whoever changes the value owns it alone. Returns whether it is another one.
    pub fn set(&mut self, who: Who, replicas: i32, now: Millis) -> bool {
        let is_changed = self.replicas != replicas;
        if is_changed {
            (self.replicas, self.owners) = (replicas, vec![(who, now)]);
            self.generation += 1;
            self.version += 1;
        }
        is_changed
    }

    /// Whoever applies the value that is there owns it, too.
    pub fn join(&mut self, who: Who, now: Millis) {
        if self.owners.is_empty() {
            self.owners.push((Who::Editor("before-first-apply"), now));
        }
        self.owners.retain(|(owner, _)| *owner != who);
        self.owners.push((who, now));
        self.version += 1;
    }

    /// Somebody removes all managed fields.
    pub fn clear(&mut self) {
        self.owners.clear();
        self.version += 1;
    }

    /// Another field of the spec is edited.
    pub fn touch(&mut self) {
        self.generation += 1;
        self.version += 1;
    }

    pub fn scale(&self) -> Value {
        json!({"object": {"spec": {"replicas": self.replicas},
            "status": {"replicas": self.replicas, "selector": format!("app={}", self.name)}}})
    }

    /// The object, cut down to what a case keeps.
    pub fn object(&self) -> Value {
        let entry = |(who, since): &(Who, Millis)| {
            let fields = json!({"f:spec": {"f:replicas": {}}});
            match who {
                Who::Editor(name) => {
                    json!({"manager": name, "operation": "Update", "time": at(*since).to_string(),
                    "fieldsV1": fields})
                }
                who => json!({"manager": who.manager(), "operation": "Update", "subresource": "scale",
                    "fieldsV1": fields}),
            }
        };
        let entries: Vec<Value> = self.owners.iter().map(entry).collect();
        json!({"object": {"kind": "Deployment", "metadata": {"name": self.name, "namespace": "shop",
            "generation": self.generation, "creationTimestamp": "2026-11-01T00:00:00Z", "managedFields": entries}}})
    }
}
