//! Entries as lines.

use std::collections::BTreeMap;

use serde_json::Value;

use super::entry::{API_VERSION, Entry, Header, KIND, Line, Recorded, Seen};
use crate::edit::{merge_patch, merged};

/// Turns looks into the lines of one record. Of each HPA it keeps the last case, to write only what has changed since.
#[derive(Debug, Default)]
pub struct Recorder {
    last: BTreeMap<Recorded, Value>,
}

impl Recorder {
    /// The first line.
    #[must_use]
    pub fn header() -> String {
        let header = Header { api_version: API_VERSION.to_owned(), kind: KIND.to_owned() };
        serde_json::to_string(&header).unwrap_or_default()
    }

    /// The line of a look, without its end.
    ///
    /// # Errors
    /// If the case cannot be written as JSON.
    pub fn line(&mut self, entry: &Entry) -> serde_json::Result<String> {
        let Entry { hpa, begun, ended, seen } = entry;
        let mut line = Line {
            hpa: hpa.clone(),
            begun: *begun,
            ended: *ended,
            case: None,
            patch: None,
            unread: matches!(seen, Seen::Unread).then_some(true),
            gone: matches!(seen, Seen::Gone).then_some(true),
        };
        match seen {
            Seen::Case(case) => {
                let mut now = case.to_value()?;
                // The entry has the time.
                if let Value::Object(fields) = &mut now {
                    fields.shift_remove("at");
                }
                match self.last.get(hpa) {
                    Some(before) if *before == now => {}
                    Some(before) => match merge_patch(before, &now) {
                        // A patch cannot set a field to null.
                        Some(patch) if merged(before, &patch) == now => line.patch = Some(patch),
                        _ => line.case = Some(now.clone()),
                    },
                    None => line.case = Some(now.clone()),
                }
                self.last.insert(hpa.clone(), now);
            }
            Seen::Unread => {}
            Seen::Gone => {
                self.last.remove(hpa);
            }
        }
        serde_json::to_string(&line)
    }
}
