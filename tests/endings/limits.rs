//! The program under limits.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

/// How much of the machine a run may take.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Of processor time.
    pub seconds: u32,
    /// Of address space, in megabytes: the program without optimization is a hundred of them by itself.
    pub megabytes: u32,
}

/// What anything small may take.
pub const SMALL: Limits = Limits { seconds: 5, megabytes: 450 };

/// Runs the program with what stands on standard input, over and over if it is endless.
///
/// # Panics
/// It does not end by itself, in order: with one of its exit codes, without a panic or another fault of its own.
pub fn run(limits: Limits, args: &[&str], input: &[u8], is_endless: bool) -> Output {
    let script = format!(
        "ulimit -t {}; ulimit -v {}; exec \"$0\" \"$@\"",
        limits.seconds,
        u64::from(limits.megabytes) * 1024
    );
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_kubectl-hpa")])
        .args(args)
        .env("KUBECONFIG", "/dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut stdin = child.stdin.take().expect("standard input");
    let input = input.to_vec();
    // Ends with the program, which reads no more then.
    let feeder =
        thread::spawn(move || while stdin.write_all(&input).is_ok() && is_endless && !input.is_empty() {});
    let output = child.wait_with_output().expect("its output");
    feeder.join().expect("what was fed");
    let told = String::from_utf8_lossy(&output.stderr);
    let is_ended = output.status.code().is_some_and(|code| code <= 8);
    let is_at_fault = ["panicked", "fault of kubectl-hpa"].iter().any(|words| told.contains(words));
    assert!(is_ended && !is_at_fault, "{args:?}: {}: {told}", output.status);
    output
}

/// Asserts that a run is refused with one error that has these words.
pub fn refused(limits: Limits, args: &[&str], input: &[u8], words: &str) {
    let output = run(limits, args, input, true);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{args:?}");
    assert_eq!(told.matches("error: ").count(), 1, "{args:?}: {told}");
    assert!(told.contains(words), "{args:?}: {told}");
}
