//! Times: 10:44:10 for an instant, always UTC; 2m10s for how long.

use kubectl_hpa_core::model::{Duration, Instant};

const SECOND: i64 = 1_000_000_000;

/// How long, in the two largest units that matter.
pub(in crate::render) fn span(length: Duration) -> String {
    let nanoseconds = length.nanoseconds();
    // Subtracting instants saturates at the ends of int64.
    if matches!(nanoseconds, i64::MIN | i64::MAX) {
        return "more than 292 years".to_owned();
    }
    let sign = if nanoseconds <= -SECOND { "-" } else { "" };
    let seconds = nanoseconds.unsigned_abs() / SECOND.unsigned_abs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    let shown = match (nanoseconds, seconds) {
        (0, _) => "0s".to_owned(),
        (_, 0) => "<1s".to_owned(),
        (_, ..60) => format!("{seconds}s"),
        (_, ..3600) => pair((minutes, "m"), (seconds % 60, "s")),
        (_, ..86_400) => pair((hours, "h"), (minutes % 60, "m")),
        _ => pair((days, "d"), (hours % 24, "h")),
    };
    format!("{sign}{shown}")
}

fn pair((large, large_unit): (u64, &str), (small, small_unit): (u64, &str)) -> String {
    if small == 0 {
        format!("{large}{large_unit}")
    } else {
        format!("{large}{large_unit}{small}{small_unit}")
    }
}

/// How long ago; a clock that runs ahead is told of, and so is a time that is not there.
pub(in crate::render) fn ago(now: Instant, at: Instant) -> String {
    if at > now || at.is_zero() { age(now, at) } else { format!("{} ago", age(now, at)) }
}

/// The same for a column of ages.
pub(in crate::render) fn age(now: Instant, at: Instant) -> String {
    if at.is_zero() {
        "no timestamp".to_owned()
    } else if at > now {
        format!("{} in the future", span(at.since(now)))
    } else {
        span(now.since(at))
    }
}

/// When: the clock alone on the same day, else with the date. UTC.
pub(in crate::render) fn clock(now: Instant, at: Instant) -> String {
    let (today, then) = (now.to_string(), at.to_string());
    match (then.split_once('T'), today.split_once('T')) {
        (Some((day, time)), Some((today, _))) => {
            let time = time.trim_end_matches('Z');
            if day == today { time.to_owned() } else { format!("{day} {time}") }
        }
        _ => then,
    }
}

/// When, and how far from now: for what somebody waits for.
pub(in crate::render) fn moment(now: Instant, at: Instant) -> String {
    if at > now {
        format!("{} (in {})", clock(now, at), span(at.since(now)))
    } else {
        format!("{} ({} ago)", clock(now, at), span(now.since(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        Instant::parse(text).unwrap_or(Instant::ZERO)
    }

    #[test]
    fn spans_show_two_units() {
        let cases = [
            (0, "0s"),
            (9, "9s"),
            (60, "1m"),
            (130, "2m10s"),
            (1_740, "29m"),
            (3_660, "1h1m"),
            (172_800 + 10_800, "2d3h"),
            (-5, "-5s"),
        ];
        for (seconds, shown) in cases {
            assert_eq!(span(Duration::from_seconds(seconds)), shown);
        }
        assert_eq!(span(Duration::from_nanoseconds(1)), "<1s");
        assert_eq!(span(Duration::from_nanoseconds(i64::MAX)), "more than 292 years");
    }

    #[test]
    fn ages_of_what_has_none_and_of_what_is_yet_to_come() {
        let now = at("2026-11-21T10:42:00Z");
        assert_eq!(ago(now, at("2026-11-21T10:41:48Z")), "12s ago");
        assert_eq!(age(now, at("2026-11-21T10:41:48Z")), "12s");
        assert_eq!(age(now, at("2026-11-21T10:42:02Z")), "2s in the future");
        assert_eq!(ago(now, Instant::ZERO), "no timestamp");
    }

    #[test]
    fn instants_show_the_date_only_on_another_day() {
        let now = at("2026-11-21T10:42:00Z");
        assert_eq!(clock(now, at("2026-11-21T10:44:10.9Z")), "10:44:10");
        assert_eq!(clock(now, at("2026-11-19T08:00:00Z")), "2026-11-19 08:00:00");
        assert_eq!(moment(now, at("2026-11-21T10:44:10Z")), "10:44:10 (in 2m10s)");
        assert_eq!(moment(now, at("2026-11-21T10:12:40Z")), "10:12:40 (29m20s ago)");
    }
}
