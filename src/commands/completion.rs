//! `kubectl hpa completion`: the scripts of `completions/`, under the name that the command was started by.

use std::io::Write;

use super::Ending;
use super::invoked::Invoked;
use crate::cli::{CompletionArgs, Shell};

/// Writes one of the scripts.
pub fn run(args: &CompletionArgs, invoked: &Invoked, out: &mut dyn Write) -> anyhow::Result<Ending> {
    out.write_all(invoked.renamed(script(args.shell)).as_bytes())?;
    Ok(Ending::Done)
}

fn script(shell: Shell) -> &'static str {
    match shell {
        Shell::Kubectl => include_str!("../../completions/kubectl_complete-hpa"),
        Shell::Bash => include_str!("../../completions/kubectl-hpa.bash"),
        Shell::Zsh => include_str!("../../completions/_kubectl-hpa"),
        Shell::Fish => include_str!("../../completions/kubectl-hpa.fish"),
        Shell::Powershell => include_str!("../../completions/kubectl-hpa.ps1"),
    }
}
