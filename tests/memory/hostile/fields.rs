//! Who set which field, and when: `metadata.managedFields` as the API server keeps them.

use std::collections::BTreeSet;

use kubectl_hpa_core::api::{FieldSet, ManagedFields};

use super::world::{Millis, seconds};

/// The managers of one object. Fields are leaves: `spec.minReplicas`, `spec.behavior.scaleUp.policies`, `annotations`.
#[derive(Clone, Debug, Default)]
pub struct Owners {
    all: Vec<Owner>,
    /// All fields, once somebody has cleared the managers: until a server-side apply nobody comes to own one.
    unowned: Option<BTreeSet<String>>,
    /// So often something was changed.
    pub writes: u64,
}

#[derive(Clone, Debug)]
struct Owner {
    who: Who,
    fields: BTreeSet<String>,
    time: Millis,
}

/// A manager: entries are apart by name, operation and subresource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    pub manager: &'static str,
    pub operation: &'static str,
    pub subresource: &'static str,
}

impl Who {
    pub const fn update(manager: &'static str) -> Self {
        Self { manager, operation: "Update", subresource: "" }
    }

    pub const fn apply(manager: &'static str) -> Self {
        Self { manager, operation: "Apply", subresource: "" }
    }

    pub const fn through(manager: &'static str, subresource: &'static str) -> Self {
        Self { manager, operation: "Update", subresource }
    }
}

/// Who owns what was there before the first server-side apply.
const BEFORE: Who = Who::update("before-first-apply");

impl Owners {
    /// Somebody clears the managers.
    pub fn clear(&mut self) {
        let fields = self.all.drain(..).flat_map(|owner| owner.fields);
        self.unowned.get_or_insert_default().extend(fields);
        self.writes += 1;
    }

    /// Whether owners are kept again, or still, if somebody writes.
    fn are_kept(&mut self, who: Who, now: Millis) -> bool {
        if who.operation == "Apply"
            && let Some(fields) = self.unowned.take()
        {
            self.all.push(Owner { who: BEFORE, fields, time: now });
        }
        self.unowned.is_none()
    }

    /// An update that adds or changes fields takes them from all others; what it removes is nobody's, and leaves no time.
    pub fn update(&mut self, who: Who, took: &[String], removed: &[String], now: Millis) {
        self.writes += u64::from(!took.is_empty() || !removed.is_empty());
        if !self.are_kept(who, now) {
            self.unowned.iter_mut().for_each(|fields| fields.extend(took.iter().cloned()));
            return;
        }
        for owner in &mut self.all {
            let is_other = owner.who != who;
            owner.fields.retain(|field| {
                let is_gone =
                    removed.iter().any(|gone| field == gone || field.starts_with(&format!("{gone}.")));
                let is_taken = is_other && took.contains(field);
                !is_gone && !is_taken
            });
        }
        if !took.is_empty() {
            match self.all.iter_mut().find(|owner| owner.who == who) {
                Some(owner) => {
                    owner.fields.extend(took.iter().cloned());
                    owner.time = now;
                }
                None => self.all.push(Owner { who, fields: took.iter().cloned().collect(), time: now }),
            }
        }
        self.all.retain(|owner| !owner.fields.is_empty());
    }

    /// What a server-side apply that changes anything owns besides: fields may have several owners. It leaves a time even if
    /// it only removes.
    pub fn share(&mut self, who: Who, fields: &[String], now: Millis) {
        self.are_kept(who, now);
        let fields = fields.iter().cloned();
        match self.all.iter_mut().find(|owner| owner.who == who) {
            Some(owner) => {
                owner.fields.extend(fields);
                owner.time = now;
            }
            None => self.all.push(Owner { who, fields: fields.collect(), time: now }),
        }
    }

    pub fn owns(&self, who: Who, field: &str) -> bool {
        self.all.iter().any(|owner| owner.who == who && owner.fields.contains(field))
    }

    pub fn entries(&self) -> Vec<ManagedFields> {
        self.all.iter().map(entry).collect()
    }
}

fn entry(owner: &Owner) -> ManagedFields {
    let of_spec = owner.fields.iter().filter_map(|field| field.strip_prefix("spec."));
    let names = of_spec.map(|field| format!("f:{}", field.split('.').next().unwrap_or_default()));
    ManagedFields {
        manager: owner.who.manager.into(),
        operation: owner.who.operation.into(),
        subresource: owner.who.subresource.into(),
        // What is written through the scale subresource has no time (seen on 1.37.1).
        time: (owner.who.subresource != "scale").then(|| seconds(owner.time)),
        fields: Some(FieldSet { spec: names.collect() }),
    }
}
