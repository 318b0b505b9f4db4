//! Case files by what was named: files, and folders of them.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::files;

/// What the files of a folder are called that are taken for cases.
const ENDINGS: [&str; 4] = ["yaml", "yml", "json", "jsonl"];

/// A file, or a folder that cannot be read, with the reason.
pub type Found = Result<PathBuf, (PathBuf, anyhow::Error)>;

/// A file as it is; of a folder its case files, in the order of their names, folders within it too. Whatever leads to
/// the same file, it is there once.
pub fn case_files(named: &[PathBuf]) -> Vec<Found> {
    let mut search = Search::default();
    for path in named {
        search.add(path, fs::canonicalize(path).ok().as_deref());
    }
    search.found
}

#[derive(Default)]
struct Search {
    found: Vec<Found>,
    /// Files and folders, without a link in their paths: links may lead in a circle.
    seen: BTreeSet<PathBuf>,
}

impl Search {
    fn add(&mut self, path: &Path, real: Option<&Path>) {
        // Standard input or a pipe has no path of its own, so it is kept each time that it is named.
        if real.is_some_and(|real| !self.seen.insert(real.to_owned())) {
            return;
        }
        if !path.is_dir() {
            return self.found.push(Ok(path.to_owned()));
        }
        match inside(path) {
            Ok(entries) => entries.iter().filter(|entry| is_searched(&entry.path())).for_each(|entry| {
                let path = entry.path();
                // The system resolves each part of a path anew, which takes long for folders a thousand deep.
                let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                let inside = real.filter(|_| !is_link).map(|real| real.join(entry.file_name()));
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
