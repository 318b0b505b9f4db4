//! `kubectl hpa lint`: manifests before they are applied (`files`), or what a cluster has (`live`); what is ignored
//! (`ignored`).

mod files;
mod ignored;
mod live;
mod run;

pub use run::run;
