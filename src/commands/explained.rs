//! What is answered about decisions, as text and as data.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use super::writer::Answered;
use crate::render::{self, Fleet, FleetSimulation, Options, Title};
use kubectl_hpa_core::comparison::{Upgrade, Versions};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::Snapshot;

impl Answered for Explanation {
    const LIST: &'static str = "DecisionList";

    fn names(&self) -> Vec<Cow<'_, str>> {
        vec![Cow::Borrowed(&self.snapshot().hpa.key.name)]
    }

    fn title(&self) -> Title<'_> {
        Title { what: "Explanation".to_owned(), of: Some(self) }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::text(out, self, options)
    }

    fn view(&self) -> impl Serialize {
        render::decision_view(self)
    }
}

impl Answered for Versions {
    const LIST: &'static str = "VersionsList";

    fn names(&self) -> Vec<Cow<'_, str>> {
        self.decided.first().into_iter().flat_map(|(_, first)| Answered::names(first)).collect()
    }

    fn title(&self) -> Title<'_> {
        Title { what: "Versions".to_owned(), of: self.decided.first().map(|(_, first)| first) }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::versions(out, self, options)
    }

    fn view(&self) -> impl Serialize {
        render::versions_view(self)
    }
}

fn name(versions: &Versions, is_of_clusters: bool) -> Option<Cow<'_, str>> {
    let Snapshot { hpa, origin, .. } = versions.decided.first()?.1.snapshot();
    Some(render::name(&hpa.key.name, &hpa.key.namespace, origin.as_ref().filter(|_| is_of_clusters)))
}

impl Answered for Upgrade {
    const LIST: &'static str = "UpgradeList";

    fn names(&self) -> Vec<Cow<'_, str>> {
        let later = self.later.iter().map(|it| {
            let origin = it.origin.as_ref().filter(|_| self.is_of_clusters);
            render::name(&it.key.name, &it.key.namespace, origin)
        });
        let now = self.changed.iter().filter_map(|versions| name(versions, self.is_of_clusters));
        let mut names: Vec<Cow<'_, str>> = now.chain(later).collect();
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    fn title(&self) -> Title<'_> {
        Title { what: format!("Upgrade to {}", self.to.value), of: None }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::upgrade(out, self, options)
    }

    fn view(&self) -> impl Serialize {
        render::upgrade_view(self)
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        render::upgrade_csv(out, self)
    }
}

impl Answered for Fleet {
    /// A list of HPAs is one object already, so nothing makes a list of it.
    const LIST: &'static str = "HpaListList";

    fn names(&self) -> Vec<Cow<'_, str>> {
        Fleet::names(self).collect()
    }

    fn title(&self) -> Title<'_> {
        Title { what: Fleet::title(self), of: None }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::fleet(out, self, options)
    }

    fn view(&self) -> impl Serialize {
        render::fleet_view(self)
    }

    fn items(&self) -> serde_json::Result<Vec<Value>> {
        render::listed_views(self).iter().map(serde_json::to_value).collect()
    }

    fn lines(&self, out: &mut dyn Write) -> io::Result<()> {
        render::listed_views(self).iter().try_for_each(|row| render::json_line(out, row))
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        render::fleet_csv(out, self)
    }
}

impl Answered for FleetSimulation {
    /// One object already, too.
    const LIST: &'static str = "FleetSimulationList";

    fn names(&self) -> Vec<Cow<'_, str>> {
        FleetSimulation::names(self).collect()
    }

    fn title(&self) -> Title<'_> {
        Title { what: format!("Simulation with {}", self.changes.join(" ")), of: None }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::fleet_simulation(out, self, options)
    }

    fn view(&self) -> impl Serialize {
        render::fleet_simulation_view(self)
    }

    fn lines(&self, out: &mut dyn Write) -> io::Result<()> {
        render::simulated_views(self).iter().try_for_each(|row| render::json_line(out, row))
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        render::fleet_simulation_csv(out, self)
    }
}
