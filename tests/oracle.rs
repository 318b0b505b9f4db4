//! The committed vectors of the real controllers (`tests/oracle/README.md` says how they are made).

#[path = "oracle/judge/compare.rs"]
mod judge;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;

/// Stops at the first sequence that ends otherwise.
fn check(vectors: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/vectors").join(vectors);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = 0;
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let line = line.expect("vectors are readable");
        lines += 1;
        if let Err(mismatch) = judge::judge(&line) {
            panic!("line {lines} differs: {mismatch}");
        }
    }
    assert!(lines >= least, "{lines} lines, expected at least {least}");
}

#[test]
fn every_sequence_of_1_37_ends_as_the_real_controller_ends_it() {
    check("v1.37.jsonl.gz", 3000);
}

#[test]
fn every_sequence_of_1_36_ends_as_the_real_controller_ends_it() {
    check("v1.36.jsonl.gz", 1000);
}

/// The older controllers, each by one release.
macro_rules! older {
    ($($name:ident = $minor:literal,)+) => {
        $(#[test]
        fn $name() {
            check(concat!("v", $minor, ".jsonl.gz"), 1500);
        })+
    };
}

older! {
    every_sequence_of_1_35_ends_as_the_real_controller_ends_it = "1.35",
    every_sequence_of_1_34_ends_as_the_real_controller_ends_it = "1.34",
    every_sequence_of_1_33_ends_as_the_real_controller_ends_it = "1.33",
    every_sequence_of_1_32_ends_as_the_real_controller_ends_it = "1.32",
    every_sequence_of_1_29_ends_as_the_real_controller_ends_it = "1.29",
    every_sequence_of_1_28_ends_as_the_real_controller_ends_it = "1.28",
    every_sequence_of_1_26_ends_as_the_real_controller_ends_it = "1.26",
    every_sequence_of_1_23_ends_as_the_real_controller_ends_it = "1.23",
}

#[test]
fn every_changed_case_of_1_37_ends_as_the_real_controller_ends_it() {
    check("changes-v1.37.jsonl.gz", 1500);
}
