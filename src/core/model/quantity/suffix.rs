use super::amount::Format;

const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
const BINARY: [(&str, u32); 6] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];

/// What a suffix multiplies by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suffix {
    /// 10^exponent, written as a letter.
    Decimal(i32),
    /// 10^exponent, written as `e` and a number.
    Exponent(i32),
    /// 2^exponent.
    Binary(u32),
}

impl Suffix {
    /// Source: `listSuffixer.interpret`. An exponent beyond 32 bits keeps its low bits, beyond 64 it is refused.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some((_, exponent)) = DECIMAL.iter().find(|(suffix, _)| *suffix == text) {
            return Some(Self::Decimal(*exponent));
        }
        if let Some((_, exponent)) = BINARY.iter().find(|(suffix, _)| *suffix == text) {
            return Some(Self::Binary(*exponent));
        }
        let exponent = text.strip_prefix(['e', 'E'])?.parse::<i64>().ok()?;
        Some(Self::Exponent(low_half(exponent)))
    }

    pub(super) const fn format(self) -> Format {
        match self {
            Self::Decimal(_) => Format::DecimalSI,
            Self::Exponent(_) => Format::DecimalExponent,
            Self::Binary(_) => Format::BinarySI,
        }
    }
}

/// The letter for 10^`exponent`; like upstream's, it is silently empty for exponents above those of `E`.
pub(super) fn decimal_letter(exponent: i32) -> &'static str {
    DECIMAL.iter().find(|(_, known)| *known == exponent).map_or("", |(suffix, _)| suffix)
}

/// The letters for 1024^`times`.
pub(super) fn binary_letters(times: usize) -> &'static str {
    times.checked_sub(1).and_then(|index| BINARY.get(index)).map_or("", |(suffix, _)| suffix)
}

#[expect(clippy::cast_possible_truncation, reason = "Kubernetes keeps the low 32 bits of an exponent")]
pub(super) const fn low_half(value: i64) -> i32 {
    value as i32
}
