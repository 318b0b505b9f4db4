//! The porch: read the command line, run it, end with its exit code.

use std::process::ExitCode;

use kubectl_hpa::commands::{Ending, Output, Screen, parse, run};

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    let cli = match parse(&args, &mut std::io::stderr()) {
        Ok(cli) => cli,
        Err(code) => return ExitCode::from(code),
    };
    let mut out = Output::new(std::io::stdout().lock());
    // Not locked: other threads tell of requests.
    let mut err = std::io::stderr();
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return Ending::Failed.into();
    };
    let ending = runtime.block_on(run(cli, Screen::of_stdout(), &mut out, &mut err));
    // Nothing that still waits for a cluster holds up the end.
    runtime.shutdown_background();
    out.end(ending, &mut err).into()
}
