//! What only the controller meets: rights that it lacks, rivals that it knows or not, and whether it is at work.

use super::{metric, unread};
use crate::render::claims::{At, Claim, LastSet};
use crate::render::units::{list, moment, replicas};
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

/// How it shows that nobody is at work.
fn idle_claim(idle: &Idle) -> Claim {
    match &idle.sign {
        IdleSign::LeftOut => Claim::ControllerLeftOut,
        IdleSign::LeaseExpired { holder } => {
            Claim::LeaseExpired { holder: Some(holder.to_string()).filter(|it| !it.is_empty()) }
        }
        IdleSign::NeverSynced => Claim::NeverSynced,
        IdleSign::NothingSinceStart => Claim::NoSyncSinceStart { started: idle.since.map(At) },
    }
}

/// Controllers that work on the HPA at the same time.
fn several(explanation: &Explanation) -> Option<Claim> {
    let controller = &explanation.snapshot().controller;
    let controllers = || controller.unelected.iter().map(ToString::to_string).collect();
    controller.is_shared().then(|| Claim::SeveralControllers { controllers: controllers() })
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

/// What would be decided if the controller met what the reader meets.
fn otherwise_range(explanation: &Explanation) -> Option<(Replicas, Replicas)> {
    explanation.attested().otherwise.filter(|range| explanation.range() != Some(*range))
}

/// The same, for people: `8`, `8 to 10`.
pub(in crate::render) fn otherwise(explanation: &Explanation) -> Option<String> {
    let (low, high) = otherwise_range(explanation)?;
    Some(if low == high { low.0.to_string() } else { format!("{} to {}", low.0, high.0) })
}

/// For Why: what only the controller meets, and what would be decided without it.
pub(in crate::render) fn claims(explanation: &Explanation) -> Vec<Claim> {
    let attested = explanation.attested();
    let mut claims: Vec<Claim> = attested.idle.iter().map(idle_claim).collect();
    claims.extend(several(explanation));
    claims.extend(attested.faults.iter().filter_map(|fault| of_fault(explanation, fault)).take(1));
    claims.extend(of_rivals(explanation));
    if let Some((least, most)) = otherwise_range(explanation) {
        let lacks_right = attested.faults.iter().any(|fault| fault.is_certain && fault.denial().is_some());
        let with = match (attested.is_idle(), lacks_right) {
            (true, _) => "A controller at work",
            (false, true) => "With that right it",
            (false, false) => "Without that error it",
        };
        claims.push(Claim::Otherwise { with, least: least.0, most: most.0 });
    }
    claims
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

fn of_fault(explanation: &Explanation, fault: &Fault) -> Option<Claim> {
    let what = clause(explanation, fault);
    if !is_open(explanation, fault) {
        let readable_here = fault.about != About::Update;
        return fault.denial().is_some().then_some(Claim::ControllerSays { what, readable_here });
    }
    explanation.is_in_doubt().then(|| {
        let error = fault.error.message.trim_end_matches('.').to_owned();
        let size = explanation.decision().desired().filter(|_| fault.is_certain);
        Claim::MayComeAgain { what, error, replicas: size.map(|size| size.0) }
    })
}

fn of_rivals(explanation: &Explanation) -> Option<Claim> {
    let attested = explanation.attested();
    let (open, unknown) = (attested.open_rivals(), attested.unknown_rivals());
    let named = |keys: &[HpaKey]| keys.iter().map(|key| key.name.to_string()).collect();
    if !open.is_empty() && explanation.is_in_doubt() {
        return Some(Claim::RivalMayBeKnown { hpas: named(open) });
    }
    if !unknown.is_empty() {
        let last = last_set(explanation, unknown);
        return Some(Claim::RivalNotCompared { hpas: named(unknown), last });
    }
    let setters = explanation.snapshot().others_of_target().filter(|other| other.rescale.is_some());
    let setters: Vec<HpaKey> = setters.map(|other| other.key.clone()).collect();
    let runs = !explanation.decision().outcome.is_stopped() && !setters.is_empty();
    runs.then(|| Claim::SameTarget { hpas: named(&setters), last: last_set(explanation, &setters) })
}

/// The last rescale of one of these HPAs, by its status.
fn last_set(explanation: &Explanation, keys: &[HpaKey]) -> Option<LastSet> {
    let mut named = explanation.others().filter(|other| keys.contains(&other.key));
    let (name, it) = named.find_map(|other| Some((&other.key.name, other.rescale?)))?;
    Some(LastSet { hpa: name.to_string(), from: it.from.0, to: it.to.0, at: At(it.at) })
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
