//! Pages that are made of the code's own texts, and committed.

use std::fs;
use std::path::Path;

/// Checks that a page is the one that a test makes now; `KUBECTL_HPA_WRITE=1` writes it anew.
pub fn hold(page: &str, text: &str, maker: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    if std::env::var_os("KUBECTL_HPA_WRITE").is_some() {
        fs::create_dir_all(file.parent().expect("a folder")).expect("to make the folder");
        fs::write(&file, text).expect("to write the page");
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == text, "{page} is old: KUBECTL_HPA_WRITE=1 cargo test --test {maker} writes it anew");
}
