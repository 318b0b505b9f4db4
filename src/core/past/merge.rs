//! Changes of several sources, each told once.

use super::logged::LoggedRescale;
use crate::comparison::{ChangeCause, ChangeSource, Look, ReplicaChange};
use crate::model::{Duration, Instant, Replicas};
use crate::snapshot::{HpaKey, Origin};

/// Two sources mean one change if their times differ by no more: an event has seconds, and is written after the log.
const APART: Duration = Duration::from_seconds(2);

/// A change of the replicas of an HPA, whatever shows it.
#[derive(Clone, Debug)]
pub struct PastChange {
    /// The HPA; the namespace is empty if the log does not have it.
    pub key: HpaKey,
    /// Where the HPA was read.
    pub origin: Option<Origin>,
    /// The look before it, if there were looks.
    pub before: Option<Look>,
    /// The change.
    pub change: ReplicaChange,
}

/// So many changes are told, with those that an event combines.
#[must_use]
pub fn total(changes: &[PastChange]) -> usize {
    changes
        .iter()
        .fold(0, |sum, it| sum.saturating_add(usize::try_from(it.change.count).unwrap_or(usize::MAX)))
}

/// Adds the changes that the events of an HPA show, but for those that looks have seen.
pub fn add_events(
    changes: &mut Vec<PastChange>,
    key: &HpaKey,
    origin: Option<&Origin>,
    of_events: Vec<ReplicaChange>,
) {
    let (mut seen, mut new) = (vec![false; changes.len()], Vec::new());
    for change in of_events {
        let is_of = |it: &PastChange| it.key == *key && it.change.source == ChangeSource::Look;
        let known = match (change.at, change.to) {
            (Some(at), Some(to)) => nearest(changes, &seen, is_of, (at, to)),
            _ => None,
        };
        match known {
            Some(place) => seen[place] = true,
            None => new.push(PastChange { key: key.clone(), origin: origin.cloned(), before: None, change }),
        }
    }
    changes.extend(new);
}

/// Adds the rescales of a log. One that another source shows takes the place of what that shows, but for a decision.
pub fn add_logged(changes: &mut Vec<PastChange>, rescales: Vec<LoggedRescale>) {
    let mut is_taken = vec![false; changes.len()];
    let mut new = Vec::new();
    for rescale in rescales {
        let is_of = |it: &PastChange| {
            let key = &it.key;
            key.name == rescale.name
                && rescale.namespace.as_ref().is_none_or(|namespace| *namespace == key.namespace)
        };
        let place = nearest(changes, &is_taken, is_of, (rescale.at, rescale.to));
        let known = place.map(|place| changes[place].key.clone());
        // Without a namespace it may be that of any HPA of the name.
        let is_one = known.as_ref().is_none_or(|known| {
            rescale.namespace.is_some()
                || nearest(changes, &is_taken, |it| is_of(it) && it.key != *known, (rescale.at, rescale.to))
                    .is_none()
        });
        let Some(known) = place.filter(|_| is_one).map(|place| &mut changes[place]) else {
            new.push(PastChange {
                key: key_of(&rescale),
                origin: None,
                before: None,
                change: of_log(&rescale),
            });
            continue;
        };
        if known.change.count > 1 {
            known.change.count -= 1;
            let change = of_log(&rescale);
            new.push(PastChange {
                key: known.key.clone(),
                origin: known.origin.clone(),
                before: None,
                change,
            });
            continue;
        }
        if let Some(place) = place {
            is_taken[place] = true;
        }
        join(&mut known.change, rescale);
    }
    changes.extend(new);
}

fn key_of(rescale: &LoggedRescale) -> HpaKey {
    HpaKey { namespace: rescale.namespace.clone().unwrap_or_default(), name: rescale.name.clone() }
}

fn of_log(rescale: &LoggedRescale) -> ReplicaChange {
    ReplicaChange {
        after: rescale.at,
        seen: rescale.at,
        at: Some(rescale.at),
        from: Some(rescale.from),
        to: Some(rescale.to),
        found: None,
        cause: ChangeCause::Stated(rescale.reason.clone()),
        count: 1,
        source: ChangeSource::Log,
    }
}

/// The log's values win, but the replicas that looks saw before, and what they saw to be decided.
fn join(known: &mut ReplicaChange, rescale: LoggedRescale) {
    if known.source == ChangeSource::Look {
        known.found = Some(rescale.from).filter(|from| known.from != Some(*from));
    } else {
        known.from = Some(rescale.from);
    }
    (known.at, known.to, known.source) = (Some(rescale.at), Some(rescale.to), ChangeSource::Log);
    if !matches!(known.cause, ChangeCause::Decided(_)) {
        known.cause = ChangeCause::Stated(rescale.reason);
    }
}

/// The place of the change to these replicas that is nearest to a time, if any is near: one with a time before one that was
/// somewhere between two.
fn nearest(
    changes: &[PastChange],
    is_taken: &[bool],
    is_of: impl Fn(&PastChange) -> bool,
    (at, to): (Instant, Replicas),
) -> Option<usize> {
    let places = changes.iter().enumerate().zip(is_taken).filter(|(_, is_taken)| !**is_taken);
    let near =
        places.filter(|((_, it), _)| is_of(it) && is_by_an_hpa(&it.change)).filter_map(|((place, it), _)| {
            let change = &it.change;
            let [first, last] = change.at.map_or([change.after, change.seen], |at| [at; 2]);
            let is_near = first <= at + APART && at <= last + APART && change.to.is_none_or(|it| it == to);
            let apart = change.at.map_or(APART, |time| at.since(time).max(time.since(at)));
            is_near.then_some((change.at.is_none(), apart, place))
        });
    near.min().map(|(.., place)| place)
}

/// True if the HPA may have made it.
const fn is_by_an_hpa(change: &ReplicaChange) -> bool {
    match change.cause {
        ChangeCause::Decided(_)
        | ChangeCause::Hpa(_)
        | ChangeCause::Stated(_)
        | ChangeCause::HpaFromUnseen(_)
        | ChangeCause::AnyHpa
        | ChangeCause::Unknown => true,
        ChangeCause::OtherHpa(_) | ChangeCause::Manager(_) | ChangeCause::Retargeted(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::RescaleEventReason;

    fn at(time: &str) -> Instant {
        Instant::parse(&format!("2026-11-30T{time}Z")).expect("a time")
    }

    fn key(namespace: &str) -> HpaKey {
        HpaKey { namespace: namespace.into(), name: "web".into() }
    }

    fn logged(time: &str, namespace: Option<&str>, to: i32) -> LoggedRescale {
        let (namespace, name) = (namespace.map(Into::into), "web".into());
        LoggedRescale {
            at: at(time),
            namespace,
            name,
            from: Replicas(2),
            to: Replicas(to),
            reason: "logged".into(),
        }
    }

    fn event(time: &str, to: i32) -> ReplicaChange {
        let cause = ChangeCause::Stated("event".into());
        let change = of_log(&logged(time, None, to));
        ReplicaChange { from: None, cause, source: ChangeSource::Event, ..change }
    }

    /// Each change: its namespace, its second and fraction, from, to, how many, and the source.
    fn told(changes: &mut [PastChange]) -> Vec<String> {
        changes.sort_by_key(|it| (it.change.time(), it.key.clone()));
        let replicas = |it: Option<Replicas>| it.map_or_else(|| "?".to_owned(), |it| it.0.to_string());
        let line = |PastChange { key, change, .. }: &PastChange| {
            let time = change.time().to_rfc3339_nano();
            let (from, to) = (replicas(change.from), replicas(change.to));
            format!("{} {} {from} {to} {} {:?}", key.namespace, &time[17..], change.count, change.source)
        };
        changes.iter().map(line).collect()
    }

    fn events(of: &[(&str, ReplicaChange)]) -> Vec<PastChange> {
        let mut changes = Vec::new();
        for (namespace, change) in of {
            add_events(&mut changes, &key(namespace), None, vec![change.clone()]);
        }
        changes
    }

    #[test]
    fn a_log_line_within_two_seconds_is_the_event() {
        let mut changes = events(&[("shop", event("05:50:40", 5)), ("shop", event("05:50:50", 7))]);
        add_logged(
            &mut changes,
            vec![
                logged("05:50:38.5", Some("shop"), 5),
                logged("05:50:52.5", Some("shop"), 7),
                logged("05:50:40.5", Some("other"), 5),
                logged("05:50:50.5", Some("shop"), 6),
            ],
        );
        assert_eq!(
            told(&mut changes),
            [
                "shop 38.5Z 2 5 1 Log",
                "other 40.5Z 2 5 1 Log",
                "shop 50Z ? 7 1 Event",
                "shop 50.5Z 2 6 1 Log",
                "shop 52.5Z 2 7 1 Log",
            ]
        );
    }

    #[test]
    fn each_line_takes_one_event_and_the_nearest() {
        let mut changes = events(&[("shop", event("05:50:40", 5)), ("shop", event("05:50:41", 5))]);
        add_logged(
            &mut changes,
            vec![logged("05:50:41.1", Some("shop"), 5), logged("05:50:41.2", Some("shop"), 5)],
        );
        assert_eq!(told(&mut changes), ["shop 41.1Z 2 5 1 Log", "shop 41.2Z 2 5 1 Log"]);
    }

    #[test]
    fn a_line_without_a_namespace_is_of_the_only_hpa_that_it_fits() {
        let mut changes = events(&[("shop", event("05:50:40", 5)), ("other", event("05:50:40", 7))]);
        add_logged(&mut changes, vec![logged("05:50:40.5", None, 5), logged("05:50:45.5", None, 5)]);
        assert_eq!(told(&mut changes), ["other 40Z ? 7 1 Event", "shop 40.5Z 2 5 1 Log", " 45.5Z 2 5 1 Log"]);
        // Of two that it fits it is neither's.
        let mut changes = events(&[("shop", event("05:50:40", 5)), ("other", event("05:50:41", 5))]);
        add_logged(&mut changes, vec![logged("05:50:40.5", None, 5)]);
        assert_eq!(told(&mut changes), ["shop 40Z ? 5 1 Event", " 40.5Z 2 5 1 Log", "other 41Z ? 5 1 Event"]);
    }

    #[test]
    fn lines_are_taken_out_of_what_an_event_combines() {
        let combined = ReplicaChange {
            after: at("05:50:00"),
            at: None,
            to: None,
            count: 2,
            cause: ChangeCause::Hpa(RescaleEventReason::Unclear),
            ..event("05:50:50", 5)
        };
        let mut changes = events(&[("shop", combined)]);
        let lines = ["05:49:00.5", "05:50:10.5", "05:50:20.5", "05:50:30.5"];
        add_logged(&mut changes, lines.map(|it| logged(it, Some("shop"), 4)).to_vec());
        assert_eq!(total(&changes), 4);
        assert!(
            changes
                .iter()
                .all(|it| it.change.source == ChangeSource::Log && it.change.from == Some(Replicas(2)))
        );
    }

    #[test]
    fn looks_keep_what_they_saw() {
        let looked = ReplicaChange {
            after: at("05:50:30"),
            at: None,
            from: Some(Replicas(3)),
            cause: ChangeCause::Decided(None),
            source: ChangeSource::Look,
            ..event("05:50:45", 5)
        };
        let by_hand = ReplicaChange { cause: ChangeCause::Manager("kubectl".into()), ..looked.clone() };
        let look = |change: &ReplicaChange| PastChange {
            key: key("shop"),
            origin: None,
            before: None,
            change: change.clone(),
        };
        let mut changes = vec![look(&looked)];
        add_events(&mut changes, &key("shop"), None, vec![event("05:50:40", 5), event("05:50:50", 6)]);
        assert_eq!(told(&mut changes), ["shop 45Z 3 5 1 Look", "shop 50Z ? 6 1 Event"]);
        add_logged(&mut changes, vec![logged("05:50:40.5", Some("shop"), 5)]);
        assert_eq!(told(&mut changes), ["shop 40.5Z 3 5 1 Log", "shop 50Z ? 6 1 Event"]);
        assert_eq!(changes[0].change.found, Some(Replicas(2)));
        assert_eq!(changes[0].change.cause, ChangeCause::Decided(None));
        let mut changes = vec![look(&by_hand)];
        add_logged(&mut changes, vec![logged("05:50:40.5", Some("shop"), 5)]);
        assert_eq!(told(&mut changes), ["shop 40.5Z 2 5 1 Log", "shop 45Z 3 5 1 Look"]);
    }
}
