//! The words of advice: made from it and the time of the decision, and from nothing else.

use super::advice::{AdviceClaim, Advised, Asked, Outcome, Selects, Setter, Share, When};
use super::{At, Way};
use crate::render::ownership::NO_OWNER;
use crate::render::units::{clock, count, few, list, moment, range, replicas as plural, span};
use kubectl_hpa_core::model::Instant;

/// The most selectors that are quoted.
const SELECTORS: usize = 4;

/// The most owners, containers and reasons that are named.
const NAMES: usize = 3;

/// The controller's own role (upstream `controller_policy.go`).
const ROLE: &str = "system:controller:horizontal-pod-autoscaler";

/// The reason of a container that has run before, so that there is a log.
const CRASHED: &str = "CrashLoopBackOff";

impl Advised {
    /// What to do. It ends with a colon if a command follows.
    pub fn text(&self, now: Instant) -> String {
        let has_command = self.command.is_some();
        let mut text = self.claim.sentence(now, has_command);
        text.push(if has_command { ':' } else { '.' });
        text
    }

    /// "would be: 3 replicas → 5".
    pub fn follows(&self) -> Option<String> {
        let Outcome { when, from, next, settles } = self.outcome?;
        let from = from?;
        let when = match when {
            When::Done => "would be",
            When::Sampled => "with samples like the others'",
            When::Ready => "once ready",
            When::Readied => "once ready, with samples like the others'",
        };
        let end = settles.map(|settles| format!(", then {settles} if the load stays"));
        let stays = if end.is_some() { " for now" } else { "" };
        let end = end.unwrap_or_default();
        Some(if (next.0.0, next.1.0) == (from, from) {
            format!("{when}: stays at {from}{stays}{end}")
        } else {
            format!("{when}: {} → {}{end}", plural(from), range(next))
        })
    }
}

impl AdviceClaim {
    /// Without its end.
    #[expect(clippy::too_many_lines, reason = "one arm for each sentence, in the order of the enum")]
    fn sentence(&self, now: Instant, has_command: bool) -> String {
        match self {
            Self::WakeUp { stops_again, setter } => {
                let stops = if *stops_again {
                    "Set minReplicas to 1, or turn on the gate HPAScaleToZero; otherwise the HPA stops again at its next 0. "
                } else {
                    ""
                };
                let set = setter.as_ref().map_or_else(String::new, |setter| set_zero(now, setter));
                format!("{stops}{set}To let the HPA scale again, give the target a replica")
            }
            Self::ScaleOwner { pods, owners, target, selector } => {
                let belong = if *pods == 1 { "belongs" } else { "belong" };
                format!(
                    "{target} has 0 replicas, and {} that {selector} matches {belong} to {}: name what owns {} in spec.scaleTargetRef (of an Argo Rollout with workloadRef the Rollout, not its Deployment). To see the owner",
                    count(*pods, "pod"),
                    few(owners, NAMES),
                    if owners.len() == 1 { "that" } else { "those" },
                )
            }
            Self::NameScalable { meant: Some(kind) } => {
                format!("Name the target by its kind and group in spec.scaleTargetRef: {kind} of apps/v1")
            }
            Self::NameScalable { meant: None } => {
                "Name a Deployment, a StatefulSet or another kind with a scale in spec.scaleTargetRef, or remove the HPA".to_owned()
            }
            Self::CreateTarget { target, scaled_object } => {
                let (of, what) = match scaled_object {
                    Some(name) => (format!(" of ScaledObject/{name}"), "the ScaledObject"),
                    None => (String::new(), "the HPA"),
                };
                format!(
                    "Create {target}, name another target in spec.scaleTargetRef{of}, or remove {what}. To list what is there"
                )
            }
            Self::StartController { left_out: true } => {
                "Start kube-controller-manager with its HPA controller: --controllers leaves it out".to_owned()
            }
            Self::StartController { left_out: false } => {
                "Find out why no kube-controller-manager leads: its pod, or the process on a control plane node, has a log that says so. The Lease".to_owned()
            }
            Self::GrantRight { user, verb, resource, group } => {
                let group = group.as_ref().map_or_else(String::new, |group| format!(" of {group}"));
                format!(
                    "Let {user} {verb} {resource}{group}: a ClusterRole bound to it needs that rule ({ROLE} has it by default). To ask whether it may"
                )
            }
            Self::SeparateSelectors { earlier: Some(hpa), possibly, .. } => {
                let selected = if possibly.is_some() { "may have selected" } else { "selected" };
                format!(
                    "HPA {hpa} {selected} the same pods before, and the controller remembers that until one of its syncs reaches its metrics. Give it a scaleTargetRef with which a sync does, or delete it"
                )
            }
            Self::SeparateSelectors { earlier: None, hpas, .. } => separate(hpas),
            Self::MeasureOneContainer { resource, lacking, container, scaled_object } => format!(
                "Give {} a {resource} request, or measure container {container} alone{}",
                list(lacking),
                through(scaled_object.as_deref())
            ),
            Self::SetRequests { resource, lacking } => {
                format!("Give {} a {resource} request", list(lacking))
            }
            Self::SelectOwnPods { foreign, pods, target, owners, selector } => {
                let (are, them) = if *foreign == 1 { ("is", "it") } else { ("are", "them") };
                let (pods, owners) = (count(*pods, "pod"), few(owners, NAMES));
                format!(
                    "{foreign} of {pods} {are} not part of {target} but of {owners}; to keep {them} out, give {them} labels that {selector} does not match"
                )
            }
            Self::LeaveReplicasOut { wrote, found, setter } => leave_out(now, *wrote, *found, setter),
            Self::AskMetricsApi { apis } => ask(apis),
            Self::StartPods { pods: 0 } => {
                "The events of the target, or of what makes its pods, say why there is none".to_owned()
            }
            Self::StartPods { .. } => {
                "The state and the events of the pods say why they do not run. Of the first".to_owned()
            }
            Self::CreatePods { absent, ended, target } => {
                let fewer = if *absent == 1 { "1 pod fewer" } else { &format!("{absent} pods fewer") };
                let ended = match ended {
                    0 => String::new(),
                    1 => ", not counting 1 that has ended".to_owned(),
                    ended => format!(", not counting {ended} that have ended"),
                };
                format!(
                    "{target} has {fewer} than replicas{ended}. Its events, or those of what makes its pods, say why"
                )
            }
            Self::NameContainer { container, containers, lacks, scaled_object } => {
                let through = through(scaled_object.as_deref());
                let other = match containers.as_slice() {
                    [only] => format!("container {only}"),
                    _ => format!("one of the containers {}", list(containers)),
                };
                let request = lacks.as_ref().map(|it| format!(", and give it a {it} request"));
                format!("Measure {other} instead of {container}{through}{}", request.unwrap_or_default())
            }
            Self::MakeRoom { pods, since, reason } => make_room(now, *pods, *since, *reason),
            Self::CheckSchedulingGates { pods, since } => {
                let (are, it, its) = match (pods, since) {
                    (1, None) => ("is", "it", "its"),
                    (1, Some(_)) => ("has been", "it", "its"),
                    _ => ("are", "them", "their"),
                };
                let (pods, since) = (count(*pods, "pod"), waiting_since(now, *pods, *since));
                format!(
                    "{pods} {are} held back by scheduling gates{since}: the scheduler does not look at {it} until whoever set {its} gates removes them. The gates"
                )
            }
            Self::StartContainers { pods, containers, reasons } => {
                start_containers(*pods, containers, reasons)
            }
            Self::GetReady { pods } => {
                let (has, it, samples, shows) = if *pods == 1 {
                    ("has", "it is", "its sample of cpu does", "its conditions and events")
                } else {
                    let first = "the conditions and events of the first";
                    ("have", "they are", "their samples of cpu do", first)
                };
                format!(
                    "{} {has} never been Ready, and until {it}, {samples} not count. To see why, look at {shows}",
                    count(*pods, "pod")
                )
            }
            Self::DeleteFinishedPods { pods, owners, selector, resource } => {
                delete(*pods, owners, selector, resource.as_deref())
            }
            Self::WidenWindow { ups, downs, since, window, scaled_object } => {
                let field = scaled_object.as_ref().map_or_else(String::new, |name| {
                    format!(" ({})", behavior("scaleDown.stabilizationWindowSeconds", Some(name)))
                });
                let times = |number: &i32, noun| count(usize::try_from(*number).unwrap_or_default(), noun);
                let end = if has_command { "" } else { ", but the API allows no longer one" };
                format!(
                    "The replicas go up and down: {} and {} since {}. The scale-down window is {}; a longer one{field} keeps the highest recommendation for longer{end}",
                    times(ups, "scale-up"),
                    times(downs, "scale-down"),
                    clock(now, since.0),
                    span(window.0)
                )
            }
            Self::RaiseMax { wanted, scaled_object: Some(name) } => format!(
                "If {wanted} replicas fit the cluster, raise maxReplicaCount of ScaledObject/{name}, from which KEDA sets maxReplicas"
            ),
            Self::RaiseMax { wanted, scaled_object: None } => {
                format!("If {wanted} replicas fit the cluster, raise maxReplicas")
            }
            Self::FixOrRemoveMetric { metrics, removable: false, .. } => format!("Fix {}", list(metrics)),
            Self::FixOrRemoveMetric { metrics, removable: true, scaled_object } => {
                let (it, they) = if metrics.len() == 1 { ("it", "it is") } else { ("them", "they are") };
                let through = through(scaled_object.as_deref());
                format!("Fix {}, or remove {it}{through} until {they} fixed", list(metrics))
            }
            Self::RestoreSamples { pods, started, .. } => samples(now, *pods, *started, has_command),
            Self::DivideTotal { metric, scaled_object: Some(name), .. } => format!(
                "If {metric} is a total that more pods do not lower, set metricType: AverageValue instead of Value in the trigger of ScaledObject/{name}: the controller then divides by it"
            ),
            Self::DivideTotal { metric, value, scaled_object: None } => format!(
                "If {metric} is a total that more pods do not lower, set type: AverageValue with averageValue: {value} instead of value: the controller then divides by it"
            ),
            Self::LeaveOutSidecars { metric, container, shares, scaled_object } => {
                let share = |Share { container, percent }: &Share| format!("{container} {percent}%");
                let shares: Vec<String> = shares.iter().map(share).collect();
                format!(
                    "The other containers dilute {metric} ({}); container {container} alone{} wants more",
                    list(&shares),
                    through(scaled_object.as_deref())
                )
            }
            Self::AllowFasterScaleUp { scaled_object } => {
                format!("A policy in {} can allow that at once", behavior("scaleUp", scaled_object.as_deref()))
            }
            Self::NarrowTolerance { direction, scaled_object } => {
                format!("If that is too far off, set {}", rule(*direction, "tolerance", scaled_object.as_deref()))
            }
            Self::ShortenWindow { direction, window, scaled_object } => {
                let field = rule(*direction, "stabilizationWindowSeconds", scaled_object.as_deref());
                match window {
                    Some(window) => {
                        format!("The controller's window is {}; {field} overrides it", span(window.0))
                    }
                    None => format!("{field} keeps the replicas; the default is 300"),
                }
            }
        }
    }
}

/// A field of `spec.behavior`, where a person sets it.
fn behavior(field: &str, scaled_object: Option<&str>) -> String {
    scaled_object.map_or_else(
        || format!("spec.behavior.{field}"),
        |name| format!("advanced.horizontalPodAutoscalerConfig.behavior.{field} of ScaledObject/{name}"),
    )
}

/// Where a person changes a metric that KEDA writes into the HPA.
fn through(scaled_object: Option<&str>) -> String {
    scaled_object.map_or_else(String::new, |name| format!(" (in the triggers of ScaledObject/{name})"))
}

fn rule(direction: Way, field: &str, scaled_object: Option<&str>) -> String {
    behavior(&format!("{direction}.{field}"), scaled_object)
}

fn separate(hpas: &[Selects]) -> String {
    if let [own, others @ ..] = hpas
        && let Some(other) = others.iter().find(|it| it.selector == own.selector)
    {
        return format!(
            "Keep one HPA for these pods: {} and {} both select {}. One HPA takes several metrics",
            own.hpa, other.hpa, own.selector
        );
    }
    let selects = |it: &Selects| format!("{} selects {}", it.hpa, it.selector);
    let mut selectors: Vec<String> = hpas.iter().map(selects).collect();
    let more = selectors.len().saturating_sub(SELECTORS);
    if more > 1 {
        selectors.truncate(SELECTORS);
        selectors.push(format!("{more} more like these"));
    }
    format!("Make the selectors disjoint: {}", selectors.join("; "))
}

/// Whoever applies a manifest sets its replicas again.
fn set_zero(now: Instant, setter: &Setter) -> String {
    let Setter::Manager { name, at } = setter else { return String::new() };
    let at = at.map_or_else(String::new, |at| format!(" at {}", clock(now, at.0)));
    let again = if is_typed(name) { "" } else { ", and may do so again" };
    format!("{name} set the 0 replicas{at}{again}. ")
}

/// True of a field manager that writes what somebody typed: kubectl scale and kubectl edit.
fn is_typed(manager: &str) -> bool {
    matches!(manager, "kubectl" | "kubectl-edit" | "kubectl-scale" | "kubectl-patch")
}

fn leave_out(now: Instant, wrote: i32, found: i32, setter: &Setter) -> String {
    let wrote = plural(wrote);
    let who = "To see who owns spec.replicas, and since when";
    let leave_out =
        |they: &str| format!("Remove replicas from what {they} (in Argo CD: ignoreDifferences). {who}");
    let set = format!("The controller set {wrote}, and the target has {found}");
    match setter {
        Setter::Manager { name, at } => {
            let at = at.map_or_else(String::new, |at| format!(" at {}", clock(now, at.0)));
            let instead = match &**name {
                typed if is_typed(typed) => format!(
                    "It will not last: a count that must hold is minReplicas or maxReplicas of the HPA. {who}"
                ),
                argo if argo.starts_with("argocd") => leave_out("it applies"),
                _ => format!("Remove replicas from what it applies. {who}"),
            };
            format!("{set}, which {name} set{at}. {instead}")
        }
        Setter::Somebody => format!("{set}: somebody else sets replicas, too. {}", leave_out("they apply")),
        Setter::NotKnown => {
            format!(
                "The controller wrote {wrote}, and the target has {found}; who set that is not known. If somebody else did, remove replicas from what they apply (in Argo CD: ignoreDifferences). {who}"
            )
        }
    }
}

/// One command answers all that have one, so the sentence that leads to it comes last.
fn ask(apis: &[Asked]) -> String {
    let (without, with): (Vec<&Asked>, Vec<&Asked>) = apis.iter().partition(|asked| {
        matches!(asked, Asked::Fails { .. } | Asked::Forbidden { .. } | Asked::Empty { .. })
    });
    let texts: Vec<String> = without.into_iter().chain(with).map(asked).collect();
    texts.join(". ")
}

fn asked(asked: &Asked) -> String {
    match asked {
        Asked::Keda { metric, scaled_object, trigger } => {
            let trigger = trigger.map_or_else(String::new, |it| format!("trigger {it} of "));
            format!(
                "KEDA makes {metric} from {trigger}ScaledObject/{scaled_object}: its conditions show which trigger fails and whether a fallback is used; the log of keda-operator has the error"
            )
        }
        Asked::NoSamples => "The API answers, but has no sample of these pods: the log of metrics-server names the nodes that it cannot scrape. To ask with kubectl".to_owned(),
        Asked::NotServed { api } => format!(
            "{api} is served by {}; its APIService shows whether one is registered and available",
            server(api)
        ),
        Asked::NoMetric { api } => {
            format!("The adapter of {api} has no such metric; it has these")
        }
        Asked::Forbidden { api } => format!(
            "The controller has no right to read {api}: a ClusterRole that is bound to its user has to grant get and list"
        ),
        Asked::Empty { api } => format!(
            "{api} answers, and has no value: look at the metric's name and selector, then at its adapter's log"
        ),
        Asked::Fails { api } => format!("{api} is served by {}, whose log has the cause", server(api)),
    }
}

fn server(api: &str) -> &'static str {
    if api == "metrics.k8s.io" { "metrics-server or a replacement" } else { "an adapter" }
}

/// `PodScheduled` is False: the pod's events say why.
fn make_room(now: Instant, pods: usize, since: Option<At>, reason: Option<&str>) -> String {
    let (has, them) = match (pods, since) {
        (1, None) => ("waits", "it"),
        (1, Some(_)) => ("has waited", "it"),
        _ => ("wait", "them"),
    };
    let full = "The events of the pod say what it lacks: room (add nodes or lower the requests), a node that its selectors and tolerations allow, or a volume";
    let why = match reason {
        Some("Unschedulable") => format!("the scheduler found no node for {them} (Unschedulable). {full}"),
        Some("SchedulerError") => {
            "the scheduler itself failed (SchedulerError). The events of the pod say why".to_owned()
        }
        Some(_) | None => format!("PodScheduled is False. {full}"),
    };
    format!("{} {has} for a node{}: {why}", count(pods, "pod"), waiting_since(now, pods, since))
}

/// Since when one pod is not scheduled, or the one of several that has waited for longest.
fn waiting_since(now: Instant, pods: usize, since: Option<At>) -> String {
    let longest = if pods == 1 { "" } else { ", the longest" };
    since.map_or_else(String::new, |since| format!("{longest} since {}", moment(now, since.0)))
}

/// A container waits: the pod's events say why, or what it wrote before it crashed.
fn start_containers(pods: usize, containers: &[String], reasons: &[String]) -> String {
    let has_crashed = reasons.first().is_some_and(|first| first == CRASHED);
    let says = match (has_crashed, pods) {
        (true, 1) => "Its last log says",
        (true, _) => "The last log of the first says",
        (false, 1) => "The events of the pod say",
        (false, _) => "The events of the first say",
    };
    let (container, waits) =
        if containers.len() == 1 { ("Container", "waits") } else { ("Containers", "wait") };
    format!(
        "{container} {} of {} {waits}: {}. {says} why",
        few(containers, NAMES),
        count(pods, "pod"),
        few(reasons, NAMES)
    )
}

fn delete(pods: usize, owners: &[String], selector: &str, resource: Option<&str>) -> String {
    let is_owned = !owners.iter().any(|owner| owner == NO_OWNER);
    let whose = if is_owned { format!(" of {}", few(owners, NAMES)) } else { String::new() };
    let of_jobs = owners.iter().all(|owner| owner.starts_with("Job/"));
    let clean = if of_jobs { " (ttlSecondsAfterFinished of the Job does)" } else { "" };
    let (have, them) = if pods == 1 { ("has", "it") } else { ("have", "them") };
    if let Some(resource) = resource {
        return format!(
            "{}{whose} {have} ended without a {resource} request, but {selector} still matches {them}, so the metric fails. Delete {them}{clean}",
            count(pods, "pod")
        );
    }
    format!(
        "{}{whose} {have} finished and will never have a sample, but {selector} matches {them}, so the controller counts {them} as missing. Delete {them}{clean}, or use labels that the selector does not match",
        count(pods, "pod")
    )
}

fn samples(now: Instant, pods: usize, started: Option<At>, has_command: bool) -> String {
    let end = match (has_command, started, pods) {
        (false, ..) => "",
        (true, Some(_), 1) => "; to ask about it",
        (true, Some(_), _) => "; to ask about the first one",
        (true, None, 1) => "; to ask the metrics API about it",
        (true, None, _) => "; to ask the metrics API about the first one",
    };
    let Some(at) = started else {
        let have = if pods == 1 { "a pod has".to_owned() } else { format!("{pods} pods have") };
        return format!("Find out why {have} no samples{end}");
    };
    let samples = if pods == 1 { "the sample" } else { "the samples" };
    let age = span(now.since(at.0));
    format!("Wait for {samples} of {}, started {age} ago{end}", count(pods, "pod"))
}
