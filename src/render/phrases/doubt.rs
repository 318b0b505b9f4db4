//! Which sign of the controller's past leaves open what it remembers.

use crate::render::units::clock;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::MemorySource;
use kubectl_hpa_core::model::Instant;

/// The sign that leaves most open, and what it does not tell; nothing where no single one does.
pub(in crate::render) fn doubt(explanation: &Explanation) -> Option<String> {
    let mut sources = explanation.memory_bounds().into_iter().flat_map(|bounds| &bounds.sources);
    if sources.any(|it| *it == MemorySource::Contradiction) {
        return Some("the last sync saw the same inputs and decided differently".to_owned());
    }
    resized(explanation).or_else(|| size_before(explanation)).or_else(|| rescales(explanation))
}

/// A change of the replicas that no event of the controller's explains.
fn resized(explanation: &Explanation) -> Option<String> {
    let at = last(explanation, |it| match it {
        MemorySource::ResizedByWhom(at) => Some(at),
        _ => None,
    })?;
    let at = clock(explanation.now(), at);
    Some(format!("whether the controller changed the replicas at {at} is not known"))
}

/// A rescale of which the size before is not known.
fn size_before(explanation: &Explanation) -> Option<String> {
    let at = clock(explanation.now(), unknown_size(explanation)?);
    let who = setter(explanation).map_or_else(String::new, |who| format!("{who}, so "));
    Some(format!("{who}the size before the rescale at {at} is not known"))
}

/// Events that do not tell of each rescale.
fn rescales(explanation: &Explanation) -> Option<String> {
    let mut sources = explanation.memory_bounds().into_iter().flat_map(|bounds| &bounds.sources);
    let is_open = sources.any(|it| it.hides_rescales());
    let is_missing =
        || explanation.memory_bounds().is_some_and(|it| it.sources.contains(&MemorySource::MissingEvents));
    is_open.then(|| {
        let words = if is_missing() {
            "an event of the HPA is missing"
        } else {
            "the HPA's events may not show every rescale"
        };
        words.to_owned()
    })
}

/// When the last rescale was whose size before is not known.
pub(in crate::render) fn unknown_size(explanation: &Explanation) -> Option<Instant> {
    last(explanation, |it| match it {
        MemorySource::SizeBeforeUnknown(at) => Some(at),
        _ => None,
    })
}

fn last(explanation: &Explanation, time: fn(MemorySource) -> Option<Instant>) -> Option<Instant> {
    let sources = explanation.memory_bounds().into_iter().flat_map(|bounds| &bounds.sources);
    sources.filter_map(|it| time(*it)).max()
}

/// Who else than the controller set the replicas last.
pub(in crate::render) fn setter(explanation: &Explanation) -> Option<String> {
    let mut setters = explanation.snapshot().history.target.setters.iter();
    let set = setters.find(|set| !set.by_controller)?;
    let at = set.at.map_or_else(String::new, |at| format!(" at {}", clock(explanation.now(), at)));
    Some(format!("{} set the replicas{at}", set.by))
}
