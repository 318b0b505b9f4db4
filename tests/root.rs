//! Where the files of the repository are, for tests of either crate.

use std::path::{Path, PathBuf};

/// A file or folder of the repository.
pub fn root(path: &str) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let top = package.ancestors().find(|folder| folder.join("Cargo.lock").exists());
    top.expect("the lock file is at the top").join(path)
}
