//! The decision of Kubernetes' HorizontalPodAutoscaler controller, made again: the same integers, the same order of
//! floats, the same words, for each version, and every step of it as data.
//!
//! A [`snapshot::Case`] holds what the controller looked at. [`explanation::Explanation`] is the way in: it checks the case
//! and puts it together ([`snapshot::Snapshot::freeze`]), decides ([`engine::decide`]), and answers what is asked of that.
//! Nothing here knows a terminal, a file, a network or a clock: the same case gives the same answer everywhere.
//!
//! ```
//! use kubectl_hpa_core::explanation::Explanation;
//! use kubectl_hpa_core::model::Replicas;
//! use kubectl_hpa_core::snapshot::Cases;
//!
//! let text = "
//! apiVersion: kubectl-hpa/v1
//! kind: Case
//! at: 2026-11-21T10:42:00Z
//! controller:
//!   version: {value: v1.37.1, evidence: Given}
//! hpa:
//!   apiVersion: autoscaling/v2
//!   kind: HorizontalPodAutoscaler
//!   metadata: {name: worker, namespace: shop}
//!   spec:
//!     scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: worker}
//!     maxReplicas: 10
//!     metrics:
//!       - type: External
//!         external: {metric: {name: queue}, target: {type: AverageValue, averageValue: 30}}
//! scale:
//!   object:
//!     apiVersion: autoscaling/v1
//!     kind: Scale
//!     metadata: {name: worker, namespace: shop}
//!     spec: {replicas: 3}
//!     status: {replicas: 3, selector: app=worker}
//! externalMetrics:
//!   - query: {metric: {name: queue}}
//!     items: [{metricName: queue, timestamp: 2026-11-21T10:41:55Z, value: 150}]
//! ";
//! let case = Cases::new("worker.yaml", text.as_bytes()).next().expect("one document")?;
//! let explanation = Explanation::of(case)?;
//!
//! assert_eq!(explanation.decision().desired(), Some(Replicas(5)));
//! // Each step takes its input from the one before.
//! for link in explanation.decision().chain() {
//!     println!("{:?}: {:?} becomes {:?}", link.stage, link.before, link.after);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is stable
//!
//! Within one major version: the case file (`kubectl-hpa.dev/v1`, [`snapshot::Case`]), what [`engine::decide`] decides for
//! a version of Kubernetes, and [`trace::Code`]. The fields of a [`trace::Decision`] follow the controller's algorithm and
//! may grow with it.
//!
//! # Words that are ours
//!
//! | word | meaning |
//! |---|---|
//! | case | a file with all that one decision depends on, as the API showed it |
//! | snapshot | a case that was checked, parsed, defaulted and joined, once |
//! | decision, trace | what the controller decides, with each step that led there |
//! | pod groups | which pods count how for a metric: ready, unready, missing, ignored |
//! | memory | what the controller remembers from one sync to the next: recommendations and scale events |
//! | history evidence | what the API shows of the controller's past: events, conditions, times |
//! | evidence | how a value is known: given, observed, inferred, assumed or unknown |
//! | memory bounds | two memories between which an unknown one lies: the loosest lets the replicas move the most, the tightest the least |
//! | outlook | what comes next, and what would have to be different |
//!
//! # The rooms, in reading order
//!
//! | room | what lives there | may import |
//! |---|---|---|
//! | [`model`] | the controller's vocabulary: quantities, selectors, instants, replicas, behavior, memory | – |
//! | [`api`] | Kubernetes objects cut down to the fields that a decision depends on | model |
//! | [`rules`] | what differs between versions: one table, feature gates resolved | model |
//! | [`snapshot`] | the case file, and what is frozen from it: parsed, validated, defaulted, joined once | model, api, rules |
//! | [`trace`] | what was decided, stage by stage, as plain data; every branch has a [`trace::Code`] | model, snapshot |
//! | [`engine`] | [`engine::decide`]: the whole algorithm; pure, total, deterministic | model, rules, snapshot, trace |
//! | [`status`] | what the controller writes about a decision, word for word | model, api, rules, snapshot, trace |
//! | [`memory_bounds`] | what can be known of the controller's memory from outside; bounds where it cannot | all of the above |
//! | [`play`] | a world that moves: what comes next, sync by sync | model, engine, rules, snapshot, status, trace |
//! | [`whatif`] | what would have to be different: thresholds, instants, causes taken away | all of the above |
//! | [`advice`] | what to do about it: codes, changes, and what would come of them | model, memory_bounds, rules, snapshot, trace, whatif |
//! | [`explanation`] | the way in: a case in; decision, report, outlook, advice, blame, self-check out, each when asked for | all of the above but edit |
//! | [`comparison`] | two decisions side by side, several versions, an upgrade: as data | all of the above but edit |
//! | [`edit`] | a change before it is written: the patch, who would take it back, what it is bound to | api, model |
//!
//! `tests/tidy.rs` holds the walls between them; the compiler and `.clippy.toml` keep out what is impure.
//!
//! # Where a rule lives
//!
//! Each file of [`engine`] mirrors one part of upstream's `pkg/controller/podautoscaler` and names the functions: `gate`
//! (zero and the bounds, ambiguous selectors), `metrics` (which calculation a metric takes), `pod_groups` (`groupPods`),
//! `requests` (`calculateRequests`), `per_pod` and `total` (the replica calculator), `choice` (several metrics),
//! `stabilize`, `limit`, `memory`. Conversions between floats and integers stand in `arith` alone, because Go's differ
//! from Rust's. What a version changes is a field of [`rules::Rules`]; nothing else asks for a version.
//!
//! # Invariants
//!
//! - Time enters once, as [`snapshot::Snapshot::taken_at`]; randomness, environment and I/O never enter.
//! - The chain law: each stage takes its input from the record of the stage before, and the last one is the outcome.
//! - A read that failed for the controller too is part of its decision; one that failed for the reader alone makes the
//!   decision unknown. The two are never confused ([`snapshot::Scope`]). Of the other autoscalers and the controller's
//!   flags the likely is taken instead (none, the defaults), and the screen says so.
//! - What the API hides (memory, flags) carries its [`model::Evidence`]; a guess is never stated as fact.
//!
//! # Where this differs from the first drawing
//!
//! - [`api`] is a room of its own: the case file, the live reader and the status that we print share one set of objects,
//!   and a field that is not there can neither be read nor saved. They are cut down by hand, not k8s-openapi's: whole pods
//!   of a large target would be read in bulk for a tenth of their fields.
//! - [`rules`] stands beside the engine, because the snapshot needs to know the newest version as its default.
//! - Whoever watches holds no watch open, but asks again and again. What was seen goes into the snapshot's history evidence, so that a
//!   decision of a watch takes the same way as one of a single look, and [`memory_bounds`] alone knows what silence tells.
//! - [`memory_bounds`] decides twice instead of reasoning about intervals inside the engine: the engine stays exact, and the
//!   bounds are proved by running the controller's loop with its memory hidden.

// Tests may fail loudly; the library may not.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod model;

pub mod api;

pub mod rules;

pub mod snapshot;

pub mod trace;

pub mod engine;

pub mod status;

pub mod memory_bounds;

pub mod play;

pub mod whatif;

pub mod advice;

pub mod edit;

pub mod explanation;

pub mod comparison;
