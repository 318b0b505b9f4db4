//! How long an answer is waited for.

use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, timeout, timeout_at};

/// How much an answer is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// There is none.
    Needed,
    /// There is one, of which less is known.
    Optional,
}

/// How long an answer may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Until its head, and between two of its pieces.
    pub silence: Duration,
    /// That of an answer that is not needed.
    optional: Duration,
    /// From the request to its last byte.
    pub whole: Duration,
}

/// Without a limit of the person's own.
const SILENCE: Duration = Duration::from_secs(30);
/// That for an answer that only tells more.
const OPTIONAL: Duration = Duration::from_secs(3);
/// A list of a large cluster takes its time over a slow line; a server that sends a byte a second has no end.
const WHOLE: Duration = Duration::from_secs(300);
/// How long a server that is busy is waited for, however short the limit of one answer.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// No limit at all, as far as clocks reach.
const ENDLESS: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl Patience {
    /// As it was typed; zero is without end.
    ///
    /// Source: `http.Client.Timeout` of Go, which `--request-timeout` sets: the body is part of what must be there.
    pub fn of(typed: Option<Duration>) -> Self {
        match typed {
            None => Self { silence: SILENCE, optional: OPTIONAL, whole: WHOLE },
            Some(Duration::ZERO) => Self::the_same(ENDLESS),
            Some(typed) => Self::the_same(typed.min(ENDLESS)),
        }
    }

    fn the_same(limit: Duration) -> Self {
        Self { silence: limit, optional: limit, whole: limit }
    }

    /// For an answer that is needed so much.
    pub fn for_need(self, need: Need) -> Self {
        match need {
            Need::Needed => self,
            // A long list that keeps coming is worth more than one that does not.
            Need::Optional => Self {
                silence: self.optional,
                whole: self.whole.min(self.optional.saturating_mul(3)),
                ..self
            },
        }
    }

    /// The longest wait in all for an API server that says when to ask again: its own clients would wait ten times as long as
    /// it says, whatever that is.
    pub fn longest_wait(self, need: Need) -> Duration {
        match need {
            Need::Needed => LONGEST_WAIT,
            Need::Optional => self.optional.min(LONGEST_WAIT),
        }
    }

    /// From now on.
    pub fn begin(self) -> Until {
        Until { patience: self, end: Instant::now() + self.whole }
    }
}

/// Why an answer was not waited for any longer.
#[derive(Debug, thiserror::Error)]
pub(in crate::cluster) enum Overdue {
    /// Nothing came for too long.
    #[error("the answer stopped coming for {0:?}")]
    Silence(Duration),
    /// It comes, but too slowly.
    #[error("the answer was not complete within {0:?}")]
    Late(Duration),
}

/// When the patience for one answer ends.
#[derive(Clone, Copy, Debug)]
pub(in crate::cluster) struct Until {
    patience: Patience,
    end: Instant,
}

impl Until {
    /// The head of the answer; the error is how long it was waited for.
    pub async fn head<T>(&self, head: impl Future<Output = T>) -> Result<T, Duration> {
        let silence = self.patience.silence.min(self.patience.whole);
        timeout(silence, head).await.map_err(|_| silence)
    }

    /// Until the end of a single object, which is short: all of it has the time that a silence has.
    pub fn of_object(self) -> Self {
        let whole = self.patience.whole.min(self.patience.silence);
        let end = self.end.min(Instant::now() + whole);
        Self { patience: Patience { whole, ..self.patience }, end }
    }

    /// The next piece of its body. Which of the two limits comes first is known before, however late either is noticed.
    pub async fn next<T>(&self, piece: impl Future<Output = T>) -> Result<T, Overdue> {
        let silence = self.patience.silence;
        let silent = Instant::now() + silence;
        timeout_at(silent.min(self.end), piece).await.map_err(|_| {
            if silent < self.end { Overdue::Silence(silence) } else { Overdue::Late(self.patience.whole) }
        })
    }
}
