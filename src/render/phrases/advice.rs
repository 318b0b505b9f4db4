//! Pieces of advice as data: their values and their commands.

use super::{ask_api, attested, metric};
use crate::render::claims::{AdviceClaim, Advised, At, Outcome, Selects, Setter, Share, Span, Way, When};
use crate::render::ownership;
use kubectl_hpa_core::advice::{Advice, Flapping, Remedy, ReplicasSetter};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, Instant, ResourceName, Source, shell_word};
use kubectl_hpa_core::snapshot::{HpaKey, Pod, Selection, SetReplicas, UnscheduledReason};
use kubectl_hpa_core::trace::{Direction, Stabilization};
use kubectl_hpa_core::whatif::Removal;

/// A piece of advice.
pub(in crate::render) fn advised(explanation: &Explanation, advice: &Advice) -> Advised {
    let claim = claim(explanation, advice);
    let when = match &advice.remedy {
        Remedy::RestoreSamples { .. } => {
            // Also the pods that only another metric misses.
            let missing = Removal::Filling(0).pods(explanation.snapshot(), explanation.decision());
            let missing: Vec<usize> = missing.into_iter().flatten().collect();
            let are_ready = of(explanation, &missing).all(Pod::is_running_and_ready);
            if are_ready { When::Sampled } else { When::Readied }
        }
        Remedy::GetReady { .. } => When::Ready,
        _ => When::Done,
    };
    let outcome = advice.then.map(|then| Outcome {
        when,
        from: explanation.current().map(|current| current.0),
        next: then.next,
        settles: then.settles.map(|settles| settles.0),
    });
    Advised { claim, command: command(explanation, advice), outcome }
}

pub(super) fn claim(explanation: &Explanation, advice: &Advice) -> AdviceClaim {
    match &advice.remedy {
        Remedy::WakeUp => AdviceClaim::WakeUp {
            stops_again: explanation.snapshot().hpa.min.0 == 0 && explanation.never_wakes(),
            setter: explanation
                .snapshot()
                .history
                .target
                .setters
                .last()
                .filter(|it| !it.by_controller)
                .map(manager),
        },
        Remedy::ScaleOwner { pods } => AdviceClaim::ScaleOwner {
            pods: pods.len(),
            owners: owners(explanation, pods),
            target: explanation.target(),
            selector: explanation.selector().to_owned(),
        },
        Remedy::NameScalable { meant } => AdviceClaim::NameScalable { meant: *meant },
        Remedy::CreateTarget => AdviceClaim::CreateTarget {
            target: explanation.target(),
            scaled_object: scaled_object(explanation),
        },
        Remedy::StartController { is_left_out } => AdviceClaim::StartController { left_out: *is_left_out },
        Remedy::GrantRight { fault } => attested::grant(explanation, *fault),
        Remedy::SeparateSelectors => separate(explanation),
        Remedy::MeasureOneContainer { metric, lacking, container } => AdviceClaim::MeasureOneContainer {
            resource: resource(explanation, *metric).to_owned(),
            lacking: owned(lacking),
            container: container.to_string(),
            scaled_object: scaled_object(explanation),
        },
        Remedy::SetRequests { metric, lacking } => AdviceClaim::SetRequests {
            resource: resource(explanation, *metric).to_owned(),
            lacking: owned(lacking),
        },
        Remedy::SelectOwnPods { foreign } => select_own_pods(explanation, foreign),
        Remedy::LeaveReplicasOut { by } => contested(explanation, by),
        Remedy::AskMetricsApi { metrics } => {
            AdviceClaim::AskMetricsApi { apis: ask_api::asked(explanation, metrics) }
        }
        Remedy::StartPods => AdviceClaim::StartPods { pods: explanation.pods().len() },
        Remedy::CreatePods { absent, ended } => {
            AdviceClaim::CreatePods { absent: *absent, ended: *ended, target: explanation.target() }
        }
        Remedy::NameContainer { metric, there, lacks } => {
            name_container(explanation, *metric, there, lacks.as_ref())
        }
        Remedy::MakeRoom { waiting } => make_room(explanation, waiting),
        Remedy::CheckSchedulingGates { gated } => AdviceClaim::CheckSchedulingGates {
            pods: gated.len(),
            since: unscheduled_since(explanation, gated),
        },
        Remedy::StartContainers { stuck } => start_containers(explanation, stuck),
        Remedy::GetReady { unready } => AdviceClaim::GetReady { pods: unready.len() },
        Remedy::DeleteFinishedPods { finished, lacking } => AdviceClaim::DeleteFinishedPods {
            pods: finished.len(),
            owners: owners(explanation, finished),
            selector: explanation.selector().to_owned(),
            resource: lacking.as_ref().map(|it| it.as_str().to_owned()),
        },
        Remedy::WidenWindow(flapping) => flaps(explanation, *flapping),
        Remedy::RaiseMax => AdviceClaim::RaiseMax {
            wanted: explanation.decision().choice.map_or(0, |choice| choice.after.0),
            scaled_object: scaled_object(explanation),
        },
        Remedy::FixOrRemoveMetric { metrics } => AdviceClaim::FixOrRemoveMetric {
            metrics: metrics.iter().map(|place| label(explanation, *place)).collect(),
            removable: advice.then.is_some(),
            scaled_object: advice.then.as_ref().and_then(|_| scaled_object(explanation)),
        },
        Remedy::RestoreSamples { metric, missing } => AdviceClaim::RestoreSamples {
            metric: label(explanation, *metric),
            pods: missing.len(),
            started: started(explanation, missing),
        },
        Remedy::DivideTotal { metric } => divide(explanation, *metric),
        Remedy::LeaveOutSidecars { metric, container } => sidecars(explanation, *metric, container),
        Remedy::AllowFasterScaleUp => {
            AdviceClaim::AllowFasterScaleUp { scaled_object: scaled_object(explanation) }
        }
        Remedy::NarrowTolerance(direction) => AdviceClaim::NarrowTolerance {
            direction: Way(*direction),
            scaled_object: scaled_object(explanation),
        },
        Remedy::ShortenWindow(direction) => window(explanation, *direction),
    }
}

/// How it is tried or done.
fn command(explanation: &Explanation, advice: &Advice) -> Option<String> {
    let key = &explanation.snapshot().hpa.key;
    let namespace = shell_word(&key.namespace);
    let target = || {
        let target = &explanation.snapshot().hpa.target;
        format!("{}/{}", target.kind.to_lowercase(), target.name)
    };
    match &advice.remedy {
        Remedy::WakeUp => {
            let count = explanation.snapshot().hpa.min.0.max(1);
            Some(format!("kubectl scale {} -n {namespace} --replicas={count}", shell_word(&target())))
        }
        Remedy::ScaleOwner { pods } => {
            let owner = of(explanation, pods).find_map(|pod| pod.owner.as_ref())?;
            let owner = format!("{}/{}", owner.kind.to_lowercase(), owner.name);
            Some(format!("kubectl describe {} -n {namespace}", shell_word(&owner)))
        }
        Remedy::CreateTarget => {
            let kind = explanation.snapshot().hpa.target.kind.to_lowercase();
            Some(format!("kubectl get {} -n {namespace}", shell_word(&kind)))
        }
        Remedy::StartController { is_left_out: false } => {
            Some("kubectl get lease kube-controller-manager -n kube-system -o yaml".to_owned())
        }
        Remedy::GrantRight { fault } => attested::ask_for_right(explanation, *fault),
        Remedy::LeaveReplicasOut { .. } => {
            let target = target();
            Some(format!("kubectl get {} -n {namespace} -o yaml --show-managed-fields", shell_word(&target)))
        }
        Remedy::AskMetricsApi { metrics } => ask_api::command(explanation, metrics),
        Remedy::StartPods => {
            let pod = explanation.pods().first().map(|pod| format!("pod/{}", pod.name));
            Some(format!("kubectl describe {} -n {namespace}", shell_word(&pod.unwrap_or_else(target))))
        }
        Remedy::CreatePods { .. } => {
            Some(format!("kubectl describe {} -n {namespace}", shell_word(&target())))
        }
        Remedy::MakeRoom { waiting: pods } | Remedy::GetReady { unready: pods } => {
            let pod = format!("pod/{}", of(explanation, pods).next()?.name);
            Some(format!("kubectl describe {} -n {namespace}", shell_word(&pod)))
        }
        Remedy::StartContainers { stuck } => {
            let pod = of(explanation, stuck).next()?;
            let (name, container) = (shell_word(&pod.name), pod.stuck.as_ref()?);
            // It has run before, so that there is a log.
            Some(if &*container.reason == CRASHED {
                let container = shell_word(&container.name);
                format!("kubectl logs {name} -n {namespace} -c {container} --previous")
            } else {
                format!("kubectl describe pod/{name} -n {namespace}")
            })
        }
        Remedy::CheckSchedulingGates { gated } => {
            let pod = format!("pod/{}", of(explanation, gated).next()?.name);
            let gates = "-o jsonpath='{.spec.schedulingGates}'";
            Some(format!("kubectl get {} -n {namespace} {gates}", shell_word(&pod)))
        }
        Remedy::RestoreSamples { metric, missing } => {
            let spec = explanation.snapshot().hpa.metrics.get(*metric)?;
            let (Source::Resource(_) | Source::ContainerResource { .. }) = spec.source else { return None };
            let pod = &of(explanation, missing).next()?.name;
            let path = format!("/apis/metrics.k8s.io/v1beta1/namespaces/{}/pods/{pod}", key.namespace);
            Some(format!("kubectl get --raw {}", shell_word(&path)))
        }
        _ if advice.changes.is_empty() => None,
        _ => {
            let changes: Vec<String> = advice.changes.iter().map(ToString::to_string).collect();
            let name = shell_word(&key.name);
            Some(format!("kubectl hpa simulate {name} -n {namespace} {}", changes.join(" ")))
        }
    }
}

/// A pod that has started within so long may have no sample yet.
const NEW: Duration = Duration::from_seconds(120);

/// When the oldest of the pods started, if all of them are new.
fn started(explanation: &Explanation, pods: &[usize]) -> Option<At> {
    let oldest =
        of(explanation, pods).map(|pod| pod.started).collect::<Option<Vec<Instant>>>()?.into_iter().min()?;
    (explanation.now().since(oldest) <= NEW).then_some(At(oldest))
}

/// The pods at these places.
fn of<'a>(explanation: &'a Explanation, places: &'a [usize]) -> impl Iterator<Item = &'a Pod> {
    places.iter().filter_map(|place| explanation.pods().get(*place))
}

/// Who owns them.
fn owners(explanation: &Explanation, places: &[usize]) -> Vec<String> {
    once_each(of(explanation, places).map(|pod| ownership::name(pod.owner.as_ref())))
}

/// Each name once, in the order in which they come.
fn once_each(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut each: Vec<String> = Vec::new();
    for name in names {
        if !each.contains(&name) {
            each.push(name);
        }
    }
    each
}

fn owned(names: &[Box<str>]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn scaled_object(explanation: &Explanation) -> Option<String> {
    explanation.snapshot().hpa.scaled_object().map(str::to_owned)
}

fn label(explanation: &Explanation, place: usize) -> String {
    explanation.snapshot().hpa.metrics.get(place).map_or_else(String::new, metric::label)
}

fn resource(explanation: &Explanation, place: usize) -> &str {
    let spec = explanation.snapshot().hpa.metrics.get(place);
    spec.and_then(|spec| spec.source.resource()).unwrap_or(&ResourceName::Cpu).as_str()
}

fn manager(setter: &SetReplicas) -> Setter {
    Setter::Manager { name: setter.by.to_string(), at: setter.at.map(At) }
}

/// The target has other replicas than the controller wrote.
fn contested(explanation: &Explanation, by: &ReplicasSetter) -> AdviceClaim {
    let setter = match by {
        ReplicasSetter::Manager(setter) => manager(setter),
        ReplicasSetter::Somebody => Setter::Somebody,
        ReplicasSetter::NotKnown => Setter::NotKnown,
    };
    let wrote = explanation.snapshot().hpa.left_replicas().unwrap_or_default().0;
    AdviceClaim::LeaveReplicasOut { wrote, found: explanation.current().unwrap_or_default().0, setter }
}

fn separate(explanation: &Explanation) -> AdviceClaim {
    let attested = explanation.attested();
    let of_earlier = |key: &HpaKey, possibly: Option<bool>| AdviceClaim::SeparateSelectors {
        earlier: Some(key.name.to_string()),
        possibly,
        hpas: Vec::new(),
    };
    if let Some(key) = attested.earlier_rivals().next() {
        return of_earlier(key, None);
    }
    let own = match explanation.snapshot().scale.as_ref().map(|scale| &scale.selector) {
        Ok(Selection::Parsed { selector, .. }) => Some(selector),
        Ok(Selection::Missing | Selection::Invalid { .. }) | Err(_) => None,
    };
    let selects = |hpa: &str, selector: String| Selects { hpa: hpa.to_owned(), selector };
    let own_text = || explanation.selector().to_owned();
    let mut hpas = vec![selects(&explanation.snapshot().hpa.key.name, own_text())];
    for other in explanation.others() {
        let Some(selector) = &other.selector else { continue };
        if Some(selector) == own {
            hpas.push(selects(&other.key.name, own_text()));
        } else if explanation.pods().iter().any(|pod| selector.matches(&pod.labels)) {
            hpas.push(selects(&other.key.name, selector.to_string()));
        }
    }
    match attested.open_rivals().iter().find(|key| attested.is_earlier_rival(key)) {
        Some(key) if hpas.len() == 1 => of_earlier(key, Some(true)),
        _ => AdviceClaim::SeparateSelectors { earlier: None, possibly: None, hpas },
    }
}

fn select_own_pods(explanation: &Explanation, foreign: &[usize]) -> AdviceClaim {
    AdviceClaim::SelectOwnPods {
        foreign: foreign.len(),
        pods: explanation.pods().len(),
        target: explanation.target(),
        owners: owners(explanation, foreign),
        selector: explanation.selector().to_owned(),
    }
}

fn name_container(
    explanation: &Explanation,
    metric: usize,
    there: &[Box<str>],
    lacks: Option<&ResourceName>,
) -> AdviceClaim {
    let container = match explanation.snapshot().hpa.metrics.get(metric).map(|spec| &spec.source) {
        Some(Source::ContainerResource { container, .. }) => container.to_string(),
        _ => String::new(),
    };
    let scaled_object = scaled_object(explanation);
    let lacks = lacks.map(|it| it.as_str().to_owned());
    AdviceClaim::NameContainer { container, containers: owned(there), lacks, scaled_object }
}

fn make_room(explanation: &Explanation, waiting: &[usize]) -> AdviceClaim {
    let mut reasons = of(explanation, waiting).map(|pod| pod.unscheduled.map(|it| it.reason));
    let first = reasons.next().flatten();
    let reason = match first.filter(|first| reasons.all(|other| other == Some(*first))) {
        Some(UnscheduledReason::Unschedulable) => Some("Unschedulable"),
        Some(UnscheduledReason::SchedulerError) => Some("SchedulerError"),
        Some(UnscheduledReason::SchedulingGated | UnscheduledReason::Other) | None => None,
    };
    AdviceClaim::MakeRoom { pods: waiting.len(), since: unscheduled_since(explanation, waiting), reason }
}

/// The reason of a container that has run before, so that there is a log.
const CRASHED: &str = "CrashLoopBackOff";

fn start_containers(explanation: &Explanation, stuck: &[usize]) -> AdviceClaim {
    let containers = || of(explanation, stuck).filter_map(|pod| pod.stuck.as_ref());
    AdviceClaim::StartContainers {
        pods: stuck.len(),
        containers: once_each(containers().map(|it| it.name.to_string())),
        reasons: once_each(containers().map(|it| it.reason.to_string())),
    }
}

/// Since when one pod is not scheduled, or the first of several.
fn unscheduled_since(explanation: &Explanation, pods: &[usize]) -> Option<At> {
    let since = of(explanation, pods).next()?.unscheduled?.since;
    (since > Instant::ZERO).then_some(At(since))
}

fn flaps(explanation: &Explanation, flapping: Flapping) -> AdviceClaim {
    let Flapping { ups, downs, since, window } = flapping;
    let window = Span(Duration::from_seconds(window.into()));
    let scaled_object = scaled_object(explanation);
    AdviceClaim::WidenWindow { ups, downs, since: At(since), window, scaled_object }
}

fn sidecars(explanation: &Explanation, metric: usize, container: &str) -> AdviceClaim {
    let shares = shares(explanation.pods(), &resource(explanation, metric).into());
    let share = |(container, percent): (&str, i64)| Share { container: container.to_owned(), percent };
    AdviceClaim::LeaveOutSidecars {
        metric: label(explanation, metric),
        container: container.to_owned(),
        shares: shares.into_iter().map(share).collect(),
        scaled_object: scaled_object(explanation),
    }
}

/// Each container with its usage in percent of its request.
fn shares<'a>(pods: &'a [Pod], resource: &ResourceName) -> Vec<(&'a str, i64)> {
    let mut sums: Vec<(&str, i128, i128)> = Vec::new();
    for pod in pods {
        for container in pod.containers.iter() {
            let used = pod.usage.as_ref().and_then(|usage| usage.of_container(resource, &container.name));
            let Some((used, request)) = used.zip(container.requests.get(resource)) else { continue };
            let (used, request) = (i128::from(used.0), i128::from(request.0));
            match sums.iter_mut().find(|(name, ..)| *name == &*container.name) {
                Some(sum) => (sum.1, sum.2) = (sum.1 + used, sum.2 + request),
                None => sums.push((&container.name, used, request)),
            }
        }
    }
    let percent = |(name, used, request): (&'a str, i128, i128)| {
        Some((name, i64::try_from((used * 100).checked_div(request)?).ok()?))
    };
    sums.into_iter().filter_map(percent).collect()
}

fn divide(explanation: &Explanation, place: usize) -> AdviceClaim {
    let value = explanation.snapshot().hpa.metrics.get(place).and_then(|spec| spec.target.value.as_ref());
    let value = value.map_or_else(String::new, ToString::to_string);
    let scaled_object = scaled_object(explanation);
    AdviceClaim::DivideTotal { metric: label(explanation, place), value, scaled_object }
}

fn window(explanation: &Explanation, direction: Direction) -> AdviceClaim {
    let window = match explanation.decision().stabilized.as_ref().map(|it| &it.how) {
        Some(Stabilization::Legacy(legacy)) => Some(Span(legacy.window)),
        Some(Stabilization::Behavior(_)) | None => None,
    };
    AdviceClaim::ShortenWindow {
        direction: Way(direction),
        window,
        scaled_object: scaled_object(explanation),
    }
}
