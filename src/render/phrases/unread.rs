//! What is said of a read that only the reader could not do, and of the permission that would help.

use crate::model::Permission;
use crate::snapshot::ReadError;
use crate::trace::Unread;

/// What happened, with the text of the error.
pub(in crate::render) fn what(unread: &Unread) -> String {
    match unread {
        Unread::NotInCase => "the case does not hold it".to_owned(),
        Unread::Refused(error) => refused(error),
    }
}

/// What happened, in a few words.
pub(in crate::render) fn brief(unread: &Unread) -> String {
    match unread {
        Unread::NotInCase => "the case does not hold it".to_owned(),
        Unread::Refused(error) => status(error),
    }
}

/// An error with its status and its text.
pub(in crate::render) fn refused(error: &ReadError) -> String {
    if error.code.is_none() && error.reason.is_empty() {
        return error.message.clone();
    }
    format!("{}: {}", status(error), error.message)
}

/// `503 ServiceUnavailable`, as far as it is known.
pub(in crate::render) fn status(error: &ReadError) -> String {
    match (error.code, error.reason.is_empty()) {
        (Some(code), true) => code.to_string(),
        (Some(code), false) => format!("{code} {}", error.reason),
        (None, false) => error.reason.clone(),
        (None, true) => "an error".to_owned(),
    }
}

/// The permission that the read needs; `None` where its path is not known.
pub(in crate::render) fn permission(unread: &Unread) -> Option<String> {
    match unread {
        Unread::NotInCase => None,
        Unread::Refused(error) => needed(error),
    }
}

/// The permission without which an error came.
fn needed(error: &ReadError) -> Option<String> {
    Permission::to_get(&error.path).map(|permission| permission.to_string())
}

/// What happened, in a few words, with the permission that would help where there was an answer.
pub(in crate::render) fn with_remedy(error: &ReadError) -> String {
    match needed(error).filter(|_| error.code.is_some()) {
        Some(permission) => format!("{}; the permission to {permission} would help", status(error)),
        None => refused(error),
    }
}
