//! The rescales in a log of kube-controller-manager.

use std::io::{self, BufRead, Read};

use super::klog::{self, FORMATTED, Parts, STRUCTURED};
use crate::model::{Instant, Replicas};

/// No line about a rescale has more bytes: of a longer line only the beginning is looked at.
const MOST_BYTES: u64 = 65_536;

/// A rescale as the controller logged it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoggedRescale {
    /// When, to the microsecond.
    pub at: Instant,
    /// The HPA's namespace; older controllers do not log it.
    pub namespace: Option<Box<str>>,
    /// The HPA's name.
    pub name: Box<str>,
    /// The replicas before.
    pub from: Replicas,
    /// The replicas since.
    pub to: Replicas,
    /// The reason in the controller's words.
    pub reason: Box<str>,
}

/// The rescales and times of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Logged {
    /// Its rescales, oldest first, each once.
    pub rescales: Vec<LoggedRescale>,
    /// The times of its first and its last line.
    pub span: Option<[Instant; 2]>,
    /// True if lines without a year or a zone were taken as the last such time in UTC.
    pub is_assumed: bool,
    /// So many lines about a rescale could not be read: they are cut off, or have no time.
    pub unread: usize,
}

impl Logged {
    /// The texts that a line about a rescale has, of newer and of older controllers.
    pub const TEXTS: [&str; 2] = [STRUCTURED, FORMATTED];

    /// Reads a log to its end. Times without a year are the last such times up to `newest`, in UTC.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn read(mut log: impl BufRead, newest: Instant) -> io::Result<Self> {
        let (mut logged, mut bytes, mut is_begun) = (Self::default(), Vec::new(), false);
        loop {
            bytes.clear();
            if log.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            // The rest of a line that is too long.
            let is_rest = std::mem::replace(&mut is_begun, bytes.last() != Some(&b'\n'));
            if !is_rest {
                logged.take(&String::from_utf8_lossy(&bytes), newest);
            }
        }
        logged.rescales.sort();
        logged.rescales.dedup();
        Ok(logged)
    }

    fn take(&mut self, line: &str, newest: Instant) {
        let (written, parts) = klog::read(line, newest);
        if let Some(written) = written {
            let [first, last] = self.span.unwrap_or([written.at; 2]);
            self.span = Some([first.min(written.at), last.max(written.at)]);
            self.is_assumed |= written.is_assumed;
        }
        match (written, parts) {
            (Some(written), Some(Parts { namespace, name, from, to, reason })) => {
                let at = written.at;
                self.rescales.push(LoggedRescale { at, namespace, name, from, to, reason });
            }
            _ => self.unread += usize::from(Self::TEXTS.iter().any(|text| line.contains(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(time: &str, hpa: &str) -> String {
        format!(
            "I1130 {time}       1 horizontal.go:881] \"Successfully rescaled\" HPA=\"{hpa}\" currentReplicas=2 \
             desiredReplicas=5 reason=\"cpu above target\"\n"
        )
    }

    fn read(log: &[u8]) -> Logged {
        let newest = Instant::parse("2026-12-01T00:00:00Z").expect("a time");
        Logged::read(log, newest).expect("no reader fails")
    }

    #[test]
    fn a_log_of_any_bytes_is_read_around_them() {
        let mut log = line("05:50:41.5", "shop/web").into_bytes();
        log.extend([0xff, 0xfe, b'\n', 0, b'\n']);
        // The time goes back.
        log.extend(line("05:50:40.5", "other/web").bytes());
        log.extend(line("05:50:40.5", "other/web").bytes());
        log.extend(line("05:50:42.5", "shop/api").bytes().take(100));
        let logged = read(&log);
        let told: Vec<_> = logged.rescales.iter().map(|it| (it.at.to_rfc3339_nano(), &*it.name)).collect();
        let told: Vec<_> = told.iter().map(|(at, name)| (at.as_str(), *name)).collect();
        assert_eq!(told, [("2026-11-30T05:50:40.5Z", "web"), ("2026-11-30T05:50:41.5Z", "web")]);
        assert_eq!((logged.unread, logged.is_assumed), (1, true));
        assert_eq!(
            logged.span.map(|span| span.map(Instant::to_rfc3339_nano)),
            Some(["2026-11-30T05:50:40.5Z", "2026-11-30T05:50:42.5Z"].map(ToOwned::to_owned))
        );
    }

    #[test]
    fn a_line_of_megabytes_is_passed_over() {
        let mut log = vec![b'x'; 3_000_000];
        // In the middle of the long line, where a piece of it begins.
        let inside = line("05:50:40.5", "shop/web");
        log[65_536..65_536 + inside.len() - 1].copy_from_slice(&inside.as_bytes()[..inside.len() - 1]);
        log.push(b'\n');
        log.extend(line("05:50:41.5", "shop/api").bytes());
        let logged = read(&log);
        assert_eq!(logged.rescales.len(), 1);
        assert_eq!(&*logged.rescales[0].name, "api");
        assert_eq!(read(b"").span, None);
    }
}
