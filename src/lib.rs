//! kubectl-hpa: why a `HorizontalPodAutoscaler` did what it did, by recomputing the controller's own decision.
//!
//! # One sentence
//!
//! `cluster → Case → Explanation → render → stdout`: read, then decide, then print. The explanation *is* the value that the
//! engine returns, never a log beside the computation.
//!
//! # Two crates
//!
//! Everything that decides is a library of its own, [`kubectl_hpa_core`] (`src/core`): it uses no terminal, file, network or
//! clock, and its front page says where each rule of the controller is. This crate is the plugin:
//!
//! | room | what lives there | may import |
//! |---|---|---|
//! | [`examples`] | cases that come with the program | – |
//! | [`render`] | a decision as text or JSON, on any writer | the core, examples |
//! | [`cluster`] | reads a live HPA into a case, and writes what it is told to; decides nothing | the core's model, api, snapshot |
//! | [`cli`] | the command line: flags and their typed values; does nothing | the core's model, edit, lint, play, whatif |
//! | [`commands`] | one function per command, from what was typed to what is printed | everything |
//!
//! The shells' scripts are in `completions/`: all of them call the same `kubectl-hpa __complete`, which follows the typed
//! words along [`cli`] and looks names up where the command would. `tests/tidy.rs` checks the imports between rooms, the
//! compiler those between the crates.
//!
//! # Invariants
//!
//! - Nothing is written that was not shown, whose decision was not repeated at that moment, or whose current state was not
//!   read.
//! - The controller's words are in [`kubectl_hpa_core::status`], ours in [`render`] and, for a
//!   finding of lint or an error of a type, with that type; nobody puts words together from both.
//! - A live HPA and a case file take the same path: the reader makes a case, not a snapshot, so that `--save` followed by
//!   `-f` cannot give another answer.

// Tests may fail loudly; the library may not.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod examples;

pub mod render;

pub mod cluster;

pub mod cli;

pub mod commands;
