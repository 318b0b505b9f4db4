//! kubectl-hpa: why a `HorizontalPodAutoscaler` did what it did, from the controller's own decision made again.
//!
//! # One sentence
//!
//! `cluster → Case → Snapshot → engine::decide → Decision → status, render → stdout`: gather, then think, then speak. The
//! explanation *is* the value that the engine returns, never a log beside the computation.
//!
//! # The rooms, in reading order
//!
//! | room | what lives there | may import |
//! |---|---|---|
//! | [`model`] | the controller's vocabulary: quantities, selectors, instants, replicas, behavior, memory | – |
//! | [`api`] | Kubernetes objects cut down to the fields that a decision depends on | model |
//! | [`rules`] | what differs between versions: one table, feature gates resolved | model |
//! | [`snapshot`] | the case file, and what is frozen from it: parsed, validated, defaulted, joined once | model, api, rules (and for `carry` what a decision left) |
//! | [`trace`] | what was decided, stage by stage, as plain data; every branch has a [`trace::Code`] | model, snapshot |
//! | [`engine`] | [`engine::decide`]: the whole algorithm; pure, total, deterministic | model, rules, snapshot, trace |
//! | [`status`] | what the controller writes about a decision, word for word | model, api, rules, snapshot, trace |
//! | [`recall`] | what can be known of the controller's memory from outside; bounds where it cannot | all of the above |
//! | [`whatif`] | what would have to be different: thresholds, instants, causes taken away | all of the above |
//! | [`advice`] | what to do about it: codes, changes, and what would come of them | model, recall, rules, snapshot, trace, whatif |
//! | [`edit`] | a change before it is written: the patch, who would take it back, what it is bound to | api, model |
//! | [`render`] | a decision as text or JSON, on any writer | all of the above |
//! | [`cluster`] | reads a live autoscaler into a case, and writes what it is told to; decides nothing | model, api, snapshot |
//! | [`cli`] | what a person may type; does nothing | model, edit |
//! | [`commands`] | the hallway: from what was typed to what is written | everything |
//!
//! Beside them stand the shells' scripts in `completions/`: all ask the same `kubectl-hpa __complete`, which walks the
//! words along [`cli`] and looks names up where the command would.
//!
//! Up to [`edit`] nothing knows a terminal or a cluster: `cargo test --no-default-features` builds that pure wing
//! alone. `tests/tidy.rs` holds the walls.
//!
//! # Where a rule lives
//!
//! Each file of [`engine`] mirrors one part of upstream's `pkg/controller/podautoscaler` and names the functions: `gate`
//! (zero and the bounds, ambiguous selectors), `metrics` (which calculation a metric takes), `census` (`groupPods`),
//! `requests` (`calculateRequests`), `per_pod` and `total` (the replica calculator), `choice` (several metrics),
//! `stabilize`, `limit`, `memory`. Conversions between floats and integers stand in `arith` alone, because Go's differ
//! from Rust's. What a version changes is a field of [`rules::Rules`]; nothing else asks for a version.
//!
//! # Invariants
//!
//! - Time enters once, as [`snapshot::Snapshot::taken_at`]; randomness, environment and I/O never enter the pure wing.
//! - The chain law: each stage takes its input from the record of the stage before, and the last one is the outcome.
//! - A read that failed for the controller too is part of its decision; one that failed for the reader alone makes the
//!   decision unknown. The two are never confused ([`snapshot::Scope`]). Of the other autoscalers and the controller's
//!   flags the likely is taken instead (none, the defaults), and the screen says so.
//! - What the API hides (memory, flags) carries its [`model::Evidence`]; a guess is never stated as fact.
//! - Nothing is written that was not shown, that is not decided again at that moment, or over a state that was not read.
//! - The controller's words stand in [`status`], ours in [`render`], and there are none in between.
//!
//! # Where this differs from the first drawing
//!
//! - [`api`] is a room of its own: the case file, the live reader and the status that we print share one set of objects,
//!   and a field that is not there can neither be read nor saved.
//! - The live reader makes a case, not a snapshot: what is explained live and what is explained from a file take the same
//!   way, so that `--save` followed by `-f` cannot tell another story.
//! - [`rules`] stands beside the engine, because the snapshot needs to know the newest version as its default.
//! - Whoever watches holds no watch open, but asks again and again. What was seen goes into the snapshot's signs, so that a
//!   decision of a watch takes the same way as one of a single look, and [`recall`] alone knows what silence tells.
//! - [`recall`] decides twice instead of reasoning about intervals inside the engine: the engine stays exact, and the
//!   bounds are proved by running the controller's loop with its memory hidden (`tests/recall.rs`, `tests/watch.rs`).

// Tests may fail loudly; the library may not.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod model;

pub mod api;

pub mod rules;

pub mod snapshot;

pub mod trace;

pub mod engine;

pub mod status;

pub mod recall;

pub mod whatif;

pub mod advice;

pub mod edit;

#[cfg(feature = "cli")]
pub mod examples;

#[cfg(feature = "cli")]
pub mod render;

#[cfg(feature = "cli")]
pub mod cluster;

#[cfg(feature = "cli")]
pub mod cli;

#[cfg(feature = "cli")]
pub mod commands;
