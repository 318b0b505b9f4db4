//! Refusals that strike the controller alone: rights that it lacks, adapters that turn it away, and admission that stops its
//! writes of the scale. Whoever looks reads everything.

use kubectl_hpa_core::snapshot::case::{Many, One};
use kubectl_hpa_core::snapshot::{Case, ReadError};
use kubectl_hpa_core::trace::{Decision, Gate, Verdict};

use super::plan::Kind;
use super::view;
use super::world::{Failing, Millis, World};

/// The user that the controller is.
pub const USER: &str = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A right is taken away.
    Right(Right),
    /// An adapter answers this code.
    Adapter(Failing, u16),
    /// An admission policy refuses writes of the scale.
    Policy(Sizes),
    /// The admission webhook of the scale is down.
    Webhook,
    /// The API server fails to write the scale, for so many syncs (`Faults::scale_writes`).
    Unable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    ListPodMetrics,
    ListQueue,
    GetScale,
    UpdateScale,
}

/// Which sizes are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    All,
    Above(i32),
    Below(i32),
}

impl Sizes {
    fn has(self, size: i32) -> bool {
        match self {
            Self::All => true,
            Self::Above(most) => size > most,
            Self::Below(least) => size < least,
        }
    }
}

/// Plural and group of the target's kind.
fn resource(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Deployment => ("deployments", "apps"),
        Kind::StatefulSet => ("statefulsets", "apps"),
        Kind::Custom => ("farms", "example.com"),
    }
}

impl Right {
    /// Verb, resource and group.
    pub fn named(self, kind: Kind) -> (&'static str, String, &'static str) {
        let (plural, group) = resource(kind);
        match self {
            Self::ListPodMetrics => ("list", "pods".to_owned(), "metrics.k8s.io"),
            Self::ListQueue => ("list", "queue".to_owned(), "external.metrics.k8s.io"),
            Self::GetScale => ("get", format!("{plural}/scale"), group),
            Self::UpdateScale => ("update", format!("{plural}/scale"), group),
        }
    }

    /// As the API server words it.
    fn error(self, kind: Kind, target: &str) -> ReadError {
        let (verb, resource, group) = self.named(kind);
        let object = match self {
            Self::ListPodMetrics | Self::ListQueue => format!("{resource}.{group}"),
            Self::GetScale | Self::UpdateScale => named(kind, target),
        };
        let who = format!("User \"{USER}\" cannot {verb} resource \"{resource}\"");
        let message =
            format!("{object} is forbidden: {who} in API group \"{group}\" in the namespace \"shop\"");
        error(403, "Forbidden", message)
    }
}

/// `deployments.apps "web"`.
fn named(kind: Kind, target: &str) -> String {
    let (plural, group) = resource(kind);
    format!("{plural}.{group} \"{target}\"")
}

fn error(code: u16, reason: &str, message: String) -> ReadError {
    ReadError { code: Some(code), reason: reason.to_owned(), message, ..ReadError::default() }
}

fn adapter(what: Failing, code: u16) -> ReadError {
    let resource = match what {
        Failing::Samples => "pods.metrics.k8s.io",
        Failing::Queue => "queue.external.metrics.k8s.io",
    };
    match code {
        403 => error(code, "Forbidden", format!("{resource} is forbidden: forbidden by the adapter")),
        404 => {
            let message = format!("the server could not find the requested resource (get {resource})");
            error(code, "NotFound", message)
        }
        _ => error(
            code,
            "InternalError",
            "Internal error occurred: the adapter knows no such client".to_owned(),
        ),
    }
}

impl Refusal {
    /// Why a metrics API tells the controller nothing.
    fn of_metric(self, what: Failing, kind: Kind) -> Option<ReadError> {
        match (self, what) {
            (Self::Right(right @ Right::ListPodMetrics), Failing::Samples)
            | (Self::Right(right @ Right::ListQueue), Failing::Queue) => Some(right.error(kind, "")),
            (Self::Adapter(of, code), _) if of == what => Some(adapter(what, code)),
            _ => None,
        }
    }

    /// Why it cannot write this size.
    fn of_write(self, kind: Kind, target: &str, size: i32) -> Option<ReadError> {
        match self {
            Self::Right(right @ Right::UpdateScale) => Some(right.error(kind, target)),
            Self::Policy(sizes) if sizes.has(size) => {
                let by = "ValidatingAdmissionPolicy 'deny-scale' with binding 'deny-scale'";
                let object = named(kind, target);
                // Upstream words a denial as forbidden and answers 422 (`validatingadmissionpolicy`).
                Some(error(422, "Invalid", format!("{object} is forbidden: {by} denied request: frozen")))
            }
            Self::Webhook => {
                let call = "failed calling webhook \"scale.example.com\": failed to call webhook: Post \
                            \"https://scale.shop.svc:443/?timeout=10s\": dial tcp 10.96.0.9:443: connect: connection \
                            refused";
                Some(error(500, "InternalError", format!("Internal error occurred: {call}")))
            }
            Self::Unable => Some(view::refused("the server is currently unable to handle the request")),
            _ => None,
        }
    }

    /// Whether a sync that decided this has come upon it. An External metric is the queue, all others are of pods.
    fn is_met(self, decision: &Decision, is_external: impl Fn(usize) -> bool) -> bool {
        let failed = |wanted: bool| {
            let mut metrics = decision.metrics.iter().enumerate();
            metrics.any(|(place, metric)| {
                matches!(metric.verdict, Verdict::Failed(_)) && is_external(place) == wanted
            })
        };
        match self {
            Self::Right(Right::GetScale) => matches!(decision.gate, Gate::NoScale(_)),
            Self::Right(Right::ListPodMetrics) | Self::Adapter(Failing::Samples, _) => failed(false),
            Self::Right(Right::ListQueue) | Self::Adapter(Failing::Queue, _) => failed(true),
            Self::Right(Right::UpdateScale) | Self::Policy(_) | Self::Webhook | Self::Unable => {
                decision.unwritten().is_some()
            }
        }
    }
}

/// Puts the errors of refused reads into what the controller looks at.
pub fn hide(case: &mut Case, refusals: &[Refusal], kind: Kind) {
    let target = case.hpa.0.spec.scale_target_ref.name.clone();
    if refusals.contains(&Refusal::Right(Right::GetScale)) {
        case.scale = Some(One { object: None, error: Some(Right::GetScale.error(kind, &target)) });
    }
    let of = |what| refusals.iter().find_map(|refusal| refusal.of_metric(what, kind));
    if let Some(error) = of(Failing::Samples) {
        case.pod_metrics = Some(Many { items: None, error: Some(error) });
    }
    if let Some(error) = of(Failing::Queue) {
        for answer in &mut case.external_metrics {
            (answer.items, answer.error) = (None, Some(error.clone()));
        }
    }
}

/// The error of a refused write of the scale.
pub fn write_error(refusals: &[Refusal], kind: Kind, target: &str, size: i32) -> Option<ReadError> {
    refusals.iter().find_map(|refusal| refusal.of_write(kind, target, size))
}

impl World {
    /// What is refused to the controller now.
    pub fn refused(&self) -> Vec<Refusal> {
        let now = self.refusals.iter().filter(|(until, _)| self.now < *until);
        now.map(|(_, refusal)| *refusal).collect()
    }

    /// Refuses something to the controller until then.
    pub fn refuse(&mut self, refusal: Refusal, until: Millis) {
        self.refusals.push((until, refusal));
        let back = |world: &mut World, _| {
            world.refusals.retain(|(until, _)| world.now < *until);
            world.done("given-back", String::new());
        };
        self.later.push((until, back, 0));
    }

    /// Keeps which refusals the status of a sync shows.
    pub fn show_met(&mut self, refused: &[Refusal], decision: &Decision) {
        let metrics = self.hpa.as_ref().map(|hpa| &hpa.spec.metrics);
        let is_external = |place: usize| {
            metrics.and_then(|metrics| metrics.get(place)).is_some_and(|metric| metric.external.is_some())
        };
        let met = |refusal: &&Refusal| refusal.is_met(decision, is_external);
        let met = refused.iter().filter(met).copied().collect();
        self.met = met;
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::plan;
    use super::super::review;
    use super::super::scaling::APPLY;
    use super::super::truth::Truth;
    use super::super::world::SECOND;
    use super::*;

    fn world(seed: u64) -> World {
        let plan = plan(seed, true, 1, &[]);
        World::new(super::super::plan::Plan { can_review: true, ..plan })
    }

    fn messages(world: &World) -> String {
        let hpa = world.hpa.as_ref().expect("an HPA");
        hpa.status
            .conditions
            .iter()
            .map(|condition| condition.message.as_str())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The text is that of a real API server.
    #[test]
    fn a_status_names_the_right_and_a_review_tells_when_it_is_back() {
        let mut world = world(1);
        let until = world.now + 10 * world.plan.period;
        let most = world.plan.max;
        world.refuse(Refusal::Right(Right::UpdateScale), until);
        world.set_replicas(APPLY, most + 3);
        let truth = Truth::of(&world);
        assert_eq!((truth.foreseen, truth.actual), (Some(most), Some(most + 3)), "no sync has come upon it");
        world.pass(world.now + 2 * world.plan.period);
        let refused = "the HPA controller was unable to update the target scale: deployments.apps \"web\" is forbidden: \
                       User \"system:serviceaccount:kube-system:horizontal-pod-autoscaler\" cannot update resource \
                       \"deployments/scale\" in API group \"apps\" in the namespace \"shop\"";
        assert!(messages(&world).contains(refused), "{}", messages(&world));
        assert!(!review::access(&world)[0].allowed);
        assert_eq!(Truth::of(&world).foreseen, Some(most + 3));
        world.refusals.clear();
        assert!(review::access(&world)[0].allowed);
        let truth = Truth::of(&world);
        assert_eq!((truth.foreseen, truth.actual), (Some(most), Some(most)), "the review shows it");
    }

    #[test]
    fn each_refusal_is_met_and_leaves_the_replicas() {
        let all = [
            Refusal::Right(Right::GetScale),
            Refusal::Right(Right::UpdateScale),
            Refusal::Policy(Sizes::All),
            Refusal::Policy(Sizes::Above(1)),
            Refusal::Webhook,
        ];
        for refusal in all {
            let mut world = world(1);
            let size = world.plan.max + 3;
            world.set_replicas(APPLY, size);
            world.refuse(refusal, 3_600 * SECOND);
            world.pass(world.now + 2 * world.plan.period);
            assert_eq!((world.target.replicas, &world.met[..]), (size, &[refusal][..]), "{refusal:?}");
        }
    }
}
