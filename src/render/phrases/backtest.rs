//! A record that was played again, in words.

use super::figure;
use crate::render::future::Future;
use crate::render::units::{clock, count, list, span};
use kubectl_hpa_core::model::Duration;
use kubectl_hpa_core::play::GAP_PERIODS;
use kubectl_hpa_core::run::{
    Begun, Calibration, Doubt, EQUAL_PERCENT, Figure, LEAST, OFF_PERCENT, Recorded, Totals,
};

/// So many gaps are named; of more the longest.
const GAPS: usize = 3;

/// The answer: what the changed settings would have come to, or why the play says nothing about them.
pub(in crate::render) fn verdict(
    future: &Future<'_>,
    recorded: &Recorded,
    calibration: &Calibration,
) -> String {
    let doubt = calibration.doubt.map(|doubt| doubted(doubt, recorded, calibration));
    let [now, then] = match (future.runs.as_slice(), doubt) {
        ([now, then], None) => [&now.run.totals, &then.run.totals],
        ([_, _], Some(doubt)) => return format!("No comparison: {doubt}."),
        (_, doubt) => {
            let does = if calibration.is_close() { "matches" } else { "does not match" };
            let doubt = doubt.filter(|_| calibration.doubt != Some(Doubt::Differs));
            let doubt = doubt.map_or_else(String::new, |doubt| format!(", but {doubt}"));
            let found = found(calibration);
            return format!("Played again with its own settings, the HPA {does} the record: {found}{doubt}.");
        }
    };
    let more = signed(Figure::PodTime.of(then) - Figure::PodTime.of(now), Figure::PodTime.of(now));
    let changes = future.changes.join(" ");
    let pods = against(Figure::PodTime, " pod-hours", [now, then]);
    let over = if future.has_one_target() {
        against(Figure::OverTarget, " over target", [now, then])
    } else {
        format!("{} over its own target", figure::amount(Figure::OverTarget, then))
    };
    format!("With {changes}: {pods} ({more}), {over}.")
}

fn found(calibration: &Calibration) -> String {
    format!("replicas equal {} of the time, pod-hours {}", equal(calibration), off(calibration))
}

/// The code of a doubt.
pub(in crate::render) const fn code(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Short => "short",
        Doubt::Unseen => "unseen",
        Doubt::Differs => "differs",
        Doubt::AtLimit => "at-limit",
        Doubt::Untested => "untested",
    }
}

fn doubted(doubt: Doubt, recorded: &Recorded, calibration: &Calibration) -> String {
    let whole = span(recorded.time);
    match doubt {
        Doubt::Short => format!("the record goes on for {whole}, and at least {} are needed", span(LEAST)),
        Doubt::Unseen => format!("of {whole} only {} can be compared", span(calibration.time)),
        Doubt::Differs => format!(
            "played again with its own settings, the HPA does not match the record ({}, {} of {} matched)",
            found(calibration),
            calibration.matched,
            count(calibration.rescales, "rescale")
        ),
        Doubt::AtLimit => format!(
            "for {} of {whole} a container was at its limit, so the load may have been higher",
            span(recorded.saturated)
        ),
        Doubt::Untested if calibration.rescales == 0 => {
            "the record has no rescale, so nothing tests the play".to_owned()
        }
        Doubt::Untested => "the play makes no rescale of the record, so nothing tests it".to_owned(),
    }
}

fn against(figure: Figure, unit: &str, totals: [&Totals; 2]) -> String {
    let [now, then] = totals.map(|totals| figure::amount(figure, totals));
    if now == then { format!("{now}{unit} as before") } else { format!("{then}{unit} instead of {now}") }
}

fn equal(calibration: &Calibration) -> String {
    let [time, equal] = [calibration.time, calibration.equal].map(|it| i128::from(it.nanoseconds()));
    format!("{}%", equal * 100 / time.max(1))
}

fn off(calibration: &Calibration) -> String {
    signed(calibration.off(), calibration.replica_time[0])
}

/// A difference in percent of a whole, with its sign, rounded away from 0 to a tenth.
fn signed(difference: i128, whole: i128) -> String {
    let tenths = (difference.abs() * 1_000 + whole.max(1) - 1) / whole.max(1);
    let sign = if difference < 0 { "-" } else { "+" };
    match (tenths / 10, tenths % 10) {
        (0, 0) => "0%".to_owned(),
        (whole, 0) => format!("{sign}{whole}%"),
        (whole, tenth) => format!("{sign}{whole}.{tenth}%"),
    }
}

/// How well the play matches, and what is asked of it.
pub(in crate::render) fn calibration(calibration: &Calibration) -> String {
    let Calibration { rescales, matched, played, time, .. } = calibration;
    let told = [
        format!(
            "replicas equal {} of {}, give or take one sync (at least {EQUAL_PERCENT}%)",
            equal(calibration),
            span(*time)
        ),
        format!("pod-hours of the replicas {} (at most {OFF_PERCENT}% either way)", off(calibration)),
        format!("{matched} of {} matched within one sync, {played} played", count(*rescales, "rescale")),
    ];
    told.join("; ") + "."
}

/// The extent of the record, and its gaps.
pub(in crate::render) fn recorded(recorded: &Recorded) -> String {
    let from = recorded.case.at;
    let end = from + recorded.time;
    let looks = count(recorded.looks, "look");
    let mut told = vec![format!("{from} to {end}, {}: {looks}", span(recorded.time))];
    let begun = match recorded.begun {
        Begun::First => None,
        Begun::Unread => Some("looks before it lack a metric, the replicas or the pods"),
        Begun::Edited => Some("the spec of the HPA was edited before it"),
        Begun::Recreated => Some("another HPA of this name was there before it"),
    };
    told.extend(begun.map(ToOwned::to_owned));
    let left_out = [
        (recorded.skipped.unread, "without a metric, the replicas or the pods, so their load is not known"),
        (recorded.skipped.disordered, "out of order left out"),
    ];
    let left_out = left_out.into_iter().filter(|(number, _)| *number > 0);
    told.extend(left_out.map(|(number, why)| format!("{} {why}", count(number, "look"))));
    if recorded.is_sparse {
        told.push("there are fewer looks than syncs: a short peak between them is not seen".to_owned());
    }
    told.extend(gaps(recorded));
    if recorded.saturated > Duration::ZERO {
        let time = span(recorded.saturated);
        told.push(format!("for {time} a container was at its limit and may have needed more"));
    }
    told.join("; ") + "."
}

/// The times that nobody saw.
fn gaps(recorded: &Recorded) -> Option<String> {
    let start = recorded.case.at;
    let length = |[from, to]: &[Duration; 2]| to.minus(*from);
    let mut gaps: Vec<[Duration; 2]> = recorded.gaps.clone();
    let all = gaps.iter().map(length).reduce(Duration::plus)?;
    gaps.sort_by_key(|gap| std::cmp::Reverse(length(gap)));
    let named = gaps.iter().take(GAPS);
    let named = named.map(|gap| format!("{} from {}", span(length(gap)), clock(start, start + gap[0])));
    let longest = if gaps.len() > GAPS { "the longest " } else { "" };
    Some(format!(
        "not seen for {} in {} of more than {GAP_PERIODS} syncs ({longest}{}): the load is a straight line there, \
         the calibration leaves it out, and the recorded totals take the look after it",
        span(all),
        count(gaps.len(), "gap"),
        list(&named.collect::<Vec<_>>()),
    ))
}
