//! Recomputes the decision of Kubernetes' HorizontalPodAutoscaler controller: the same integers, the same order of float
//! operations, the same messages, for each version, and every step of it as data.
//!
//! A [`snapshot::Case`] has everything that the controller looked at. Start with [`explanation::Explanation`]: it validates
//! and joins the case ([`snapshot::Snapshot::freeze`]), decides ([`engine::decide`]), and answers questions about the
//! decision. Nothing here uses a terminal, a file, a network or a clock: the same case gives the same answer everywhere.
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
//! Within one major version: the case file (`kubectl-hpa/v1`, [`snapshot::Case`]), what [`engine::decide`] decides for
//! a version of Kubernetes, and [`trace::Code`]. The fields of a [`trace::Decision`] follow the controller's algorithm and
//! may grow with it.
//!
//! # Words that are ours
//!
//! | word | meaning |
//! |---|---|
//! | case | a file with everything that one decision depends on, as the API showed it |
//! | snapshot | a case that has been validated, parsed, defaulted and joined |
//! | decision, trace | what the controller decides, with each step to it |
//! | pod groups | which pods count how for a metric: ready, unready, missing, ignored |
//! | memory | what the controller remembers from one sync to the next: recommendations and scale events |
//! | history evidence | what the API shows of the controller's past: events, conditions, times |
//! | evidence | how a value is known: given, observed, inferred, assumed or unknown |
//! | memory bounds | two memories between which an unknown one lies: the loosest lets the replicas move the most, the tightest the least |
//! | outlook | what happens next if the load stays, and what would change the decision |
//!
//! # The rooms, in reading order
//!
//! | room | what lives there | may import |
//! |---|---|---|
//! | [`model`] | the controller's vocabulary: quantities, selectors, instants, replicas, behavior, memory | – |
//! | [`api`] | Kubernetes objects, reduced to the fields that a decision depends on | model |
//! | [`rules`] | what differs between versions: one table, feature gates resolved | model |
//! | [`snapshot`] | the case file, and the snapshot made from it: parsed, validated, defaulted and joined once | model, api, rules |
//! | [`assembly`] | cases made of objects as kubectl prints them; what is not given is an error of the reader alone | model, api, snapshot |
//! | [`trace`] | what was decided, stage by stage, as plain data; every branch has a [`trace::Code`] | model, snapshot |
//! | [`engine`] | [`engine::decide`]: the whole algorithm; pure, total, deterministic | model, rules, snapshot, trace |
//! | [`status`] | what the controller writes about a decision, word for word | model, api, rules, snapshot, trace |
//! | [`attested`] | what the controller's own words show of its reads, writes and rivals, if the reader meets something else | model, api, rules, snapshot, status |
//! | [`memory_bounds`] | what can be known of the controller's memory from outside; bounds where it cannot | all of the above |
//! | [`play`] | a world that moves: what comes next, sync by sync | model, engine, rules, snapshot, status, trace |
//! | [`whatif`] | what would change the decision: thresholds, times, removed causes, typed changes; what the next syncs do | all of the above |
//! | [`causes`] | the one thing that a person would name, and what else moves the replicas; each proven by its removal | attested, memory_bounds, model, rules, snapshot, trace, whatif |
//! | [`run`] | a world played to its end: each change of the replicas with its cause, and what it all comes to | causes, memory_bounds, model, play, rules, snapshot, trace |
//! | [`advice`] | what to do about it: codes, changes, and their effect | attested, causes, model, memory_bounds, rules, snapshot, trace, whatif |
//! | [`edit`] | a change before it is written: the patch, who would revert it, what it requires | api, model |
//! | [`record`] | what looks at HPAs saw, as lines of a file that may be cut off anywhere | edit, model, snapshot |
//! | [`lint`] | what is wrong with HPAs and what stands beside them, in manifests or in a cluster: rules, findings, patches | api, edit, engine, model, rules, snapshot, trace |
//! | [`explanation`] | the facade: a case in; decision, report, outlook, advice, blame and self-check out, each computed on demand | all of the above but edit, record and lint |
//! | [`comparison`] | two decisions, several versions or an upgrade side by side, as data | all of the above but record and lint |
//! | [`past`] | the changes that events and the controller's log show, merged with those that looks saw | comparison, memory_bounds, model, snapshot |
//!
//! `tests/tidy.rs` checks these imports; the compiler and `.clippy.toml` keep out everything impure.
//!
//! # Where a rule lives
//!
//! Each file of [`engine`] mirrors one part of upstream's `pkg/controller/podautoscaler` and names the functions: `gate`
//! (zero and the bounds, ambiguous selectors), `metrics` (which calculation a metric takes), `pod_groups` (`groupPods`),
//! `requests` (`calculateRequests`), `per_pod` and `total` (the replica calculator), `choice` (several metrics),
//! `stabilize`, `limit`, `memory`. Only `arith` converts between floats and integers, because Go's conversions differ
//! from Rust's. What a version changes is a field of [`rules::Rules`]; nothing else looks at a version.
//!
//! # Invariants
//!
//! - Time enters once, as [`snapshot::Snapshot::taken_at`]; randomness, environment and I/O never do.
//! - The chain law: each stage takes its input from the record of the stage before, and the last one is the outcome.
//! - A read that failed for the controller, too, is part of its decision; one that failed only for the reader makes the
//!   decision unknown. The two are never confused ([`snapshot::Scope`]). Only the other HPAs and the controller's flags
//!   are replaced by what is likely (none, the defaults), and the screen says so.
//! - What the API hides (memory, flags) has its [`model::Evidence`]; a guess is never stated as fact.
//!
//! # Why it is laid out this way
//!
//! - [`api`] is a room of its own: the case file, the live reader and the status that we print share one set of objects,
//!   and a field that is not there can neither be read nor saved. They are reduced by hand instead of taken from
//!   k8s-openapi: pods are read in bulk for about a tenth of their fields.
//! - [`rules`] comes before the engine, because the snapshot uses the newest version as its default.
//! - A watch of ours does not use the API's watch; it looks again and again. What it observes goes into the snapshot's
//!   history evidence, so a decision takes the same path with a watch as with a single look, and only [`memory_bounds`]
//!   knows what an unchanged status means.
//! - [`memory_bounds`] decides twice instead of reasoning about intervals inside the engine: the engine stays exact, and the
//!   bounds are proved by running the controller's loop with its memory hidden.

// Tests may fail loudly; the library may not.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod model;

pub mod api;

pub mod rules;

pub mod snapshot;

pub mod assembly;

pub mod trace;

pub mod engine;

pub mod status;

pub mod attested;

pub mod memory_bounds;

pub mod play;

pub mod whatif;

pub mod causes;

pub mod run;

pub mod advice;

pub mod edit;

pub mod record;

pub mod lint;

pub mod explanation;

pub mod comparison;

pub mod past;
