//! The recomputed decision beside the controller's status, as a claim.

use super::{attested, doubt};
use crate::render::claims::{At, Because, Check, CheckCode, Guessed};
use kubectl_hpa_core::explanation::{Explanation, Guess, OtherFlag, SelfCheck};

/// The self-check; `None` for a decision that is not known.
pub(in crate::render) fn self_check(explanation: &Explanation) -> Option<Check> {
    let check = explanation.self_check()?;
    let status = &explanation.snapshot().hpa.status;
    let desired = status.desired_replicas;
    let (least, most) = explanation.written_range();
    let reason = undecided(explanation);
    let code = match check {
        SelfCheck::NotWritten if is_empty(explanation) => CheckCode::NotWritten,
        SelfCheck::NotWritten => CheckCode::TooLittle,
        SelfCheck::Agrees if reason.is_some() => CheckCode::AgreesUndecided,
        SelfCheck::Agrees => CheckCode::Agrees,
        SelfCheck::Differs(_) if explanation.may_write(desired) => CheckCode::OtherConditions,
        SelfCheck::Differs(_) => CheckCode::Differs,
    };
    let because = match check {
        SelfCheck::Differs(guess) => Some(guessed(explanation, guess)),
        SelfCheck::NotWritten | SelfCheck::Agrees => None,
    };
    Some(Check {
        code,
        desired,
        least,
        most,
        written: explanation.snapshot().history.status_written.map(At),
        scaled: status.last_scale_time.map(At),
        reason: reason.filter(|_| code == CheckCode::AgreesUndecided),
        contradicted: doubt::doubt(explanation) == Some(Because::Contradiction),
        because,
    })
}

fn is_empty(explanation: &Explanation) -> bool {
    let snapshot = explanation.snapshot();
    let status = &snapshot.hpa.status;
    let has_past = status.last_scale_time.is_some() || snapshot.history.status_written.is_some();
    let has_numbers =
        status.current_replicas != 0 || status.desired_replicas != 0 || status.current_metrics.is_some();
    status.conditions.is_empty() && !has_past && !has_numbers
}

/// Where both say that nothing can be decided, and the status has kept another count than the target has: its reason.
fn undecided(explanation: &Explanation) -> Option<String> {
    let status = &explanation.snapshot().hpa.status;
    let active = status.inactive()?;
    explanation.current().filter(|current| current.0 != status.desired_replicas)?;
    Some(active.reason.to_string())
}

fn guessed(explanation: &Explanation, guess: Guess) -> Guessed {
    if let Some(fault) = explanation.attested().open_faults().next() {
        return Guessed::ControllerMeets { what: attested::brief(explanation, fault) };
    }
    match guess {
        Guess::OldSpec { seen, newest } => Guessed::OldSpec { seen, newest },
        Guess::OtherCount { then, now } => Guessed::OtherReplicas { then, now },
        Guess::NewTrouble => Guessed::NewTrouble,
        Guess::OtherMetrics => Guessed::OtherMetrics,
        Guess::TimePassed { at } => Guessed::TimePassed { at: At(at) },
        Guess::StoppedAtZero => Guessed::StoppedAtZero,
        Guess::OtherBounds => Guessed::OtherBounds,
        Guess::OtherPods { spec, status } => Guessed::OtherStatusReplicas { spec, status },
        Guess::HiddenAtZero => Guessed::HiddenAtZero,
        Guess::StoppedThen => {
            let active = explanation.snapshot().hpa.status.inactive();
            Guessed::StoppedThen {
                reason: active.map_or_else(String::new, |active| active.reason.to_string()),
            }
        }
        Guess::MetricsNotShown => Guessed::MetricsNotShown,
        Guess::WindowPassed => Guessed::WindowPassed,
        Guess::UnknownMemory => Guessed::UnknownMemory,
        Guess::Restarted => Guessed::Restarted,
        Guess::OtherFlag(OtherFlag { name, value }) => {
            Guessed::OtherFlag { flag: name, value: value.to_string() }
        }
        Guess::NotVisible => Guessed::NotVisible,
    }
}
