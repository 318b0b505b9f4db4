//! What an answer assumes if the controller's memory is not known.

use kubectl_hpa_core::memory_bounds::MemorySource;

/// The source in a few words; empty if it has no phrase of its own.
pub(in crate::render) const fn phrase(sources: MemorySource) -> &'static str {
    match sources {
        MemorySource::NeverReconciled => "a status without conditions",
        MemorySource::LastStatus => "its last status",
        MemorySource::QuietPeriods => "no rescale within any policy's period",
        MemorySource::RescaleEvents => "its SuccessfulRescale events",
        MemorySource::TargetEvents => "the Deployment's events",
        MemorySource::TargetGeneration => "its target's generation",
        MemorySource::StatusOfRescale => "the status of the last rescale",
        MemorySource::GivenRescale => "the replicas that were given",
        MemorySource::Rescales => "its rescales",
        MemorySource::FirstSync => "the replicas that its first sync found",
        MemorySource::Watched => "the syncs that were observed",
        MemorySource::SizeBeforeUnknown(_)
        | MemorySource::MergedRescales
        | MemorySource::MissingEvents
        | MemorySource::ResizedByWhom(_)
        | MemorySource::Contradiction
        | MemorySource::NothingAboutRecommendations
        | MemorySource::NothingAboutScaleEvents => "",
    }
}

/// The source as `-o json` names it.
pub(in crate::render) const fn name(sources: MemorySource) -> &'static str {
    match sources {
        MemorySource::NeverReconciled => "NeverReconciled",
        MemorySource::LastStatus => "LastStatus",
        MemorySource::QuietPeriods => "QuietPeriods",
        MemorySource::RescaleEvents => "RescaleEvents",
        MemorySource::TargetEvents => "TargetEvents",
        MemorySource::TargetGeneration => "TargetGeneration",
        MemorySource::StatusOfRescale => "StatusOfRescale",
        MemorySource::GivenRescale => "GivenRescale",
        MemorySource::Rescales => "Rescales",
        MemorySource::FirstSync => "FirstSync",
        MemorySource::SizeBeforeUnknown(_) => "SizeBeforeUnknown",
        MemorySource::MergedRescales => "MergedRescales",
        MemorySource::MissingEvents => "MissingEvents",
        MemorySource::ResizedByWhom(_) => "ResizedByWhom",
        MemorySource::Contradiction => "Contradiction",
        MemorySource::Watched => "Watched",
        MemorySource::NothingAboutRecommendations => "NothingAboutRecommendations",
        MemorySource::NothingAboutScaleEvents => "NothingAboutScaleEvents",
    }
}
