//! Case files by what was named: files, and folders of them.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use kubectl_hpa_core::snapshot::is_text;

use super::files;

/// What the files of a folder are called that are taken for cases.
const ENDINGS: [&str; 4] = ["yaml", "yml", "json", "jsonl"];

/// And what those are called that may be text of kubectl.
const TEXT: &str = "txt";

/// A file, or a folder that cannot be read, with the reason.
pub type Found = Result<PathBuf, (PathBuf, anyhow::Error)>;

/// A file as it is; of a folder its case files, in the order of their names, folders within it too. Whatever leads to
/// the same file, it is there once.
pub fn case_files(named: &[PathBuf]) -> Vec<Found> {
    Search::default().all(named, None)
}

/// Also the files with text that kubectl prints for people.
pub fn object_files(named: &[PathBuf]) -> Vec<Found> {
    Search { with_text: true, ..Search::default() }.all(named, None)
}

/// The same without what git ignores, and without what patterns exclude that are written as git's. What is named itself is
/// always there.
///
/// # Errors
/// A pattern that is none.
pub fn manifests(named: &[PathBuf], excluded: &[String]) -> Result<Vec<Found>, anyhow::Error> {
    patterns(Path::new(""), excluded)?;
    Ok(Search::default().all(named, Some(excluded)))
}

/// Patterns that are relative to a folder.
fn patterns(root: &Path, patterns: &[String]) -> Result<Gitignore, anyhow::Error> {
    let refused = |error: ignore::Error| anyhow!("--exclude: {error}");
    let mut builder = GitignoreBuilder::new(root);
    for pattern in patterns {
        builder.add_line(None, pattern).map_err(refused)?;
    }
    builder.build().map_err(refused)
}

/// What is left out below a folder.
struct Exclusions {
    /// By what was typed, relative to the folder that was named and to the one where we are.
    typed: [Gitignore; 2],
    /// By the files of git, the outermost first.
    git: Vec<Gitignore>,
}

impl Exclusions {
    fn of(named: &Path, real: Option<&Path>, excluded: &[String]) -> Self {
        let typed = [named, Path::new("")]
            .map(|root| patterns(root, excluded).unwrap_or_else(|_| Gitignore::empty()));
        // What a repository ignores, it ignores in all its folders.
        let repository = real.and_then(|real| real.ancestors().find(|folder| folder.join(".git").exists()));
        let above = real.into_iter().flat_map(Path::ancestors).skip(1);
        let above =
            above.take_while(|folder| repository.is_some_and(|repository| folder.starts_with(repository)));
        let mut git: Vec<Gitignore> = above.filter_map(of_git).collect();
        git.reverse();
        Self { typed, git }
    }

    /// Whether a path is left out; `real` is the same without links. The innermost file of git decides that says anything.
    fn has(&self, path: &Path, real: Option<&Path>, is_folder: bool) -> bool {
        let said = real.and_then(|real| {
            let said = self.git.iter().rev().map(|it| it.matched(real, is_folder));
            said.filter(|it| !it.is_none()).map(|it| it.is_ignore()).next()
        });
        said == Some(true) || self.typed.iter().any(|it| it.matched(path, is_folder).is_ignore())
    }
}

/// The patterns of a folder's own file of git; a line of it that is no pattern is passed over, as by git.
fn of_git(folder: &Path) -> Option<Gitignore> {
    let file = folder.join(".gitignore");
    file.is_file().then(|| Gitignore::new(file).0)
}

#[derive(Default)]
struct Search {
    found: Vec<Found>,
    /// Files and folders, without a link in their paths: links may lead in a circle.
    seen: BTreeSet<PathBuf>,
    excluded: Option<Exclusions>,
    with_text: bool,
}

impl Search {
    fn all(mut self, named: &[PathBuf], excluded: Option<&[String]>) -> Vec<Found> {
        for path in named {
            let real = fs::canonicalize(path).ok();
            self.excluded = excluded.map(|excluded| Exclusions::of(path, real.as_deref(), excluded));
            self.add(path, real.as_deref());
        }
        self.found
    }

    fn add(&mut self, path: &Path, real: Option<&Path>) {
        // Standard input or a pipe has no path of its own, so it is kept each time that it is named.
        if real.is_some_and(|real| !self.seen.insert(real.to_owned())) {
            return;
        }
        if !path.is_dir() {
            return self.found.push(Ok(path.to_owned()));
        }
        let above = self.excluded.as_ref().map_or(0, |it| it.git.len());
        if let Some(excluded) = &mut self.excluded {
            excluded.git.extend(real.and_then(of_git));
        }
        self.add_inside(path, real);
        if let Some(excluded) = &mut self.excluded {
            excluded.git.truncate(above);
        }
    }

    fn add_inside(&mut self, path: &Path, real: Option<&Path>) {
        match inside(path) {
            Ok(entries) => entries.iter().for_each(|entry| {
                let path = entry.path();
                // Kustomize takes this one without an ending, too.
                let is_kustomization = self.excluded.is_some() && entry.file_name() == "Kustomization";
                let is_meant = is_kustomization || is_searched(&path) || self.with_text && has_text(&path);
                if !is_meant {
                    return;
                }
                // The system resolves each part of a path anew, which takes long for folders a thousand deep.
                let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                let inside = real.filter(|_| !is_link).map(|real| real.join(entry.file_name()));
                let there = inside.clone().or_else(|| real.map(|real| real.join(entry.file_name())));
                if self.excluded.as_ref().is_some_and(|it| it.has(&path, there.as_deref(), path.is_dir())) {
                    return;
                }
                let real = inside.or_else(|| fs::canonicalize(&path).ok());
                self.add(&path, real.as_deref());
            }),
            Err(error) => {
                let error = anyhow!("cannot read {}: {}", path.display(), files::words(&error));
                self.found.push(Err((path.to_owned(), error)));
            }
        }
    }
}

fn inside(folder: &Path) -> std::io::Result<Vec<DirEntry>> {
    let mut entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_unstable_by_key(DirEntry::file_name);
    Ok(entries)
}

/// A folder, or what is called as a case is. A pipe is not read: it might never end. A link to nothing is, and is told.
fn is_searched(path: &Path) -> bool {
    let is_case = path.extension().is_some_and(|end| ENDINGS.iter().any(|known| end == *known));
    match fs::metadata(path) {
        Ok(metadata) => metadata.is_dir() || (is_case && metadata.is_file()),
        Err(_) => is_case,
    }
}

/// True if a file of this name has text that kubectl prints for people: other texts are none of ours.
fn has_text(path: &Path) -> bool {
    let is_called = path.extension().is_some_and(|end| end == TEXT) && path.is_file();
    is_called && fs::File::open(path).is_ok_and(is_text)
}
