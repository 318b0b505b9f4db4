//! The time of which a case is.

use serde_json::Value;

use crate::model::Instant;

/// The times of objects.
#[derive(Default)]
pub(super) struct Times {
    all: Vec<Instant>,
    /// Whether one is that of a sample: metrics APIs measure every minute or more often.
    of_samples: bool,
}

impl Times {
    /// Takes all times of an object.
    pub fn take(&mut self, object: &Value) {
        match object {
            Value::Object(fields) => fields.iter().for_each(|(name, value)| match value {
                Value::String(text) if is_time(name) => self.all.extend(Instant::parse(text).ok()),
                Value::Object(_) | Value::Array(_) => self.take(value),
                _ => {}
            }),
            Value::Array(items) => items.iter().for_each(|item| self.take(item)),
            _ => {}
        }
    }

    /// Notes that one of them is a sample.
    pub fn has_sample(&mut self) {
        self.of_samples = true;
    }

    /// The newest that is not after `now`; without a sample it is `now`.
    pub fn newest(&self, now: Instant) -> Instant {
        let past = self.all.iter().filter(|at| **at <= now);
        past.max().copied().filter(|_| self.of_samples).unwrap_or(now)
    }
}

/// The time at which an object will be gone is to come.
fn is_time(name: &str) -> bool {
    let is_end = ["Time", "Timestamp"].iter().any(|end| name.ends_with(end));
    (is_end && name != "deletionTimestamp") || name == "time" || name == "timestamp"
}
