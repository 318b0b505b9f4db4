//! The time of a watch: the API server's, carried on between its answers, which tell whole seconds.

use std::time::Instant as Moment;

use kubectl_hpa_core::model::{Duration, Instant};

/// A clock that was set by the first answer. Only how much time passes is taken from this machine.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    instant: Instant,
    moment: Moment,
}

impl Clock {
    /// Sets a clock.
    pub fn set(instant: Instant, moment: Moment) -> Self {
        Self { instant, moment }
    }

    /// The time at a moment.
    pub fn at(self, moment: Moment) -> Instant {
        let passed = |later: Moment, earlier: Moment| {
            let passed = later.saturating_duration_since(earlier).as_nanos();
            Duration::from_nanoseconds(i64::try_from(passed).unwrap_or(i64::MAX))
        };
        self.instant + passed(moment, self.moment) - passed(self.moment, moment)
    }

    /// A machine that slept has missed time: then the answer is right.
    pub fn corrected(self, answer: Instant, moment: Moment) -> Self {
        if answer > self.at(moment) { Self::set(answer, moment) } else { self }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration as Span;

    use super::*;

    #[test]
    fn it_goes_on_between_answers_and_never_behind_them() {
        let (start, moment) = (Instant::from_unix_nanoseconds(0), Moment::now());
        let clock = Clock::set(start, moment);
        let (second, later) = (Duration::from_seconds(1), moment + Span::from_millis(1_500));
        assert_eq!(clock.at(later), start + Duration::from_nanoseconds(1_500_000_000));
        assert_eq!(clock.corrected(start + second, later).at(later), clock.at(later));
        let slept = clock.corrected(start + Duration::from_seconds(60), later);
        assert_eq!(slept.at(later), start + Duration::from_seconds(60));
        assert_eq!(slept.at(moment), start + Duration::from_nanoseconds(58_500_000_000));
    }
}
