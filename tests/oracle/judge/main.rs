//! Judges sequences and changed cases from standard input: `tests/oracle/run sequences --seed 7 --count 20000 | cargo run --release
//! --example judge`. Prints each mismatch and a count; fails if there is any, or nothing to judge.

use std::io::{BufRead, Write};
use std::process::ExitCode;

mod compare;

fn main() -> ExitCode {
    let (mut lines, mut reconciles, mut mismatches) = (0_u64, 0, 0_u64);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        lines += 1;
        match compare::judge(&line) {
            Ok(steps) => reconciles += steps,
            Err(problem) => {
                mismatches += 1;
                if mismatches <= 1000 {
                    let _ = writeln!(out, "MISMATCH {problem}");
                }
            }
        }
    }
    let _ = writeln!(out, "{lines} lines, {reconciles} reconciles equal, {mismatches} mismatches");
    if lines > 0 && mismatches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
