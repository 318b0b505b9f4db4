//! Which controllers there are vectors of.

use std::fs;

use super::root::root;

/// The versions of which there are sequences: a minor, or a release from before a patch.
pub fn versions() -> Vec<String> {
    let folder = root("tests/oracle/vectors");
    let names = fs::read_dir(folder)
        .expect("the vectors are there")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut versions: Vec<String> = names
        .filter_map(|name| Some(name.strip_prefix('v')?.strip_suffix(".jsonl.gz")?.to_owned()))
        .collect();
    versions.sort();
    versions
}
