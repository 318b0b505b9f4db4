//! `kubectl hpa completion`, and the questions of the shells while a command line is being typed.

use clap::{Args, ValueEnum};

/// `kubectl hpa completion`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
pub struct CompletionArgs {
    /// The shell; kubectl completes `kubectl hpa` in every shell that completes kubectl
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Who completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// Print an executable that kubectl asks, for the PATH.
    Kubectl,
    /// Print a script to source, or for the folder of bash-completion.
    Bash,
    /// Print a function for a folder of $fpath, or to source.
    Zsh,
    /// Print a script for ~/.config/fish/completions.
    Fish,
    /// Print a script for $PROFILE.
    Powershell,
}

/// `kubectl-hpa __complete [--kubectl] -- WORD…`: what the last word could become. Prints in the form in which kubectl takes it from
/// a plugin: a line `VALUE` or `VALUE<TAB>HELP` for each, at last `:N`.
#[derive(Clone, Debug, Args)]
#[command(disable_help_flag = true)]
pub struct CompleteArgs {
    /// It is kubectl that asks, for a shell's script of its own.
    #[arg(long)]
    pub kubectl: bool,
    /// The words after the command's name, the last one not finished and maybe empty.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  kubectl hpa completion kubectl > ~/.local/bin/kubectl_complete-hpa
  chmod +x ~/.local/bin/kubectl_complete-hpa
  source <(kubectl hpa completion bash)
  kubectl hpa completion zsh > ~/.zfunc/_kubectl-hpa
  kubectl hpa completion fish > ~/.config/fish/completions/kubectl-hpa.fish
  kubectl hpa completion powershell >> $PROFILE";
