//! What an answer rests on where the controller's memory is not known.

use crate::recall::Reliance;

/// The sign, in a few words; nothing where there is none.
pub(in crate::render) const fn sign(reliance: Reliance) -> &'static str {
    match reliance {
        Reliance::NeverReconciled => "a status without conditions",
        Reliance::LastStatus => "its last status",
        Reliance::QuietWindow => "no rescale within the window",
        Reliance::QuietPeriods => "no rescale within any policy's period",
        Reliance::RescaleEvents => "its SuccessfulRescale events",
        Reliance::Watched => "what was seen of its syncs",
        Reliance::NothingAboutRecommendations | Reliance::NothingAboutScaleEvents => "",
    }
}

/// The sign as programs read it.
pub(in crate::render) const fn name(reliance: Reliance) -> &'static str {
    match reliance {
        Reliance::NeverReconciled => "NeverReconciled",
        Reliance::LastStatus => "LastStatus",
        Reliance::QuietWindow => "QuietWindow",
        Reliance::QuietPeriods => "QuietPeriods",
        Reliance::RescaleEvents => "RescaleEvents",
        Reliance::Watched => "Watched",
        Reliance::NothingAboutRecommendations => "NothingAboutRecommendations",
        Reliance::NothingAboutScaleEvents => "NothingAboutScaleEvents",
    }
}
