//! What is decided: the recorded decisions of the real controllers, and the laws that hold for every decision.

// The core reads no file and starts no thread; what judges it does.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod advice;
mod apiserver;
mod assembly;
mod attested;
mod backtest;
#[path = "../backtest/world.rs"]
mod backtest_world;
mod blame;
mod bounds;
mod carry;
mod cases;
mod causes;
mod check;
#[path = "../oracle/judge/compare.rs"]
mod judge;
mod laws;
mod oracle;
#[path = "../oracle/judge/play.rs"]
mod play;
mod printed;
#[path = "../oracle/recorded.rs"]
mod recorded;
#[path = "../root.rs"]
mod root;
mod self_check;
#[path = "../loader/spec_json.rs"]
mod spec_json;
mod upgrades;
mod upstream;
#[path = "../oracle/versions.rs"]
mod versions;
mod vocabulary;
mod whatif;
