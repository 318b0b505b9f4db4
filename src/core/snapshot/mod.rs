//! Everything that the controller looks at in one reconcile, at one instant, read from a case file.
//!
//! A [`Case`] is the file: plain API objects, or the error of a read in place of its answer. [`Snapshot::freeze`] turns
//! it into what the engine decides on: every quantity parsed and rounded once, every sample joined to its pod once, the
//! API server's defaults filled in. Nothing here decides anything.

mod bounded;
mod bounds;
pub mod case;
mod controller;
mod defaults;
mod emitted;
mod error;
mod freeze;
mod freeze_hpa;
mod freeze_pods;
mod history;
mod hpa;
mod load;
mod mapped;
mod oddity;
mod origin;
mod other_hpa;
mod ownership;
mod pod;
mod pod_list;
mod pod_requests;
mod quoted;
mod read;
mod reading;
mod status_rescale;
mod stored;
mod strict;
mod target_history;
mod v1;
mod validate;
mod watched;
mod written;

pub use case::Case;
pub use controller::Controller;
pub use defaults::default_metric;
pub use emitted::Emitted;
pub use error::CaseError;
pub use freeze::SelectedPods;
pub use history::{HistoryEvidence, Rescale, RescaleEventReason, Synced, WarningEvent};
pub use hpa::{Hpa, HpaKey, Scale, Selection, Writes};
pub use load::{
    Cases, DESCRIBED, Input, Inputs, LoadError, Manifest, Objects, Piece, Pieces, Places, Position, TOP,
    TypeMeta, UnknownField, Written, is_text, snippet, typed,
};
pub use oddity::Oddity;
pub use origin::Origin;
pub use other_hpa::{Got, OtherHpa, OtherSigns};
pub use ownership::owned_by;
pub use pod::{
    ConditionStatus, ContainerUsage, Owner, Phase, Pod, PodUsage, Readiness, ResizingContainer,
    StuckContainer, Unscheduled, UnscheduledReason,
};
pub use pod_list::PodList;
pub use pod_requests::Container;
pub use read::{Read, ReadError, Scope, Stage};
pub use reading::{PodSamples, Reading, Usages};
pub use status_rescale::StatusRescale;
pub use stored::{over, store};
pub use target_history::{Resize, SetReplicas, TargetHistory};
pub use validate::{Violation, validate, validate_change, validate_manifest, validate_target};
pub use watched::{Recommended, Rescaled, Watched};

use crate::api::{Unscalable, unscalable};
use crate::model::{AllBut, Evidence, Instant, Memory};

/// Everything that one decision depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The case's name, where it has one.
    pub name: Option<Box<str>>,
    /// Where the case was read, where that is known: has no part in the decision.
    pub origin: Option<Origin>,
    /// The instant of the reconcile: the only clock of the decision.
    pub taken_at: Instant,
    /// The controller and its settings.
    pub controller: Controller,
    /// What the controller remembers.
    pub memory: Memory,
    /// How its memory is known.
    pub memory_evidence: Evidence,
    /// Whether the case states that memory: whoever does knows what the controller reads and writes, too.
    pub is_stated: bool,
    /// What the API shows of the controller's past.
    pub history: HistoryEvidence,
    /// The HPA.
    pub hpa: Hpa,
    /// Its target's scale.
    pub scale: Read<Scale>,
    /// The pods of the namespace that the scale's selector matches, in list order.
    pub pods: Read<PodList>,
    /// The resource metrics API's answer, less what is joined to the pods.
    pub usages: Read<Usages>,
    /// The answer for each metric of the spec, in spec order.
    pub readings: Vec<Reading>,
    /// What is odd in these answers, with the metric's place in the spec.
    pub oddities: Vec<(usize, Oddity)>,
    /// The other HPAs of the namespace. Where they could not be listed, it is decided as if there were none, and said
    /// so.
    pub others: Read<AllBut<OtherHpa>>,
    /// What writes will answer.
    pub writes: Writes,
    /// The rights that the controller's last error says it lacks, as the API server answers for them now.
    pub access: Vec<case::AccessCase>,
}

impl Snapshot {
    /// Generation of the spec that the controller has worked with: not that of the HPA if its spec is a what-if.
    #[must_use]
    pub fn synced_generation(&self) -> i64 {
        self.history.synced.as_ref().map_or(self.hpa.generation, |synced| synced.generation)
    }

    /// The selector of the scale as it is written; empty if there is none, or it is not known.
    #[must_use]
    pub fn selector_text(&self) -> &str {
        match self.scale.as_ref().map(|scale| &scale.selector) {
            Ok(Selection::Parsed { text, .. } | Selection::Invalid { text, .. }) => text,
            Ok(Selection::Missing) | Err(_) => "",
        }
    }

    /// Why no HPA can scale the target, if that is why its scale was not read.
    #[must_use]
    pub fn unscalable(&self) -> Option<Unscalable<'_>> {
        let error = self.scale.as_ref().err()?;
        let why = unscalable(&self.hpa.target.api_version, &self.hpa.target.kind)?;
        // A kind that is not known here may be of a later release: only if the API does not know it either.
        let is_known = matches!(why, Unscalable::NoSubresource(_));
        (is_known || error.stage == Stage::Mapping).then_some(why)
    }

    /// True if the target is not there: the API knows its kind, and no object of its name. An object whose kind has no
    /// scale gets a 404, too, which names no object.
    #[must_use]
    pub fn lacks_target(&self) -> bool {
        let not_found = ["\"", &self.hpa.target.name, "\" not found"].concat();
        let is_absent = |it: &ReadError| it.code == Some(404) && it.message.ends_with(&not_found);
        self.scale.as_ref().err().is_some_and(is_absent)
    }

    /// The other HPAs, as far as they are read, that scale the same target.
    pub fn others_of_target(&self) -> impl Iterator<Item = &OtherHpa> {
        self.others.iter().flat_map(AllBut::iter).filter(|other| other.target == self.hpa.target)
    }

    /// Those of them whose last sync scaled it.
    pub fn others_that_scaled_target(&self) -> impl Iterator<Item = &OtherHpa> {
        // Of ten thousand HPAs few have, so the targets of most are not compared.
        let has_scaled = self.others.iter().flat_map(AllBut::iter).filter(|other| other.rescale.is_some());
        has_scaled.filter(|other| other.target == self.hpa.target)
    }

    /// The pods that the selector matches, if none of them runs; `None` also if they are not known.
    #[must_use]
    pub fn idle_pods(&self) -> Option<&[Pod]> {
        let pods = self.pods.as_deref().ok()?;
        (!pods.iter().any(Pod::may_run)).then_some(pods)
    }

    /// All that the stages after the metrics look at: without pods, samples and other HPAs.
    #[must_use]
    pub fn without_pods(&self) -> Self {
        Self {
            name: None,
            origin: self.origin.clone(),
            taken_at: self.taken_at,
            controller: self.controller.clone(),
            memory: self.memory.clone(),
            memory_evidence: self.memory_evidence,
            is_stated: self.is_stated,
            history: self.history.clone(),
            hpa: self.hpa.clone(),
            scale: self.scale.clone(),
            pods: Ok(PodList::default()),
            usages: Ok(Usages::default()),
            readings: Vec::new(),
            oddities: Vec::new(),
            others: Ok(AllBut::default()),
            writes: self.writes.clone(),
            access: self.access.clone(),
        }
    }
}
