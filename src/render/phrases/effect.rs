//! What a change comes to in words: replicas and requests, of one HPA and of many.

use crate::render::units::{binary, count, thousandths};
use kubectl_hpa_core::comparison::{Effect, Pair, Span, Totals};

/// `8 → 5–10`; a number that stays is written once.
fn pair(pair: Pair, number: fn(i128) -> String) -> String {
    let [now, then] = pair.map(|span| self::span(span, number));
    if pair[0] == pair[1] && pair[0].is_exact() { now } else { format!("{now} → {then}") }
}

fn span(span: Span, number: fn(i128) -> String) -> String {
    let low = number(span.low);
    if span.is_exact() { low } else { format!("{low}–{}", number(span.high)) }
}

pub(in crate::render) fn replicas(it: Pair) -> String {
    pair(it, |replicas| replicas.to_string())
}

/// Where they settle.
pub(in crate::render) fn settled(effect: &Effect) -> String {
    effect.settled.map_or_else(|| "not known".to_owned(), replicas)
}

/// What is requested, in cores and in bytes; nothing of a resource of which nothing is known.
pub(in crate::render) fn requests(effect: &Effect, totals: &Totals) -> [String; 2] {
    let shown = |without: usize, it: Option<Pair>, number| match it {
        None if without == totals.hpas => String::new(),
        it => requested(it, number),
    };
    [shown(totals.without_cpu, effect.cpu, thousandths), shown(totals.without_memory, effect.memory, binary)]
}

fn requested(it: Option<Pair>, number: fn(i128) -> String) -> String {
    it.map_or_else(|| "–".to_owned(), |it| pair(it, number))
}

/// `3 HPAs: replicas 12 → 9, cpu 1.2 → 0.9 (without 1 HPA, …)`; nothing of no HPAs.
pub(in crate::render) fn sum(totals: &Totals) -> Option<String> {
    let known = |without: usize, what: String| match without {
        0 => Some(what),
        _ if without == totals.hpas => None,
        without => Some(format!("{what} (without {}, whose requests are not known)", count(without, "HPA"))),
    };
    let parts = [
        Some(format!("replicas {}", replicas(totals.replicas))),
        known(totals.without_cpu, format!("cpu {}", pair(totals.cpu, thousandths))),
        known(totals.without_memory, format!("memory {}", pair(totals.memory, binary))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let unsettled = match totals.unsettled {
        0 => String::new(),
        one_or_more => {
            let (counts, settles) =
                if one_or_more == 1 { ("counts", "it settles") } else { ("count", "they settle") };
            format!(
                "; {} {counts} with the replicas after this sync, because it is unknown where {settles}",
                count(one_or_more, "HPA")
            )
        }
    };
    (totals.hpas > 0).then(|| format!("{}: {}{unsettled}", count(totals.hpas, "HPA"), parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_intervals_and_what_is_not_known_are_told_apart() {
        let span = |low: i128, high: i128| Span { low, high };
        assert_eq!(replicas([span(5, 5), span(5, 5)]), "5");
        assert_eq!(replicas([span(5, 10), span(5, 10)]), "5–10 → 5–10");
        let gibi = 1024 * 1024 * 1024 * 1000;
        // What is rounded to the same is not the same.
        assert_eq!(pair([span(gibi, gibi), span(gibi + 1, gibi + 1)], binary), "1Gi → 1Gi");
        let effect = |cpu, memory| Effect { next: [span(2, 2); 2], settled: None, cpu, memory };
        let effects = [effect(Some([span(500, 500), span(700, 900)]), None), effect(None, None)];
        let totals = Totals::of(effects.iter());
        assert_eq!(requests(&effects[0], &totals), ["0.5 → 0.7–0.9", ""]);
        assert_eq!(requests(&effects[1], &totals), ["–", ""]);
        let words = "2 HPAs: replicas 4, cpu 0.5 → 0.7–0.9 (without 1 HPA, whose requests are not known); 2 HPAs \
                     count with the replicas after this sync, because it is unknown where they settle";
        assert_eq!(sum(&totals).as_deref(), Some(words));
        assert_eq!(sum(&Totals::default()), None);
    }
}
