//! Reads of a cluster, tried on a small HTTP server on loopback that plays the API server.
#![cfg(feature = "cli")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up must fail")]

mod cluster;
mod live;
mod reads;
mod server;
mod subjects;
mod words;
