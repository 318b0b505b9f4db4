//! Pages that are made of the code's own texts, and committed.

use std::fs;
use std::path::Path;

/// Holds the pages of a folder against those that are made now; `KUBECTL_HPA_WRITE=1` writes them anew.
pub fn hold(folder: &str, pages: &[(String, String)], test: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    for (name, text) in pages {
        let file = path.join(name);
        if std::env::var_os("KUBECTL_HPA_WRITE").is_some() {
            fs::create_dir_all(&path).expect("a folder");
            fs::write(&file, text).expect("to write the page");
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            committed == *text,
            "{folder}/{name} is old: KUBECTL_HPA_WRITE=1 cargo test --test {test} writes it anew"
        );
    }
    assert_eq!(pages.len(), fs::read_dir(&path).map_or(0, Iterator::count), "a page too many, or too few");
}
