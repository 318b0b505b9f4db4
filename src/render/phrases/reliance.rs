//! What an answer rests on where the controller's memory is not known.

use kubectl_hpa_core::recall::Reliance;

/// The sign, in a few words; nothing where there is none.
pub(in crate::render) const fn sign(reliance: Reliance) -> &'static str {
    match reliance {
        Reliance::NeverReconciled => "a status without conditions",
        Reliance::LastStatus => "its last status",
        Reliance::QuietPeriods => "no rescale within any policy's period",
        Reliance::RescaleEvents => "its SuccessfulRescale events",
        Reliance::TargetEvents => "the Deployment's events",
        Reliance::StatusOfRescale => "the status of the last rescale",
        Reliance::GivenRescale => "the size that was given",
        Reliance::Rescales => "its rescales",
        Reliance::FirstSync => "the count that its first sync found",
        Reliance::Watched => "what was seen of its syncs",
        Reliance::SizeBeforeUnknown(_)
        | Reliance::ResizedByWhom(_)
        | Reliance::Contradiction
        | Reliance::NothingAboutRecommendations
        | Reliance::NothingAboutScaleEvents => "",
    }
}

/// The sign as programs read it.
pub(in crate::render) const fn name(reliance: Reliance) -> &'static str {
    match reliance {
        Reliance::NeverReconciled => "NeverReconciled",
        Reliance::LastStatus => "LastStatus",
        Reliance::QuietPeriods => "QuietPeriods",
        Reliance::RescaleEvents => "RescaleEvents",
        Reliance::TargetEvents => "TargetEvents",
        Reliance::StatusOfRescale => "StatusOfRescale",
        Reliance::GivenRescale => "GivenRescale",
        Reliance::Rescales => "Rescales",
        Reliance::FirstSync => "FirstSync",
        Reliance::SizeBeforeUnknown(_) => "SizeBeforeUnknown",
        Reliance::ResizedByWhom(_) => "ResizedByWhom",
        Reliance::Contradiction => "Contradiction",
        Reliance::Watched => "Watched",
        Reliance::NothingAboutRecommendations => "NothingAboutRecommendations",
        Reliance::NothingAboutScaleEvents => "NothingAboutScaleEvents",
    }
}
