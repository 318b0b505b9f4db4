//! The parsed text of `explain -o json`.

use kubectl_hpa_core::model::{Duration, Instant};
use serde_json::Value;

/// One explanation.
pub struct Page<'a> {
    printed: &'a Value,
}

impl<'a> Page<'a> {
    pub fn new(printed: &'a Value) -> Self {
        Self { printed }
    }

    /// What stands at a path of names between dots.
    pub fn at(&self, path: &str) -> &'a Value {
        path.split('.').fold(self.printed, |value, name| &value[name])
    }

    pub fn int(&self, path: &str) -> i64 {
        self.at(path).as_i64().unwrap_or_else(|| panic!("no {path} in {}", self.printed))
    }

    pub fn list(&self, path: &str) -> &'a [Value] {
        list(self.at(path))
    }

    pub fn metrics(&self) -> &'a [Value] {
        self.list("metrics")
    }

    pub fn current(&self) -> i64 {
        self.int("currentReplicas")
    }

    pub fn now(&self) -> Instant {
        instant(self.at("at"))
    }

    /// The minor version of the controller.
    pub fn minor(&self) -> u32 {
        let version = self.at("controller.version.value").as_str().unwrap_or_default();
        version.split('.').nth(1).and_then(|minor| minor.parse().ok()).expect("a version")
    }

    /// The stages of the steps, but the outcome.
    pub fn stages(&self) -> Vec<&'a str> {
        let stages = self.list("steps").iter().filter_map(|step| step["stage"].as_str());
        stages.filter(|stage| *stage != "outcome").collect()
    }

    /// Go's `int32(math.Ceil(f))`, which the controller's architecture decides for what is no int32.
    pub fn ceil(&self, value: f64) -> i64 {
        let whole = value.ceil();
        let fits = (-2_147_483_648.0..2_147_483_648.0).contains(&whole);
        if fits || self.at("controller.architecture.value") == "arm64" {
            i64::from(whole as i32)
        } else {
            i64::from(i32::MIN)
        }
    }
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A float, also one that JSON has no number for.
pub fn float(value: &Value) -> f64 {
    let text = value.as_str().map(|text| text.parse().expect("NaN, +Inf or -Inf"));
    value.as_f64().or(text).expect("a number")
}

pub fn instant(value: &Value) -> Instant {
    Instant::parse(value.as_str().expect("a time")).expect("a time")
}

pub fn duration(value: &Value) -> Duration {
    Duration::parse(value.as_str().expect("a duration")).expect("a duration")
}
