//! Reads a live autoscaler, and all that its decision depends on, into a [`Case`](kubectl_hpa_core::snapshot::Case).
//!
//! This room decides nothing and prints nothing. It writes in one place alone, `write`, what it is told to. It asks what the controller asks, on the very same API paths, and
//! where an answer is an error it writes down the words that client-go would have made of it, because the controller
//! quotes them in conditions and events.
//!
//! The reads form a tree at most three answers deep, whatever the autoscaler: first the autoscalers, discovery and
//! the controller's own pod; then the target's scale, object and external metrics; then pods and what is measured
//! of them. All reads of one depth are on their way at the same time. Lists are decoded item by item while they
//! arrive, so that ten thousand pods never stand in memory as text.
//!
//! An answer is believed if it is what was asked for: its kind, version, name and namespace, and the fields that an API
//! server always writes (`shape`). A failure is the controller's too if the API server itself says so (`author`, `vouch`);
//! everything else on the way, a proxy, a load balancer or a broken connection, is the reader's alone.
//!
//! What is absent here on purpose: the laptop's clock (the instant is the `Date` of the API server's answer), retries
//! (the controller's next try is its next reconcile), and any field that [`api`](kubectl_hpa_core::api) does not name.

mod answer;
mod author;
mod bearer;
mod body;
mod both;
mod builtin;
mod client;
mod config;
mod connection;
mod custom;
mod discovery;
mod document;
mod error;
mod events;
mod external;
mod flags;
mod gather;
mod get;
mod history;
mod hpas;
mod items;
mod kept;
mod kubeconfig;
mod list;
mod mapping;
mod observed;
mod offers;
mod others;
mod overrides;
mod path;
mod patience;
mod plain;
mod plainly;
mod plugin;
mod pods;
mod proxy;
mod query;
mod refusal;
mod scale;
mod settings;
mod shape;
mod size;
mod splitter;
mod subject;
mod vouch;
mod write;
mod written;

pub use both::{Both, Wanted};
pub use client::ConnectArgs;
pub use connection::Connection;
pub use error::ClusterError;
pub use kubeconfig::contexts;
pub use observed::{Exchange, Observer};
pub use query::Query;
pub use subject::{Subject, SubjectError};
pub use write::{DryRun, Place, WriteError};
