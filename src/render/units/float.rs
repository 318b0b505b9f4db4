//! The controller's floats with as few decimals as tell the truth.

/// The most decimals that a `float64` is ever shown with.
const MOST: usize = 17;

/// A ratio: two or three decimals, more where fewer would put it on the wrong side of 1.
pub(in crate::render) fn ratio(value: f64) -> String {
    beside(value, &[1.0])
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
    let mut texts = (fewest..=MOST).map(|decimals| format!("{value:.decimals$}"));
    texts.find(tells).unwrap_or_else(|| value.to_string())
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
    let two = format!("{value:.2}");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_never_lies_about_its_side() {
        let cases = [
            (1.8, "1.80"),
            (1.08, "1.08"),
            (20.0 / 3.0, "6.667"),
            (0.675, "0.675"),
            (1.0004, "1.0004"),
            (1.0, "1.00"),
            (0.0, "0.00"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "+Inf"),
        ];
        for (value, shown) in cases {
            assert_eq!(ratio(value), shown);
        }
        assert_eq!(beside(0.899_96, &[0.9, 1.1]), "0.89996");
        assert_eq!(beside(0.9, &[0.9, 1.1]), "0.90");
    }

    #[test]
    fn a_product_shows_where_it_is_rounded_to() {
        assert_eq!(product(20.0 / 3.0 * 4.0), "26.67");
        assert_eq!(product(20.0), "20");
        assert_eq!(product(25.0 / 3.0 * 30.0), "250.00000000000003");
        assert_eq!(product(50.0 * (1.0 + 0.1)), "55.00000000000001");
        assert_eq!(product(6.3), "6.30");
    }
}
