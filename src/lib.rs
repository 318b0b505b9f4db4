//! kubectl-hpa: why a `HorizontalPodAutoscaler` did what it did, from the controller's own decision made again.
//!
//! # One sentence
//!
//! `cluster → Case → Explained → render → stdout`: gather, then think, then speak. The explanation *is* the value that the
//! engine returns, never a log beside the computation.
//!
//! # Two crates
//!
//! What thinks is a library of its own, [`kubectl_hpa_core`] (`src/core`): it knows no terminal, file, network or clock, and
//! its front page tells where each rule of the controller lives. This crate is what a person meets:
//!
//! | room | what lives there | may import |
//! |---|---|---|
//! | [`examples`] | cases that come with the program | – |
//! | [`render`] | a decision as text or JSON, on any writer | the core, examples |
//! | [`cluster`] | reads a live autoscaler into a case, and writes what it is told to; decides nothing | the core's model, api, snapshot |
//! | [`cli`] | what a person may type, as values that mean it; does nothing | the core's model, edit, play, whatif |
//! | [`commands`] | the hallway: from what was typed to what is written | everything |
//!
//! Beside them stand the shells' scripts in `completions/`: all ask the same `kubectl-hpa __complete`, which walks the
//! words along [`cli`] and looks names up where the command would. `tests/tidy.rs` holds the walls between rooms, the
//! compiler the wall between the crates.
//!
//! # Invariants
//!
//! - Nothing is written that was not shown, that is not decided again at that moment, or over a state that was not read.
//! - The controller's words stand in [`kubectl_hpa_core::status`], ours in [`render`], and there are none in between.
//! - What is explained live and what is explained from a file take the same way: the reader makes a case, not a snapshot,
//!   so that `--save` followed by `-f` cannot tell another story.

// Tests may fail loudly; the library may not.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod examples;

pub mod render;

pub mod cluster;

pub mod cli;

pub mod commands;
