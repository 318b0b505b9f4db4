//! Which HPAs of files are meant.

use anyhow::{Error, anyhow};

use super::subjects;
use crate::cli::SubjectArgs;
use crate::cluster::Subject;
use crate::render::sanitize;
use kubectl_hpa_core::api::Hpa;
use kubectl_hpa_core::model::Selector;

/// Those of a namespace, of some names or with some labels; all where nothing is said.
pub struct Wanted {
    namespace: Option<String>,
    /// Each with whether it was there.
    subjects: Vec<(Subject, bool)>,
    selector: Option<Selector>,
    /// As it was typed.
    typed: Vec<String>,
    /// True once there was any.
    is_found: bool,
    /// The first few that are there.
    there: Vec<String>,
}

impl Wanted {
    /// As it was typed.
    pub fn of(typed: &SubjectArgs, namespace: Option<&str>) -> anyhow::Result<Self> {
        let (named, selector) = subjects::read(typed)?;
        let namespace = namespace.filter(|it| !it.is_empty()).map(ToOwned::to_owned);
        let flags = [("-n", namespace.as_ref()), ("-l", typed.selector.as_ref())];
        let typed = flags.iter().filter_map(|(flag, value)| value.map(|value| format!("{flag} {value}")));
        let typed = typed.collect();
        let subjects = named.into_iter().map(|subject| (subject, false)).collect();
        Ok(Self { namespace, subjects, selector, typed, is_found: false, there: Vec::new() })
    }

    /// True if an HPA is meant.
    pub fn takes(&mut self, hpa: &Hpa) -> bool {
        let is_there = self.namespace.as_ref().is_none_or(|it| hpa.metadata.namespace == *it);
        self.takes_if(is_there, hpa)
    }

    /// True if a manifest is meant: one of another namespace than the one that was typed is an error of its own.
    pub fn takes_manifest(&mut self, hpa: &Hpa) -> bool {
        self.takes_if(true, hpa)
    }

    fn takes_if(&mut self, is_there: bool, hpa: &Hpa) -> bool {
        let metadata = &hpa.metadata;
        let is_there = is_there && self.selector.as_ref().is_none_or(|it| it.matches(&metadata.labels));
        let mut is_named = self.subjects.is_empty();
        for (subject, is_found) in self.subjects.iter_mut().filter(|_| is_there) {
            if subject.is(hpa) {
                (is_named, *is_found) = (true, true);
            }
        }
        let is_taken = is_there && is_named;
        self.is_found |= is_taken;
        if self.there.len() <= MOST_NAMED {
            self.there.push(format!("{}/{}", metadata.namespace, metadata.name));
        }
        is_taken
    }

    /// An error for each that was not there; none where the files have no HPA, which is an error of its own.
    pub fn missing(self) -> Vec<Error> {
        let Self { subjects, typed, is_found, mut there, .. } = self;
        if there.is_empty() {
            return Vec::new();
        }
        if there.len() > MOST_NAMED {
            "…".clone_into(&mut there[MOST_NAMED]);
        }
        let missing = |what: &str| {
            let what = std::iter::once(what).chain(typed.iter().map(String::as_str));
            let what = what.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ");
            let (what, there) = (sanitize(&what).into_owned(), sanitize(&there.join(", ")).into_owned());
            anyhow!("no HPA {what} in the files; there are {there}")
        };
        if subjects.is_empty() {
            return if is_found { Vec::new() } else { vec![missing("")] };
        }
        let lost = subjects.iter().filter(|(_, is_found)| !is_found);
        lost.map(|(subject, _)| missing(&subject.to_string())).collect()
    }
}

/// So many of those that are there are named.
const MOST_NAMED: usize = 5;
