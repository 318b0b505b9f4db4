//! A look, decided on.

use crate::cli::SettingsArgs;
use crate::commands::cases;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::{Look, Watch};
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::{Case, Snapshot};

/// Decides on a look, with what the looks before it tell of the controller's memory.
pub fn decided(
    watch: &mut Watch,
    mut case: Case,
    settings: &SettingsArgs,
    [begun, ended]: [Instant; 2],
) -> anyhow::Result<Explanation> {
    cases::set(&mut case.controller, settings);
    cases::know(&mut case, &settings.past)?;
    case.at = ended;
    let version = case.hpa.0.metadata.resource_version.clone();
    let mut snapshot = Snapshot::freeze(case)?;
    let rules = Explanation::rules_of(&snapshot)?;
    watch.see(Look { begun, ended, version: &version, snapshot: &snapshot }, &rules);
    snapshot.history.watched = watch.watched(ended);
    let explained = Explanation::of_snapshot(snapshot)?;
    watch.note_answer(explained.answer(), explained.outlook().stays_until);
    Ok(explained)
}
