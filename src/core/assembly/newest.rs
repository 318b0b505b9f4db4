//! The time of which a case is.

use serde_json::Value;

use crate::model::Instant;

/// The times of objects.
#[derive(Clone, Default)]
pub(super) struct Times {
    all: Vec<Instant>,
    /// The newest of a sample: metrics APIs measure every minute or more often.
    sample: Option<Instant>,
}

impl Times {
    /// Takes all times that the cluster has written into an object: what people write is of no time.
    pub fn take(&mut self, object: &Value) {
        match object {
            Value::Object(fields) => fields.iter().for_each(|(name, value)| match value {
                Value::String(text) if is_time(name) => self.all.extend(Instant::parse(text).ok()),
                _ if ["annotations", "labels", "spec"].contains(&name.as_str()) => {}
                Value::Object(_) | Value::Array(_) => self.take(value),
                _ => {}
            }),
            Value::Array(items) => items.iter().for_each(|item| self.take(item)),
            _ => {}
        }
    }

    /// Takes that of a sample.
    pub fn take_sample(&mut self, at: Option<Instant>) {
        self.sample = self.sample.max(at);
    }

    /// The newest that is not after `now` or, by the clock of the cluster, the newest sample; without a sample it is `now`.
    pub fn newest(&self, now: Instant) -> Instant {
        let Some(sample) = self.sample else { return now };
        let past = self.all.iter().copied().filter(|at| *at <= now.max(sample));
        past.max().unwrap_or(sample).max(sample)
    }
}

/// The time at which an object will be gone is to come.
fn is_time(name: &str) -> bool {
    let is_end = ["Time", "Timestamp"].iter().any(|end| name.ends_with(end));
    (is_end && name != "deletionTimestamp") || name == "time" || name == "timestamp"
}
