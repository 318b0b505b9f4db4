//! Which sign of the controller's past leaves open what it remembers.

use crate::render::claims::{At, Because};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::MemorySource;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::SetReplicas;

/// The sign that leaves most open, and what it does not tell; nothing where no single one does.
pub(in crate::render) fn doubt(explanation: &Explanation) -> Option<Because> {
    if explanation.memory_sources().any(|it| it == MemorySource::Contradiction) {
        return Some(Because::Contradiction);
    }
    resized(explanation).or_else(|| size_before(explanation)).or_else(|| rescales(explanation))
}

/// A change of the replicas that no event of the controller's explains.
fn resized(explanation: &Explanation) -> Option<Because> {
    let at = last(explanation, |it| match it {
        MemorySource::ResizedByWhom(at) => Some(at),
        _ => None,
    })?;
    Some(Because::ResizedByWhom { at: At(at) })
}

/// A rescale of which the size before is not known.
fn size_before(explanation: &Explanation) -> Option<Because> {
    let at = At(unknown_size(explanation)?);
    let setter = setter(explanation);
    let (by, set) = (setter.map(|it| it.by.to_string()), setter.and_then(|it| it.at).map(At));
    Some(Because::SizeBeforeUnknown { at, by, set })
}

/// Events that do not tell of each rescale.
fn rescales(explanation: &Explanation) -> Option<Because> {
    let is_open = explanation.memory_sources().any(MemorySource::hides_rescales);
    let is_missing = || explanation.memory_sources().any(|it| it == MemorySource::MissingEvents);
    is_open.then(|| if is_missing() { Because::EventMissing } else { Because::EventsIncomplete })
}

/// When the last rescale was whose size before is not known.
pub(in crate::render) fn unknown_size(explanation: &Explanation) -> Option<Instant> {
    last(explanation, |it| match it {
        MemorySource::SizeBeforeUnknown(at) => Some(at),
        _ => None,
    })
}

fn last(explanation: &Explanation, time: fn(MemorySource) -> Option<Instant>) -> Option<Instant> {
    explanation.memory_sources().filter_map(time).max()
}

/// Who else than the controller set the replicas last.
pub(in crate::render) fn setter(explanation: &Explanation) -> Option<&SetReplicas> {
    explanation.snapshot().history.target.setters.iter().find(|set| !set.by_controller)
}
