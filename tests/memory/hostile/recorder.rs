//! client-go's event recorder (`tools/record/events_cache.go`): it folds what is similar, counts what is the same and drops
//! what is too much. What it knows is the process's own: a restart begins anew.

use std::collections::BTreeMap;

use super::draw::Draw;
use super::world::{Millis, SECOND};

/// After this time without a similar event the record of similar ones begins anew.
const MEMORY: Millis = 600 * SECOND;
/// The distinct messages from which on similar events are folded.
const FOLDS_AT: usize = 10;
const BURST: Millis = 25;
const REFILL: Millis = 300 * SECOND;

/// An event before it is recorded.
#[derive(Clone, Debug)]
pub struct Emitted {
    pub warning: bool,
    pub reason: String,
    pub message: String,
}

/// What the recorder asks of the API: an event under a name, new or counted up.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub name: String,
    pub event: Emitted,
    pub count: i32,
    pub first: Millis,
    pub last: Millis,
}

#[derive(Clone, Debug)]
struct Similar {
    messages: Vec<String>,
    last: Millis,
}

#[derive(Clone, Debug)]
struct Observed {
    name: String,
    count: i32,
    first: Millis,
}

/// The recorder of one controller. `about` is the object, its uid included.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    similar: BTreeMap<(String, String), Similar>,
    observed: BTreeMap<String, Observed>,
    /// By object: when the bucket would have been full again.
    spent: BTreeMap<String, Millis>,
    /// How many names were given.
    names: usize,
    types_apart: bool,
}

impl Recorder {
    /// Of a controller that has just started.
    pub fn new(types_apart: bool) -> Self {
        Self { types_apart, ..Self::default() }
    }

    /// Upstream `EventCorrelate`; `None` if the spam filter drops it.
    pub fn record(&mut self, about: &str, event: &Emitted, now: Millis, draw: &mut Draw) -> Option<Recorded> {
        let (event, key) = self.fold(about, event, now, draw);
        let recorded = self.count(about, &key, event.clone(), now);
        // Since 1.32 events of either type have tokens of their own.
        let bucket = if self.types_apart { format!("{about} {}", event.warning) } else { about.to_owned() };
        self.has_token(&bucket, now).then_some(recorded)
    }

    /// Upstream `EventAggregate`.
    fn fold(&mut self, about: &str, event: &Emitted, now: Millis, draw: &mut Draw) -> (Emitted, String) {
        let place = (about.to_owned(), format!("{} {}", event.warning, event.reason));
        let own_key = format!("{about} {} {} {}", event.warning, event.reason, event.message);
        let fresh = Similar { messages: Vec::new(), last: now };
        let similar = self.similar.entry(place.clone()).or_insert_with(|| fresh.clone());
        if now - similar.last > MEMORY {
            *similar = fresh;
        }
        similar.last = now;
        if !similar.messages.contains(&event.message) {
            similar.messages.push(event.message.clone());
        }
        if similar.messages.len() < FOLDS_AT {
            return (event.clone(), own_key);
        }
        // `PopAny` of a map: Go takes whichever it comes upon, so that a message that was seen may be new again and one
        // that is still remembered is not folded.
        let last = i64::try_from(similar.messages.len()).expect("ten") - 1;
        similar.messages.swap_remove(usize::try_from(draw.between(0, last)).expect("an index"));
        let message = format!("(combined from similar events): {}", event.message);
        (Emitted { message, ..event.clone() }, format!("{} {}", place.0, place.1))
    }

    /// Upstream `eventObserve`.
    fn count(&mut self, about: &str, key: &str, event: Emitted, now: Millis) -> Recorded {
        self.names += 1;
        let name = format!("web.{now:x}{:x}{:x}", about.len(), self.names);
        let observed = self.observed.entry(key.to_owned()).or_insert(Observed { name, count: 0, first: now });
        observed.count += 1;
        Recorded {
            name: observed.name.clone(),
            event,
            count: observed.count,
            first: observed.first,
            last: now,
        }
    }

    /// Upstream `EventSourceObjectSpamFilter`: a bucket of tokens for each object.
    fn has_token(&mut self, about: &str, now: Millis) -> bool {
        let full = self.spent.entry(about.to_owned()).or_insert(now);
        let next = (*full).max(now) + REFILL;
        let has_one = next - now <= BURST * REFILL;
        if has_one {
            *full = next;
        }
        has_one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(message: &str) -> Emitted {
        Emitted { warning: false, reason: "SuccessfulRescale".to_owned(), message: message.to_owned() }
    }

    fn record(recorder: &mut Recorder, message: &str, now: Millis) -> Option<(String, i32, Millis)> {
        let mut draw = Draw::new(1);
        let told = recorder.record("hpa 1", &event(message), now, &mut draw)?;
        Some((told.event.message, told.count, told.first))
    }

    #[test]
    fn the_tenth_message_and_those_after_it_are_one_event() {
        let mut recorder = Recorder::default();
        for size in 1..10 {
            let plain = Some((format!("New size: {size}"), 1, size));
            assert_eq!(record(&mut recorder, &format!("New size: {size}"), size), plain);
        }
        for (size, count) in [(10, 1), (11, 2), (12, 3)] {
            let message = format!("(combined from similar events): New size: {size}");
            assert_eq!(record(&mut recorder, &format!("New size: {size}"), size), Some((message, count, 10)));
        }
        let later = 12 + MEMORY + 1;
        let anew = Some(("New size: 13".to_owned(), 1, later));
        assert_eq!(record(&mut recorder, "New size: 13", later), anew);
    }

    #[test]
    fn the_same_is_counted_and_too_much_is_dropped() {
        let mut recorder = Recorder::default();
        for count in 1..=25 {
            assert_eq!(
                record(&mut recorder, "same", count),
                Some(("same".to_owned(), i32::try_from(count).expect("small"), 1))
            );
        }
        assert_eq!(record(&mut recorder, "same", 26), None);
        let refilled = 1 + REFILL;
        assert_eq!(
            record(&mut recorder, "same", refilled),
            Some(("same".to_owned(), 27, 1)),
            "the dropped one counts"
        );
    }
}
