//! `kubectl hpa lint`: manifests before they are applied (`files`), or what a cluster has (`live`); what is ignored
//! (`ignored`); what kustomizations build (`kustomize`); the lines that
//! findings are about (`quote`).

mod files;
mod ignored;
mod kustomize;
mod live;
mod quote;
mod run;

pub use run::run;
