//! Reads a live autoscaler, and all that its decision depends on, into a [`Case`](kubectl_hpa_core::snapshot::Case).
//!
//! This room decides nothing and prints nothing. It writes in one place alone, `write`, what it is told to. It asks what
//! the controller asks, on the very same API paths, and where an answer is an error it writes down the words that
//! client-go would have made of it, because the controller quotes them in conditions and events.
//!
//! # Rooms
//!
//! | room | what lives there | uses |
//! |---|---|---|
//! | `error` | why nothing can be said at all, and what may help | – |
//! | `client` | the way to the API server: kubeconfig, flags, credentials, proxy, patience | error |
//! | `wire` | how one request is made, and when its answer is believed | client |
//! | `discovery` | what the API server serves, and which resource a kind stands for | client, wire |
//! | `connection` | a client, and the answers that several questions share | client, wire, discovery, error |
//! | `lookup` | which HPA a question is about | all above |
//! | `read` | what is read for a case, in which order | all above |
//! | `write` | the one place that changes anything | all above |
//!
//! Each room uses only rooms above it; `tests/tidy.rs` holds the drawing as far as paths show it. Methods that one room
//! adds to [`Connection`] and another calls leave no path: `read` calls those of `lookup`, `write` those of both, and none
//! calls back.
//!
//! # How it reads
//!
//! The reads form a tree at most three answers deep, whatever the autoscaler: first the autoscalers, discovery and
//! the controller's own pod; then the target's scale, object and external metrics; then pods and what is measured
//! of them. All reads of one depth are on their way at the same time. Lists are decoded item by item while they
//! arrive, so that ten thousand pods never stand in memory as text.
//!
//! An answer is believed if it is what was asked for: its kind, version, name and namespace, and the fields that an API
//! server always writes (`wire`). A failure is the controller's too if the API server itself says so; everything else on
//! the way, a proxy, a load balancer or a broken connection, is the reader's alone.
//!
//! What is absent here on purpose: the laptop's clock (the instant is the `Date` of the API server's answer), retries
//! (the controller's next try is its next reconcile), and any field that [`api`](kubectl_hpa_core::api) does not name.

mod client;
mod connection;
mod discovery;
mod error;
mod lookup;
mod read;
mod wire;
mod write;

pub use client::{ConnectArgs, Exchange, Observer, contexts};
pub use connection::Connection;
pub use error::ClusterError;
pub use lookup::{HpaQuery, Subject, SubjectError};
pub use read::{CurrentAndProposed, Proposed};
pub use write::{DryRun, Place, WriteError};
