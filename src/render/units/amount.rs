//! Amounts as people write them: 90m, 64Mi, 1.5.

use crate::model::{MetricSpec, Milli, ResourceName, Source};

/// What an amount counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum Unit {
    /// Thousandths of a cpu.
    Cpu,
    /// Bytes.
    Bytes,
    /// Whatever a metric counts.
    Plain,
}

const KIBI: i128 = 1024;

impl Unit {
    /// The unit of a metric's values.
    pub fn of(spec: &MetricSpec) -> Self {
        match &spec.source {
            Source::Resource(resource) | Source::ContainerResource { resource, .. } => {
                Self::of_resource(resource)
            }
            Source::Pods(_) | Source::Object { .. } | Source::External(_) => Self::Plain,
        }
    }

    fn of_resource(resource: &ResourceName) -> Self {
        match resource {
            ResourceName::Cpu => Self::Cpu,
            ResourceName::Memory => Self::Bytes,
            ResourceName::Other(name) if name.ends_with("storage") || name.starts_with("hugepages-") => {
                Self::Bytes
            }
            ResourceName::Other(_) => Self::Plain,
        }
    }

    /// For a table: short, bytes rounded to two decimals.
    pub fn human(self, amount: Milli) -> String {
        match self {
            Self::Cpu => format!("{}m", amount.0),
            Self::Plain => thousandths(amount.0.into()),
            Self::Bytes => rounded_bytes(amount),
        }
    }

    /// For arithmetic: nothing is rounded.
    pub fn exact(self, amount: Milli) -> String {
        match self {
            Self::Cpu | Self::Plain => self.human(amount),
            Self::Bytes => exact_bytes(amount),
        }
    }
}

/// A number of thousandths as a decimal number, with as many decimals as it needs.
pub(in crate::render) fn thousandths(number: i128) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let (whole, rest) = (number.unsigned_abs() / 1000, number.unsigned_abs() % 1000);
    let decimals = format!(".{rest:03}");
    let decimals = decimals.trim_end_matches('0').trim_end_matches('.');
    format!("{sign}{whole}{decimals}")
}

fn exact_bytes(amount: Milli) -> String {
    let milli = i128::from(amount.0);
    let suffixes = [("Ti", 4), ("Gi", 3), ("Mi", 2), ("Ki", 1)];
    let fitting =
        suffixes.into_iter().find(|(_, power)| milli != 0 && milli % (1000 * KIBI.pow(*power)) == 0);
    match fitting {
        Some((suffix, power)) => format!("{}{suffix}", milli / (1000 * KIBI.pow(power))),
        None => thousandths(milli),
    }
}

fn rounded_bytes(amount: Milli) -> String {
    let milli = i128::from(amount.0);
    let suffixes = [("Ti", 4), ("Gi", 3), ("Mi", 2), ("Ki", 1)];
    let fitting = suffixes.into_iter().find(|(_, power)| milli.abs() >= 1000 * KIBI.pow(*power));
    match fitting {
        Some((suffix, power)) => format!("{}{suffix}", hundredths(milli, 1000 * KIBI.pow(power))),
        None => thousandths(milli),
    }
}

/// A quotient with at most two decimals, rounded to the nearest.
fn hundredths(number: i128, divisor: i128) -> String {
    let scaled = (number.abs() * 100 + divisor / 2) / divisor;
    let shown = thousandths(scaled * 10);
    if number < 0 { format!("-{shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_in_a_manifest() {
        let mebi = 1024 * 1024 * 1000;
        let cases = [
            (Unit::Cpu, 90, "90m", "90m"),
            (Unit::Plain, 1667, "1.667", "1.667"),
            (Unit::Plain, 30_000, "30", "30"),
            (Unit::Plain, -500, "-0.5", "-0.5"),
            (Unit::Bytes, 64 * mebi, "64Mi", "64Mi"),
            (Unit::Bytes, 1536 * mebi, "1.5Gi", "1536Mi"),
            (Unit::Bytes, 67_123_456_000, "64.01Mi", "67123456"),
            (Unit::Bytes, 0, "0", "0"),
            (Unit::Bytes, 1_500, "1.5", "1.5"),
            (Unit::Cpu, i64::MIN, "-9223372036854775808m", "-9223372036854775808m"),
        ];
        for (unit, milli, human, exact) in cases {
            assert_eq!((unit.human(Milli(milli)), unit.exact(Milli(milli))), (human.into(), exact.into()));
        }
    }
}
