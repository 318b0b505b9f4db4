//! Amounts as people write them: 90m, 64Mi, 1.5.

use kubectl_hpa_core::explanation::Metric;
use kubectl_hpa_core::model::{MetricSpec, Milli, ResourceName, Source};
use kubectl_hpa_core::trace::Calculation;

/// What an amount counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum Unit {
    /// Thousandths of a cpu.
    Cpu,
    /// Bytes, all of one metric in the same unit, so that they can be added up.
    Bytes(Scale),
    /// Whatever a metric counts.
    Plain,
}

/// Which way a number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum Round {
    /// Up, for the least that something takes.
    Up,
    /// Down, for the most.
    Down,
}

/// A binary unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) struct Scale {
    suffix: &'static str,
    power: u32,
}

const SCALES: [Scale; 5] = [
    Scale { suffix: "Ti", power: 4 },
    Scale { suffix: "Gi", power: 3 },
    Scale { suffix: "Mi", power: 2 },
    Scale { suffix: "Ki", power: 1 },
    Scale { suffix: "", power: 0 },
];

impl Scale {
    /// The unit in which an amount is written with the fewest digits before the point.
    fn of(amount: Milli) -> Self {
        let fits = |scale: &Self| i128::from(amount.0).abs() >= scale.milli();
        let [.., bytes] = SCALES;
        SCALES.into_iter().find(fits).unwrap_or(bytes)
    }

    /// One of the unit in thousandths of a byte.
    const fn milli(self) -> i128 {
        1000 * 1024_i128.pow(self.power)
    }
}

impl Unit {
    /// The unit of a metric's values.
    pub fn of(metric: Metric<'_>) -> Self {
        Self::measured(metric.spec, typical(metric))
    }

    /// The unit of a metric's target alone.
    pub fn of_target(spec: &MetricSpec) -> Self {
        let target = spec.target.average_milli().or(spec.target.value_milli());
        Self::measured(spec, target.unwrap_or_default())
    }

    fn measured(spec: &MetricSpec, typical: Milli) -> Self {
        match &spec.source {
            Source::Resource(resource) | Source::ContainerResource { resource, .. } => match resource {
                ResourceName::Cpu => Self::Cpu,
                ResourceName::Memory => Self::Bytes(Scale::of(typical)),
                ResourceName::Other(name) if name.ends_with("storage") || name.starts_with("hugepages-") => {
                    Self::Bytes(Scale::of(typical))
                }
                ResourceName::Other(_) => Self::Plain,
            },
            Source::Pods(_) | Source::Object { .. } | Source::External(_) => Self::Plain,
        }
    }

    /// For people: bytes rounded to two decimals of their unit, all else exact.
    pub fn human(self, amount: Milli) -> String {
        match self {
            Self::Cpu => format!("{}m", amount.0),
            Self::Plain | Self::Bytes(Scale { power: 0, .. }) => thousandths(amount.0.into()),
            Self::Bytes(scale) => format!("{}{}", hundredths(amount.0.into(), scale.milli()), scale.suffix),
        }
    }

    /// In a column of many metrics: at most three digits before a suffix, 1.7k for 1,667.
    pub fn brief(self, amount: Milli) -> String {
        match self {
            Self::Cpu if amount.0.unsigned_abs() >= 10_000 => format!("{} cores", shortened(amount.0.into())),
            Self::Plain | Self::Bytes(Scale { power: 0, .. }) => shortened(amount.0.into()),
            Self::Cpu | Self::Bytes(_) => self.human(amount),
        }
    }

    /// The same, with bytes rounded one way, for a bound that is to hold as it is shown.
    pub fn rounded(self, amount: Milli, round: Round) -> String {
        match self {
            Self::Bytes(scale) if scale.power > 0 => {
                let (number, hundredth) = (i128::from(amount.0) * 100, scale.milli());
                let carry = i128::from(round == Round::Up && number.rem_euclid(hundredth) != 0);
                let shown = thousandths((number.div_euclid(hundredth) + carry) * 10);
                format!("{shown}{}", scale.suffix)
            }
            Self::Cpu | Self::Plain | Self::Bytes(_) => self.human(amount),
        }
    }

    /// The raw value: millicores, bytes, or the number itself.
    pub fn raw(self, amount: Milli) -> String {
        match self {
            Self::Cpu | Self::Plain => self.human(amount),
            Self::Bytes(_) => thousandths(amount.0.into()),
        }
    }
}

/// An amount of the size that a metric's amounts have: its target, else its mean.
fn typical(metric: Metric<'_>) -> Milli {
    let target = metric.spec.target.average_milli().or(metric.spec.target.value_milli());
    let mean = metric.proposal().map(|proposal| match &proposal.calculation {
        Calculation::PerPod(per_pod) => per_pod.first.mean,
        Calculation::Total(total) => total.usage,
        Calculation::PerReplica(per_replica) => per_replica.mean,
    });
    let members = metric.trace.groups.iter().flat_map(|groups| &groups.pods);
    target.or(mean).or_else(|| members.filter_map(|member| member.sample).max()).unwrap_or_default()
}

/// A number of thousandths as a decimal number, with as many decimals as it needs.
pub(in crate::render) fn thousandths(number: i128) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let (whole, rest) = (number.unsigned_abs() / 1000, number.unsigned_abs() % 1000);
    let decimals = format!(".{rest:03}");
    let decimals = decimals.trim_end_matches('0').trim_end_matches('.');
    format!("{sign}{whole}{decimals}")
}

/// Thousandths of a byte in the unit with the fewest digits before the point, with at most two decimals.
pub(in crate::render) fn binary(number: i128) -> String {
    let fits = |scale: &Scale| number.abs() >= scale.milli();
    let [.., bytes] = SCALES;
    let scale = SCALES.into_iter().find(fits).unwrap_or(bytes);
    format!("{}{}", hundredths(number, scale.milli()), scale.suffix)
}

/// A number of thousandths as people say it: from 1,000 on with one decimal and a suffix, below with two decimals.
fn shortened(number: i128) -> String {
    let mut unit = 1000_i128;
    let mut shown = hundredths(number, unit);
    // Rounding can reach 1000 as well, and then the next suffix is shorter.
    for suffix in ["k", "M", "G", "T"] {
        if number.abs() * 100 + unit / 2 < 100_000 * unit {
            break;
        }
        unit *= 1000;
        let tenths = (number.abs() * 10 + unit / 2) / unit;
        let sign = if number < 0 { "-" } else { "" };
        shown = format!("{sign}{}{suffix}", thousandths(tenths * 100));
    }
    shown
}

/// A quotient with at most two decimals, rounded to the nearest.
pub(in crate::render) fn hundredths(number: i128, divisor: i128) -> String {
    let scaled = (number.abs() * 100 + divisor / 2) / divisor;
    let shown = thousandths(scaled * 10);
    if number < 0 { format!("-{shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_brief() {
        for (milli, brief) in [
            (1_500, "1.5"),
            (999_990, "999.99"),
            (999_999, "1k"),
            (1_666_667, "1.7k"),
            (1_500_000, "1.5k"),
            (-2_340_000, "-2.3k"),
            (999_949_000, "999.9k"),
            (999_999_000, "1M"),
            (i64::MAX, "9223.4T"),
        ] {
            assert_eq!(Unit::Plain.brief(Milli(milli)), brief, "{milli}");
        }
        assert_eq!([90, 12_500].map(|milli| Unit::Cpu.brief(Milli(milli))), ["90m", "12.5 cores"]);
    }

    #[test]
    fn amounts_read_as_in_a_manifest() {
        let mebi = 1024 * 1024 * 1000;
        let bytes = |typical: i64| Unit::Bytes(Scale::of(Milli(typical)));
        let cases = [
            (Unit::Cpu, 90, "90m", "90m"),
            (Unit::Plain, 1667, "1.667", "1.667"),
            (Unit::Plain, 30_000, "30", "30"),
            (Unit::Plain, -500, "-0.5", "-0.5"),
            (bytes(64 * mebi), 64 * mebi, "64Mi", "67108864"),
            (bytes(64 * mebi), 1536 * mebi, "1536Mi", "1610612736"),
            (bytes(2048 * mebi), 1536 * mebi, "1.5Gi", "1610612736"),
            (bytes(64 * mebi), 67_123_456_000, "64.01Mi", "67123456"),
            (bytes(1_500), 1_500, "1.5", "1.5"),
            (Unit::Cpu, i64::MIN, "-9223372036854775808m", "-9223372036854775808m"),
        ];
        for (unit, milli, human, raw) in cases {
            assert_eq!((unit.human(Milli(milli)), unit.raw(Milli(milli))), (human.into(), raw.into()));
        }
    }
}
