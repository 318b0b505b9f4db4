//! Who set the replicas of a target, by its managed fields.

use super::look::Look;

/// The manager of all fields that an object had when it was first applied without managed fields: nobody knows who set them.
const NOBODY: &str = "before-first-apply";

/// The one that set the replicas last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setter<'a> {
    /// The controller, for any HPA.
    Controller,
    /// Somebody else, by the name of the field manager.
    Manager(&'a str),
}

impl<'a> Setter<'a> {
    /// Who set the replicas that a look saw, if the managed fields show it, and the next look shows that they belong together.
    ///
    /// The target is read after its scale. If its generation is the same at the next look, the replicas of that look are those that
    /// the managed fields are about. Whoever changes a value becomes its only owner (`structured-merge-diff`, `Updater.Update`);
    /// others join by applying the same value.
    pub fn of(look: &'a Look, next: &'a Look) -> Option<Self> {
        let is_same = look.edition().is_some() && look.edition() == next.edition();
        let is_kept = look.is_of_same_target(next) && look.replicas() == next.replicas();
        match look.history().target.setters.as_slice() {
            [only] if is_same && is_kept && &*only.by != NOBODY => {
                Some(if only.by_controller { Self::Controller } else { Self::Manager(&only.by) })
            }
            _ => None,
        }
    }
}
