//! All that stands beside cases in the files that are simulated: manifests of HPAs, objects as kubectl prints them, and what is of
//! no use.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use anyhow::{Context, Error, anyhow};
use serde_json::Value;

use super::cases::{self, DocumentPlace};
use super::manifest::now;
use super::wanted::Wanted;
use crate::render::sanitize;
use kubectl_hpa_core::api::{ObjectReference, Template};
use kubectl_hpa_core::assembly::{self, Stock};
use kubectl_hpa_core::snapshot::{Case, Input, Manifest};

/// The manifests and the objects of files, until all of them are known: only then an HPA is known to be the one that is, or
/// the one that is proposed.
#[derive(Default)]
pub struct Beside {
    stock: Stock,
    manifests: Vec<Placed>,
    others: Others,
    /// The files with a case or a manifest.
    used: BTreeSet<String>,
    /// The objects that nobody can decode, each by its number among all inputs.
    faults: Vec<(usize, Error)>,
}

/// A manifest, by its number among all inputs.
struct Placed {
    index: usize,
    place: DocumentPlace,
    manifest: Manifest,
    object: Value,
}

/// One of the simulated.
pub enum Meant {
    /// An HPA that the files have of a cluster, as it is.
    Printed(String, Box<Case>),
    /// An HPA as it is, where the files have one of this name, and with the spec of a manifest.
    Proposed(DocumentPlace, Box<Manifest>, Box<(Option<Case>, Case)>),
    /// A manifest, with what the one of its target beside it asks for. A cluster has the rest.
    Manifest(DocumentPlace, Box<Manifest>, Option<Template>),
}

impl Meant {
    /// True if its HPA is one of those.
    pub fn is_of(&self, wanted: &mut Wanted) -> bool {
        match self {
            Self::Printed(_, case) => wanted.takes(&case.hpa.0),
            Self::Proposed(_, read, _) | Self::Manifest(_, read, _) => wanted.takes_manifest(&read.hpa),
        }
    }
}

/// Each by its number among all inputs.
type AllMeant = Box<dyn Iterator<Item = (usize, anyhow::Result<Meant>)>>;

impl Beside {
    /// A case was read from this file.
    pub fn use_file(&mut self, place: &DocumentPlace) {
        self.used.insert(place.file.clone());
    }

    /// Takes what is no case, by its number among all inputs.
    pub fn add(&mut self, index: usize, place: DocumentPlace, input: Input) {
        match input {
            Input::Case(_) => self.use_file(&place),
            Input::Manifest(manifest, object) => {
                self.use_file(&place);
                self.manifests.push(Placed { index, place, manifest: *manifest, object });
            }
            Input::Other { kind, problem, object } => {
                let added =
                    object.and_then(|object| self.stock.add(object).map_err(|fault| fault.to_string()));
                if let Err(fault) = added {
                    self.faults.push((index, anyhow!("{place}: {fault}")));
                }
                self.others.add(index, &place, kind, &problem);
            }
        }
    }

    /// All that is to be simulated, each by its number among all inputs.
    pub fn read(mut self, err: &mut dyn Write) -> anyhow::Result<AllMeant> {
        let is_printed = self.stock.is_printed() && (self.stock.has_hpa() || !self.manifests.is_empty());
        if !is_printed {
            let stock = self.stock;
            let is_target = |kind: &str| {
                let mut targets = self.manifests.iter().map(|it| &it.manifest.hpa);
                targets.any(|hpa| hpa.spec.scale_target_ref.kind == kind && stock.template(hpa).is_some())
            };
            let errors = self.others.told(&self.used, is_target, err)?.into_iter();
            let manifests =
                self.manifests.into_iter().map(move |Placed { index, place, manifest, .. }| {
                    let template = stock.template(&manifest.hpa).cloned();
                    (index, Ok(Meant::Manifest(place, Box::new(manifest), template)))
                });
            return Ok(Box::new(manifests.chain(errors.map(|(index, error)| (index, Err(error))))));
        }
        // An object that cannot be decoded may be any part of any case.
        if !self.faults.is_empty() {
            return Ok(Box::new(self.faults.into_iter().map(|(index, error)| (index, Err(error)))));
        }
        let mut proposed = Vec::new();
        for it in self.manifests {
            // The one that is, if it is not among the objects.
            if it.manifest.hpa.is_stored() && !self.stock.has(&it.manifest.hpa) {
                self.stock.add(it.object).map_err(|fault| anyhow!("{}: {fault}", it.place))?;
            } else {
                proposed.push(it);
            }
        }
        let stock = self.stock;
        if proposed.is_empty() {
            let printed = |case| Ok(Meant::Printed(cases::place_of(&case), Box::new(case)));
            return Ok(Box::new(assembly::cases(stock, now()).map(printed).enumerate()));
        }
        Ok(Box::new(proposed.into_iter().map(move |Placed { index, place, manifest, .. }| {
            let sides = assembly::proposed(&stock, &manifest.hpa, now());
            let sides = sides.map(|sides| Meant::Proposed(place, Box::new(manifest), Box::new(sides)));
            (index, sides.context("the manifest has no case"))
        })))
    }
}

/// Objects of other kinds in files of cases and manifests: of use only as what lies beside an HPA.
#[derive(Default)]
struct Others {
    /// Those of each file: the number among all inputs, the place and the problem of the first, and all kinds.
    of_files: BTreeMap<String, (usize, anyhow::Error, BTreeSet<String>)>,
}

impl Others {
    /// Keeps one, by its number among all inputs.
    fn add(&mut self, index: usize, place: &DocumentPlace, kind: String, problem: &str) {
        let file = if place.file == cases::STDIN { "standard input" } else { place.file.as_str() };
        let place_in_file = place.to_string().replacen(place.file.as_str(), file, 1);
        // What an object is instead of a case reads on as one sentence.
        let first = || (index, anyhow!("{place_in_file} {problem}"), BTreeSet::new());
        self.of_files.entry(place.file.clone()).or_insert_with(first).2.insert(kind);
    }

    /// Notes those of a file that has an HPA, but for targets; without one the first of them is an error, by its number.
    fn told(
        self,
        used: &BTreeSet<String>,
        is_target: impl Fn(&str) -> bool,
        err: &mut dyn Write,
    ) -> anyhow::Result<Vec<(usize, anyhow::Error)>> {
        let mut errors = Vec::new();
        for (file, (index, error, kinds)) in self.of_files {
            if used.contains(&file) {
                let kinds: Vec<String> = kinds.into_iter().filter(|kind| !is_target(kind)).collect();
                if !kinds.is_empty() {
                    note_unused(&file, &kinds.join(", "), err)?;
                }
            } else {
                errors.push((index, error));
            }
        }
        Ok(errors)
    }
}

/// Notes what is of no use beside an HPA.
pub fn note_unused(file: &str, kinds: &str, err: &mut dyn Write) -> std::io::Result<()> {
    writeln!(err, "note: {}: only the HPA is used, not: {}", sanitize(file), sanitize(kinds))
}

/// Notes where the replicas and the requests that nobody typed are from.
pub fn note_template(file: &str, target: &ObjectReference, err: &mut dyn Write) -> std::io::Result<()> {
    let target = format!("{} {}", target.kind, target.name);
    let file = sanitize(file);
    writeln!(
        err,
        "note: {file}: replicas and requests that were not typed are those of {}",
        sanitize(&target)
    )
}
