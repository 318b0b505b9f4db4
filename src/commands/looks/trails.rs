//! The replica changes of any number of HPAs, look after look.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Place;
use super::decided::decided;
use crate::cli::SettingsArgs;
use kubectl_hpa_core::comparison::{Look, ReplicaChange, Trail};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::Watch;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::Case;

/// A change and the look before it.
pub type Changed = (ReplicaChange, Look);

/// All that is kept of each HPA from look to look.
#[derive(Default)]
pub struct Trails {
    hpas: BTreeMap<Place, Followed>,
}

#[derive(Default)]
struct Followed {
    watch: Watch,
    trail: Trail,
}

/// One look at an HPA.
pub struct Saw {
    /// The decision on it.
    pub explained: Rc<Explanation>,
    /// The changes about which nothing else is to be expected.
    pub changes: Vec<Changed>,
}

impl Trails {
    /// Decides on a look that began and ended at these times.
    ///
    /// # Errors
    /// If nothing can be decided; the looks go on.
    pub fn see(
        &mut self,
        place: &Place,
        case: Case,
        times: [Instant; 2],
        settings: &SettingsArgs,
    ) -> anyhow::Result<Saw> {
        let followed = self.hpas.entry(place.clone()).or_default();
        let explained = Rc::new(decided(&mut followed.watch, case, settings, times)?);
        let look = Look { begun: times[0], explained: Rc::clone(&explained) };
        Ok(Saw { changes: followed.trail.see(look), explained })
    }

    /// An HPA was not read: the controller may have decided unseen.
    pub fn miss(&mut self, place: &Place) {
        if let Some(followed) = self.hpas.get_mut(place) {
            followed.watch.failed();
        }
    }

    /// An HPA is gone; returns its changes that are not told yet.
    pub fn lose(&mut self, place: &Place) -> Vec<Changed> {
        self.hpas.remove(place).map(|mut followed| followed.trail.end()).unwrap_or_default()
    }

    /// The changes of all that are not told yet.
    pub fn end(&mut self) -> Vec<Changed> {
        self.hpas.values_mut().flat_map(|followed| followed.trail.end()).collect()
    }
}
