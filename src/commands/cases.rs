//! Where cases come from: files, the examples in the binary, a cluster.

use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail, ensure};

use super::manifest::now;
use super::wanted::Wanted;
use super::{files, folders};
use crate::cli::{Moment, PastArgs, ScaledFrom, SettingsArgs};
use crate::examples::{self, Example};
use crate::render::sanitize;
use kubectl_hpa_core::assembly::{self, Stock};
use kubectl_hpa_core::comparison::Unanswered;
use kubectl_hpa_core::model::{Evidenced, nearest};
use kubectl_hpa_core::snapshot::case::{ControllerCase, GivenRescale};
use kubectl_hpa_core::snapshot::{
    Case, Cases, Input, Inputs, LoadError, Objects, Origin, Piece, Pieces, Violation, Written,
};

/// A case that the binary carries.
pub fn example(name: &str) -> anyhow::Result<&'static Example> {
    examples::find(name).ok_or_else(|| {
        let near = nearest(name, examples::ALL.iter().map(|example| example.name));
        let hint = near.first().map_or_else(
            || "explain --example lists them".to_owned(),
            |near| format!("did you mean {near}?"),
        );
        anyhow!("no example {name:?}; {hint}")
    })
}

/// The same, or all where none is named.
pub fn examples(name: &str) -> anyhow::Result<&'static [Example]> {
    if name.is_empty() { Ok(examples::ALL) } else { example(name).map(std::slice::from_ref) }
}

/// The cases of examples, of several each with its name.
pub fn of_examples(name: &str) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Case>>> {
    let is_several = name.is_empty();
    Ok(examples(name)?.iter().flat_map(move |example| {
        let origin = is_several.then(|| Origin::Example(example.name.into()));
        let cases = Cases::new(example.name, example.text.as_bytes());
        cases.map(move |case| Ok(Case { origin: origin.clone(), ..case? }))
    }))
}

/// The cases of one file after the other, each with its place for errors; `-` is standard input.
pub fn of_files(files: Vec<PathBuf>) -> impl Iterator<Item = anyhow::Result<(DocumentPlace, Case)>> {
    let is_several = files.len() > 1;
    let placed = move |(place, case): (DocumentPlace, Case)| {
        let case = of_file(case, &place, is_several);
        (place, case)
    };
    documents(files, Cases::new).map(move |case| case.map(placed))
}

/// Cases of files that may have objects as kubectl prints them instead: after the last document comes the case of each HPA
/// among them. Without an HPA of a cluster each of these documents is an error; after an object that cannot be decoded, which
/// may be any part of any case, no case is made.
pub fn of_files_or_objects(named: &[PathBuf]) -> impl Iterator<Item = anyhow::Result<(String, Case)>> {
    let (mut files, mut unread) = (Vec::new(), Vec::new());
    for path in named {
        // A file that is named twice is meant twice.
        let found = if path.is_dir() {
            folders::object_files(std::slice::from_ref(path))
        } else {
            vec![Ok(path.clone())]
        };
        if found.is_empty() {
            unread.push(Err(anyhow!("no YAML, no JSON and no text of kubectl in {}", path.display())));
        }
        for found in found {
            match found {
                Ok(file) => files.push(file),
                Err((_, error)) => unread.push(Err(error)),
            }
        }
    }
    let is_several = files.len() > 1;
    unread.into_iter().chain(of_pieces(documents(files, Pieces::new), is_several))
}

/// As [`of_files_or_objects`], of files that are open, each with its name.
pub fn of_readers(
    opened: Vec<(String, Box<dyn Read>)>,
) -> impl Iterator<Item = anyhow::Result<(String, Case)>> {
    let is_several = opened.len() > 1;
    let pieces =
        opened.into_iter().flat_map(|(file, reader)| placed(Pieces::new(file.clone(), reader), file));
    of_pieces(pieces, is_several)
}

fn of_pieces(
    mut pieces: impl Iterator<Item = anyhow::Result<(DocumentPlace, Piece)>>,
    is_several: bool,
) -> impl Iterator<Item = anyhow::Result<(String, Case)>> {
    let (mut stock, mut is_whole) = (Stock::default(), true);
    let (mut no_cases, mut made) = (Vec::new(), None);
    std::iter::from_fn(move || {
        while made.is_none() {
            match pieces.next() {
                Some(Ok((place, Piece::Case(case)))) => {
                    let case = of_file(*case, &place, is_several);
                    return Some(Ok((place.to_string(), case)));
                }
                Some(Ok((_, Piece::Object(object, error)))) => {
                    if let Err(Violation { path, text }) = stock.add(object) {
                        is_whole = false;
                        let (path, problem) = (sanitize(&path).into_owned(), sanitize(&text).into_owned());
                        return Some(Err(LoadError { path, problem, hint: None, ..*error }.into()));
                    }
                    no_cases.push(*error);
                }
                Some(Err(error)) => return Some(Err(error)),
                None if !is_whole => return None,
                None => made = Some(made_of(std::mem::take(&mut stock), std::mem::take(&mut no_cases))),
            }
        }
        made.as_mut()?.next()
    })
}

/// Those that are meant, and at the end an error for each that is not there.
pub fn wanted<P>(
    cases: impl Iterator<Item = anyhow::Result<(P, Case)>>,
    wanted: Wanted,
) -> impl Iterator<Item = anyhow::Result<(P, Case)>> {
    let (mut cases, mut wanted, mut missing) = (cases, Some(wanted), Vec::new().into_iter());
    std::iter::from_fn(move || {
        let is_meant = |case: &anyhow::Result<(P, Case)>| {
            let read = case.as_ref().ok().zip(wanted.as_mut());
            read.is_none_or(|((_, read), wanted)| wanted.takes(&read.hpa.0))
        };
        if let Some(case) = cases.find(is_meant) {
            return Some(case);
        }
        if let Some(wanted) = wanted.take() {
            missing = wanted.missing().into_iter();
        }
        missing.next().map(Err)
    })
}

fn made_of(
    stock: Stock,
    no_cases: Vec<LoadError>,
) -> Box<dyn Iterator<Item = anyhow::Result<(String, Case)>>> {
    if !stock.has_hpa() {
        return Box::new(no_cases.into_iter().map(|error| Err(error.into())));
    }
    Box::new(assembly::cases(stock, now()).map(|case| Ok((place_of(&case), case))))
}

pub fn place_of(case: &Case) -> String {
    let metadata = &case.hpa.0.metadata;
    format!("{}/{}", metadata.namespace, metadata.name)
}

/// A case of one of several files with its file: then its screen says where it is from.
fn of_file(case: Case, place: &DocumentPlace, is_several: bool) -> Case {
    Case { origin: is_several.then(|| Origin::File(place.file.as_str().into())), ..case }
}

/// The cases and the manifests of one file after the other.
pub fn inputs(files: Vec<PathBuf>) -> impl Iterator<Item = anyhow::Result<(DocumentPlace, Input)>> {
    let is_several = files.len() > 1;
    let placed = move |(place, input)| match input {
        Input::Case(case) => {
            let case = of_file(*case, &place, is_several);
            (place, Input::Case(Box::new(case)))
        }
        other @ (Input::Manifest(..) | Input::Other { .. }) => (place, other),
    };
    documents(files, Inputs::new).map(move |input| input.map(placed))
}

/// The objects of one file after the other, of whatever kind.
pub fn objects(files: Vec<PathBuf>) -> impl Iterator<Item = anyhow::Result<Written>> {
    documents(files, Objects::new).map(|object| object.map(|(_, object)| object))
}

/// Where a document stands.
pub struct DocumentPlace {
    /// The file, as it was typed.
    pub file: String,
    document: usize,
}

impl Display for DocumentPlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", sanitize(&self.file))?;
        // The first document, usually the only one, needs no number; errors of documents that are not cases do the same.
        if self.document > 1 {
            write!(f, ", document {}", self.document)?;
        }
        Ok(())
    }
}

fn documents<T: 'static, D>(
    files: Vec<PathBuf>,
    read: impl Fn(String, Box<dyn Read>) -> D,
) -> impl Iterator<Item = anyhow::Result<(DocumentPlace, T)>>
where
    D: Iterator<Item = Result<T, LoadError>> + 'static,
{
    files.into_iter().flat_map(move |path| match open(&path) {
        Ok(reader) => {
            let file = path.display().to_string();
            let placed = placed(read(file.clone(), reader), file);
            Box::new(placed) as Box<dyn Iterator<Item = anyhow::Result<(DocumentPlace, T)>>>
        }
        Err(error) => Box::new(std::iter::once(Err(error))),
    })
}

/// Documents with their places.
fn placed<T>(
    documents: impl Iterator<Item = Result<T, LoadError>>,
    file: String,
) -> impl Iterator<Item = anyhow::Result<(DocumentPlace, T)>> {
    let place = move |index| DocumentPlace { file: file.clone(), document: index + 1 };
    documents.enumerate().map(move |(index, document)| Ok((place(index), document?)))
}

/// A case of files that has no answer, by its number among all.
pub fn unanswered(index: usize, error: &anyhow::Error) -> Unanswered {
    let (name, message) = (format!("case {}", index + 1), format!("{error:#}"));
    Unanswered { name, message, ..Unanswered::default() }
}

/// How standard input is called.
pub const STDIN: &str = "-";

/// Whether each file can be read: standard input can be once.
pub fn check(files: &[PathBuf]) -> anyhow::Result<()> {
    if files.iter().filter(|file| *file == Path::new(STDIN)).count() > 1 {
        bail!("standard input ({STDIN}) is given twice, but can only be read once");
    }
    Ok(())
}

/// Opens a file, or standard input.
pub fn open(file: &Path) -> anyhow::Result<Box<dyn Read>> {
    if file == Path::new(STDIN) {
        return Ok(Box::new(io::stdin()));
    }
    if file.is_dir() {
        bail!("{} is a directory; explain, list, case, lint and test take folders", file.display());
    }
    match File::open(file) {
        Ok(opened) => Ok(Box::new(opened)),
        Err(error) => bail!("cannot open {}: {}", file.display(), files::words(&error)),
    }
}

/// Puts what was typed over what was read.
pub fn set(controller: &mut ControllerCase, settings: &SettingsArgs) {
    fn put<T: Clone>(slot: &mut Option<Evidenced<T>>, typed: Option<&T>, flag: &str) {
        if let Some(value) = typed {
            *slot = Some(Evidenced::given(value.clone(), flag));
        }
    }
    put(&mut controller.version, settings.version(), "--as-version");
    put(&mut controller.architecture, settings.architecture.as_ref(), "--architecture");
    put(&mut controller.tolerance, settings.tolerance.as_ref(), "--tolerance");
    let period = settings.cpu_initialization_period.as_ref();
    put(&mut controller.cpu_initialization_period, period, "--cpu-initialization-period");
    let delay = settings.initial_readiness_delay.as_ref();
    put(&mut controller.initial_readiness_delay, delay, "--initial-readiness-delay");
    let window = settings.downscale_stabilization.as_ref();
    put(&mut controller.downscale_stabilization, window, "--downscale-stabilization");
    for (gate, value) in settings.feature_gates.iter().flat_map(|gates| &gates.0) {
        controller.feature_gates.insert(gate.clone(), Evidenced::given(*value, "--feature-gates"));
    }
}

/// Adds what somebody knows of the past, which no what-if changes. What is to come is no past.
pub fn know(case: &mut Case, past: &PastArgs) -> anyhow::Result<()> {
    let now = case.at;
    let known = |flag: &str, moment: Moment| {
        let at = moment.before(now);
        ensure!(at <= now, "{flag}: {at} is after {now}, the time of the case");
        Ok(at)
    };
    for ScaledFrom { from, at } in &past.scaled_from {
        case.history.rescales.push(GivenRescale { at: known("--scaled-from", *at)?, from: from.0 });
    }
    if let Some(started) = past.controller_started {
        let flag = "--controller-started";
        case.controller.started = Some(Evidenced::given(known(flag, started)?, flag));
    }
    Ok(())
}
