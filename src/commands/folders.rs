//! Case files by what was named: files, and folders of them.

use std::collections::BTreeSet;
use std::fs;
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
        search.add(path);
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
    fn add(&mut self, path: &Path) {
        // Standard input or a pipe has no path of its own, so it is kept each time that it is named.
        if fs::canonicalize(path).is_ok_and(|real| !self.seen.insert(real)) {
            return;
        }
        if !path.is_dir() {
            return self.found.push(Ok(path.to_owned()));
        }
        match inside(path) {
            Ok(paths) => paths.iter().filter(|path| is_searched(path)).for_each(|path| self.add(path)),
            Err(error) => {
                let error = anyhow!("cannot read {}: {}", path.display(), files::words(&error));
                self.found.push(Err((path.to_owned(), error)));
            }
        }
    }
}

fn inside(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

/// A folder, or what is called as a case is. A pipe is not read: it might never end. A link to nothing is, and is told.
fn is_searched(path: &Path) -> bool {
    let is_case = path.extension().is_some_and(|end| ENDINGS.iter().any(|known| end == *known));
    match fs::metadata(path) {
        Ok(metadata) => metadata.is_dir() || (is_case && metadata.is_file()),
        Err(_) => is_case,
    }
}
