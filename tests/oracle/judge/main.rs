//! Judges sequences, changed cases and plays from standard input: `tests/oracle/run sequences --seed 7 --count 20000 | cargo run --release
//! --example judge`. Prints a count; fails at the first mismatch, which it prints, or where there is nothing to judge.

use std::io::{BufRead, Write};
use std::process::ExitCode;

mod compare;
mod play;

fn main() -> ExitCode {
    let (mut lines, mut reconciles) = (0_u64, 0);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match compare::judge(&line) {
            Ok(steps) => reconciles += steps,
            Err(problem) => {
                let _ = writeln!(out, "after {lines} equal lines, MISMATCH {problem}");
                return ExitCode::FAILURE;
            }
        }
        lines += 1;
    }
    let _ = writeln!(out, "{lines} lines, {reconciles} reconciles equal");
    if lines > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
