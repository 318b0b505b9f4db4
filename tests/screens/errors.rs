//! What commands say that cannot be carried out (`tests/errors/errors.md`).

use std::path::Path;

use crate::pages;

#[test]
fn each_error_is_the_one_of_its_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    pages::check(&folder.join("errors.md"), |line| Some(pages::answer(&folder, line)));
}
