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
    if at > now || at.is_zero() { since(now, at) } else { format!("{} ago", since(now, at)) }
}

/// The same for a column of ages, as kubectl writes them: short rather than exact.
pub(in crate::render) fn age(now: Instant, at: Instant) -> String {
    if at.is_zero() || at > now { since(now, at) } else { short(now.since(at)) }
}

fn since(now: Instant, at: Instant) -> String {
    if at.is_zero() {
        "no timestamp".to_owned()
    } else if at > now {
        format!("{} in the future", span(at.since(now)))
    } else {
        span(now.since(at))
    }
}

/// How long, in the units that `kubectl get` gives ages in.
///
/// Source: `HumanDuration` of apimachinery's `util/duration`.
fn short(length: Duration) -> String {
    let seconds = length.nanoseconds().unsigned_abs() / SECOND.unsigned_abs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match () {
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 10 => pair((minutes, "m"), (seconds % 60, "s")),
        () if hours < 3 => format!("{minutes}m"),
        () if hours < 8 => pair((hours, "h"), (minutes % 60, "m")),
        () if hours < 48 => format!("{hours}h"),
        () if days < 8 => pair((days, "d"), (hours % 24, "h")),
        () if days < 2 * 365 => format!("{days}d"),
        () if days < 8 * 365 => pair((days / 365, "y"), (days % 365, "d")),
        () => format!("{}y", days / 365),
    }
}

/// When, with its day: `2026-11-21 10:42:00 UTC`.
pub(in crate::render) fn on_day(at: Instant) -> String {
    at.to_string().replace('T', " ").replace('Z', " UTC")
}

/// When: the clock alone on the same day, else with the date. UTC. What is still to come has not come before the second that is
/// told, but for less than a millisecond: what is forgotten just after an instant is forgotten then.
pub(in crate::render) fn clock(now: Instant, at: Instant) -> String {
    const REST: Duration = Duration::from_nanoseconds(999_000_000);
    let at = if at > now { at + REST } else { at };
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

    /// Source: what `HumanDuration` of apimachinery v0.37.1 returns.
    #[test]
    fn ages_are_those_of_kubectl() {
        let (minute, hour, day) = (60, 3_600, 86_400);
        let cases = [
            (1, "1s"),
            (70, "70s"),
            (119, "119s"),
            (190, "3m10s"),
            (2 * minute, "2m"),
            (10 * minute - 1, "9m59s"),
            (10 * minute, "10m"),
            (29 * minute + 20, "29m"),
            (70 * minute, "70m"),
            (3 * hour - 1, "179m"),
            (3 * hour, "3h"),
            (3 * hour + 10 * minute, "3h10m"),
            (8 * hour - 1, "7h59m"),
            (8 * hour, "8h"),
            (47 * hour, "47h"),
            (2 * day - 1, "47h"),
            (2 * day, "2d"),
            (2 * day + 21 * hour, "2d21h"),
            (8 * day - 1, "7d23h"),
            (8 * day, "8d"),
            (9 * day + 5 * hour, "9d"),
            (2 * 365 * day - 1, "729d"),
            (2 * 365 * day, "2y"),
            (2 * 365 * day + day, "2y1d"),
            (8 * 365 * day - 1, "7y364d"),
            (8 * 365 * day, "8y"),
        ];
        for (seconds, shown) in cases {
            assert_eq!(short(Duration::from_seconds(seconds)), shown, "{seconds} s");
        }
    }

    #[test]
    fn instants_show_the_date_only_on_another_day() {
        let now = at("2026-11-21T10:42:00Z");
        assert_eq!(clock(now, at("2026-11-21T10:41:10.9Z")), "10:41:10");
        assert_eq!(clock(now, at("2026-11-21T10:44:10.9Z")), "10:44:11");
        assert_eq!(clock(now, at("2026-11-21T10:44:10.000000001Z")), "10:44:10");
        assert_eq!(clock(now, at("2026-11-19T08:00:00Z")), "2026-11-19 08:00:00");
        assert_eq!(moment(now, at("2026-11-21T10:44:10Z")), "10:44:10 (in 2m10s)");
        assert_eq!(moment(now, at("2026-11-21T10:12:40Z")), "10:12:40 (29m20s ago)");
    }
}
