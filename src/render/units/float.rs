//! The controller's floats with as few decimals as tell the truth.

/// The most decimals that a `float64` is ever shown with.
const MOST: usize = 17;

/// The most decimals of a ratio that is rounded, if only its product needs them.
const MOST_ROUNDED: usize = 5;

/// From here on a number is written by powers of ten: nothing that counts pods comes near.
const LARGE: f64 = 1e10;

/// How many decimals each of some numbers has that are compared with each other: three, more where fewer would put it
/// on the wrong side of another.
pub(in crate::render) fn decimals<const N: usize>(values: [f64; N]) -> [usize; N] {
    let mut decimals = [3; N];
    for _ in 3..MOST {
        let shown = values.iter().zip(decimals).map(|(value, places)| in_decimals(*value, places));
        let shown: Vec<f64> = shown.zip(values).map(|(text, value)| text.parse().unwrap_or(value)).collect();
        let lies = |value: f64, shows: f64| {
            let mut others = values.iter().zip(&shown);
            others.any(|(other, other_shows)| value.partial_cmp(other) != shows.partial_cmp(other_shows))
        };
        for ((value, shows), places) in values.iter().zip(&shown).zip(&mut decimals) {
            *places += usize::from(lies(*value, *shows));
        }
    }
    decimals
}

/// A number in so many decimals, but without zeros beyond the second.
pub(in crate::render) fn in_decimals(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return special(value);
    }
    let mut text = written(value, decimals);
    if text.contains('e') {
        return text;
    }
    while text.ends_with('0') && text.rfind('.').is_some_and(|point| text.len() - point > 3) {
        text.pop();
    }
    text
}

/// How the decimals of a number end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum Decimals {
    /// So many, the last one rounded.
    Rounded(usize),
    /// So many, and then cut off: `1.166…`.
    Cut(usize),
}

impl Decimals {
    /// A number with these decimals.
    pub fn of(self, value: f64) -> String {
        match self {
            Self::Rounded(places) => in_decimals(value, places),
            Self::Cut(places) => {
                let all = written(value, MOST);
                let end = all.find('.').map_or(all.len(), |point| point + 1 + places);
                format!("{}…", all.get(..end).unwrap_or(&all))
            }
        }
    }

    /// Decimals with which a product is rounded up to the same number as the one that a computer has: 7 / 6 × 12 is 14, but
    /// 1.167 × 12 is rounded up to 15.
    pub fn to_multiply(self, value: f64, by: f64) -> Self {
        let Self::Rounded(fewest) = self else { return self };
        let rounded = (fewest..=MOST_ROUNDED).map(Self::Rounded);
        let cut = (fewest..MOST).map(Self::Cut);
        let tells = |decimals: &Self| {
            let shown = decimals.of(value).trim_end_matches('…').parse::<f64>();
            shown.is_ok_and(|shown| (shown * by).ceil().total_cmp(&(value * by).ceil()).is_eq())
        };
        rounded.chain(cut).find(tells).unwrap_or(self)
    }
}

/// A number that is compared with others on the same line: as many decimals as the comparison needs.
pub(in crate::render) fn beside(value: f64, others: &[f64]) -> String {
    if !value.is_finite() {
        return special(value);
    }
    let fewest = if has_two_decimals(value) { 2 } else { 3 };
    let tells = |text: &String| {
        let shown = text.parse::<f64>().unwrap_or(value);
        others.iter().all(|other| shown.partial_cmp(other) == value.partial_cmp(other))
    };
    let mut texts = (fewest..=MOST).map(|decimals| written(value, decimals));
    texts.find(tells).unwrap_or_else(|| value.to_string())
}

/// A number in so many decimals, by powers of ten where nobody would count its digits.
fn written(value: f64, decimals: usize) -> String {
    if value.abs() >= LARGE { format!("{value:.decimals$e}") } else { format!("{value:.decimals$}") }
}

/// A product that is rounded up next: as many decimals as show where it is rounded to.
pub(in crate::render) fn product(value: f64) -> String {
    let up = value.ceil();
    let text = beside(value, &[up - 1.0, up]);
    let whole = text.strip_suffix(".00").map(ToOwned::to_owned);
    whole.unwrap_or_else(|| {
        if has_two_decimals(value) || value.fract() == 0.0 { text } else { shorter(value, up) }
    })
}

/// A product needs but two decimals where they suffice.
fn shorter(value: f64, up: f64) -> String {
    let two = written(value, 2);
    let shown = two.parse::<f64>().unwrap_or(value);
    if shown > up - 1.0 && shown < up { two } else { beside(value, &[up - 1.0, up]) }
}

fn has_two_decimals(value: f64) -> bool {
    let scaled = value * 100.0;
    (scaled - scaled.round()).abs() < 1e-9
}

/// What no decimals can show, as Go writes it.
pub(in crate::render) fn special(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value > 0.0 {
        "+Inf".to_owned()
    } else {
        "-Inf".to_owned()
    }
}

/// A count of pods as the controller multiplies with it.
#[expect(clippy::cast_precision_loss, reason = "a count of pods in memory is far below 2^53")]
pub(in crate::render) fn float(pods: usize) -> f64 {
    pods as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compared_numbers_never_lie_about_their_order() {
        let cases: [([f64; 3], &str); 8] = [
            ([1.8, 0.9, 1.1], "1.80 0.90 1.10"),
            ([20.0 / 3.0, 1.0, 1.0], "6.667 1.00 1.00"),
            ([1.0004, 1.0, 0.0], "1.0004 1.00 0.00"),
            ([0.899_96, 0.9, 1.1], "0.89996 0.90 1.10"),
            ([1.100_000_1, 1.1, 1.0 / 3.0], "1.1000001 1.10 0.333"),
            ([0.9999, 1.0, 1.0001], "0.9999 1.00 1.0001"),
            ([0.0004, 0.0, 2.0], "0.0004 0.00 2.00"),
            ([f64::NAN, f64::INFINITY, 1.0], "NaN +Inf 1.00"),
        ];
        for (values, shown) in cases {
            let decimals = decimals(values);
            let texts = values.iter().zip(decimals).map(|(value, places)| in_decimals(*value, places));
            let texts: Vec<String> = texts.collect();
            assert_eq!(texts.join(" "), shown);
        }
    }

    #[test]
    fn a_product_shows_where_it_is_rounded_to() {
        assert_eq!(product(20.0 / 3.0 * 4.0), "26.67");
        assert_eq!(product(20.0), "20");
        assert_eq!(product(25.0 / 3.0 * 30.0), "250.00000000000003");
        assert_eq!(product(50.0 * (1.0 + 0.1)), "55.00000000000001");
        assert_eq!(product(6.3), "6.30");
        assert_eq!([product(1e308), in_decimals(1e308, 3)], ["1.000e308", "1.000e308"]);
    }
}
