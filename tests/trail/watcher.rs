//! Somebody who watches the first HPA: each look reads the HPA and its events, then the scale, then the target.

use std::rc::Rc;

use kubectl_hpa::render;
use kubectl_hpa_core::comparison::{Look, ReplicaChange, Trail};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::record::{Entry, Recorded, Recorder, Records, Seen};
use kubectl_hpa_core::snapshot::Case;
use serde_json::{Value, json};

use crate::world::{Millis, World, at};

/// When a look read what, and what it saw of the replicas.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub begun: Millis,
    pub scale: Millis,
    pub ended: Millis,
    pub target: usize,
    pub replicas: Option<i32>,
}

/// How a look is taken.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// How long each of the two steps takes.
    pub takes: Millis,
    /// Whether the scale cannot be read.
    pub fails: bool,
    /// Whether the other HPAs are read anew.
    pub rereads: bool,
}

impl Way {
    pub const QUICK: Self = Self { takes: 5, fails: false, rereads: true };
}

/// The one who watches.
#[derive(Debug, Default)]
pub struct Watcher {
    trail: Trail,
    others: Value,
    pub reads: Vec<Read>,
    pub told: Vec<(ReplicaChange, Look)>,
    recorder: Recorder,
    record: String,
}

impl Watcher {
    /// Takes a look.
    pub fn look(&mut self, world: &mut World, way: Way) {
        let begun = world.now;
        let hpa = world.hpas[0].clone();
        if way.rereads || self.others.is_null() {
            let rivals = world.hpas[1..].iter();
            self.others = rivals.map(|it| json!({"hpa": it.object(world.targets[it.target].name)})).collect();
        }
        world.pass(begun + way.takes);
        let (scale, seen) = (world.now, world.targets[hpa.target].clone());
        world.pass(scale + way.takes);
        let refused = json!({"error": {"code": 403, "reason": "Forbidden", "message": "not for you", "scope": "Reader"}});
        let case = json!({
            "apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": at(world.now).to_rfc3339_nano(),
            "hpa": hpa.object(seen.name), "events": hpa.listed_events(), "otherHPAs": self.others,
            "scale": if way.fails { refused } else { seen.scale() },
            "pods": {"items": []},
            "externalMetrics": [{"query": {"metric": {"name": "queue"}},
                "items": [{"metricName": "queue", "timestamp": at(begun).to_string(), "value": hpa.wish.to_string()}]}],
            "history": {"target": world.targets[hpa.target].object()},
        });
        let case: Case = serde_json::from_value(case).expect("a case");
        let (case_seen, ended) = (Seen::Case(Box::new(case.clone())), at(world.now));
        let entry =
            Entry { hpa: Recorded::of(None, "shop", "web"), begun: at(begun), ended, seen: case_seen };
        self.record.extend([self.recorder.line(&entry).expect("JSON"), "\n".to_owned()]);
        let explained = Rc::new(Explanation::of(case).expect("a decision"));
        let replicas = (!way.fails).then_some(seen.replicas);
        self.reads.push(Read { begun, scale, ended: world.now, target: hpa.target, replicas });
        self.told.extend(self.trail.see(Look { begun: at(begun), explained }));
    }

    /// Ends the watch. A record of what it saw has to tell the same.
    pub fn end(&mut self) {
        self.told.extend(self.trail.end());
        let (mut trail, mut told) = (Trail::default(), Vec::new());
        let record = Recorder::header() + "\n" + &self.record;
        for entry in Records::new(record.as_bytes()) {
            let Entry { begun, seen: Seen::Case(case), .. } = entry.expect("a look") else { continue };
            let explained = Rc::new(Explanation::of(*case).expect("a decision"));
            told.extend(trail.see(Look { begun, explained }));
        }
        told.extend(trail.end());
        assert_eq!(Self::lines_of(&told), self.text(), "the record tells another past");
    }

    /// The lines, as they are written.
    pub fn text(&self) -> Vec<String> {
        Self::lines_of(&self.told)
    }

    fn lines_of(told: &[(ReplicaChange, Look)]) -> Vec<String> {
        Self::lines(told, |out, (change, before)| {
            let changed = render::Changed::after(change, &before.explained);
            render::replica_change(out, &changed, &render::Options::default())
        })
    }

    /// The same for programs.
    pub fn json(&self) -> Vec<Value> {
        let lines = Self::lines(&self.told, |out, (change, before)| {
            render::replica_change_json(out, &render::Changed::after(change, &before.explained))
        });
        lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    fn lines(
        told: &[(ReplicaChange, Look)],
        write: impl Fn(&mut Vec<u8>, &(ReplicaChange, Look)) -> std::io::Result<()>,
    ) -> Vec<String> {
        let line = |told| {
            let mut out = Vec::new();
            write(&mut out, told).expect("a vector takes everything");
            String::from_utf8(out).expect("UTF-8").trim_end().to_owned()
        };
        told.iter().map(line).collect()
    }
}
