//! Reads a live HPA, and everything that its decision depends on, into a [`Case`](kubectl_hpa_core::snapshot::Case).
//!
//! This room decides nothing and prints nothing. It writes only in `write`, and only what it is told to. It reads what
//! the controller reads, on the very same API paths. If an answer is an error, it records the words that client-go
//! would make of it, because the controller quotes them in conditions and events.
//!
//! # Rooms
//!
//! | room | what lives there | uses |
//! |---|---|---|
//! | `error` | why nothing can be read or written, and what may help | – |
//! | `client` | the way to the API server: kubeconfig, flags, credentials, proxy, timeouts | error |
//! | `wire` | how one request is made, and when its answer is believed | client |
//! | `discovery` | what the API server serves, and which resource a kind stands for | client, wire |
//! | `lists` | whole lists, each read once, and what one HPA needs of them | client, wire |
//! | `connection` | a client, and the answers that several reads share | client, wire, discovery, lists, error |
//! | `lookup` | which HPA is meant | all above |
//! | `read` | what is read for a case, in which order | all above |
//! | `write` | the one place that changes anything | all above |
//!
//! Each room uses only rooms above it; `tests/tidy.rs` checks this as far as paths show it. Methods that one room adds
//! to [`Connection`] and another calls leave no path: `read` calls those of `lookup`, `write` those of both, and none
//! calls back.
//!
//! # How it reads
//!
//! The reads form a tree at most three answers deep, whatever the HPA: first the HPAs, discovery and the controller's
//! own pod; then the target's scale, object and external metrics; then pods and their samples. All reads of one depth
//! run at the same time. Lists are decoded item by item while they arrive, so ten thousand pods are never in memory as
//! text.
//!
//! About most HPAs of a namespace or a cluster the same tree is asked once for all of them: whole lists take the place of the
//! reads of one HPA, and what an HPA needs is picked out of them (`lists`). Lists of the whole cluster are asked for as soon as
//! the first pages of HPAs show that they are needed. What no list has is still read singly: scales of other kinds, custom and
//! external metrics.
//!
//! Beside one HPA, the scales of the others of its namespace come from lists, too, if several have targets of one kind.
//!
//! If the controller says that it lacks a right, the API server is asked whether it still does: the one request that is no
//! GET, and stores nothing either.
//!
//! An answer is believed if it is what was asked for: its kind, version, name and namespace, and the fields that an API
//! server always writes (`wire`). A failure is the controller's, too, if the API server itself reports it; everything
//! else on the way (a proxy, a load balancer, a broken connection) is the reader's alone.
//!
//! A request is sent again as client-go sends it: when the server says, and a read of each resource once after a failure of the
//! server or an end of the connection. Of a list of HPAs, one that cannot be decoded is known by its name, and the others stay.
//!
//! Deliberately absent: the local clock (the time is the `Date` of the API server's answer), and any field that
//! [`api`](kubectl_hpa_core::api) does not name.

mod client;
mod connection;
mod discovery;
mod error;
mod lists;
mod lookup;
mod read;
mod wire;
mod write;

pub use client::{ConnectArgs, Exchange, Observer, contexts, read_bounded};
pub use connection::Connection;
pub use error::ClusterError;
pub use lookup::{HpaQuery, Subject, SubjectError};
pub use read::{CurrentAndProposed, Gathered, Proposed, Unread};
pub use write::{DryRun, Place, WriteError};
