//! The reads for a case, in their order (`gather`): the target's scale and pods,
//! metrics of all kinds, the other HPAs of the namespace, events and what else tells of the past (`history`), the
//! controller's version and settings (`settings`, `processes`, `flags`, `controllers`), which one leads (`lease`), and whether it
//! still lacks the rights that its errors name (`access`). An APIService may vouch that an error is the controller's, too (`vouch`). About many HPAs whole lists are read instead (`listed`).
//! What lint looks at is read as it is (`objects`, `raw`).
//!
//! An error is kept in the place of what could not be read, and says whether the controller meets it as well.

mod access;
mod controllers;
mod custom;
mod events;
mod external;
mod flags;
mod gather;
mod history;
mod lease;
mod listed;
mod objects;
mod others;
mod own_scale;
mod pods;
mod processes;
mod proposed;
mod raw;
mod scale;
mod settings;
mod vouch;

pub use objects::{Gathered, Unread};
pub use proposed::{CurrentAndProposed, Proposed};
