//! The words of a claim: made from the claim and the time of the decision, and from nothing else.

use super::reading::{Assumed, Conclusion, FillEnd, Filled, Lead, Reading, Tendency, Tolerance};
use super::values::Ratio;
use super::{
    Allowance, At, Claim, Highest, Hold, LastSet, Latest, PodStates, PodsWithout, RevisionPods, Stay,
};
use crate::render::ownership::NO_OWNER;
use crate::render::phrases::{arithmetic, limit};
use crate::render::units::{ago, clock, count, few, list, product, replicas as plural, span};
use kubectl_hpa_core::api::Unscalable;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::trace::Direction;

/// The most names in one sentence.
const NAMES: usize = 5;
/// The most names of other HPAs.
const HPAS: usize = 3;

impl Claim {
    /// The sentence, as it reads at an instant.
    #[expect(clippy::too_many_lines, reason = "one arm for each sentence, in the order of the enum")]
    pub fn text(&self, now: Instant) -> String {
        let clock = |at: &At| clock(now, at.0);
        let age = |at: &At| span(now.since(at.0));
        match self {
            Self::TargetApiVersionInvalid { error } => {
                format!("spec.scaleTargetRef.apiVersion is invalid: {error}.")
            }
            Self::TargetKindUnknown { target, error } => {
                format!("The API knows no kind of {target}: {error}.")
            }
            Self::TargetCannotScale { target, kind } => {
                format!("No HPA can scale {target}: {}.", Unscalable::NoSubresource(kind))
            }
            Self::ScaleUnreadable { target, error, absent: true } => {
                format!("{target} does not exist: {error}.")
            }
            Self::ScaleUnreadable { target, error, absent: false } => {
                format!("The scale of {target} cannot be read: {error}.")
            }
            Self::NothingWithoutScale => {
                "Without it the controller knows neither the replicas nor the pods, and does nothing."
                    .to_owned()
            }
            Self::KindNotFound { target } => format!(
                "The scale of {target} can be read, but the controller's last sync did not find the target's kind. It lists the kinds again every 30s, and does nothing until it finds it."
            ),
            Self::NotReadHere { what, error } => format!("{what} could not be read here: {error}."),
            Self::NotGiven { what, .. } => {
                let are = if what.ends_with("pods") { "are" } else { "is" };
                format!("{what} {are} not given, so the decision cannot be recomputed.")
            }
            Self::OnlyDescribed { .. } => {
                "The HPA is read from the text of kubectl describe. It lacks the target's apiVersion, the selectors of metrics, tolerances, and the times of conditions, events and the last scaling, so the decision cannot be recomputed.".to_owned()
            }
            Self::OnlyRounded { .. } => {
                "The rows of kubectl top pods are not used: they are rounded, and have no times.".to_owned()
            }
            Self::NotRecomputed => {
                "The controller has its own permissions, so its decision cannot be recomputed from here."
                    .to_owned()
            }

            Self::ZeroOfKeda { min_replicas: 0, scaled_object } => format!(
                "The target has 0 replicas, and KEDA scales it up from there, following the triggers of ScaledObject/{scaled_object}; its conditions Active and Paused show why."
            ),
            Self::ZeroOfKeda { min_replicas: min, scaled_object } => format!(
                "The target has 0 replicas while minReplicas is {min}: KEDA scales between 0 and {min}, following the triggers of ScaledObject/{scaled_object}; its conditions Active and Paused show why."
            ),
            Self::WaitsForKeda => "The HPA reads no metrics until KEDA sets a replica again.".to_owned(),
            Self::ZeroWithGateOff => {
                "The target has 0 replicas, and the gate HPAScaleToZero is off in this controller: without it every zero counts as a pause, even one that the HPA set itself.".to_owned()
            }
            Self::WaitsForReplica => {
                "It reads no metrics until somebody gives the target a replica.".to_owned()
            }
            Self::ZeroWithoutMetric => {
                "The target has 0 replicas, and this HPA has no Object or External metric: others have no value without pods.".to_owned()
            }
            Self::ZeroBelowMin { min_replicas } => {
                format!("The target has 0 replicas while minReplicas is {min_replicas}.")
            }
            Self::ZeroNotOwn { condition } => {
                let is = match condition.as_deref() {
                    None => "is missing".to_owned(),
                    Some("") => "has no status".to_owned(),
                    Some(status) => format!("is {status}"),
                };
                format!(
                    "The target has 0 replicas, and the HPA's condition ScaledToZero {is}: the controller does not take that zero for the HPA's own."
                )
            }
            Self::ZeroIsPause => {
                "The controller treats that as a pause and reads no metrics.".to_owned()
            }
            Self::ZeroIsLast => {
                "But the gate HPAScaleToZero is off in this controller: it treats the zero as a pause and does not scale up again by itself.".to_owned()
            }
            Self::ZeroToMin { min_replicas } => {
                format!("From its own zero the HPA goes straight to minReplicas {min_replicas}.")
            }

            Self::SelectorMissing { target } => format!(
                "The scale of {target} has no status.selector, so the controller cannot find its pods."
            ),
            Self::SelectorIsWrittenByOwner => {
                "The resource's own controller, or the CRD's scale subresource (labelSelectorPath), has to fill it in.".to_owned()
            }
            Self::SelectorInvalid { target, error } => {
                format!("The scale of {target} has a selector that cannot be parsed: {error}.")
            }
            Self::SelectorAmbiguous { selector, hpas } => {
                let (whose, select) = if hpas.len() == 1 { ("HPA", "selects") } else { ("HPAs", "select") };
                format!("{whose} {} also {select} pods that {selector} matches.", few(hpas, HPAS))
            }
            Self::AmbiguousRunsNone { hpa: Some(hpa), replicas: Some(replicas) } => format!(
                "While several HPAs select a pod, the controller runs none of them; but bounds come first, and HPA {hpa} sets {replicas}."
            ),
            Self::AmbiguousRunsNone { .. } => {
                "While several HPAs select a pod, the controller runs none of them.".to_owned()
            }
            Self::PodsUnlisted { error } => format!("The controller cannot list pods: {error}."),

            Self::MetricApiError { metrics, status, api, message, path } => {
                let message = message.as_ref().map_or_else(String::new, |it| format!(": {it}"));
                let path = path.as_ref().map_or_else(String::new, |it| format!(", to GET {it}"));
                format!("{} failed: {status} from {api}{message}{path}.", few(metrics, NAMES))
            }
            Self::NothingToMeasure { metric, selector, pods } => {
                format!("There is nothing to measure {metric} on: {}.", not_running(pods, selector))
            }
            Self::NoSamples { metric, api, selector: Some(selector) } => {
                format!("{metric} has no samples: {api} returned nothing for the pods that {selector} matches.")
            }
            Self::NoSamples { metric, api, selector: None } => {
                format!("{metric} has no value: {api} returned an empty list.")
            }
            Self::NotOneValue { metric, values } => {
                format!("{metric} has {}, and the controller needs exactly one.", count(*values, "value"))
            }
            Self::NoPods { metric, selector } => {
                format!("{selector} matches no pod, so there is nothing to measure {metric} on.")
            }
            Self::NoPodsToCount { metric, selector } => {
                format!("{metric} is off its target, but {selector} matches no pod to multiply by.")
            }
            Self::PodsUnlistedFor { metric, error } => {
                format!("The controller cannot list the pods for {metric}: {error}.")
            }
            Self::SampleWithoutContainer { metric, pod } => {
                format!("The sample of pod {pod} lacks the container, and one such sample fails {metric}.")
            }
            Self::ContainerMissing { container, containers } => {
                let is = if containers.len() == 1 { "is" } else { "are" };
                format!("No pod has a container {container}; there {is} {}.", few(containers, NAMES))
            }
            Self::ContainerMetricsOff { metric } => {
                format!("{metric} fails: the gate HPAContainerMetrics is off in the controller.")
            }
            Self::ControllerCrash { metric } => format!(
                "The target of {metric} lacks the value that its type names, and this version of the controller crashes on that."
            ),
            Self::CrashGoesOn => {
                "After each restart it crashes on this HPA again; meanwhile nothing is scaled.".to_owned()
            }
            Self::NoUsableSamples { metric, missing, unready, ignored } => {
                let groups = [("missing", missing), ("unready", unready), ("ignored", ignored)];
                let there = groups.into_iter().filter(|(_, pods)| **pods > 0);
                let groups: Vec<String> = there.map(|(group, pods)| format!("{pods} {group}")).collect();
                format!("No pod has a sample of {metric} that counts: {}.", list(&groups))
            }
            Self::RequestsNeeded { resource, container, selector } => {
                requests_needed(resource, container.as_deref(), selector)
            }
            Self::RequestsMissing { resource, container, selector, containers, pod_level, no_container } => {
                let needed = requests_needed(resource, container.as_deref(), selector);
                format!("{needed} {}", requests_missing(containers, *pod_level, *no_container))
            }
            Self::RequestsAddUpToZero { metric } => format!(
                "The requests of the pods that have a sample of {metric} add up to 0, so there is no percentage."
            ),
            Self::TargetWithoutValue { metric, target_type } => format!(
                "The target of {metric} has the type {target_type}, and not the field that the controller reads for it."
            ),
            Self::MetricSelectorInvalid { metric, error } => {
                format!("The selector of metric {metric} is not valid: {error}.")
            }
            Self::OnlyMetric => "It is the only metric, so the replicas stay.".to_owned(),
            Self::NoMetricWorks { metrics } => {
                format!("None of the {} can be used, so the replicas stay.", count(*metrics, "metric"))
            }
            Self::AloneWouldBe { metric, replicas } => {
                format!("{metric} alone would want {replicas}.")
            }
            Self::NeverDown => {
                "While a metric fails, the controller may scale up, but never down.".to_owned()
            }
            Self::OnlyUp { metrics } => {
                let (they, fail) = if metrics.len() == 1 { ("it", "fails") } else { ("they", "fail") };
                format!(
                    "{} {fail}; until {they} can be read, the other metrics can only scale up.",
                    list(metrics)
                )
            }
            Self::NoValueAtZero { metrics } => {
                let have = if metrics.len() == 1 { "has" } else { "have" };
                format!("{} {have} no value while there are no pods, which is normal.", list(metrics))
            }

            Self::AboveMax { replicas, max_replicas } => {
                format!("The target has {}, more than maxReplicas {max_replicas}.", plural(*replicas))
            }
            Self::BelowMin { replicas, min_replicas } => {
                format!("The target has {}, fewer than minReplicas {min_replicas}.", plural(*replicas))
            }
            Self::BoundsFirst => {
                "The controller goes back to the bounds before it reads any metric.".to_owned()
            }

            Self::Reads { lead, metric, reading, then } => {
                format!("{}{}.", read(&led(lead, metric), reading), concluded(then))
            }
            Self::FilledIn { counted, missing, unready, ratio, then } => {
                let filled = match (missing, unready) {
                    (Some(Filled { pods, assumed: Assumed::Zero }), Some(unready)) => format!(
                        "{} without a sample and {} of {counted} pods count as 0 when scaling up",
                        count(*pods, "pod"),
                        count(*unready, "unready pod")
                    ),
                    (missing, unready) => {
                        let missing = missing.map(|it| filled(it, *counted));
                        let unready = unready.map(|pods| format!("{} when scaling up", unready_as_zero(pods)));
                        missing.into_iter().chain(unready).collect::<Vec<_>>().join("; ")
                    }
                };
                format!("But {filled}, and the ratio becomes {}{}.", ratio.text(), fill_end(then, *counted))
            }
            Self::FilledInVain { missing, unready } => {
                let named = [
                    (*missing, format!("{} without a sample", count(*missing, "pod"))),
                    (*unready, count(*unready, "unready pod")),
                ];
                let there = named.into_iter().filter(|(pods, _)| *pods > 0);
                let pods: Vec<String> = there.map(|(_, name)| name).collect();
                let make = if missing + unready == 1 { "makes" } else { "make" };
                format!("The {} {make} no difference.", list(&pods))
            }
            Self::LeftOutAtOne { missing } => {
                let (have, are) = if *missing == 1 { ("has", "is") } else { ("have", "are") };
                let pods = count(*missing, "pod");
                format!("{pods} {have} no sample and {are} left out, because the ratio is exactly 1.")
            }
            Self::SameWithoutThem { ratio, tolerance: Tolerance(whose) } => {
                format!("If they were left out, nothing would change either: {} is inside {whose}.", ratio.text())
            }
            Self::Multiplied { ready, replicas, ignored, rises } => {
                let (pods, replicas) = (count(*ready, "ready pod"), plural(*replicas));
                let ignored = ignored.map_or_else(String::new, |ignored| {
                    let has = if ignored == 1 { "has failed or is" } else { "have failed or are" };
                    format!(", as {} {has} being deleted", count(ignored, "pod"))
                });
                let against = rises.map_or("", |rises| {
                    if rises {
                        ": it wants more although the metric is below its target"
                    } else {
                        ": it wants fewer although the metric is above its target"
                    }
                });
                format!("The controller multiplies the ratio by {pods}, not by {replicas}{ignored}{against}.")
            }
            Self::StatusReplicas { status, spec, pods, ended, deleting, revisions } => {
                let matched = pods.map_or_else(String::new, |pods| {
                    format!("; {} {}", count(pods, "pod"), if pods == 1 { "matches" } else { "match" })
                });
                let of = |it: &RevisionPods| format!("{} of {}", it.pods, it.revision);
                let revisions: Vec<String> = revisions.iter().map(of).collect();
                let revisions = Some(few(&revisions, NAMES)).filter(|it| !it.is_empty());
                let ended = (*ended > 0).then(|| format!("{ended} ended"));
                let deleting = (*deleting > 0).then(|| format!("{deleting} being deleted"));
                let parts: Vec<String> = revisions.into_iter().chain(ended).chain(deleting).collect();
                let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
                format!("status.replicas is {status}, and spec.replicas {spec}{matched}{parts}.")
            }
            Self::DeletingCount { pods: 1 } => {
                "One of these pods is being deleted, and counts as long as it is Ready.".to_owned()
            }
            Self::DeletingCount { pods } => {
                format!("{pods} of these pods are being deleted, and count as long as they are Ready.")
            }
            Self::OtherOwners { pods, selector, owners } => {
                let them = if *pods == 1 { "it" } else { "them" };
                let whose = owned(*pods, owners);
                format!("{pods} of the pods that {selector} matches {whose}, and the controller counts {them}.")
            }
            Self::ToleranceIgnored { field } => format!(
                "This controller ignores {field}: that needs 1.33 or newer with the gate HPAConfigurableTolerance, which is on by default since 1.35."
            ),

            Self::EitherWay { window, replicas } => {
                let what = window.map_or_else(
                    || "a rate limits the replicas".to_owned(),
                    |window| format!("a recommendation of the last {} counts", span(window.0)),
                );
                format!("Whether {what} is not known here: {} either way.", plural(*replicas))
            }
            Self::MemoryUnknown { window, least, most, latest } => {
                let bounds = least.zip(*most);
                let bounds =
                    bounds.map_or_else(String::new, |(low, high)| format!(": {low} to {high} replicas"));
                let latest =
                    latest.as_ref().map_or_else(String::new, |it| format!("; it {}", it.text(now)));
                format!(
                    "The controller's memory of the last {} also counts, and it is not known here{bounds}{latest}.",
                    span(window.0)
                )
            }
            Self::WindowByStatus { window } => format!(
                "Its last status shows that a recommendation of the last {} still counts.",
                span(window.0)
            ),
            Self::MemoryEmpty { until, then } => format!(
                "The controller remembers nothing of this HPA, as when it has just started: it records the current replicas as a recommendation, which counts until {}{}.",
                clock(until),
                after(then.as_ref(), now)
            ),
            Self::HighestCounts { window, replicas, since, until, effect, then } => {
                let window = span(window.0);
                let up_to = if *effect == Highest::Raises { "" } else { "up to " };
                let effect = match effect {
                    Highest::Holds => String::new(),
                    Highest::Trimmed(max) => format!(", trimmed to maxReplicas {max}"),
                    Highest::Raises => ", so the replicas still rise".to_owned(),
                };
                format!(
                    "In the last {window} the controller recommended {up_to}{replicas} ({} ago); without spec.behavior the highest recommendation of the window wins{effect}; it expires at {}{}.",
                    age(since),
                    clock(until),
                    after(then.as_ref(), now)
                )
            }
            Self::Stabilized { direction, window, replicas, since, until, beyond: true, then } => format!(
                "{direction} is stabilized over {}, and the last of the recommendations that keep the replicas is {replicas} ({} ago), until {}{}.",
                span(window.0),
                age(since),
                clock(until),
                after(then.as_ref(), now)
            ),
            Self::Stabilized { direction, window, replicas, since, until, beyond: false, then } => {
                let extreme = if direction.0 == Direction::Down { "highest" } else { "lowest" };
                format!(
                    "{direction} is stabilized over {}, and the {extreme} recommendation counts: {replicas} ({} ago), until {}{}.",
                    span(window.0),
                    age(since),
                    clock(until),
                    after(then.as_ref(), now)
                )
            }
            Self::LimitedByMax { max_replicas } => format!("maxReplicas limits it to {max_replicas}."),
            Self::LimitedByMin { min_replicas } => format!("minReplicas limits it to {min_replicas}."),
            Self::StaysAtMin { min_replicas, is_normal: false } => {
                format!("It stays at minReplicas {min_replicas}.")
            }
            Self::StaysAtMin { min_replicas, is_normal: true } => format!(
                "It stays at minReplicas {min_replicas}, which is normal: ScalingLimited TooFewReplicas says only that."
            ),
            Self::AtMostDoubled { replicas } => format!(
                "Without spec.behavior a scale-up can at most double the replicas in one sync (or reach 4), so they go to {replicas} first."
            ),
            Self::DirectionDisabled { direction } => {
                format!("{direction}.selectPolicy is Disabled, so the replicas do not {}.", direction.verb())
            }
            Self::OnePolicy { policy, clamped, replicas, stays } => {
                one_policy(policy, *clamped, *replicas, stays.as_ref(), now)
            }
            Self::Policies { direction, policies, strictest, replicas, stays } => {
                let way = direction.verb();
                match (stays, strictest) {
                    (Some(stays), true) => format!(
                        "The strictest of the {policies} policies of {direction} keeps the replicas at {replicas} {}.",
                        stays.text(now)
                    ),
                    (Some(stays), false) => format!(
                        "None of the {policies} policies of {direction} lets the replicas {way} from {replicas} {}.",
                        stays.text(now)
                    ),
                    (None, strictest) => format!(
                        "The {} of the {policies} policies of {direction} lets the replicas {way} to {replicas} for now.",
                        if *strictest { "strictest" } else { "most generous" }
                    ),
                }
            }

            Self::ControllerLeftOut => {
                "kube-controller-manager runs without horizontal-pod-autoscaler-controller (--controllers), so nothing scales this HPA.".to_owned()
            }
            Self::LeaseExpired { holder: None } => {
                "The Lease kube-system/kube-controller-manager was given back, and nobody has taken it: nothing scales this HPA until a controller leads.".to_owned()
            }
            Self::LeaseExpired { holder: Some(holder) } => format!(
                "The Lease kube-system/kube-controller-manager of {holder} has expired, and nobody has taken it: nothing scales this HPA until a controller leads."
            ),
            Self::NeverSynced => {
                "The controller has not written a status since the HPA was created, although syncs were due: it may not be at work.".to_owned()
            }
            Self::NoSyncSinceStart { started } => {
                let started = started.map_or_else(String::new, |at| format!(" {}", ago(now, at.0)));
                format!("The controller started{started} and has not written a status since: it may not sync this HPA.")
            }
            Self::SeveralControllers { controllers } => format!(
                "{} run without leader election (--leader-elect=false): each of them scales this HPA, with a memory of its own.",
                list(controllers)
            ),
            Self::ControllerSays { what, readable_here } => {
                let here = if *readable_here { ", although it can be read here" } else { "" };
                format!("According to its status and events, {what}{here}.")
            }
            Self::MayComeAgain { what, error, replicas } => {
                let its = what.strip_prefix("its ").map(|rest| format!("Its {rest}"));
                let what = its.unwrap_or_else(|| format!("According to its status and events, {what}"));
                let again = replicas.map_or_else(
                    || "The next sync may or may not meet that again.".to_owned(),
                    |replicas| format!("Whether {replicas} is refused, too, is not known."),
                );
                format!("{what}: {error}. {again}")
            }
            Self::RivalMayBeKnown { hpas } => format!(
                "{} {} the same pods. If one of its syncs has reached its metrics, the controller runs neither; if not, both run and each sets the replicas.",
                named(hpas),
                select(hpas)
            ),
            Self::EarlierRivalMayBeKnown { hpas } => {
                let (its, has) = if hpas.len() == 1 { ("its", "has") } else { ("their", "have") };
                format!(
                    "{} {has} another selector now, or none that can be read. If the controller remembers an earlier one that matches the same pods, it does not run this HPA; it forgets that when one of {its} syncs reaches the metrics.",
                    named(hpas)
                )
            }
            Self::RivalNotCompared { hpas, last } => format!(
                "{} {} the same pods, but none of its syncs has reached its metrics, so the controller does not compare them: both run.{}",
                named(hpas),
                select(hpas),
                last_set(last.as_ref(), now)
            ),
            Self::SameTarget { hpas, last } => {
                format!("{} scales the same target.{}", named(hpas), last_set(last.as_ref(), now))
            }
            Self::Otherwise { with, least, most } => {
                let would = if least == most { least.to_string() } else { format!("{least} to {most}") };
                format!("{with} would decide {would}.")
            }
            Self::WriteWouldBeRefused { error } => {
                format!("The API server refuses other replicas than now, so nothing changes: {error}.")
            }
            Self::WriteRefused { error } => {
                format!("The API server refused the new replicas, so nothing changed: {error}.")
            }
        }
    }
}

/// `belong to StatefulSet/web or have no owner`.
fn owned(pods: usize, owners: &[String]) -> String {
    let (belong, have) = if pods == 1 { ("belongs", "has") } else { ("belong", "have") };
    let named: Vec<String> = owners.iter().filter(|owner| *owner != NO_OWNER).cloned().collect();
    let whose = match named.len() {
        0 => return format!("{have} {NO_OWNER}"),
        more @ 4.. => count(more, "other owner"),
        _ => list(&named),
    };
    let or_none = if named.len() < owners.len() { format!(" or {have} {NO_OWNER}") } else { String::new() };
    format!("{belong} to {whose}{or_none}")
}

/// `app=web matches 3 pods, and none runs: 2 wait for a node and 1 failed`.
fn not_running(pods: &PodStates, selector: &str) -> String {
    let state = |number: usize, [one, more]: [&str; 2]| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {more}")),
    };
    let unscheduled = [
        state(pods.waiting_for_node, ["waits for a node", "wait for a node"]),
        state(pods.gated, ["is held back by scheduling gates", "are held back by scheduling gates"]),
    ];
    let stuck = pods
        .stuck
        .iter()
        .map(|it| state(it.pods, [&format!("is in {}", it.reason), &format!("are in {}", it.reason)]));
    let others = [
        state(pods.pending, ["is Pending", "are Pending"]),
        state(pods.failed, ["failed", "failed"]),
        state(pods.succeeded, ["has ended", "have ended"]),
    ];
    let states: Vec<String> = unscheduled.into_iter().chain(stuck).chain(others).flatten().collect();
    match pods.matched {
        0 => format!("{selector} matches no pod"),
        matched => format!("{selector} matches {}, and none runs: {}", count(matched, "pod"), list(&states)),
    }
}

fn requests_needed(resource: &str, container: Option<&str>, selector: &str) -> String {
    match container {
        None => format!(
            "{resource} utilization needs a {resource} request in every container of every pod that {selector} matches."
        ),
        Some(container) => format!(
            "{resource} utilization of container {container} needs that container, with a {resource} request, in every pod that {selector} matches."
        ),
    }
}

fn requests_missing(containers: &[PodsWithout], pod_level: usize, no_container: usize) -> String {
    let container = |it: &PodsWithout| format!("container {} of {}", it.container, count(it.pods, "pod"));
    let mut places: Vec<String> = containers.iter().map(container).collect();
    if pod_level > 0 {
        places.push(format!("the pod-level requests of {}", count(pod_level, "pod")));
    }
    let mut sentences = Vec::new();
    if !places.is_empty() {
        sentences.push(format!("It is missing in {}.", list(&places)));
    }
    if no_container > 0 {
        let have = if no_container == 1 { "has" } else { "have" };
        sentences.push(format!("{} {have} no such container.", count(no_container, "pod")));
    }
    sentences.join(" ")
}

/// The metrics over which one won.
fn of(metrics: usize, failed: usize) -> String {
    if failed == 0 { format!("Of {metrics} metrics") } else { format!("Of the {metrics} metrics that work") }
}

/// The metric, over how many it won, or that it was no better than others.
fn led(lead: &Lead, metric: &str) -> String {
    match lead {
        Lead::Only => metric.to_owned(),
        Lead::MostOf { metrics, failed } => format!("{}, {metric} wants the most: it", of(*metrics, *failed)),
        Lead::AfterZero { metrics, failed } => format!(
            "{}, {metric} counts, although another wants more: after one that wants 0 the controller takes the next, whatever it wants; it",
            of(*metrics, *failed)
        ),
        Lead::Tied { metrics, replicas, takes } => {
            let all = if metrics.len() == 2 { "both" } else { "all" };
            let metrics = few(metrics, HPAS);
            format!("{metrics} {all} want {replicas}; the {takes} in spec order counts: {metric}")
        }
    }
}

fn read(label: &str, reading: &Reading) -> String {
    match reading {
        Reading::Utilization { percent: Some(percent), target } => {
            format!("{label} is at {percent}% of requests; the target is {target}%")
        }
        Reading::Utilization { percent: None, target } => format!("{label} has a target of {target}%"),
        Reading::Mean { mean, target, foreign: None, .. } => {
            format!("{label} averages {} per pod; the target is {}", mean.text(), target.text())
        }
        Reading::Mean { mean, target, samples: 1, .. } => {
            let mean = mean.text();
            format!(
                "{label} is at {mean} in its one sample, of no selected pod; the target is {}",
                target.text()
            )
        }
        Reading::Mean { mean, target, samples, foreign: Some(foreign) } => {
            let of_them = if samples == foreign { String::new() } else { format!("{foreign} of them ") };
            format!(
                "{label} averages {} over {samples} samples, {of_them}of no selected pod; the target is {}",
                mean.text(),
                target.text()
            )
        }
        Reading::Value { value, target } => {
            format!("{label} is at {}; the target is {}", value.text(), target.text())
        }
        Reading::Average { value, mean: None, target, .. } => {
            format!("{label} is at {}; the target is {} per replica", value.text(), target.text())
        }
        Reading::Average { value, replicas, mean: Some(mean), target } => format!(
            "{label} is at {} for {}, {}{} each; the target is {} each",
            value.text(),
            plural(*replicas),
            if value.0.0 % i64::from(*replicas) == 0 { "" } else { "about " },
            mean.text(),
            target.text()
        ),
        Reading::NegativeSum { sum, after, series, target } => {
            let part = if after == series {
                "in total".to_owned()
            } else {
                format!("after {after} of {series} series")
            };
            format!(
                "{label} is at {} {part}; the controller treats a negative sum as an overflow, replaces it by the largest int64 and compares that with a target of {} each",
                sum.text(),
                target.text()
            )
        }
    }
}

fn concluded(then: &Conclusion) -> String {
    match then {
        Conclusion::OnTarget => ": exactly on target, so no change is wanted".to_owned(),
        Conclusion::Within { ratio, lowest, highest, tolerance: Tolerance(whose), keeps } => {
            let then = keeps.map_or_else(
                || "so no change is wanted".to_owned(),
                |kept| format!("so no change is wanted from status.replicas, which is {kept}"),
            );
            format!(": ratio {}, inside {whose} ({}), {then}", ratio.text(), band(*lowest, *highest))
        }
        Conclusion::NoRatio { keeps } => {
            let then = keeps.map_or_else(
                || "so no change is wanted".to_owned(),
                |kept| format!("so no change is wanted from status.replicas, which is {kept}"),
            );
            format!(": 0 of 0 is no ratio, {then}")
        }
        Conclusion::Ratio { ratio, tendency } => {
            let tendency = match tendency {
                Tendency::More => ", so more pods are wanted",
                Tendency::Fewer => ", so fewer pods would be enough",
                Tendency::OnTarget => ", exactly on target",
                Tendency::Untold => "",
            };
            format!(": ratio {}{tendency}", ratio.text())
        }
        count => format!(": {}", wanted(count)),
    }
}

fn wanted(conclusion: &Conclusion) -> String {
    let are = |replicas: i32| format!("{} {}", plural(replicas), if replicas == 1 { "is" } else { "are" });
    match *conclusion {
        Conclusion::NoneNeeded { ready: Some(_) } => {
            "multiplied by 0 ready pods that makes 0 replicas, whatever the ratio".to_owned()
        }
        Conclusion::NoneNeeded { ready: None } => "no replica is needed".to_owned(),
        Conclusion::Negative { replicas } => format!("the result is {replicas}, which counts as 0"),
        Conclusion::More { replicas, ready } => format!("{} wanted{}", are(replicas), for_ready(ready)),
        Conclusion::RoundedUp { exact, replicas } => {
            format!("{} replicas are wanted, rounded up to the current {replicas}", product(exact))
        }
        Conclusion::JustRight { replicas, counted: None } => format!("{} just right", are(replicas)),
        Conclusion::JustRight { replicas, counted: Some(pods) } => {
            let pods = count(pods, "pod");
            format!("the load of {pods} needs {replicas} replicas, as many as now")
        }
        Conclusion::Fewer { replicas, ready } => {
            format!("{} would be enough{}", plural(replicas), for_ready(ready))
        }
        Conclusion::OnTarget
        | Conclusion::Within { .. }
        | Conclusion::NoRatio { .. }
        | Conclusion::Ratio { .. } => String::new(),
    }
}

fn band(lowest: Ratio, highest: Ratio) -> String {
    format!("{}–{}", lowest.text(), highest.text())
}

fn filled(it: Filled, counted: usize) -> String {
    let (have, they) = if it.pods == 1 { ("has", "it counts") } else { ("have", "they count") };
    let (way, assumed) = it.assumed.text();
    format!("{} of {counted} pods {have} no sample; {way} {they} as {assumed}", it.pods)
}

/// `1 unready pod counts as 0`.
pub(in crate::render) fn unready_as_zero(pods: usize) -> String {
    format!("{} {} as 0", count(pods, "unready pod"), if pods == 1 { "counts" } else { "count" })
}

/// The pods that a value is multiplied by, where they are not the replicas.
fn for_ready(ready: Option<usize>) -> String {
    ready.map_or_else(String::new, |ready| format!(" for {}", count(ready, "ready pod")))
}

fn select(hpas: &[String]) -> &'static str {
    if hpas.len() == 1 { "selects" } else { "select" }
}

impl Assumed {
    /// On which way, and as what.
    pub fn text(self) -> (&'static str, String) {
        match self {
            Self::ZeroAlways => ("up to Kubernetes 1.27", "0".to_owned()),
            Self::Zero => ("when scaling up", "0".to_owned()),
            Self::Request { percent: 100 } => ("when scaling down", "the whole request".to_owned()),
            Self::Request { percent } => ("when scaling down", format!("{percent}% of the request")),
            Self::Target => ("when scaling down", "the target".to_owned()),
        }
    }
}

fn fill_end(then: &FillEnd, counted: usize) -> String {
    match then {
        FillEnd::Within { lowest, highest, tolerance: Tolerance(whose) } => {
            format!(", inside {whose} ({}): no change is wanted", band(*lowest, *highest))
        }
        FillEnd::OtherSide => {
            ", on the other side of 1: the two contradict each other, so no change is wanted".to_owned()
        }
        FillEnd::OtherWay { pods } => {
            let what = if *pods == counted { "counted pods" } else { "samples" };
            format!("; multiplied by all {pods} {what}, it leads the other way, so no change is wanted")
        }
        FillEnd::Leads { to } => concluded(to),
    }
}

/// What holds the replicas once the window does not.
fn after(hold: Option<&Hold>, now: Instant) -> String {
    match hold {
        None => String::new(),
        Some(Hold::Disabled { direction }) => format!(
            ", but {direction}.selectPolicy is Disabled, so the replicas do not {} after that either",
            direction.verb()
        ),
        Some(Hold::Bound { field, replicas }) => {
            format!(", and {field} {replicas} keeps the replicas after that")
        }
        Some(Hold::Rate { until }) => {
            format!(", and the rate after earlier rescales until {}", clock(now, until.0))
        }
    }
}

impl Latest {
    /// `falls to 4 by 10:47:00 at the latest, if the load stays`.
    pub fn text(self, now: Instant) -> String {
        let way = if self.falls { "falls" } else { "rises" };
        let at = clock(now, self.at.0);
        if self.rests {
            format!("{way} to {} by {at} at the latest, if the load stays", self.replicas)
        } else {
            format!("{way} after {at} at the latest, if the load stays")
        }
    }
}

impl Stay {
    fn text(self, now: Instant) -> String {
        match self {
            Self::Always => "whatever the load: a percentage of 0 is 0".to_owned(),
            Self::Until(at) => format!("until {}", clock(now, at.0)),
            Self::ForNow => "for now".to_owned(),
        }
    }
}

fn one_policy(
    policy: &Allowance,
    clamped: Option<i32>,
    replicas: i32,
    stays: Option<&Stay>,
    now: Instant,
) -> String {
    let (direction, name) = (policy.direction, limit::policy(policy.trace.policy));
    let moves = if stays.is_some() { "stays at" } else { "goes to" };
    let until = stays.copied().unwrap_or(Stay::ForNow).text(now);
    if policy.allows.is_none() {
        return format!(
            "{direction} has one policy, {name}. Which rescales it counts is not known; with any that fit, it {moves} {replicas} {until}."
        );
    }
    let side = if direction.0 == Direction::Up { "below" } else { "above" };
    let clamped = clamped.map_or_else(String::new, |at| format!(", but never {side} the current {at}"));
    let calculation = arithmetic::policy(&policy.trace, direction.0);
    format!("{direction} has one policy, {name}: {calculation}{clamped}, so it {moves} {replicas} {until}.")
}

/// The names of other HPAs, without their namespace: it is the same.
fn named(hpas: &[String]) -> String {
    list(&hpas.iter().take(HPAS).map(|name| format!("HPA {name}")).collect::<Vec<_>>())
}

fn last_set(last: Option<&LastSet>, now: Instant) -> String {
    last.map_or_else(String::new, |it| {
        format!(
            " According to its status, HPA {} set {} {}, from {}.",
            it.hpa,
            plural(it.to),
            ago(now, it.at.0),
            it.from
        )
    })
}
