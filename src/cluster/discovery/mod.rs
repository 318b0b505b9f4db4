//! What the API server serves: groups, versions, resources and their kinds (`groups`), and which resource a kind stands for
//! (`mapping`).
//!
//! One request for the core group and one for all others tell everything (`aggregated`: aggregated discovery, which every
//! API server since 1.26 speaks). Where something in between does not understand it, the group versions that are needed
//! are asked for one by one (`plain`), at the price of one more round trip. Where discovery is forbidden, the built-in
//! kinds are known by heart (`builtin`).

mod aggregated;
mod builtin;
mod groups;
mod mapping;
mod plain;

pub(in crate::cluster) use groups::Discovery;
pub(in crate::cluster) use mapping::{GroupKind, Mapping};
pub(in crate::cluster) use plain::{CUSTOM_METRICS, group_version};
