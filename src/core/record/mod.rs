//! A record: what looks at HPAs saw, one after the other, so that the past is decided as the present was.
//!
//! It is text in lines of JSON ([JSON Lines](https://jsonlines.org)). The first has its kind; each other one is a look at one
//! HPA: when it began and ended, and the case that it read, whole or as what has changed since the look before
//! ([RFC 7386](https://www.rfc-editor.org/rfc/rfc7386)). A record may be cut off anywhere: what stands before the cut is read.

mod entry;
mod reader;
mod recorder;

pub use entry::{Entry, Recorded, Seen};
pub use reader::{RecordError, Records};
pub use recorder::Recorder;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Duration, Instant};
    use crate::snapshot::{Case, Cases};

    fn case(replicas: i32, name: &str) -> Case {
        let text = format!(
            "---\n{{apiVersion: kubectl-hpa/v1, kind: Case, at: 2026-11-21T10:42:00Z, hpa: {{metadata: {{name: {name}, \
             namespace: shop}}, spec: {{scaleTargetRef: {{kind: Deployment, name: web}}, maxReplicas: 9}}}}, scale: \
             {{object: {{spec: {{replicas: {replicas}}}, status: {{selector: app=web}}}}}}, pods: {{items: []}}}}"
        );
        Cases::new("case", text.as_bytes()).next().expect("a case").expect("it is one")
    }

    /// Two HPAs: one that changes, stays, cannot be read, is gone and comes back; and one beside it.
    fn entries() -> Vec<Entry> {
        let start = Instant::parse("2026-11-21T10:42:00Z").expect("a time");
        let seen = |replicas, name| Seen::Case(Box::new(case(replicas, name)));
        let looks = [
            ("web", seen(2, "web")),
            ("api", seen(5, "api")),
            ("web", seen(2, "web")),
            ("web", seen(3, "web")),
            ("web", Seen::Unread),
            ("api", Seen::Gone),
            ("web", seen(4, "web")),
            ("api", seen(5, "api")),
        ];
        let entry = |(number, (name, seen)): (i64, (&str, Seen))| {
            let begun = start + Duration::from_seconds(number);
            let ended = begun + Duration::from_nanoseconds(1_000_000);
            Entry { hpa: Recorded::of(None, "shop", name), begun, ended, seen }
        };
        (0..).zip(looks).map(entry).collect()
    }

    fn written(entries: &[Entry]) -> String {
        let mut recorder = Recorder::default();
        let lines = entries.iter().map(|entry| recorder.line(entry).expect("it is written"));
        std::iter::once(Recorder::header()).chain(lines).map(|line| line + "\n").collect()
    }

    /// What is told of an entry; a case has the time of its look.
    fn told(entry: &Entry) -> String {
        let Entry { hpa, begun, ended, seen } = entry;
        let seen = match seen {
            Seen::Case(case) => {
                serde_json::to_string(&Case { at: *ended, ..(**case).clone() }).expect("JSON")
            }
            other => format!("{other:?}"),
        };
        format!("{hpa:?} {begun:?} {ended:?} {seen}")
    }

    #[test]
    fn what_is_written_is_read() {
        let (entries, mut records) = (entries(), Vec::new());
        let text = written(&entries);
        let mut read = Records::new(text.as_bytes());
        records.extend(read.by_ref().map(|entry| told(&entry.expect("a look"))));
        assert_eq!(records, entries.iter().map(told).collect::<Vec<_>>());
        assert!(!read.is_cut());
        // A look that saw nothing new is short, and a change has no more than what is new.
        let lines: Vec<&str> = text.lines().collect();
        assert!(!lines[3].contains("case") && !lines[3].contains("patch"), "{}", lines[3]);
        assert!(lines[4].contains(r#""patch":{"scale":{"object":{"spec":{"replicas":3}}}}"#), "{}", lines[4]);
    }

    /// Nothing that stands before a cut is lost, and nothing behind it is made up.
    #[test]
    fn a_record_that_is_cut_off_anywhere_is_read_up_to_there() {
        let entries = entries();
        let text = written(&entries);
        let expected: Vec<String> = entries.iter().map(told).collect();
        for cut in 0..text.len() {
            let mut read = Records::new(&text.as_bytes()[..cut]);
            let records: Vec<String> = read.by_ref().map(|entry| told(&entry.expect("a look"))).collect();
            let whole = text[..cut].matches('\n').count().saturating_sub(1);
            assert_eq!(records, expected[..whole], "cut at {cut}");
            assert_eq!(
                read.is_cut(),
                !text[..cut].is_empty() && !text[..cut].ends_with('\n'),
                "cut at {cut}"
            );
        }
    }

    #[test]
    fn what_is_no_record_is_refused_by_its_line() {
        let header = Recorder::header();
        let look = r#""begun":"2026-11-21T10:42:00Z","ended":"2026-11-21T10:42:00Z""#;
        let hpa = r#""hpa":{"namespace":"shop","name":"web"}"#;
        for (text, error) in [
            (
                "kind: Case\n".to_owned(),
                "not a record: its first line is not {\"apiVersion\":\"kubectl-hpa/v1\",\"kind\":\"Record\"}",
            ),
            (format!("{header}\n{{{hpa},{look}}}\n"), "line 2: the case that it changes is missing"),
            (
                format!("{header}\n{{{hpa},{look},\"patch\":{{}}}}\n"),
                "line 2: the case that it changes is missing",
            ),
            (format!("{header}\n{{{hpa},{look},\"case\":7}}\n"), "line 2: case: must be an object, not 7"),
            (
                format!("{header}\n{{{hpa},{look},\"case\":{{\"hpa\":{{\"spec\":7}}}}}}\n"),
                "line 2: case.hpa.spec: must be an object, not 7",
            ),
            (format!("{header}\nx\n"), "line 2: expected value at line 1 column 1"),
        ] {
            let last = Records::new(text.as_bytes()).last().expect("an error");
            assert_eq!(last.expect_err("an error").to_string(), error, "{text}");
        }
    }
}
