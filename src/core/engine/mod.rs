//! The whole algorithm: `decide(&Snapshot, &Rules) -> Decision`. Pure, total, deterministic.
//!
//! Each file mirrors one part of upstream's `pkg/controller/podautoscaler` and names the functions; `usage_probe` alone mirrors
//! none, and asks the same calculations about another usage. The only clock is `Snapshot::taken_at`;
//! there is no input or output, no map with a random order, and nothing that can panic.

mod arith;
mod choice;
mod gate;
mod limit;
mod memory;
mod metrics;
mod per_pod;
mod pod_groups;
mod requests;
mod stabilize;
mod total;
mod usage_probe;

use crate::model::{Memory, Replicas, Tolerances};
use crate::rules::Rules;
use crate::snapshot::{Hpa, Scale, Snapshot};
use crate::trace::{
    Choice, Decision, Floor, Gate, HoldReason, Limited, MetricTrace, Outcome, RescaleReason, SelectorVerdict,
    Stabilized,
};
use choice::NoChoice;
pub use limit::allowed;
use limit::{Bounds, Past};
use metrics::MetricContext;
pub(crate) use pod_groups::counts_sample;
pub(crate) use stabilize::whole_seconds;
pub use usage_probe::UsageProbe;

/// Recomputes one reconcile of the controller (upstream `reconcileAutoscaler`).
#[must_use]
pub fn decide(snapshot: &Snapshot, rules: &Rules) -> Decision {
    match gate::scale(&snapshot.hpa, &snapshot.scale) {
        Ok(scale) => Reconcile::start(snapshot, rules, scale).run(),
        Err(gate) => {
            let outcome = match &gate {
                Gate::Unknown(unread) => Outcome::Unknown(unread.clone()),
                _ => Outcome::NoScale,
            };
            Decision::at_the_gate(gate, outcome, snapshot.memory.clone())
        }
    }
}

/// The rest of a reconcile that has passed its gate and its selector, with metrics that are already known: the choice
/// among them, stabilization, rates and bounds. The snapshot's pods and readings are not used.
#[must_use]
pub fn decide_on(snapshot: &Snapshot, rules: &Rules, metrics: Vec<MetricTrace>) -> Decision {
    match gate::scale(&snapshot.hpa, &snapshot.scale) {
        Ok(scale) => {
            let mut reconcile = Reconcile::start(snapshot, rules, scale);
            reconcile.decision.selector = Some(SelectorVerdict::Good);
            reconcile.choose(metrics);
            reconcile.decision
        }
        Err(gate) => Decision::at_the_gate(gate, Outcome::NoScale, snapshot.memory.clone()),
    }
}

/// Decides again on what another decision was made on, with what the controller remembers now: the gate, the selector and the
/// metrics do not depend on it.
#[must_use]
pub fn decide_again(snapshot: &Snapshot, rules: &Rules, other: &Decision) -> Decision {
    match other.selector {
        Some(SelectorVerdict::Good) => decide_on(snapshot, rules, other.metrics.clone()),
        _ => decide(snapshot, rules),
    }
}

/// A reconcile under way: what it reads, and the decision as far as it has come.
struct Reconcile<'a> {
    snapshot: &'a Snapshot,
    rules: &'a Rules,
    scale: &'a Scale,
    decision: Decision,
}

impl<'a> Reconcile<'a> {
    fn start(snapshot: &'a Snapshot, rules: &'a Rules, scale: &'a Scale) -> Self {
        let mut memory = snapshot.memory.clone();
        // Upstream records before it looks at the count (`recordInitialRecommendation`), so a target that is switched
        // off at zero leaves a recommendation, too.
        memory::start(&mut memory, scale.replicas, snapshot.taken_at);
        let gate = gate::gate(&snapshot.hpa, scale.replicas, rules);
        let outcome = Outcome::Hold { at: scale.replicas, reason: HoldReason::Disabled };
        Self { snapshot, rules, scale, decision: Decision::at_the_gate(gate, outcome, memory) }
    }

    fn run(mut self) -> Decision {
        let hpa = &self.snapshot.hpa;
        match self.decision.gate {
            // Outside the bounds upstream asks no metric (`reconcileAutoscaler`): no window and no policy applies, and
            // no recommendation is recorded, but the rescale is stored as a scale event.
            Gate::AboveMax => self.rescale(hpa.max, RescaleReason::AboveMax),
            Gate::BelowMin => self.rescale(hpa.min, RescaleReason::BelowMin),
            Gate::Metrics | Gate::MetricsFromZero => self.measure(),
            Gate::Disabled | Gate::NoScale(_) | Gate::Unknown(_) => {}
        }
        self.decision
    }

    fn current(&self) -> Replicas {
        self.scale.replicas
    }

    /// Asks the metrics, if the selector is good.
    fn measure(&mut self) {
        let verdict = gate::selector(self.snapshot, self.scale, self.rules);
        let stop = match &verdict {
            SelectorVerdict::Good => None,
            SelectorVerdict::Unknown(unread) => Some(Outcome::Unknown(unread.clone())),
            SelectorVerdict::Missing
            | SelectorVerdict::Invalid(_)
            | SelectorVerdict::Ambiguous(_)
            | SelectorVerdict::Unlisted(_) => Some(self.hold(HoldReason::Selector)),
        };
        self.decision.selector = Some(verdict);
        match stop {
            Some(outcome) => self.decision.outcome = outcome,
            None => self.compare_metrics(),
        }
    }

    fn compare_metrics(&mut self) {
        let snapshot = self.snapshot;
        let tolerances = tolerances(snapshot, self.rules);
        let arch = snapshot.controller.architecture.value;
        let context = MetricContext { snapshot, rules: self.rules, scale: self.scale, tolerances, arch };
        let specs = snapshot.hpa.metrics.iter().enumerate();
        self.choose(specs.map(|(index, spec)| context.trace(index, spec)).collect());
    }

    fn choose(&mut self, metrics: Vec<MetricTrace>) {
        self.decision.metrics = metrics;
        match choice::choose(&self.decision.metrics, self.current()) {
            Ok(choice) => self.normalize(choice),
            Err(NoChoice::Hold(reason)) => {
                // A nil pointer ends the whole process, and with it what it remembered of every HPA.
                if reason == HoldReason::Crash {
                    self.decision.memory = Memory::default();
                }
                self.decision.outcome = self.hold(reason);
            }
            Err(NoChoice::Unknown(unread)) => self.decision.outcome = Outcome::Unknown(unread),
        }
    }

    fn normalize(&mut self, choice: Choice) {
        let (hpa, current) = (&self.snapshot.hpa, self.current());
        let stabilized = self.stabilize(choice.after);
        let limited = self.limit(choice.after, stabilized.after);
        let floor = floor(hpa, current, limited.after, self.rules);
        let desired = floor.map_or(limited.after, |floor| floor.after);
        // Upstream words the reason before normalization (`rescaleReason`). If the metrics propose the current count
        // and the window changes it, the reason stays empty, even in the event.
        let reason = match choice.after.cmp(&current) {
            std::cmp::Ordering::Greater => RescaleReason::AboveTarget(choice.winner),
            std::cmp::Ordering::Less => RescaleReason::BelowTarget,
            std::cmp::Ordering::Equal if floor.is_some() => RescaleReason::BelowMin,
            std::cmp::Ordering::Equal => RescaleReason::Empty,
        };
        self.decision.choice = Some(choice);
        self.decision.stabilized = Some(stabilized);
        self.decision.limited = Some(limited);
        self.decision.floor = floor;
        if desired == current {
            self.decision.outcome = self.hold(HoldReason::Decided);
        } else {
            self.rescale(desired, reason);
        }
    }

    fn stabilize(&mut self, wanted: Replicas) -> Stabilized {
        let snapshot = self.snapshot;
        let window = snapshot.controller.downscale_stabilization.value;
        let arch = snapshot.controller.architecture.value;
        let memory = &mut self.decision.memory;
        match &snapshot.hpa.behavior {
            None => stabilize::legacy(memory, wanted, snapshot.taken_at, window),
            Some(behavior) => {
                let current = self.scale.replicas;
                stabilize::with_behavior(memory, behavior, current, wanted, snapshot.taken_at, (window, arch))
            }
        }
    }

    fn limit(&self, asked: Replicas, wanted: Replicas) -> Limited {
        let hpa = &self.snapshot.hpa;
        let bounds = Bounds { min: hpa.min, max: hpa.max };
        let memory = &self.decision.memory;
        let arch = self.snapshot.controller.architecture.value;
        let past = Past { memory, now: self.snapshot.taken_at, events: self.rules.rate_events, arch };
        match &hpa.behavior {
            None => limit::legacy(self.rules.scale_up_factor, self.current(), wanted, bounds, arch),
            Some(behavior) => limit::with_behavior(past, behavior, self.current(), (asked, wanted), bounds),
        }
    }

    fn rescale(&mut self, to: Replicas, reason: RescaleReason) {
        let (from, now) = (self.current(), self.snapshot.taken_at);
        let failed = self.snapshot.writes.scale.clone();
        // Upstream stores the scale event only after the write succeeded; a failed write leaves no trace in the memory.
        if failed.is_none() {
            let behavior = self.snapshot.hpa.behavior.as_ref();
            memory::store_scale(&mut self.decision.memory, behavior, from, to, now);
        }
        self.decision.outcome = Outcome::Scale { from, to, reason, failed };
    }

    fn hold(&self, reason: HoldReason) -> Outcome {
        Outcome::Hold { at: self.current(), reason }
    }
}

/// A raised `minReplicas` is reached at once from a zero that the HPA set itself (upstream `reconcileAutoscaler`, since
/// 1.36).
fn floor(hpa: &Hpa, current: Replicas, limited: Replicas, rules: &Rules) -> Option<Floor> {
    let raised = hpa.min != Replicas(0) && limited < hpa.min;
    let jumps = current == Replicas(0) && raised && gate::is_own_zero(hpa, rules);
    jumps.then_some(Floor { before: limited, after: hpa.min })
}

/// The HPA's own tolerances over the controller's (upstream `tolerancesForHpa`, gate `HPAConfigurableTolerance`).
fn tolerances(snapshot: &Snapshot, rules: &Rules) -> Tolerances {
    let flag = snapshot.controller.tolerance.value;
    let behavior = snapshot.hpa.behavior.as_ref().filter(|_| rules.configurable_tolerance);
    let own = |quantity: Option<&crate::model::Quantity>| {
        // Upstream takes the float directly (`AsApproximateFloat64`); milli-units would round a tolerance like 0.0005.
        quantity.map_or(flag, crate::model::Quantity::as_approximate_f64)
    };
    Tolerances {
        down: own(behavior.and_then(|behavior| behavior.down.tolerance.as_ref())),
        up: own(behavior.and_then(|behavior| behavior.up.tolerance.as_ref())),
        test: rules.tolerance_test,
    }
}
