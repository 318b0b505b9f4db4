//! The latest rescales.

use crate::render::claims::{At, RescaleClaim};
use kubectl_hpa_core::comparison::{ChangeCause, ReplicaChange};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Duration;
use kubectl_hpa_core::past::of_events;

/// The API server keeps events as long, unless `--event-ttl` is set.
const LATEST: Duration = Duration::from_seconds(3600);

/// The clock of whoever looks may be behind that of the controller by so much.
const SKEW: Duration = Duration::from_seconds(60);

/// Those of the last hour that the HPA's events show, oldest first. An earlier HPA of the name may have left events.
pub(in crate::render) fn rescales(explanation: &Explanation) -> Vec<RescaleClaim> {
    let (now, created) = (explanation.now(), explanation.snapshot().hpa.created);
    let is_latest = |change: &ReplicaChange| {
        let begin = change.at.unwrap_or(change.after);
        let is_its_own = created.is_none_or(|created| created <= begin);
        is_its_own && now.since(begin) <= LATEST && begin <= change.time() && change.time() <= now + SKEW
    };
    let mut claims: Vec<RescaleClaim> =
        of_events(explanation.snapshot()).into_iter().filter(is_latest).map(claim).collect();
    claims.sort_by_key(RescaleClaim::begin);
    claims
}

fn claim(change: ReplicaChange) -> RescaleClaim {
    let (at, to) = (At(change.time()), change.to.map(|to| to.0));
    match (change.cause, change.at, to) {
        (ChangeCause::Stated(reason), Some(_), Some(to)) => {
            RescaleClaim::Rescaled { at, from: change.from.map(|from| from.0), to, reason: reason.into() }
        }
        _ => RescaleClaim::RescaledBetween { after: At(change.after), at, to, times: change.count },
    }
}
