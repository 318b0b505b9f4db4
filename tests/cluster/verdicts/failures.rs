//! What the API server itself says, recorded or derived, and what must be made of it.

use super::Verdict::{self, Controller};
use super::answers::{AnswerKind, TEXT, of_code};
use super::derived;
use super::readers::Reader;
use super::recorded::{self, Recorded};
use crate::server::Reply;

/// What the API server itself says: to this very read, to others, and what it could not be made to say.
pub fn of(reader: &Reader) -> Vec<AnswerKind> {
    let own = recorded::of(reader).flat_map(|recorded| of_recorded("recorded", recorded));
    let others = recorded::kinds().into_iter().flat_map(|recorded| of_recorded("of others", recorded));
    own.chain(others).chain(derived::failures().into_iter().flat_map(of_derived)).collect()
}

/// What concerns nobody but who asks.
pub fn refusals() -> Vec<AnswerKind> {
    let own = "the controller has rights, forms and a share of its own";
    let mut all = Vec::new();
    for (code, reason) in
        [(401, "Unauthorized"), (403, "Forbidden"), (406, "NotAcceptable"), (429, "TooManyRequests")]
    {
        all.push(of_code("a Status with", code, own, move |_| Reply::failure(code, reason, "no")));
        all.push(of_code("a signed Status with", code, own, move |_| {
            Reply::failure(code, reason, "no").signed()
        }));
    }
    let busy = "Too many requests, please try again later.\n";
    all.push(of_code("signed text with", 429, own, move |_| Reply::new(429, TEXT, busy).signed()));
    all
}

fn of_derived(failure: derived::Failure) -> [AnswerKind; 2] {
    let derived::Failure { code, reply, place, is_status } = failure;
    let name = format!("{code} {} of {place}", String::from_utf8_lossy(&reply.body).trim());
    let given = |name, verdict, why, reply: Reply| AnswerKind {
        name,
        verdict,
        why,
        code: Some(code),
        is_of_object: false,
        reply: Box::new(move |_| Some(reply.clone())),
    };
    let (verdict, why) = if is_status {
        (Controller, "a Status is the API server's")
    } else {
        (Verdict::Reader, "nothing shows that this text is the API server's")
    };
    [
        given(format!("{name}, signed"), Controller, "the API server says so itself", reply.clone().signed()),
        given(name, verdict, why, reply),
    ]
}

/// As it was recorded, and without the `Audit-Id`.
fn of_recorded(prefix: &str, recorded: &'static Recorded) -> [AnswerKind; 2] {
    let (name, (verdict, why)) = (recorded.name(), recorded.verdict());
    let given = |name, verdict, why, reply: Reply| AnswerKind {
        name,
        verdict,
        why,
        code: (recorded.code > 0).then_some(recorded.code),
        is_of_object: recorded.is_of_object(),
        reply: Box::new(move |_| Some(reply.clone())),
    };
    let unsigned = match verdict {
        Controller if !recorded.is_status() => {
            (Verdict::Reader, "nothing shows that this text is the API server's")
        }
        verdict => (verdict, why),
    };
    [
        given(format!("{prefix}: {name}"), verdict, why, recorded.reply()),
        given(format!("{prefix}, unsigned: {name}"), unsigned.0, unsigned.1, recorded.unsigned()),
    ]
}
