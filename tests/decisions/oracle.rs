//! The committed vectors of the real controllers (`tests/oracle/README.md` says how they are made).

use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;

use crate::root::root;

/// Stops at the first sequence that ends otherwise.
fn check(vectors: &str, least: usize) {
    let path = root("tests/oracle/vectors").join(vectors);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = 0;
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let line = line.expect("vectors are readable");
        lines += 1;
        if let Err(mismatch) = crate::judge::judge(&line) {
            panic!("line {lines} differs: {mismatch}");
        }
    }
    assert!(lines >= least, "{lines} lines, expected at least {least}");
}

/// Each controller by one release, the newest of its minor that can be built.
macro_rules! controllers {
    ($($name:ident = $release:literal, $least:literal;)+) => {
        $(#[test]
        fn $name() {
            check(concat!("v", $release, ".jsonl.gz"), $least);
        })+
    };
}

controllers! {
    every_sequence_of_1_37_ends_as_the_real_controller_ends_it = "1.37", 2100;
    every_sequence_of_1_36_ends_as_the_real_controller_ends_it = "1.36", 1500;
    every_sequence_of_1_35_ends_as_the_real_controller_ends_it = "1.35", 1500;
    every_sequence_of_1_34_ends_as_the_real_controller_ends_it = "1.34", 1500;
    every_sequence_of_1_33_ends_as_the_real_controller_ends_it = "1.33", 1500;
    every_sequence_of_1_32_ends_as_the_real_controller_ends_it = "1.32", 1500;
    every_sequence_of_1_29_ends_as_the_real_controller_ends_it = "1.29", 1500;
    every_sequence_of_1_28_ends_as_the_real_controller_ends_it = "1.28", 1500;
    every_sequence_of_1_27_ends_as_the_real_controller_ends_it = "1.27", 1500;
    every_sequence_of_1_26_ends_as_the_real_controller_ends_it = "1.26", 1500;
    every_sequence_of_1_25_ends_as_the_real_controller_ends_it = "1.25", 1500;
    every_sequence_of_1_23_ends_as_the_real_controller_ends_it = "1.23", 1500;
    every_sequence_of_1_37_on_arm64_ends_as_the_real_controller_ends_it = "1.37-arm64", 600;
    every_sequence_before_1_31_6_ends_as_the_real_controller_ends_it = "1.31", 200;
    every_sequence_before_1_29_14_ends_as_the_real_controller_ends_it = "1.29.6", 200;
    every_sequence_before_1_28_3_ends_as_the_real_controller_ends_it = "1.28.2", 200;
    every_sequence_before_1_27_7_ends_as_the_real_controller_ends_it = "1.27.3", 200;
    every_sequence_before_1_26_10_ends_as_the_real_controller_ends_it = "1.26.9", 200;
}

#[test]
fn every_play_of_1_37_goes_on_as_before_the_real_controller() {
    check("plays-v1.37.jsonl.gz", 300);
}

#[test]
fn every_changed_case_of_1_37_ends_as_the_real_controller_ends_it() {
    check("changes-v1.37.jsonl.gz", 1500);
}
