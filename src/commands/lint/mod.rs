//! `kubectl hpa lint`: manifests before they are applied (`files`), or what a cluster has (`live`); what is ignored
//! (`ignored`); what `--fix` writes (`fix`) and how (`mend`); what kustomizations build (`kustomize`); the lines that
//! findings are about (`quote`).

mod files;
mod fix;
mod ignored;
mod kustomize;
mod live;
mod mend;
mod quote;
mod run;

pub use run::run;
