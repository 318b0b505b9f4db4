//! What only the controller meets: rights that it lacks, rivals that it knows or not, and whether it is at work.

use super::{metric, unread};
use crate::render::units::{ago, list, moment, replicas};
use kubectl_hpa_core::attested::{About, Fault, Idle, IdleSign};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Denial, Replicas, shell_word};
use kubectl_hpa_core::snapshot::HpaKey;

/// Why the decision is not carried out: nobody is at work.
pub(in crate::render) fn idle(explanation: &Explanation, idle: &Idle) -> String {
    let moment = idle.since.map(|at| moment(explanation.now(), at));
    let since = |word: &str| moment.as_ref().map_or_else(String::new, |at| format!(" {word} {at}"));
    match idle.sign {
        IdleSign::LeftOut => "the HPA controller is switched off by --controllers".to_owned(),
        IdleSign::LeaseExpired { .. } => format!("no controller has been at work{}", since("since")),
        IdleSign::NeverSynced => format!("no sync seen{}", since("since")),
        IdleSign::NothingSinceStart => {
            format!("no sync seen since the controller started{}", since("at"))
        }
    }
}

/// How it shows that nobody is at work, in a sentence.
fn idle_sentence(explanation: &Explanation, idle: &Idle) -> String {
    match &idle.sign {
        IdleSign::LeftOut => {
            "kube-controller-manager runs without horizontal-pod-autoscaler-controller (--controllers), so nothing scales this HPA.".to_owned()
        }
        IdleSign::LeaseExpired { holder } if holder.is_empty() => {
            "The Lease kube-system/kube-controller-manager was given back, and nobody has taken it: nothing scales this HPA until a controller leads.".to_owned()
        }
        IdleSign::LeaseExpired { holder } => format!(
            "The Lease kube-system/kube-controller-manager of {holder} has expired, and nobody has taken it: nothing scales this HPA until a controller leads."
        ),
        IdleSign::NeverSynced => {
            "The controller has not written a status since the HPA was created, although syncs were due: it may not be at work.".to_owned()
        }
        IdleSign::NothingSinceStart => {
            let started = idle.since.map_or_else(String::new, |at| format!(" {}", ago(explanation.now(), at)));
            format!("The controller started{started} and has not written a status since: it may not sync this HPA.")
        }
    }
}

/// Controllers that work on the HPA at the same time.
fn several(explanation: &Explanation) -> Option<String> {
    let controller = &explanation.snapshot().controller;
    controller.is_shared().then(|| {
        format!(
            "{} run without leader election (--leader-elect=false): each of them scales this HPA, with a memory of its own.",
            list(&controller.unelected)
        )
    })
}

/// A fault in a few words: what the controller may not do, or what it was answered.
pub(in crate::render) fn brief(explanation: &Explanation, fault: &Fault) -> String {
    if let Some(denial) = fault.denial() {
        return lacks(&denial);
    }
    match fault.about {
        About::Update => {
            let size = fault.size.map_or_else(String::new, |size| format!(", to {},", replicas(size)));
            format!("its last update{size} was refused ({})", unread::status(&fault.error))
        }
        About::Scale => "its last sync could not read the scale".to_owned(),
        About::PodMetrics => format!("its last sync got no value of {}", of_pods(explanation)),
        About::Metric(place) => format!("its last sync got no value of {}", label(explanation, place)),
    }
}

/// A fault as a clause of a sentence.
pub(in crate::render) fn clause(explanation: &Explanation, fault: &Fault) -> String {
    let whose = if fault.denial().is_some() { "the controller has " } else { "" };
    format!("{whose}{}", brief(explanation, fault))
}

/// `no right to list pods.metrics.k8s.io`, which is not the right to list pods.
fn lacks(denial: &Denial<'_>) -> String {
    let group =
        if denial.group.ends_with("metrics.k8s.io") { [".", denial.group].concat() } else { String::new() };
    format!("no right to {} {}{group}", denial.verb, denial.resource)
}

fn label(explanation: &Explanation, place: usize) -> String {
    explanation.snapshot().hpa.metrics.get(place).map_or_else(String::new, metric::label)
}

/// The first metric that is read of the pods.
fn of_pods(explanation: &Explanation) -> String {
    let mut specs = explanation.snapshot().hpa.metrics.iter();
    specs.find(|spec| !spec.outlives_pods()).map_or_else(String::new, metric::label)
}

/// What leaves the replicas open beside the memory, in half a sentence; `None` if nothing does.
pub(in crate::render) fn doubt(explanation: &Explanation) -> Option<String> {
    if !explanation.is_in_doubt() {
        return None;
    }
    let attested = explanation.attested();
    let fault = attested.open_faults().next().map(|fault| brief(explanation, fault));
    let rivals = (!attested.open_rivals().is_empty())
        .then(|| format!("{} selects the same pods: both stop, or both run", names(attested.open_rivals())));
    fault.or(rivals).or_else(|| attested.idle.as_ref().map(|it| idle(explanation, it)))
}

/// What stops the HPA, in at most six words; `None` if its own reads tell.
pub(in crate::render) fn in_short(explanation: &Explanation) -> Option<String> {
    let attested = explanation.attested();
    if let Some(idle) = attested.idle.as_ref().filter(|idle| idle.is_shown()) {
        let words = match idle.sign {
            IdleSign::LeftOut => "switched off by --controllers",
            IdleSign::LeaseExpired { .. } | IdleSign::NeverSynced | IdleSign::NothingSinceStart => {
                "no controller is at work"
            }
        };
        return Some(words.to_owned());
    }
    let is_told = |fault: &&Fault| is_open(explanation, fault) || fault.denial().is_some();
    let Some(fault) = attested.faults.iter().find(is_told) else {
        let is_open = attested.is_shared && explanation.interval().is_some();
        return is_open.then(|| "several controllers decide".to_owned());
    };
    Some(match (fault.denial(), fault.about) {
        (Some(denial), _) => lacks(&denial),
        (None, About::Update) => "its last update was refused".to_owned(),
        (None, About::Scale) => "its last sync could not read".to_owned(),
        (None, About::PodMetrics | About::Metric(_)) => "its last sync got no value".to_owned(),
    })
}

/// What may keep the replicas although others are wanted, in a few words.
pub(in crate::render) fn brake(explanation: &Explanation) -> Option<String> {
    let rival = explanation.attested().open_rivals().first().filter(|_| explanation.is_in_doubt());
    let rival = || rival.map(|key| format!("HPA {} selects the same pods", key.name));
    let is_doubted = explanation.is_in_doubt() && explanation.remembered_interval().is_none();
    in_short(explanation).or_else(rival).or_else(|| is_doubted.then(|| "it may not be at work".to_owned()))
}

/// The names of other HPAs, without their namespace: it is the same.
fn names(keys: &[HpaKey]) -> String {
    let names: Vec<String> = keys.iter().take(MOST).map(|key| format!("HPA {}", key.name)).collect();
    list(&names)
}

/// The most HPAs that are named.
const MOST: usize = 3;

/// What would be decided if the controller met what the reader meets: `it would decide 8`.
pub(in crate::render) fn otherwise(explanation: &Explanation) -> Option<String> {
    let (low, high) = explanation.attested().otherwise?;
    let range = |(low, high): (Replicas, Replicas)| {
        if low == high { low.0.to_string() } else { format!("{} to {}", low.0, high.0) }
    };
    (explanation.range() != Some((low, high))).then(|| range((low, high)))
}

/// Sentences for Why: what only the controller meets, and what would be decided without it.
pub(in crate::render) fn sentences(explanation: &Explanation) -> Vec<String> {
    let attested = explanation.attested();
    let mut sentences: Vec<String> = attested.idle.iter().map(|it| idle_sentence(explanation, it)).collect();
    sentences.extend(several(explanation));
    sentences.extend(attested.faults.iter().filter_map(|fault| of_fault(explanation, fault)).take(1));
    sentences.extend(of_rivals(explanation));
    if let Some(would) = otherwise(explanation) {
        let lacks_right = attested.faults.iter().any(|fault| fault.is_certain && fault.denial().is_some());
        let with = match (attested.is_idle(), lacks_right) {
            (true, _) => "A controller at work",
            (false, true) => "With that right it",
            (false, false) => "Without that error it",
        };
        sentences.push(format!("{with} would decide {would}."));
    }
    sentences
}

/// How the controller gets a right that it lacks.
pub(in crate::render) fn grant(explanation: &Explanation, place: usize) -> String {
    let Some(denial) = explanation.attested().faults.get(place).and_then(Fault::denial) else {
        return String::new();
    };
    let group = if denial.group.is_empty() { String::new() } else { format!(" of {}", denial.group) };
    format!(
        "Let {} {} {}{group}: a ClusterRole bound to it needs that rule ({ROLE} has it by default). To ask whether it may:",
        denial.user, denial.verb, denial.resource
    )
}

/// The controller's own role (upstream `controller_policy.go`).
const ROLE: &str = "system:controller:horizontal-pod-autoscaler";

/// `kubectl auth can-i`, as the controller.
pub(in crate::render) fn ask_for_right(explanation: &Explanation, place: usize) -> Option<String> {
    let denial = explanation.attested().faults.get(place)?.denial()?;
    let (resource, subresource) = match denial.resource.split_once('/') {
        Some((resource, subresource)) => (resource, format!(" --subresource={}", shell_word(subresource))),
        None => (denial.resource, String::new()),
    };
    let dot = if denial.group.is_empty() { "" } else { "." };
    let resource = format!("{resource}{dot}{}", denial.group);
    let place = match denial.namespace {
        "" => " -A".to_owned(),
        namespace => format!(" -n {}", shell_word(namespace)),
    };
    let (verb, user) = (shell_word(denial.verb), shell_word(denial.user));
    Some(format!("kubectl auth can-i {verb} {}{subresource} --as={user}{place}", shell_word(&resource)))
}

/// True if the next sync may or may not meet it: an update of another size than the refused one, too.
fn is_open(explanation: &Explanation, fault: &Fault) -> bool {
    !fault.is_certain || fault.may_depend_on_size() && explanation.is_in_doubt()
}

fn of_fault(explanation: &Explanation, fault: &Fault) -> Option<String> {
    let what = clause(explanation, fault);
    if !is_open(explanation, fault) {
        let here = if fault.about == About::Update { "" } else { ", although it can be read here" };
        return fault
            .denial()
            .is_some()
            .then(|| format!("According to its status and events, {what}{here}."));
    }
    explanation.is_in_doubt().then(|| {
        let error = fault.error.message.trim_end_matches('.');
        let its = what.strip_prefix("its ").map(|rest| format!("Its {rest}"));
        let what = its.unwrap_or_else(|| format!("According to its status and events, {what}"));
        let size = explanation.decision().desired().filter(|_| fault.is_certain);
        let again = size.map_or_else(
            || "The next sync may or may not meet that again.".to_owned(),
            |size| format!("Whether {} is refused, too, is not known.", size.0),
        );
        format!("{what}: {error}. {again}")
    })
}

fn of_rivals(explanation: &Explanation) -> Option<String> {
    let attested = explanation.attested();
    let (open, unknown) = (attested.open_rivals(), attested.unknown_rivals());
    if !open.is_empty() && explanation.is_in_doubt() {
        return Some(format!(
            "{} selects the same pods. If one of its syncs has reached its metrics, the controller runs neither; if not, both run and each sets the replicas.",
            names(open)
        ));
    }
    if !unknown.is_empty() {
        return Some(format!(
            "{} selects the same pods, but none of its syncs has reached its metrics, so the controller does not compare them: both run.{}",
            names(unknown),
            last_set(explanation, unknown)
        ));
    }
    let setters = explanation.snapshot().others_of_target().filter(|other| other.rescale.is_some());
    let setters: Vec<HpaKey> = setters.map(|other| other.key.clone()).collect();
    let runs = !explanation.decision().outcome.is_stopped() && !setters.is_empty();
    runs.then(|| format!("{} scales the same target.{}", names(&setters), last_set(explanation, &setters)))
}

/// The last rescale of one of these HPAs, by its status.
fn last_set(explanation: &Explanation, keys: &[HpaKey]) -> String {
    let mut named = explanation.others().filter(|other| keys.contains(&other.key));
    let last = named.find_map(|other| Some((&other.key.name, other.rescale?)));
    last.map_or_else(String::new, |(name, it)| {
        format!(
            " According to its status, HPA {name} set {} {}, from {}.",
            replicas(it.to.0),
            ago(explanation.now(), it.at),
            it.from.0
        )
    })
}

/// The answer of an HPA on which nobody works, or of which it is open: the line's left and right part.
pub(in crate::render) fn answer(explanation: &Explanation) -> Option<(String, String)> {
    let current = explanation.current()?;
    let attested = explanation.attested();
    if let Some(it) = attested.idle.as_ref().filter(|_| attested.is_idle()) {
        let would = otherwise(explanation).map_or_else(String::new, |would| format!("; it would be {would}"));
        let left = format!("{} → stays at {}", replicas(current.0), current.0);
        return Some((left, format!("{}{would}", idle(explanation, it))));
    }
    let is_shown = |it: &&Idle| it.is_shown() && explanation.interval().is_none();
    if let Some(it) = attested.idle.as_ref().filter(is_shown)
        && explanation.range() == Some((current, current))
    {
        let left = format!("{} → stays at {}", replicas(current.0), current.0);
        return Some((left, idle(explanation, it)));
    }
    let doubt = doubt(explanation)?;
    let (low, high) = explanation.interval()?;
    let is_either = high.0.abs_diff(low.0) == 1 || explanation.answer().is_either;
    let word = if is_either { "or" } else { "to" };
    let wanted = explanation.decision().choice.map(|choice| format!("{} wanted; ", choice.after.0));
    let left = format!("{} → {} {word} {}", replicas(current.0), low.0, high.0);
    Some((left, format!("{}{doubt}", wanted.unwrap_or_default())))
}
