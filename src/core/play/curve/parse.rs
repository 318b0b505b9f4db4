//! Curves as they are typed.

use thiserror::Error;

use super::{Curve, Point, WHOLE};
use crate::model::{Duration, Quantity};

/// Points of one period of a sine.
const SINE: i32 = 96;
/// The highest demand, in percent.
const MOST: f64 = 100_000.0;

/// A text that is no curve.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CurveError {
    /// Not one of the forms.
    #[error(
        "expected constant, ramp:100%..300%/5m, step:300%@10m, sine:50%..150%/1h, spike:300%@10m/2m, or a CSV file of times and values"
    )]
    NotACurve,
    /// Not a percentage that can be played.
    #[error("invalid load {0:?}: expected a percentage of today's, for example 150%")]
    NotAShare(String),
    /// Not a length of time.
    #[error("invalid time {0:?}: expected for example 30s, 5m or 24h")]
    NotATime(String),
    /// It begins anew before it has ended.
    #[error("every={0} is shorter than the curve itself")]
    TooShort(Duration),
    /// The steps do not follow each other.
    #[error("the steps must be in the order of their times")]
    Disorder,
}

impl Curve {
    /// Reads `constant[:SHARE]`, `ramp:FROM..TO/LENGTH`, `step:SHARE@TIME[,SHARE@TIME…]`, `sine:LOW..HIGH/PERIOD` or
    /// `spike:SHARE@TIME/LENGTH`; each may end in `,every=TIME`, after which it begins anew. A share is a percentage of the
    /// demand of now.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, CurveError> {
        let (text, every) = Self::split_every(text)?;
        let (form, rest) = text.split_once(':').unwrap_or((text, ""));
        let curve = match form {
            "constant" if rest.is_empty() => Self::default(),
            "constant" => Self::through([(Duration::ZERO, share(rest)?)]),
            "ramp" => ramp(rest)?,
            "step" => steps(rest)?,
            "sine" => sine(rest)?,
            "spike" => spike(rest)?,
            _ => return Err(CurveError::NotACurve),
        };
        curve.every(every)
    }

    /// What stands before `,every=TIME`, and that time.
    ///
    /// # Errors
    /// What stands there is no time.
    pub fn split_every(text: &str) -> Result<(&str, Option<Duration>), CurveError> {
        let Some((text, every)) = text.rsplit_once(",every=") else { return Ok((text, None)) };
        let time = time(every)?;
        if time <= Duration::ZERO {
            Err(CurveError::NotATime(every.to_owned()))
        } else {
            Ok((text, Some(time)))
        }
    }

    /// The same, beginning anew after a time, if there is one.
    ///
    /// # Errors
    /// It has not ended by then.
    pub fn every(mut self, every: Option<Duration>) -> Result<Self, CurveError> {
        let Some(every) = every else { return Ok(self) };
        if self.points.last().is_some_and(|last| last.at > every) {
            return Err(CurveError::TooShort(every));
        }
        self.repeat = Some(every);
        Ok(self)
    }

    pub(super) fn through(points: impl IntoIterator<Item = (Duration, u32)>) -> Self {
        Self {
            points: points.into_iter().map(|(at, ppm)| Point { at, ppm: ppm.into() }).collect(),
            repeat: None,
        }
    }
}

fn ramp(text: &str) -> Result<Curve, CurveError> {
    let (from, to, length) = range(text)?;
    Ok(Curve::through([(Duration::ZERO, from), (length, to)]))
}

fn steps(text: &str) -> Result<Curve, CurveError> {
    let mut points = vec![(Duration::ZERO, WHOLE)];
    for step in text.split(',') {
        let (typed, at) = step.split_once('@').ok_or(CurveError::NotACurve)?;
        let (at, last) = (time(at)?, points.last().copied().unwrap_or_default());
        if at < last.0 {
            return Err(CurveError::Disorder);
        }
        points.extend([(at, last.1), (at, share(typed)?)]);
    }
    Ok(Curve::through(points))
}

fn spike(text: &str) -> Result<Curve, CurveError> {
    let (typed, when) = text.split_once('@').ok_or(CurveError::NotACurve)?;
    let (at, length) = when.split_once('/').ok_or(CurveError::NotACurve)?;
    let (high, at) = (share(typed)?, time(at)?);
    let end = at.plus(time(length)?);
    Ok(Curve::through([(Duration::ZERO, WHOLE), (at, WHOLE), (at, high), (end, high), (end, WHOLE)]))
}

/// Begins in the middle and rises.
fn sine(text: &str) -> Result<Curve, CurveError> {
    let (low, high, period) = range(text)?;
    let middle = f64::midpoint(low.into(), high.into());
    let height = (f64::from(high) - f64::from(low)) / 2.0;
    let point = |number: i32| {
        let turn = f64::from(number) / f64::from(SINE) * std::f64::consts::TAU;
        let at = i128::from(period.nanoseconds()) * i128::from(number) / i128::from(SINE);
        let at = Duration::from_nanoseconds(i64::try_from(at).unwrap_or(i64::MAX));
        (at, whole(middle + height * turn.sin()))
    };
    let mut curve = Curve::through((0..=SINE).map(point));
    curve.repeat = Some(period);
    Ok(curve)
}

/// `FROM..TO/LENGTH`.
fn range(text: &str) -> Result<(u32, u32, Duration), CurveError> {
    let (shares, length) = text.rsplit_once('/').ok_or(CurveError::NotACurve)?;
    let (from, to) = shares.split_once("..").ok_or(CurveError::NotACurve)?;
    let typed = length;
    let length = time(typed)?;
    if length <= Duration::ZERO {
        return Err(CurveError::NotATime(typed.to_owned()));
    }
    Ok((share(from)?, share(to)?, length))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it lies between two shares, and ends at the ends of the type"
)]
fn whole(ppm: f64) -> u32 {
    ppm.round() as u32
}

/// A percentage in millionths.
pub(super) fn share(text: &str) -> Result<u32, CurveError> {
    let digits = text.trim().strip_suffix('%').unwrap_or(text.trim());
    let percent = Quantity::parse(digits).ok().filter(|percent| percent.as_approximate_f64() <= MOST);
    let milli = percent.map(|percent| percent.milli_value()).filter(|milli| *milli >= 0);
    let ppm = milli.and_then(|milli| u32::try_from(milli * 10).ok());
    ppm.ok_or_else(|| CurveError::NotAShare(text.to_owned()))
}

/// A length of time: as Go writes it, or in days.
pub(super) fn time(text: &str) -> Result<Duration, CurveError> {
    let found = Duration::parse_with_days(text.trim()).filter(|time| *time >= Duration::ZERO);
    found.ok_or_else(|| CurveError::NotATime(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(text: &str, times: &[i64]) -> Vec<u64> {
        let curve = Curve::parse(text).unwrap();
        times.iter().map(|at| curve.at(Duration::from_seconds(*at)) / 10_000).collect()
    }

    #[test]
    fn every_form_is_read() {
        assert_eq!(shares("constant", &[0, 9]), [100, 100]);
        assert_eq!(shares("constant:250%", &[0, 9]), [250, 250]);
        assert_eq!(shares("ramp:100%..300%/5m", &[0, 150, 300, 900]), [100, 200, 300, 300]);
        assert_eq!(shares("step:300%@10m,50%@20m", &[0, 599, 600, 1199, 1200]), [100, 100, 300, 300, 50]);
        assert_eq!(shares("sine:50%..150%/1h", &[0, 900, 1800, 2700, 3600]), [100, 150, 100, 50, 100]);
        assert_eq!(shares("spike:300%@10m/2m", &[599, 600, 719, 720]), [100, 300, 300, 100]);
        assert_eq!(shares("spike:300%@10m/2m,every=1h", &[600, 4200, 4320]), [300, 300, 100]);
        assert_eq!(shares("ramp:0%..7%/7d", &[0, 86_400, 604_800]), [0, 1, 7]);
    }

    #[test]
    fn what_is_no_curve_is_refused() {
        for text in [
            "",
            "saw",
            "ramp",
            "ramp:1%",
            "ramp:1%..2%",
            "ramp:1%..2%/0s",
            "ramp:x..2%/1m",
            "step:3%",
            "step:-3%@1m",
            "step:5%@2m,6%@1m",
            "spike:3%@1m",
            "spike:3%@1m/x",
            "sine:1%..2%/1h,every=x",
            "ramp:1%..2%/1h,every=1m",
            "constant:NaN%",
            "constant:1e9%",
            "constant:1e308%",
        ] {
            assert!(Curve::parse(text).is_err(), "{text}");
        }
    }
}
