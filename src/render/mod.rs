//! A decision as a person or a program reads it: an explanation in, bytes out.
//!
//! This room uses neither cluster nor clock, and writes only to the writer that it is given. It decides nothing about an HPA;
//! of many, `fleet` counts and orders the rows. The screen and the JSON come from one list of steps
//! ([`kubectl_hpa_core::explanation::Step`]), so that both say the same. Everything that comes from the cluster is made safe for a terminal before it is laid out.

mod by_status;
mod changes;
mod claims;
pub mod codes;
mod fleet;
mod fleet_simulation;
mod future;
mod html;
mod jsonpath;
mod line;
mod lint;
mod listing;
mod name;
mod options;
mod ownership;
mod page;
mod phrases;
mod rendered;
mod rule;
mod simulation;
mod sweep;
mod text;
mod units;
mod verdict;
mod versions;
mod view;

pub use changes::{
    Changed, PastTotal, Unseen, past_total, replica_change, replica_change_json, replica_changes_csv,
};
pub use codes::{UnknownCode, why};
pub use fleet::{Fleet, Listed};
pub use fleet_simulation::{FleetSimulation, SimulatedRow};
pub use future::{Future, Played};
pub use html::{Title, html_end, html_head, html_screen};
pub use jsonpath::{Columns, Template, TemplateError};
pub use line::{brief, line};
pub use lint::{
    LintReport, LintView, SarifView, Unreadable, lint, lint_github, lint_junit, lint_sarif, lint_view,
};
pub use listing::{listing, numbered};
pub use name::name;
pub use options::{Detail, Options, Rows};
pub use page::{Glyphs, Paint, sanitize};
pub use phrases::unread::{not_given, undecided_notes};
pub use rule::rule;
pub use simulation::Simulation;
pub use sweep::Sweep;
pub use text::{
    change, fleet, fleet_simulation, fleet_total, future, listed_line, simulation, sweep, text, upgrade,
    upgrade_total, versions,
};
pub use verdict::{Broken, Verdict, junit, undecided, verdict};
pub use view::{
    DecisionView, ErrorView, FleetSimulationView, FleetView, FutureView, JsonList, SimulationView, SweepView,
    UpgradeView, VersionsView, decision_view, fleet_csv, fleet_simulation_csv, fleet_simulation_view,
    fleet_view, future_csv, future_view, json, json_line, listed_view, listed_views, simulated_views,
    simulation_view, sweep_csv, sweep_view, upgrade_csv, upgrade_view, versions_view, yaml, yaml_errors,
    yaml_lines,
};
