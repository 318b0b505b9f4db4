//! A line of kube-controller-manager's log: klog's text or its JSON, perhaps with what `kubectl logs --timestamps --prefix` or a
//! container runtime puts in front.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::model::{Duration, Instant, Replicas};

/// Upstream `reconcileAutoscaler`, since klog is structured.
pub(super) const STRUCTURED: &str = "Successfully rescaled";
/// Before klog is structured: without a namespace.
pub(super) const FORMATTED: &str = "Successful rescale of ";

/// How far the log's clock may be ahead, or its zone east of UTC.
const AHEAD: Duration = Duration::from_seconds(86_400);

/// So many years back a date is looked for: a 29th of February is at most eight years old.
const YEARS: i32 = 9;

/// The values of a line about a rescale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub namespace: Option<Box<str>>,
    pub name: Box<str>,
    pub from: Replicas,
    pub to: Replicas,
    pub reason: Box<str>,
}

/// When a line was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub at: Instant,
    /// True if the line has no year and no zone.
    pub is_assumed: bool,
}

/// When a line was written, and what it says about a rescale. Without a year it is the last such time up to `newest`, in UTC.
pub(super) fn read(line: &str, newest: Instant) -> (Option<Written>, Option<Parts>) {
    let begin = line.find('{').filter(|_| line.trim_end().ends_with('}'));
    let object = begin.and_then(|begin| Some((begin, serde_json::from_str::<Value>(&line[begin..]).ok()?)));
    if let Some((begin, object)) = object {
        let at = object["ts"].as_number().and_then(|ts| epoch(&ts.to_string()));
        let written = at.map(|at| Written { at, is_assumed: false });
        return (written.or_else(|| written_before(&line[..begin], newest)), of_object(&object));
    }
    let Some((head, message)) = split_head(line) else { return (None, None) };
    (written_before(head, newest), of_text(message))
}

/// The front of a line and its message, which klog parts with a bracket. A prefix of kubectl has one, too.
fn split_head(line: &str) -> Option<(&str, &str)> {
    let from = if line.starts_with('[') { line.find("] ")? + 2 } else { 0 };
    let end = from + line[from..].find("] ")?;
    Some((&line[..end], &line[end + 2..]))
}

fn of_text(message: &str) -> Option<Parts> {
    if let Some(rest) = message.strip_prefix(FORMATTED) {
        // A line that is cut off may have lost a part of the reason.
        let rest = rest.strip_suffix('\n')?.trim_end_matches('\r');
        let (name, rest) = rest.split_once(", old size: ")?;
        let (from, rest) = rest.split_once(", new size: ")?;
        let (to, reason) = rest.split_once(", reason: ")?;
        return parts(name, replicas(from)?, replicas(to)?, reason);
    }
    let rest = message.strip_prefix('"')?.strip_prefix(STRUCTURED)?.strip_prefix('"')?;
    let fields = fields(rest);
    let field = |name: &str| fields.get(name).map(String::as_str);
    let (from, to) = (replicas(field("currentReplicas")?)?, replicas(field("desiredReplicas")?)?);
    parts(field("HPA")?, from, to, field("reason")?)
}

fn of_object(object: &Value) -> Option<Parts> {
    if let Some(rest) = object["msg"].as_str()?.strip_prefix(FORMATTED) {
        return of_text(&format!("{FORMATTED}{rest}\n"));
    }
    if object["msg"] != STRUCTURED {
        return None;
    }
    let number = |name: &str| i32::try_from(object[name].as_i64()?).ok().filter(|it| *it >= 0).map(Replicas);
    let hpa = match (&object["HPA"]["namespace"], &object["HPA"]["name"]) {
        (Value::String(namespace), Value::String(name)) => format!("{namespace}/{name}"),
        (_, Value::String(name)) => name.clone(),
        _ => object["HPA"].as_str()?.to_owned(),
    };
    parts(&hpa, number("currentReplicas")?, number("desiredReplicas")?, object["reason"].as_str()?)
}

fn parts(hpa: &str, from: Replicas, to: Replicas, reason: &str) -> Option<Parts> {
    let (namespace, name) = match hpa.split_once('/') {
        Some((namespace, name)) => (Some(namespace), name),
        None => (None, hpa),
    };
    let is_whole = !name.is_empty() && namespace != Some("");
    is_whole.then(|| Parts {
        namespace: namespace.map(Into::into),
        name: name.into(),
        from,
        to,
        reason: reason.into(),
    })
}

fn replicas(text: &str) -> Option<Replicas> {
    text.parse().ok().filter(|it| *it >= 0).map(Replicas)
}

/// `key="value" key=value …`; nothing behind a value without an end.
fn fields(mut rest: &str) -> BTreeMap<&str, String> {
    let mut fields = BTreeMap::new();
    while let Some((key, after)) = rest.trim_start().split_once('=') {
        let (value, after) = match after.strip_prefix('"').map(unquoted) {
            Some(Some((value, after))) => (value, after),
            Some(None) => break,
            None => {
                // One at the end of the text may be cut off.
                let Some(end) = after.find(char::is_whitespace) else { break };
                (after[..end].to_owned(), &after[end..])
            }
        };
        fields.entry(key).or_insert(value);
        rest = after;
    }
    fields
}

/// The text up to the end of Go's quotes, and what is behind them.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut letters) = (String::new(), text.char_indices());
    while let Some((place, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &text[place + 1..])),
            '\\' => match letters.next()?.1 {
                escaped @ ('"' | '\\') => value.push(escaped),
                other => value.extend(['\\', other]),
            },
            _ => value.push(letter),
        }
    }
    None
}

/// The time that stands in front of a message: with a date that somebody put there, or klog's `I1130 05:50:40.123456`.
fn written_before(head: &str, newest: Instant) -> Option<Written> {
    let words = || head.split_whitespace();
    let mut dated = words().filter(|word| word.len() >= "2026-11-30T05:50:40Z".len());
    if let Some(at) = dated.find_map(|word| Instant::parse(word).ok()) {
        return Some(Written { at, is_assumed: false });
    }
    let at = words().zip(words().skip(1)).find_map(|(date, time)| {
        let date = date.strip_prefix(['I', 'W', 'E', 'F'])?;
        let is_date = date.len() == 4 && date.bytes().all(|digit| digit.is_ascii_digit());
        is_date.then(|| undated(&date[..2], &date[2..], time, newest)).flatten()
    })?;
    Some(Written { at, is_assumed: true })
}

/// The last such time.
fn undated(month: &str, day: &str, time: &str, newest: Instant) -> Option<Instant> {
    let this: i32 = newest.to_string().split('-').next()?.parse().ok()?;
    let years = (this.saturating_sub(YEARS)..=this.saturating_add(1)).rev();
    let mut times = years.filter_map(|year| Instant::parse(&format!("{year:04}-{month}-{day}T{time}Z")).ok());
    times.find(|at| *at <= newest + AHEAD)
}

/// Milliseconds since 1970 with their decimals, as component-base writes them; of other writers, seconds.
fn epoch(text: &str) -> Option<Instant> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let whole: i128 = whole.parse().ok().filter(|it| (0..1_000_000_000_000_000).contains(it))?;
    let is_seconds = whole < 100_000_000_000;
    let (unit, places) = if is_seconds { (1_000_000_000, 9) } else { (1_000_000, 6) };
    let decimals: String = decimals.chars().chain(std::iter::repeat('0')).take(places).collect();
    Some(Instant::from_unix_nanoseconds(whole * unit + decimals.parse::<i128>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "I1130 05:50:40.123456       1 horizontal.go:881] \"Successfully rescaled\" \
                        logger=\"horizontal-pod-autoscaler-controller\" HPA=\"shop/web\" currentReplicas=2 \
                        desiredReplicas=5 reason=\"cpu resource utilization (percentage of request) above target\"\n";

    fn told(line: &str) -> String {
        let newest = Instant::parse("2026-12-01T00:00:00Z").expect("a time");
        let (written, parts) = read(line, newest);
        let at = written.map_or_else(
            || "?".to_owned(),
            |it| it.at.to_rfc3339_nano() + if it.is_assumed { " assumed" } else { "" },
        );
        let parts = parts.map(|it| {
            let namespace = it.namespace.as_deref().unwrap_or("?").to_owned();
            format!("{namespace}/{} {} {} {}", it.name, it.from.0, it.to.0, it.reason)
        });
        format!("{at} {}", parts.unwrap_or_else(|| "-".to_owned()))
    }

    const MADE: &str = "shop/web 2 5 cpu resource utilization (percentage of request) above target";

    #[test]
    fn each_form_of_a_line_is_read() {
        assert_eq!(told(LINE), format!("2026-11-30T05:50:40.123456Z assumed {MADE}"));
        let prefix = "[pod/kube-controller-manager-cp/kube-controller-manager] ";
        assert_eq!(told(&format!("{prefix}{LINE}")), format!("2026-11-30T05:50:40.123456Z assumed {MADE}"));
        let dated = "2025-11-30T05:50:40.124000001Z ";
        for front in [dated.to_owned(), format!("{prefix}{dated}"), format!("{dated}stderr F ")] {
            assert_eq!(
                told(&format!("{front}{LINE}")),
                format!("2025-11-30T05:50:40.124000001Z {MADE}"),
                "{front}"
            );
        }
        // Before 1.27.
        let older = "I1130 05:50:40.123456       1 horizontal.go:699] Successful rescale of web, old size: 2, new size: 5, \
                     reason: cpu resource utilization (percentage of request) above target\n";
        assert_eq!(
            told(older),
            format!("2026-11-30T05:50:40.123456Z assumed ?/{}", MADE.trim_start_matches("shop/"))
        );
        let json = r#"{"ts":1732945840123.456,"caller":"podautoscaler/horizontal.go:881","msg":"Successfully rescaled","v":0,"HPA":{"name":"web","namespace":"shop"},"currentReplicas":2,"desiredReplicas":5,"reason":"cpu resource utilization (percentage of request) above target"}"#;
        assert_eq!(told(json), format!("2024-11-30T05:50:40.123456Z {MADE}"));
        assert_eq!(told(&format!("{prefix}{dated}{json}\n")), format!("2024-11-30T05:50:40.123456Z {MADE}"));
        let seconds = json.replace("1732945840123.456", "1732945840.5");
        assert_eq!(told(&seconds), format!("2024-11-30T05:50:40.5Z {MADE}"));
    }

    #[test]
    fn a_time_without_a_year_is_the_last_one() {
        let on =
            |date: &str| told(&LINE.replace("I1130", date)).split(' ').next().unwrap_or_default().to_owned();
        assert_eq!(on("I1201"), "2026-12-01T05:50:40.123456Z");
        assert_eq!(on("W1202"), "2025-12-02T05:50:40.123456Z");
        assert_eq!(on("I0229"), "2024-02-29T05:50:40.123456Z");
        assert_eq!(on("I0230"), "?");
        assert_eq!(on("I1"), "?");
        assert_eq!(on("X1130"), "?");
    }

    /// However a line is cut, no other number is read of it.
    #[test]
    fn a_line_that_is_cut_off_tells_all_or_nothing() {
        for end in 0..LINE.len() {
            let told = told(&LINE[..end]);
            assert!(told.ends_with(" -") || told.ends_with(MADE), "{end}: {told}");
        }
        let older = "I1130 05:50:40.123456 1 horizontal.go:699] Successful rescale of web, old size: 2, new size: 5, reason: x";
        assert!(told(older).ends_with(" -"));
        for begin in 1..LINE.len() {
            let told = told(&LINE[begin..]);
            assert!(told.ends_with(" -") || told.ends_with(MADE), "{begin}: {told}");
        }
    }

    #[test]
    fn what_only_looks_like_it_is_none() {
        for line in [
            "I1130 05:50:40.123456 1 x.go:1] \"Other\" err=\"] \\\"Successfully rescaled\\\" HPA=\\\"a/b\\\" currentReplicas=1 desiredReplicas=2 reason=\\\"r\\\"\"\n",
            "I1130 05:50:40.123456 1 x.go:1] \"Successfully rescaled\" HPA=\"a/b\" currentReplicas=-1 desiredReplicas=2 reason=\"r\"\n",
            "I1130 05:50:40.123456 1 x.go:1] \"Successfully rescaled\" HPA=\"a/b\" currentReplicas=1 desiredReplicas=99999999999 reason=\"r\"\n",
            "I1130 05:50:40.123456 1 x.go:1] \"Successfully rescaled\" HPA=\"a/\" currentReplicas=1 desiredReplicas=2 reason=\"r\"\n",
            "I1130 05:50:40.123456 1 x.go:1] \"Successfully rescaled\" reason=\"HPA=\\\"a/b\\\" currentReplicas=1 desiredReplicas=2\"\n",
            "{\"msg\":\"Successfully rescaled\",\"HPA\":7}",
            "] ] ] = \" \\",
            "",
            "[",
        ] {
            assert!(told(line).ends_with(" -"), "{line}: {}", told(line));
        }
        assert_eq!(epoch("-1"), None);
        assert_eq!(epoch("1e40"), None);
    }
}
