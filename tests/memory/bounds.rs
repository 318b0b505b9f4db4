//! The bounds on a decision whose memory is hidden always hold the decision that the whole memory leads to: the
//! controller's loop is run offline, and at each sync somebody who sees only the API looks too.

use crate::played::{Scene, behaviors, emit, whole_seconds};
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::memory_bounds::answer;
use kubectl_hpa_core::model::{Duration, Evidence, Instant, Memory, Replicas};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, HistoryEvidence, Snapshot};
use kubectl_hpa_core::status::report;
use kubectl_hpa_core::trace::Outcome;
use kubectl_hpa_core::whatif::Outlook;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The controller and what it remembers, sees and leaves.
struct Loop {
    behavior: Option<Value>,
    at: Instant,
    created: Option<Instant>,
    replicas: i32,
    status: Value,
    memory: Memory,
    history: HistoryEvidence,
}

impl Loop {
    fn new(behavior: Option<Value>, replicas: i32) -> Self {
        let at = Instant::parse("2026-11-21T10:00:00Z").expect("a time");
        let (memory, history) =
            (Memory::default(), HistoryEvidence { has_events: true, ..HistoryEvidence::default() });
        Self { behavior, at, created: None, replicas, status: json!({}), memory, history }
    }

    /// What the API holds now, with every pod at a usage in milli-units of a request of 100m.
    fn look(&self, usage: Option<i64>) -> Snapshot {
        let scene = Scene {
            at: self.at,
            behavior: &self.behavior,
            status: &self.status,
            replicas: self.replicas,
            pods: self.replicas,
            usage,
        };
        let case: Case = serde_json::from_value(scene.case()).expect("a case");
        Snapshot::freeze(case).expect("a snapshot")
    }

    /// One sync: the bounds are checked against the decision, then the decision is carried out. Returns whether the
    /// answer from outside was exact.
    fn sync(&mut self, usage: Option<i64>, rules: &Rules) -> Result<bool, TestCaseError> {
        let mut seen = self.look(usage);
        seen.history = self.history.clone();
        seen.hpa.created = self.created;
        let mut whole = seen.clone();
        whole.memory = self.memory.clone();
        whole.memory_evidence = Evidence::Given;
        let decision = decide(&whole, rules);
        let answer = answer(&mut seen, rules);
        let truth = decision.desired();
        match answer.interval {
            None => prop_assert_eq!(answer.decision.desired(), truth, "exact, at {}", self.at),
            Some((low, high)) => {
                let holds = truth.is_some_and(|truth| low <= truth && truth <= high);
                prop_assert!(holds, "{:?} is not within {:?}..{:?} at {}", truth, low, high, self.at);
            }
        }
        self.carry_out(&whole, &decision, rules);
        Ok(answer.interval.is_none())
    }

    /// Puts a new autoscaler in the place of the old one. Before the first rescale nothing tells of the old one, so
    /// nobody could know what it left.
    fn renew(&mut self, is_forgotten: bool) {
        (self.status, self.created) = (json!({}), Some(self.at));
        if is_forgotten || self.history.rescales.is_empty() {
            self.memory = Memory::default();
        }
    }

    fn carry_out(
        &mut self,
        snapshot: &Snapshot,
        decision: &kubectl_hpa_core::trace::Decision,
        rules: &Rules,
    ) {
        let report = report(snapshot, decision, rules);
        if report.status_changed {
            self.history.status_written = Some(whole_seconds(self.at)); // as the API writes times
        }
        if let Outcome::Scale { to: Replicas(to), .. } = decision.outcome {
            self.replicas = to;
            emit(&mut self.history, &decision.outcome, self.at);
        }
        self.status = serde_json::to_value(&report.status).expect("a status");
        self.memory = decision.memory.clone();
    }
}

/// Load that stays for a while, changes, and at times cannot be read.
fn usages() -> impl Strategy<Value = Vec<Option<i64>>> {
    let usage = prop_oneof![9 => (1..150_i64).prop_map(Some), 1 => Just(None)];
    prop::collection::vec((usage, 1..12_usize), 1..10)
        .prop_map(|runs| runs.into_iter().flat_map(|(usage, times)| vec![usage; times]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn the_bounds_hold_the_decision(behavior in behaviors([0, 10, 60, 300], 90), usages in usages(), replicas in 2..12_i32, gaps in prop::collection::vec(1..29_000_i64, 1..6), renewals in prop::collection::vec((0..100_usize, any::<bool>()), 0..3)) {
        let rules = Rules::for_version("v1.37.1", &std::collections::BTreeMap::new()).expect("rules");
        let mut run = Loop::new(behavior, replicas);
        for (sync, (usage, gap)) in usages.into_iter().zip(gaps.iter().cycle()).enumerate() {
            if let Some((_, is_forgotten)) = renewals.iter().find(|(when, _)| *when == sync) {
                run.renew(*is_forgotten);
            }
            run.sync(usage, &rules)?;
            run.at = run.at + Duration::from_nanoseconds(gap * 1_000_000);
        }
    }
}

/// High load first, then a low one that stays: whoever looks while the window holds the count is told when the hold ends at
/// the latest, looks later are told no later time, and at the first sync after it the count falls.
#[test]
fn a_hold_ends_when_the_first_look_says() {
    let rules = Rules::for_version("v1.37.1", &std::collections::BTreeMap::new()).expect("rules");
    let mut run = Loop::new(None, 4);
    for sync in 0..8 {
        run.sync(Some(if sync == 0 { 80 } else { 50 }), &rules).expect("the bounds hold");
        run.at = run.at + Duration::from_seconds(15);
    }
    let (count, mut promised, mut looks) = (run.replicas, None, 0);
    while run.replicas == count {
        let mut seen = run.look(Some(10));
        seen.history = run.history.clone();
        let answer = answer(&mut seen, &rules);
        let ends = Outlook::of(&seen, &rules, &answer).latest.expect("it falls some time").at;
        if looks > 0 {
            assert!(promised.is_none_or(|promised| ends <= promised), "look {looks}: {ends} is later");
            promised = Some(ends);
        }
        let due = promised.is_some_and(|promised| run.at > promised);
        run.sync(Some(10), &rules).expect("the bounds hold");
        assert!(!due || run.replicas < count, "look {looks}: still {count} after {promised:?}");
        run.at = run.at + Duration::from_seconds(15);
        looks += 1;
    }
    assert!((10..30).contains(&looks), "{looks} looks");
}

#[test]
fn a_settled_autoscaler_needs_no_memory() {
    let rules = Rules::for_version("v1.37.1", &std::collections::BTreeMap::new()).expect("rules");
    let mut run = Loop::new(None, 6);
    for sync in 0..40 {
        let exact = run.sync(Some(50), &rules).expect("the bounds hold");
        assert!(exact, "sync {sync} is not exact");
        run.at = run.at + Duration::from_seconds(15);
    }
}

/// The controller keeps its memory by name: an autoscaler that is deleted and created anew between two syncs has the
/// scale events of the old one, though its status is empty; one that comes later has none, though its events are still
/// there. (A real 1.37.1 did both.)
#[test]
fn an_autoscaler_created_anew_may_have_a_past() {
    let rules = Rules::for_version("v1.37.1", &std::collections::BTreeMap::new()).expect("rules");
    let by_two = json!({"policies": [{"type": "Pods", "value": 2, "periodSeconds": 60}]});
    for (is_forgotten, replicas) in [(false, 6), (true, 8)] {
        let mut run = Loop::new(Some(json!({"scaleUp": by_two})), 4);
        run.sync(Some(100), &rules).expect("the bounds hold");
        assert_eq!(run.replicas, 6);
        run.at = run.at + Duration::from_seconds(5);
        run.renew(is_forgotten);
        for sync in 0..4 {
            run.at = run.at + Duration::from_seconds(5);
            let exact = run.sync(Some(100), &rules).expect("the bounds hold");
            // The first status shows nothing of it. From then on it tells that what was inherited limits the count; one that has
            // scaled by two itself is held for the period, whatever it inherited.
            assert!(if sync == 0 { !exact } else { exact || is_forgotten }, "sync {sync} is exact: {exact}");
            assert_eq!(run.replicas, replicas, "sync {sync}");
        }
    }
}
