//! A decision as programs read it: mirrors of the trace with their own names, so that neither can change the other
//! by accident. Milli-units are integers and named so, ratios are numbers, instants go to the nanosecond.

mod advice;
mod blame;
mod calculation;
mod causes;
mod claims;
mod controller;
mod decision;
mod errors;
mod fleet;
mod fleet_simulation;
mod form;
mod future;
mod go_json;
mod memory;
mod metric;
mod number;
mod origin;
mod outlook;
mod output;
mod pod_groups;
mod safe;
mod simulation;
mod source;
mod steps;
mod subject;
mod sweep;
mod versions;
mod yaml_text;

pub use decision::{DecisionView, decision_view};
pub use errors::ErrorView;
pub use fleet::{FleetView, fleet_csv, fleet_view, listed_view, listed_views};
pub(in crate::render) use fleet_simulation::KeyView;
pub use fleet_simulation::{
    FleetSimulationView, fleet_simulation_csv, fleet_simulation_view, simulated_views,
};
pub(in crate::render) use future::quoted;
pub use future::{FutureView, future_csv, future_view};
pub(in crate::render) use go_json::go_json;
pub(in crate::render) use number::Moment;
pub use output::yaml_lines;
pub use output::{JsonList, json, json_line, yaml, yaml_errors};
pub use simulation::{SimulationView, simulation_view};
pub use sweep::{SweepView, sweep_csv, sweep_view};
pub use versions::{UpgradeView, VersionsView, upgrade_csv, upgrade_view, versions_view};
