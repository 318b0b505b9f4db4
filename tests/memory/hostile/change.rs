//! What-ifs: a change that is typed, and the same change really made.

use kubectl_hpa_core::api::{Behavior, HpaSpec, Policy, ScalingRules};
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::whatif::{Change, Knob, change};

use super::draw::Draw;
use super::fields::Who;
use super::plan::Metric;
use super::spec;
use super::world::World;

/// A change in both forms.
pub struct Proposed {
    pub typed: Vec<Change>,
    real: Real,
}

enum Real {
    Replicas(i32),
    Spec(Box<HpaSpec>),
    /// From a manifest: nothing that is typed removes it.
    WithoutBehavior,
}

impl Proposed {
    pub fn draw(world: &World, draw: &mut Draw) -> Self {
        let mut spec = world.hpa.as_ref().expect("an HPA").spec.clone();
        let typed = match draw.between(0, 6) {
            0 => min(&mut spec, draw),
            1 => max(&mut spec, draw),
            2 => target(world, &mut spec, draw),
            // An External metric is measured by the status of the scale, which follows later.
            3 if spec.metrics.iter().all(|metric| metric.external.is_none()) => {
                let to = draw.count(1, world.plan.max);
                let typed = typed(Knob::Replicas, to.to_string());
                return Self { typed, real: Real::Replicas(to) };
            }
            4 if spec.behavior.is_some() => return Self { typed: Vec::new(), real: Real::WithoutBehavior },
            5 => rules(&mut spec, Knob::ScaleUp, draw),
            _ => rules(&mut spec, Knob::ScaleDown, draw),
        };
        Self { typed, real: Real::Spec(Box::new(spec)) }
    }

    /// The case as `simulate` changes it.
    pub fn on(&self, mut case: Case) -> Case {
        if matches!(self.real, Real::WithoutBehavior) {
            case.history.synced_spec = Some(Box::new(case.hpa.0.spec.clone()));
            case.hpa.0.spec.behavior = None;
        }
        change(&mut case, &self.typed).expect("a change");
        case
    }

    /// Makes it.
    pub fn make(self, world: &mut World) {
        let who = Who::update("kubectl-hpa");
        match self.real {
            Real::Replicas(replicas) => world.set_replicas(Who::through("kubectl", "scale"), replicas),
            Real::Spec(spec) => world.edit(who, *spec, false),
            Real::WithoutBehavior => {
                let spec = world.hpa.as_ref().expect("an HPA").spec.clone();
                world.edit(who, HpaSpec { behavior: None, ..spec }, true);
            }
        }
    }

    pub fn name(&self) -> String {
        if matches!(self.real, Real::WithoutBehavior) {
            return "behavior removed".to_owned();
        }
        self.typed.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }
}

fn typed(knob: Knob, value: String) -> Vec<Change> {
    vec![Change::new(knob, value).expect("a change")]
}

fn min(spec: &mut HpaSpec, draw: &mut Draw) -> Vec<Change> {
    let to = draw.count(1, spec.max_replicas);
    spec.min_replicas = Some(to);
    typed(Knob::Min, to.to_string())
}

fn max(spec: &mut HpaSpec, draw: &mut Draw) -> Vec<Change> {
    let low = spec.min_replicas.unwrap_or(1).max(1);
    let to = draw.count(low, low + 20);
    spec.max_replicas = to;
    typed(Knob::Max, to.to_string())
}

fn target(world: &World, spec: &mut HpaSpec, draw: &mut Draw) -> Vec<Change> {
    let percent = draw.count(10, 95);
    spec.metrics[0] = spec::metric(world.plan.metric, percent);
    let value = match world.plan.metric {
        Metric::Queue => format!("queue={}m", percent * 200),
        Metric::MemoryShared | Metric::MemoryOfEach => percent.to_string(),
    };
    typed(Knob::Target, value)
}

/// `Pods=1/120s,window=0s`, merged into what is there.
fn rules(spec: &mut HpaSpec, knob: Knob, draw: &mut Draw) -> Vec<Change> {
    let (value, period, window) =
        (draw.count(1, 5), draw.count(1, 300), draw.pick(&[None, Some(0), Some(60), Some(300)]));
    let policy = Policy { kind: "Pods".to_owned(), value, period_seconds: period };
    let behavior = spec.behavior.take().unwrap_or_default();
    let with = |rules: Option<ScalingRules>| {
        let rules = rules.unwrap_or_default();
        let policies = Some(vec![policy]);
        Some(ScalingRules {
            stabilization_window_seconds: window.or(rules.stabilization_window_seconds),
            policies,
            ..rules
        })
    };
    let behavior = if knob == Knob::ScaleUp {
        Behavior { scale_up: with(behavior.scale_up), ..behavior }
    } else {
        Behavior { scale_down: with(behavior.scale_down), ..behavior }
    };
    spec.behavior = Some(spec::stored(behavior));
    let window = window.map(|window| format!(",window={window}s")).unwrap_or_default();
    typed(knob, format!("Pods={value}/{period}s{window}"))
}
