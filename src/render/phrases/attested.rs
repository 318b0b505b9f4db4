//! What only the controller meets: rights that it lacks, rivals that it knows or not, and whether it is at work.

use std::iter;

use super::{metric, unread};
use crate::render::claims::{AdviceClaim, At, Because, Claim, InShort, Keeps, LastSet, Then};
use kubectl_hpa_core::attested::{About, Fault, Idle, IdleSign};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Denial, Replicas, shell_word};
use kubectl_hpa_core::snapshot::HpaKey;

/// Why the decision is not carried out: nobody is at work.
fn idle(idle: &Idle) -> Because {
    let since = idle.since.map(At);
    match idle.sign {
        IdleSign::LeftOut => Because::ControllerLeftOut,
        IdleSign::LeaseExpired { .. } => Because::NoController { since },
        IdleSign::NeverSynced => Because::NoSyncSeen { since },
        IdleSign::NothingSinceStart => Because::NoSyncSinceStart { started: since },
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
pub(in crate::render) fn brief(explanation: &Explanation, fault: &Fault) -> Because {
    if let Some(Denial { verb, resource, group, .. }) = fault.denial() {
        // `pods.metrics.k8s.io` are not pods.
        let group = if group.ends_with("metrics.k8s.io") { [".", group].concat() } else { String::new() };
        return Because::LacksRight { verb: verb.to_owned(), resource: format!("{resource}{group}") };
    }
    match fault.about {
        About::Update => Because::UpdateRefused { size: fault.size, status: unread::status(&fault.error) },
        About::Scale => Because::LastSyncWithoutScale,
        About::PodMetrics => Because::LastSyncWithoutValue { metric: of_pods(explanation) },
        About::Metric(place) => Because::LastSyncWithoutValue { metric: label(explanation, place) },
    }
}

/// A fault as a clause of a sentence.
pub(in crate::render) fn clause(explanation: &Explanation, fault: &Fault) -> String {
    let whose = if fault.denial().is_some() { "the controller has " } else { "" };
    format!("{whose}{}", brief(explanation, fault).text(explanation.now()))
}

fn label(explanation: &Explanation, place: usize) -> String {
    explanation.snapshot().hpa.metrics.get(place).map_or_else(String::new, metric::label)
}

/// The first metric of the resources of pods.
fn of_pods(explanation: &Explanation) -> String {
    let mut specs = explanation.snapshot().hpa.metrics.iter().enumerate();
    let first = specs.find(|(place, spec)| About::of(spec, *place) == About::PodMetrics);
    first.map_or_else(String::new, |(_, spec)| metric::label(spec))
}

/// What leaves the replicas open beside the memory, in half a sentence; `None` if nothing does.
fn doubt(explanation: &Explanation) -> Option<Because> {
    if !explanation.is_in_doubt() {
        return None;
    }
    let attested = explanation.attested();
    let fault = attested.open_faults().next().map(|fault| brief(explanation, fault));
    let rivals = || {
        let (present, earlier) = open_rivals(explanation);
        match (present.is_empty(), earlier.is_empty()) {
            (false, _) => Some(Because::SameSelector { hpas: names(&present) }),
            (true, false) => Some(Because::EarlierSelector { hpas: names(&earlier) }),
            (true, true) => None,
        }
    };
    fault.or_else(rivals).or_else(|| attested.idle.as_ref().map(idle))
}

/// The other HPAs of which it is not known whether the controller compares its pods with theirs: those whose present selector
/// matches the same pods, and those of which only an earlier one may.
fn open_rivals(explanation: &Explanation) -> (Vec<&HpaKey>, Vec<&HpaKey>) {
    let attested = explanation.attested();
    attested.open_rivals().iter().partition(|key| !attested.is_earlier_rival(key))
}

fn names(keys: &[&HpaKey]) -> Vec<String> {
    keys.iter().map(|key| key.name.to_string()).collect()
}

/// The reason why the HPA stops; `None` if its own reads tell.
pub(in crate::render) fn in_short(explanation: &Explanation) -> Option<InShort> {
    let attested = explanation.attested();
    if let Some(idle) = attested.idle.as_ref().filter(|idle| idle.is_shown()) {
        return Some(match idle.sign {
            IdleSign::LeftOut => InShort::LeftOut,
            IdleSign::LeaseExpired { .. } | IdleSign::NeverSynced | IdleSign::NothingSinceStart => {
                InShort::NotAtWork
            }
        });
    }
    let is_told = |fault: &&Fault| is_open(explanation, fault) || fault.denial().is_some();
    let Some(fault) = attested.faults.iter().find(is_told) else {
        let is_open = attested.is_shared && explanation.interval().is_some();
        return is_open.then_some(InShort::SeveralControllers);
    };
    Some(match (fault.denial(), fault.about) {
        (Some(denial), _) => {
            InShort::LacksRight { verb: denial.verb.to_owned(), resource: denial.resource.to_owned() }
        }
        (None, About::Update) => InShort::UpdateRefused,
        (None, About::Scale) => InShort::LastSyncWithoutScale,
        (None, About::PodMetrics | About::Metric(_)) => InShort::LastSyncWithoutValue,
    })
}

/// The reason why the replicas may stay although others are wanted.
pub(in crate::render) fn brake(explanation: &Explanation) -> Option<Keeps> {
    if let Some(why) = in_short(explanation) {
        return Some(Keeps::Controller(Box::new(why)));
    }
    if !explanation.is_in_doubt() {
        return None;
    }
    let (present, earlier) = open_rivals(explanation);
    let rival = |key: &&HpaKey, earlier: bool| Keeps::Rival { hpa: key.name.to_string(), earlier };
    let present = present.first().map(|key| rival(key, false));
    let rival = present.or_else(|| earlier.first().map(|key| rival(key, true)));
    let is_doubted = explanation.remembered_interval().is_none();
    rival.or_else(|| is_doubted.then_some(Keeps::Doubt))
}

/// What would be decided if the controller met what the reader meets.
fn otherwise_range(explanation: &Explanation) -> Option<(Replicas, Replicas)> {
    explanation.attested().otherwise.filter(|range| explanation.range() != Some(*range))
}

/// For Why: what only the controller meets, and what would be decided without it.
pub(in crate::render) fn claims(explanation: &Explanation) -> Vec<Claim> {
    let attested = explanation.attested();
    let mut claims: Vec<Claim> = attested.idle.iter().map(idle_claim).collect();
    claims.extend(several(explanation));
    claims.extend(attested.faults.iter().filter_map(|fault| of_fault(explanation, fault)).take(1));
    claims.extend(of_open_rivals(explanation));
    claims.extend(of_rivals(explanation));
    // If the write is all that failed, the answer says what is wanted.
    let is_answered = explanation.decision().outcome.refused().is_some();
    if let Some((least, most)) = otherwise_range(explanation).filter(|_| !is_answered) {
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

/// The right that the controller lacks.
pub(in crate::render) fn grant(explanation: &Explanation, place: usize) -> AdviceClaim {
    let denial = explanation.attested().faults.get(place).and_then(Fault::denial);
    let text = |of: fn(&Denial<'_>) -> String| denial.as_ref().map_or_else(String::new, of);
    AdviceClaim::GrantRight {
        user: text(|it| it.user.to_owned()),
        verb: text(|it| it.verb.to_owned()),
        resource: text(|it| it.resource.to_owned()),
        group: Some(text(|it| it.group.to_owned())).filter(|group| !group.is_empty()),
    }
}

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

/// Rivals that leave the replicas open.
fn of_open_rivals(explanation: &Explanation) -> Vec<Claim> {
    if !explanation.is_in_doubt() {
        return Vec::new();
    }
    let (present, earlier) = open_rivals(explanation);
    let known = (!present.is_empty()).then(|| Claim::RivalMayBeKnown { hpas: names(&present) });
    let earlier = (!earlier.is_empty()).then(|| Claim::EarlierRivalMayBeKnown { hpas: names(&earlier) });
    known.into_iter().chain(earlier).collect()
}

/// Others that set the replicas, too.
fn of_rivals(explanation: &Explanation) -> Option<Claim> {
    let attested = explanation.attested();
    let unknown: Vec<&HpaKey> = attested.unknown_rivals().iter().collect();
    if !attested.open_rivals().is_empty() && explanation.is_in_doubt() {
        return None;
    }
    if !unknown.is_empty() {
        let last = last_set(explanation, &unknown);
        return Some(Claim::RivalNotCompared { hpas: names(&unknown), last });
    }
    if explanation.decision().outcome.is_stopped() {
        return None;
    }
    let setters = explanation.snapshot().others_that_scaled_target();
    let setters: Vec<&HpaKey> = setters.map(|other| &other.key).collect();
    (!setters.is_empty())
        .then(|| Claim::SameTarget { hpas: names(&setters), last: last_set(explanation, &setters) })
}

/// The last rescale of one of these HPAs, by its status.
fn last_set(explanation: &Explanation, keys: &[&HpaKey]) -> Option<LastSet> {
    let mut named = explanation.others().filter(|other| keys.contains(&&other.key));
    let (name, it) = named.find_map(|other| Some((&other.key.name, other.rescale?)))?;
    Some(LastSet { hpa: name.to_string(), from: it.from.0, to: it.to.0, at: At(it.at) })
}

/// The answer of an HPA on which nobody works, or of which it is open.
pub(in crate::render) fn answer(explanation: &Explanation) -> Option<(Then, Vec<Because>)> {
    let current = explanation.current()?;
    let attested = explanation.attested();
    if let Some(it) = attested.idle.as_ref().filter(|_| attested.is_idle()) {
        let would = otherwise_range(explanation);
        let would = would.map(|(least, most)| Because::WouldBe { least: least.0, most: most.0 });
        return Some((Then::Stays, iter::once(idle(it)).chain(would).collect()));
    }
    let is_shown = |it: &&Idle| it.is_shown() && explanation.interval().is_none();
    if let Some(it) = attested.idle.as_ref().filter(is_shown)
        && explanation.range() == Some((current, current))
    {
        return Some((Then::Stays, vec![idle(it)]));
    }
    let doubt = doubt(explanation)?;
    let (low, high) = explanation.interval()?;
    let either = high.0.abs_diff(low.0) == 1 || explanation.answer().is_either;
    let wanted = explanation.decision().choice.map(|choice| Because::wanted(choice.after));
    let then = Then::Between { least: low.0, most: high.0, either };
    Some((then, wanted.into_iter().chain([doubt]).collect()))
}
