//! Several versions side by side, and what one of them would change.

use std::io::{self, Write};

use serde::Serialize;

use super::decision::{DecisionView, decision_view};
use super::errors::ErrorView;
use super::fleet_simulation::{EffectView, KeyView, TotalsView, effect_cells, effect_heads};
use super::future::quoted;
use super::number::Moment;
use super::origin::OriginColumns;
use super::simulation::{FirstDifferenceView, same};
use super::subject::SubjectView;
use crate::render::phrases::later::commands;
use crate::render::phrases::owner::overwrites;
use kubectl_hpa_core::comparison::{
    Effect, Extent, Foreseen, Later, Neighbors, Situation, Upgrade, Versions,
};
use kubectl_hpa_core::snapshot::case::API_VERSION;
use kubectl_hpa_core::whatif::RuleAttribution;

/// Several versions as programs read them: `apiVersion: kubectl-hpa/v1`, `kind: Versions`. The schema of this and of
/// [`UpgradeView`] is `schema/versions.schema.json`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionsView<'a> {
    api_version: &'static str,
    kind: &'static str,
    subject: Option<SubjectView>,
    at: Option<Moment>,
    /// Whether all decide the same; `null` where that is not known.
    #[serialize_always]
    same: Option<bool>,
    /// The versions in groups of the same outcome.
    groups: Vec<Vec<&'a str>>,
    /// What lies between each version and the next.
    differences: Vec<DifferenceView<'a>>,
    decisions: Vec<VersionView<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct VersionView<'a> {
    version: &'a str,
    decision: DecisionView<'a>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DifferenceView<'a> {
    from: &'a str,
    to: &'a str,
    /// `nothing`, `words`, `way` or `outcome`.
    extent: &'static str,
    first_difference: Option<FirstDifferenceView>,
    /// The rules behind the first step at which they part.
    rules: BehindView,
    /// The rules behind the outcome, where those of the step alone do not make it.
    outcome_rules: Option<BehindView>,
}

#[derive(Clone, Debug, Serialize)]
struct BehindView {
    /// Whether only all of them together make the difference; else each does by itself.
    together: bool,
    items: Vec<RuleView>,
}

#[derive(Clone, Debug, Serialize)]
struct RuleView {
    name: String,
    text: String,
}

/// Several versions as a serializable value.
#[must_use]
pub fn versions_view(versions: &Versions) -> VersionsView<'_> {
    let groups = versions.groups();
    let first = versions.decided.first().map(|(_, explanation)| explanation);
    VersionsView {
        api_version: API_VERSION,
        kind: "Versions",
        subject: first.map(SubjectView::of),
        at: first.map(|first| Moment(first.snapshot().taken_at)),
        same: same(versions.comparison()),
        groups: groups.iter().map(|group| group.iter().map(|(version, _)| *version).collect()).collect(),
        differences: versions.neighbors().map(|neighbors| DifferenceView::of(&neighbors)).collect(),
        decisions: versions
            .decided
            .iter()
            .map(|(version, explanation)| VersionView { version, decision: decision_view(explanation) })
            .collect(),
    }
}

impl<'a> DifferenceView<'a> {
    fn of(neighbors: &Neighbors<'a>) -> Self {
        let difference = neighbors.difference;
        Self {
            from: neighbors.now.0,
            to: neighbors.then.0,
            extent: match difference.extent {
                Extent::Nothing => "nothing",
                Extent::Words => "words",
                Extent::Way => "way",
                Extent::Outcome => "outcome",
            },
            first_difference: neighbors
                .sides()
                .earliest_difference()
                .map(|it| FirstDifferenceView::of(&neighbors.sides(), &it)),
            rules: BehindView::of(&difference.rules),
            outcome_rules: difference.outcome.as_ref().map(BehindView::of),
        }
    }
}

impl BehindView {
    fn of(attribution: &RuleAttribution) -> Self {
        let rules = attribution.rules.iter();
        let items = rules.map(|rule| RuleView { name: rule.name(), text: rule.text() }).collect();
        Self { together: attribution.together, items }
    }
}

/// An upgrade as programs read it: `apiVersion: kubectl-hpa/v1`, `kind: Upgrade`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UpgradeView<'a> {
    api_version: &'static str,
    kind: &'static str,
    to: &'a str,
    from: &'a [String],
    /// How many HPAs there are.
    hpas: usize,
    /// Those of which nothing can be said.
    undecided: &'a [String],
    /// What the change of those comes to together.
    sum: TotalsView,
    /// What it comes to for each of the items.
    effects: Vec<UpgradedView<'a>>,
    /// Those that are decided otherwise.
    items: Vec<VersionsView<'a>>,
    /// Those that end elsewhere in a situation that is still to come.
    later: Vec<ForeseenView<'a>>,
    /// Those with minReplicas 0 that the API server refuses to create.
    refused: &'a [String],
    errors: Vec<ErrorView<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct UpgradedView<'a> {
    subject: KeyView<'a>,
    #[serde(flatten)]
    effect: Option<EffectView>,
}

/// An upgrade as a serializable value.
#[must_use]
pub fn upgrade_view(upgrade: &Upgrade) -> UpgradeView<'_> {
    UpgradeView {
        api_version: API_VERSION,
        kind: "Upgrade",
        to: &upgrade.to.value,
        from: &upgrade.from,
        hpas: upgrade.hpas,
        undecided: &upgrade.undecided,
        sum: TotalsView::of(&upgrade.totals()),
        effects: upgrade.effects().map(UpgradedView::of).collect(),
        items: upgrade.changed.iter().map(versions_view).collect(),
        later: upgrade.later.iter().map(|it| ForeseenView::of(it, upgrade.is_of_clusters)).collect(),
        refused: &upgrade.refused,
        errors: upgrade.errors.iter().map(ErrorView::of).collect(),
    }
}

impl<'a> UpgradedView<'a> {
    fn of((neighbors, effect): (Neighbors<'a>, Option<Effect>)) -> Self {
        let snapshot = neighbors.now.1.snapshot();
        let subject = KeyView::of(&snapshot.hpa.key, snapshot.origin.as_ref());
        Self { subject, effect: effect.as_ref().map(EffectView::of) }
    }
}

/// An HPA that ends elsewhere.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ForeseenView<'a> {
    subject: KeyView<'a>,
    from: &'a str,
    differences: Vec<LaterView>,
    /// What to run before the version changes.
    commands: Vec<String>,
    /// Who would revert that.
    owners: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct LaterView {
    situations: Vec<&'static str>,
    now: i32,
    then: i32,
    rules: BehindView,
}

impl<'a> ForeseenView<'a> {
    fn of(foreseen: &'a Foreseen, is_of_clusters: bool) -> Self {
        Self {
            subject: KeyView::of(&foreseen.key, foreseen.origin.as_ref()),
            from: &foreseen.from,
            differences: foreseen.later.iter().map(LaterView::of).collect(),
            commands: commands(foreseen, is_of_clusters),
            owners: foreseen.precaution.iter().flat_map(|it| &it.owners).map(overwrites).collect(),
        }
    }
}

impl LaterView {
    fn of(later: &Later) -> Self {
        let name = |situation: &Situation| match situation {
            Situation::AtZeroBefore => "atZeroBefore",
            Situation::AtZeroAfter => "atZeroAfter",
            Situation::MinRaised => "minRaised",
            Situation::ScaledByHand => "scaledByHand",
        };
        let [now, then] = later.ends.map(|end| end.0);
        let situations = later.situations.iter().map(name).collect();
        Self { situations, now, then, rules: BehindView::of(&later.rules) }
    }
}

/// Writes what an upgrade changes as comma-separated values, a row for each HPA that is decided differently.
///
/// # Errors
/// Those of the writer.
pub fn upgrade_csv(out: &mut dyn Write, upgrade: &Upgrade) -> io::Result<()> {
    let origins = OriginColumns::of(upgrade.is_of_clusters, upgrade.origins.iter().map(Some));
    writeln!(out, "{}namespace,name,from,to,{}", origins.heads(), effect_heads())?;
    for (neighbors, effect) in upgrade.effects() {
        let snapshot = neighbors.now.1.snapshot();
        let key = &snapshot.hpa.key;
        let begin = origins.cells(snapshot.origin.as_ref());
        let cells = [&key.namespace, &key.name, neighbors.now.0, neighbors.then.0].map(quoted);
        writeln!(out, "{begin}{},{}", cells.join(","), effect_cells(effect.as_ref()))?;
    }
    Ok(())
}
