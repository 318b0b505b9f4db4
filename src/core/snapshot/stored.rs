//! How an API server changes a spec when it stores it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::defaults::fill_in;
use super::{Case, v1, validate};
use crate::api;
use crate::model::Quantity;
use crate::rules::{NEWEST, Rules};

/// Puts a spec that is written anew into the form in which the API server of the controller's version gives it back. One
/// that it would refuse, or of a version that is not known, stays as it is.
pub fn store(case: &mut Case) {
    let version = case.controller.version.as_ref().map_or(NEWEST, |version| &version.value);
    let spec = &mut case.hpa.0.spec;
    let is_changed = Rules::for_version(version, &BTreeMap::new()).is_ok_and(|rules| rules.stored_in_v1);
    if is_changed && validate(spec).is_empty() {
        *spec = v1::stored_in_v1(std::mem::take(spec));
    }
}

/// A spec as it is written over a stored one: what the API server fills in again stays as it is stored, so that no patch
/// removes it.
#[must_use]
pub fn over(stored: &api::HpaSpec, written: &api::HpaSpec) -> Value {
    let mut filled = written.clone();
    fill_in(&mut filled);
    let mut spec = json!(written);
    keep(&json!(stored), &json!(filled), &mut spec);
    spec
}

fn keep(stored: &Value, filled: &Value, spec: &mut Value) {
    let (Value::Object(stored), Value::Object(filled), Value::Object(spec)) = (stored, filled, spec) else {
        return;
    };
    for (name, stored) in stored {
        let Some(filled) = filled.get(name) else { continue };
        match spec.get_mut(name) {
            Some(spec) => keep(stored, filled, spec),
            None if filled == stored => drop(spec.insert(name.clone(), stored.clone())),
            None => {}
        }
    }
}

/// Takes out what no API server accepts, and some give out: a zero beside the average of an object's metric, left there
/// by those that stored or converted it in autoscaling/v1 (until 1.36).
pub(super) fn forgive(hpa: &mut api::Hpa) {
    if hpa.metadata.resource_version.is_empty() {
        return;
    }
    let targets = hpa.spec.metrics.iter_mut().filter_map(|metric| Some(&mut metric.object.as_mut()?.target));
    for target in targets.filter(|target| target.average_value.is_some()) {
        target.value = target.value.take().filter(|value| *value != Quantity::default());
    }
}
