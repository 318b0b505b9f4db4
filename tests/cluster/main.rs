//! Reads of a cluster, tried on a small HTTP server on loopback that plays the API server.
#![expect(
    clippy::format_push_string,
    clippy::needless_pass_by_value,
    clippy::type_complexity,
    reason = "the played API server reads more easily so"
)]

mod access;
mod apply;
mod cluster;
mod completion;
mod connections;
mod contexts;
mod controller;
mod credentials;
mod errors;
mod fleet;
mod k9s;
mod lint;
mod list_watch;
mod live;
mod manifests;
mod mcp;
mod mishaps;
mod names;
#[path = "../pages/mod.rs"]
mod pages;
mod protobuf;
mod questions;
mod reads;
mod record;
mod rivals;
mod run;
mod saved;
mod server;
mod several;
mod shells;
mod sides;
mod stored;
mod subjects;
mod tls;
mod unanswered;
mod unknown;
mod verdicts;
mod versions;
mod wait;
mod watch;
mod words;
