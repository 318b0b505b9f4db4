//! The self-check: recomputed against written; if nothing could be recomputed, the controller's own status.

use crate::render::options::Options;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::{attested, metric, written};
use crate::render::units::{ago, clock};
use kubectl_hpa_core::api::{Condition, ConditionType};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::explanation::{Guess, OtherFlag, SelfCheck};

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    let Some(check) = explanation.self_check() else { return };
    if options.is_wide() {
        let about = match explanation.interval() {
            Some(_) => "as the controller writes them for one decision of the interval; others differ",
            None => "as the controller writes them for this decision",
        };
        page.title("Conditions", about);
        page.table(&conditions(explanation, &explanation.report().status.conditions));
    }
    let (role, text) = words(explanation, check);
    page.note("Self-check", role, &text);
}

/// The controller's own status, in the place of a decision that is not known.
pub(super) fn instead(page: &mut Page, explanation: &Explanation) {
    if explanation.self_check().is_none() {
        written(page, explanation);
        metrics(page, explanation);
    }
}

fn words(explanation: &Explanation, check: SelfCheck) -> (Role, String) {
    let desired = explanation.snapshot().hpa.status.desired_replicas;
    let (recomputed, within) = if let Some((low, high)) = explanation.interval() {
        (format!("{} to {}", low.0, high.0), format!(" (within {} to {})", low.0, high.0))
    } else {
        (explanation.report().status.desired_replicas.to_string(), String::new())
    };
    let ages = ages(explanation);
    match check {
        SelfCheck::NotWritten => (Role::Plain, not_written(explanation).to_owned()),
        SelfCheck::Agrees => {
            let agrees = || format!("Controller agrees: it wrote desiredReplicas {desired}{within}{ages}");
            (Role::Plain, undecided(explanation).unwrap_or_else(agrees))
        }
        SelfCheck::Differs(guess) if explanation.may_write(desired) => {
            let guess = guessed(explanation, guess);
            let wrote = format!("Controller wrote desiredReplicas {desired}{within}{ages}");
            (Role::Holds, format!("{wrote}, but with other conditions: {guess}"))
        }
        SelfCheck::Differs(guess) => {
            let guess = guessed(explanation, guess);
            let wrote = format!("Controller wrote desiredReplicas {desired}{ages}");
            (Role::Holds, format!("{wrote}; recomputed {recomputed}: {guess}"))
        }
    }
}

fn not_written(explanation: &Explanation) -> &'static str {
    let snapshot = explanation.snapshot();
    let status = &snapshot.hpa.status;
    let is_empty = status.last_scale_time.is_none() && status.conditions.is_empty();
    if is_empty && snapshot.history.status_written.is_none() {
        "Controller has not written a status yet"
    } else {
        "The status holds too little to compare with"
    }
}

/// Where both say that nothing can be decided, and the status has kept another count than the target has.
fn undecided(explanation: &Explanation) -> Option<String> {
    let status = &explanation.snapshot().hpa.status;
    let active = status
        .conditions
        .iter()
        .find(|it| it.kind == ConditionType::ScalingActive && it.status == "False")?;
    let desired = status.desired_replicas;
    explanation.current().filter(|current| current.0 != desired)?;
    Some(format!(
        "Controller agrees: it wrote ScalingActive False, {}{}. Its desiredReplicas stays {desired} until it can decide",
        active.reason,
        ages(explanation)
    ))
}

/// The age of the status and of the last rescale, to follow what was written: ` 8s ago, last scaled 1m ago`.
fn ages(explanation: &Explanation) -> String {
    let hpa = &explanation.snapshot().hpa;
    let ago = |at| ago(explanation.now(), at);
    let written =
        explanation.snapshot().history.status_written.map_or_else(String::new, |at| format!(" {}", ago(at)));
    let scaled =
        hpa.status.last_scale_time.map_or_else(String::new, |at| format!(", last scaled {}", ago(at)));
    format!("{written}{scaled}")
}

fn guessed(explanation: &Explanation, guess: Guess) -> String {
    if let Some(fault) = explanation.attested().open_faults().next() {
        return attested::clause(explanation, fault);
    }
    let desired = explanation.snapshot().hpa.status.desired_replicas;
    match guess {
        Guess::OldSpec { seen, newest } => {
            format!("the controller has seen generation {seen} of the spec, and {newest} is the newest")
        }
        Guess::OtherCount { then, now } => {
            format!("the target had {then} when it was written and has {now} now")
        }
        Guess::NewTrouble => "what stops it now began after that".to_owned(),
        Guess::OtherMetrics => "the metrics have changed since then".to_owned(),
        Guess::TimePassed { at } => format!(
            "at {} the same inputs give {desired}, so only time has passed",
            clock(explanation.now(), at)
        ),
        Guess::StoppedAtZero => {
            "0 replicas did not stop it then, so its spec or the controller has changed since".to_owned()
        }
        Guess::OtherBounds => "the bounds have changed since then, so its next sync is due".to_owned(),
        Guess::OtherPods { spec, status } => format!(
            "with {spec} instead of {status} in the target's status.replicas the same inputs give {desired}"
        ),
        Guess::HiddenAtZero => {
            "at 0 replicas the status shows the same for each value of the metric, so it may have changed since then"
                .to_owned()
        }
        Guess::MetricsNotShown => {
            "the status shows no metrics of that sync, so why is not known here".to_owned()
        }
        Guess::WindowPassed => {
            "the recommendation that held the replicas has left the window since then".to_owned()
        }
        Guess::UnknownMemory => "what the controller remembered then is not known here".to_owned(),
        Guess::Restarted => {
            "the controller has started since then, and what it remembered before is lost".to_owned()
        }
        Guess::OtherFlag(OtherFlag { name, value }) => {
            format!("possibly because of a flag: with --{name} {value} the same inputs give {desired}")
        }
        Guess::NotVisible => "why is not known here".to_owned(),
    }
}

/// The metrics of its last sync.
fn metrics(page: &mut Page, explanation: &Explanation) {
    let metrics = written::metrics(explanation);
    if metrics.is_empty() {
        return;
    }
    let columns = [("METRIC", Align::Name), ("NOW", Align::Right), ("TARGET", Align::Right)];
    let mut table = Table::new(columns);
    for (spec, now) in metrics {
        let now = now.map_or_else(|| Cell::new(Role::Stops, "failed"), |now| Cell::from(now.text()));
        table.row([Cell::from(metric::label(spec)), now, Cell::from(metric::target(spec))]);
    }
    page.title("Metrics", "of the last sync");
    page.table(&table);
}

/// The conditions as they stand.
fn written(page: &mut Page, explanation: &Explanation) {
    let status = &explanation.snapshot().hpa.status;
    if status.conditions.is_empty() {
        return;
    }
    let desired = status.desired_replicas;
    page.title("Status", &format!("the controller wrote desiredReplicas {desired}{}", ages(explanation)));
    page.table(&conditions(explanation, &status.conditions));
}

fn conditions(explanation: &Explanation, conditions: &[Condition]) -> Table {
    let columns = [
        ("CONDITION", Align::Left),
        ("STATUS", Align::Left),
        ("SINCE", Align::Left),
        ("REASON", Align::Left),
        ("MESSAGE", Align::Remark),
    ];
    let mut table = Table::new(columns);
    for condition in conditions {
        let since = condition.last_transition_time;
        let since = since.map_or_else(String::new, |since| clock(explanation.now(), since));
        let message = with_short_selectors(&condition.message);
        let texts = [&condition.kind, &condition.status, &since, &condition.reason, &message];
        table.row(texts.map(|text| Cell::from(text.as_str())));
    }
    table
}

/// A message with selectors as kubectl writes them, `queue=mail`, instead of as Go prints its type.
fn with_short_selectors(message: &str) -> String {
    const BEGIN: &str = "&LabelSelector{MatchLabels:map[string]string{";
    const END: &str = "},MatchExpressions:[]LabelSelectorRequirement{},}";
    let Some((before, (labels, after))) =
        message.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?)))
    else {
        return message.to_owned();
    };
    let labels = labels.trim_end_matches(',').replace(": ", "=");
    format!("{before}{labels}{}", with_short_selectors(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_is_written_as_kubectl_does() {
        let of = |selector: &str| format!("from external metric queue({selector})");
        let go = "&LabelSelector{MatchLabels:map[string]string{app: web,queue: mail,},MatchExpressions:[]LabelSelectorRequirement{},}";
        assert_eq!(with_short_selectors(&of(go)), of("app=web,queue=mail"));
        assert_eq!(with_short_selectors(&of("nil")), of("nil"));
    }
}
