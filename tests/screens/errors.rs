//! The errors of commands that cannot be carried out (`tests/errors/errors.md`).

use crate::pages;
use crate::root::root;

#[test]
fn each_error_is_the_one_of_its_page() {
    let folder = root("tests/errors");
    pages::check(&folder.join("errors.md"), |line| Some(pages::answer(&folder, line)));
}
