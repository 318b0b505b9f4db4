//! What another version would decide differently.

use super::{Comparison, Effect, Foreseen, Neighbors, Totals, Unanswered, Versions};
use crate::api::ObjectMeta;
use crate::model::{Evidenced, Replicas};
use crate::rules::{Rules, RulesError};
use crate::snapshot::{Origin, Snapshot};
use crate::trace::{Outcome, Unread};

/// The HPAs that another version would decide differently.
#[derive(Clone, Debug)]
pub struct Upgrade {
    /// The version, as it was asked for.
    pub to: Evidenced<Box<str>>,
    /// The versions that decide now; one, where all HPAs are of one cluster.
    pub from: Vec<String>,
    /// Where they were read.
    pub origins: Vec<Origin>,
    /// Whether several clusters were asked for.
    pub is_of_clusters: bool,
    /// How many HPAs there are.
    pub hpas: usize,
    /// Those for which neither version is known to decide: by their cases, or by namespace and name.
    pub undecided: Vec<String>,
    /// What could not be read of them.
    pub unread: Vec<Unread>,
    /// Those that could not be read, or not be decided on.
    pub errors: Vec<Unanswered>,
    /// Those that are decided differently: each by two versions.
    pub changed: Vec<Versions>,
    /// Those that end elsewhere in a situation that is still to come.
    pub later: Vec<Foreseen>,
    /// Those with minReplicas 0 that the other version's API server refuses to create, as far as is known: by their cases, or
    /// by namespace and name.
    pub refused: Vec<String>,
}

impl Upgrade {
    /// To a version, of no HPA yet.
    #[must_use]
    pub fn to(version: Evidenced<Box<str>>) -> Self {
        Self {
            to: version,
            from: Vec::new(),
            origins: Vec::new(),
            is_of_clusters: false,
            hpas: 0,
            undecided: Vec::new(),
            unread: Vec::new(),
            errors: Vec::new(),
            changed: Vec::new(),
            later: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Decides on one more, and keeps it if the decisions differ.
    ///
    /// # Errors
    /// Where there are no rules for one of the two versions.
    pub fn add(&mut self, snapshot: &Snapshot, metadata: &ObjectMeta) -> Result<(), RulesError> {
        let from = snapshot.controller.version.clone();
        let versions = Versions::of(snapshot, &[from.clone(), self.to.clone()])?;
        self.hpas += 1;
        if !self.from.iter().any(|known| **known == *from.value) {
            self.from.push(from.value.into());
        }
        if let Some(origin) = snapshot.origin.as_ref().filter(|origin| !self.origins.contains(origin)) {
            self.origins.push(origin.clone());
        }
        let key = &snapshot.hpa.key;
        let place =
            || Unanswered::of(&key.namespace, &key.name, snapshot.origin.as_ref()).place(self.is_of_clusters);
        let accepts_zero = Rules::accepts_zero(&self.to.value, &snapshot.controller.feature_gates)?;
        if snapshot.hpa.min == Replicas(0) && !accepts_zero {
            self.refused.push(place());
        }
        self.later.extend(versions.neighbors().find_map(|it| Foreseen::of(&it, metadata)));
        match versions.comparison() {
            Comparison::Same => {}
            Comparison::Different => self.changed.push(versions),
            Comparison::Unknown => {
                self.undecided.push(place());
                let mut outcomes = versions.decided.iter().map(|(_, it)| &it.decision().outcome);
                self.unread.extend(outcomes.find_map(Outcome::unread).cloned());
            }
        }
        Ok(())
    }

    /// One more of which nothing can be said, or a cluster that cannot be read.
    pub fn add_failed(&mut self, error: Unanswered) {
        if !error.is_of_cluster() {
            self.hpas += 1;
            self.undecided.push(error.place(self.is_of_clusters));
        }
        self.errors.push(error);
    }

    /// In the order of contexts, namespaces and names: several clusters answer in any order.
    pub fn sort(&mut self) {
        let place = |versions: &Versions| {
            let snapshot = versions.decided.first().map(|(_, first)| first.snapshot());
            snapshot.map(|it| (it.origin.clone(), it.hpa.key.clone()))
        };
        self.changed.sort_by_cached_key(place);
        self.later.sort_by_cached_key(|it| (it.origin.clone(), it.key.clone()));
        self.refused.sort_unstable();
        self.origins.sort_unstable();
        self.from.sort_unstable();
        self.undecided.sort_unstable();
        self.errors.sort_unstable();
    }

    /// The HPAs that are decided differently, each with what that comes to, if that is known.
    pub fn effects(&self) -> impl Iterator<Item = (Neighbors<'_>, Option<Effect>)> {
        self.changed.iter().flat_map(Versions::neighbors).map(|it| (it, it.sides().effect()))
    }

    /// What they come to together.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let effects: Vec<Effect> = self.effects().filter_map(|(_, effect)| effect).collect();
        Totals::of(effects.iter())
    }

    /// Whether each is decided as it is now, and ends where it does now in the situations to come, as far as that is known.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        match (self.undecided.as_slice(), self.changed.is_empty() && self.later.is_empty()) {
            ([], true) => Comparison::Same,
            ([], false) => Comparison::Different,
            _ => Comparison::Unknown,
        }
    }
}
