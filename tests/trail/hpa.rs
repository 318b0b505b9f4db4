//! An HPA with its status and its events, as the controller writes them.

use serde_json::{Value, json};

use crate::world::{Millis, at};

/// More messages than this within ten minutes become one event (client-go `EventAggregator`).
const SIMILAR: usize = 10;

/// An HPA.
#[derive(Clone, Debug)]
pub struct Hpa {
    pub name: &'static str,
    pub generation: i64,
    pub min: i32,
    pub max: i32,
    /// The place of its target.
    pub target: usize,
    /// What its metric wants.
    pub wish: i32,
    pub status: Value,
    pub events: Vec<Event>,
}

/// A `SuccessfulRescale` event.
#[derive(Clone, Debug)]
pub struct Event {
    message: String,
    first: Millis,
    last: Millis,
    count: i32,
}

/// What a sync found and decided on.
#[derive(Clone, Copy, Debug)]
pub struct Sync {
    pub hpa: usize,
    pub generation: i64,
    pub target: usize,
    pub current: i32,
    pub desired: i32,
    pub reason: &'static str,
    /// That of the scale that it read.
    pub version: u64,
    /// When it wrote the scale.
    pub scaled: Option<Millis>,
    /// Whether its write was a conflict.
    pub is_refused: bool,
}

impl Hpa {
    pub fn new(name: &'static str, target: usize) -> Self {
        let (status, events) = (json!({}), Vec::new());
        Self { name, generation: 1, min: 2, max: 10, target, wish: 4, status, events }
    }

    /// What the controller decides on these replicas (upstream `reconcileAutoscaler`, without windows and policies).
    pub fn decide(&self, current: i32) -> (i32, &'static str) {
        if current == 0 {
            return (0, "");
        }
        if current > self.max {
            return (self.max, "Current number of replicas above Spec.MaxReplicas");
        }
        if current < self.min {
            return (self.min, "Current number of replicas below Spec.MinReplicas");
        }
        let reason = match self.wish.cmp(&current) {
            std::cmp::Ordering::Greater => "external metric queue(nil) above target",
            std::cmp::Ordering::Less => "All metrics below target",
            std::cmp::Ordering::Equal => "",
        };
        (self.wish.clamp(self.min, self.max), reason)
    }

    /// What a sync that rescaled tells at once; an event that is told again is counted.
    pub fn emit(&mut self, message: String, now: Millis) {
        let is_similar = |it: &&Event| now - it.last < 600_000;
        let is_many = self.events.iter().filter(is_similar).count() >= SIMILAR;
        let is_told = self.events.iter().any(|it| it.message == message);
        let combined = "(combined from similar events): ";
        let text = if is_many && !is_told { format!("{combined}{message}") } else { message };
        let same = self
            .events
            .iter_mut()
            .find(|it| it.message == text || text.starts_with(combined) && it.message.starts_with(combined));
        match same {
            Some(event) => {
                (event.message, event.last) = (text, now);
                event.count += 1;
            }
            None => self.events.push(Event { message: text, first: now, last: now, count: 1 }),
        }
    }

    /// The status that a sync leaves.
    pub fn write_status(&mut self, sync: &Sync) {
        let (able, reason) = match sync.scaled {
            _ if sync.is_refused => ("False", "FailedUpdateScale"),
            Some(_) => ("True", "SucceededRescale"),
            None => ("True", "SucceededGetScale"),
        };
        let desired = if sync.is_refused {
            self.status["desiredReplicas"].as_i64().unwrap_or(0)
        } else {
            sync.desired.into()
        };
        let scaled = sync.scaled.map(|scaled| json!(at(scaled).to_string()));
        let last = scaled.unwrap_or_else(|| self.status["lastScaleTime"].clone());
        self.status = json!({
            "observedGeneration": sync.generation, "lastScaleTime": last, "currentReplicas": sync.current,
            "desiredReplicas": desired, "currentMetrics": null,
            "conditions": [
                {"type": "AbleToScale", "status": able, "reason": reason, "lastTransitionTime": "2026-11-26T09:00:00Z"},
                {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound", "lastTransitionTime": "2026-11-26T09:00:00Z"}],
        });
    }

    pub fn object(&self, target: &str) -> Value {
        let rules = json!({"stabilizationWindowSeconds": 0, "policies": [{"type": "Pods", "value": 1000, "periodSeconds": 1}]});
        json!({
            "metadata": {"name": self.name, "namespace": "shop", "generation": self.generation},
            "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": target},
                "minReplicas": self.min, "maxReplicas": self.max, "behavior": {"scaleUp": rules, "scaleDown": rules},
                "metrics": [{"type": "External", "external": {"metric": {"name": "queue"},
                    "target": {"type": "AverageValue", "averageValue": "1"}}}]},
            "status": self.status,
        })
    }

    pub fn listed_events(&self) -> Value {
        let event = |event: &Event| {
            json!({"type": "Normal", "reason": "SuccessfulRescale", "message": event.message, "count": event.count,
                "source": {"component": "horizontal-pod-autoscaler"},
                "firstTimestamp": at(event.first).to_string(), "lastTimestamp": at(event.last).to_string()})
        };
        json!({"items": self.events.iter().map(event).collect::<Vec<_>>()})
    }
}
