//! How fast an API server is asked, and how often again: as its own clients do it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Requests a second without a rate of the person's own.
///
/// Source: `WithDiscoveryQPS` of kubectl's `NewDefaultKubectlCommand`.
const QPS: f64 = 50.0;
/// So many may be sent at once before that rate holds.
///
/// Source: `WithDiscoveryBurst` there.
const BURST: u32 = 300;
/// No two requests are further apart, in seconds.
const SLOWEST: f64 = 3600.0;
/// How often one request is sent again, and how many of one resource are, however few were answered.
///
/// Source: `maxRetries` of client-go's `rest.Request`.
const RETRIES: usize = 10;
/// Of one resource one more is sent again for so many that were answered: a server in trouble gets at most a tenth on top.
const ANSWERED: usize = 10;

/// So long a resource is not asked for again where it only tells more: of one silence the others are known.
const SILENCE: Duration = Duration::from_secs(10);
/// People are told of a wait of at least this.
const LONG: Duration = Duration::from_secs(10);

/// Of the requests about one resource.
#[derive(Default)]
struct Tally {
    answered: usize,
    again: usize,
}

/// Keeps the requests of a client within what its server can be expected to bear.
pub(super) struct Manners {
    /// Between two requests; zero without a rate.
    interval: Duration,
    /// When the next request would be due if all came at the rate.
    due: Mutex<Instant>,
    tallies: Mutex<HashMap<String, Tally>>,
    /// The resources of which a read that only tells more was waited for in vain: until when, and in what words.
    silent: Mutex<HashMap<String, (Instant, String)>>,
    /// Until when people were told that the server is waited for.
    told: Mutex<Instant>,
}

impl Manners {
    /// For so many requests a second; absent: 50, zero or less: any number.
    pub fn of(qps: Option<f64>) -> Self {
        let qps = qps.unwrap_or(QPS);
        let interval = if qps > 0.0 { (1.0 / qps).min(SLOWEST) } else { 0.0 };
        Self {
            interval: Duration::from_secs_f64(interval),
            due: Mutex::new(Instant::now()),
            tallies: Mutex::default(),
            silent: Mutex::default(),
            told: Mutex::new(Instant::now()),
        }
    }

    /// Waits until the next request may be sent.
    ///
    /// Source: the token bucket of `golang.org/x/time/rate`, which client-go's `flowcontrol` uses, as a time: a full bucket is
    /// one that would be due now.
    pub async fn turn(&self) {
        let now = Instant::now();
        let at = {
            let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
            let at = due.checked_sub(self.interval * (BURST - 1)).unwrap_or(now);
            *due = (*due).max(now) + self.interval;
            at
        };
        if at > now {
            sleep_until(at).await;
        }
    }

    /// Notes an answer about a resource that is none of too many requests and no failure of the server.
    pub fn answered(&self, resource: &str) {
        self.tally(resource, |tally| tally.answered += 1);
    }

    /// Allows one request about each resource to be sent once more after a failure that no time was told of.
    pub fn once_more(&self, resource: &str) -> bool {
        self.tally(resource, |tally| {
            let is_first = tally.again == 0;
            tally.again += usize::from(is_first);
            is_first
        })
    }

    /// Allows a request about a resource that was sent again so often already to be sent once more, or does not.
    pub fn again(&self, resource: &str, retries: usize) -> bool {
        retries < RETRIES
            && self.tally(resource, |tally| {
                let is_allowed = tally.again < RETRIES + tally.answered / ANSWERED;
                tally.again += usize::from(is_allowed);
                is_allowed
            })
    }

    /// Notes that a read that only tells more was waited for in vain.
    pub fn was_silent(&self, resource: &str, words: &str) {
        let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.insert(resource.to_owned(), (Instant::now() + SILENCE, words.to_owned()));
    }

    /// The words of such a read of the same resource, shortly before.
    pub fn silence(&self, resource: &str) -> Option<String> {
        let silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        silent.get(resource).filter(|(until, _)| *until > Instant::now()).map(|(_, words)| words.clone())
    }

    /// True if people are to be told of a wait that begins now: it is long, and none that they were told of still lasts.
    pub fn is_news(&self, wait: Duration) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = wait >= LONG && *told <= Instant::now();
        if is_news {
            *told = Instant::now() + wait;
        }
        is_news
    }

    fn tally<T>(&self, resource: &str, with: impl FnOnce(&mut Tally) -> T) -> T {
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        with(tallies.entry(resource.to_owned()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_sent_at_once_and_the_rest_at_the_rate() {
        let manners = Manners::of(Some(10.0));
        let begun = Instant::now();
        for _ in 0..BURST {
            manners.turn().await;
        }
        assert_eq!(begun.elapsed(), Duration::ZERO);
        for _ in 0..20 {
            manners.turn().await;
        }
        assert_eq!(begun.elapsed().as_millis(), 2000);
        // What was not used comes back, but no more than a burst.
        tokio::time::sleep(Duration::from_secs(1000)).await;
        let rested = Instant::now();
        for _ in 0..=BURST {
            manners.turn().await;
        }
        assert_eq!(rested.elapsed().as_millis(), 100);
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_rate_nothing_waits() {
        let manners = Manners::of(Some(0.0));
        let begun = Instant::now();
        for _ in 0..10 * BURST {
            manners.turn().await;
        }
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn of_long_waits_at_the_same_time_one_is_news() {
        let manners = Manners::of(None);
        let seconds = |seconds| Duration::from_secs(seconds);
        assert!(!manners.is_news(seconds(9)));
        assert!(manners.is_news(seconds(10)) && !manners.is_news(seconds(30)));
        tokio::time::sleep(seconds(10)).await;
        assert!(manners.is_news(seconds(30)));
    }

    #[test]
    fn what_is_sent_again_is_a_tenth_of_what_was_answered_and_ten() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let _inside = runtime.enter();
        let manners = Manners::of(None);
        let again = |resource| (0..1000).filter(|_| manners.again(resource, 0)).count();
        assert_eq!(again("pods"), 10);
        (0..200).for_each(|_| manners.answered("pods"));
        assert_eq!((again("pods"), again("events")), (20, 10));
        assert!(!manners.again("leases", RETRIES));
    }
}
