//! Errors that the controller got too.
//!
//! A refusal is first taken for the reader's own: the controller has other rights. But where the controller's last status
//! quotes the very same error, it was refused as well, and the error is part of its decision. The same holds for a text
//! that the API server writes and others may write too. What is certainly not the API server's proves nothing: the
//! words that client-go makes of a load balancer's 503 are those of any 503.

use super::{Read, ReadError, Reading, Scope, Snapshot};
use crate::api::HpaStatus;

/// Marks every refusal that the last status quotes as everyone's.
pub(super) fn share(snapshot: &mut Snapshot) {
    let status = &snapshot.hpa.status;
    mark(status, &mut snapshot.scale);
    mark(status, &mut snapshot.usages);
    for reading in &mut snapshot.readings {
        match reading {
            Reading::Pods(read) => mark(status, read),
            Reading::Object(read) | Reading::External(read) => mark(status, read),
            Reading::Usage | Reading::Absent => {}
        }
    }
}

fn mark<T>(status: &HpaStatus, read: &mut Read<T>) {
    if let Err(error) = read
        && error.scope == Scope::Reader
        && error.is_quoted_by(status)
    {
        error.scope = Scope::Everyone;
    }
}

impl ReadError {
    /// Whether a condition of the status quotes the error.
    #[must_use]
    pub fn is_quoted_by(&self, status: &HpaStatus) -> bool {
        let mut failing = status.conditions.iter().filter(|condition| condition.status == "False");
        let may_be_quoted = !self.message.is_empty() && !self.is_foreign();
        may_be_quoted && failing.any(|condition| condition.message.ends_with(&self.message))
    }
}
