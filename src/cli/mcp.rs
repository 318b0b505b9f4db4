//! `kubectl hpa mcp`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{ConnectionArgs, UsageError};

/// `kubectl hpa mcp`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
pub struct McpArgs {
    /// A record that may be asked about the past; may be repeated. No other file is read
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Vec<PathBuf>,

    /// How to reach the only cluster that is asked.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

impl McpArgs {
    /// Refuses values that the parser accepts.
    ///
    /// # Errors
    /// A record on standard input, where the questions come from.
    pub fn check(&self) -> Result<(), UsageError> {
        self.connection.check()?;
        if self.file.iter().any(|file| file.as_os_str() == "-") {
            Err(UsageError::RecordOnInput)
        } else {
            Ok(())
        }
    }
}

const EXAMPLES: &str = "\
Answers an assistant on standard input and output, by the Model Context
Protocol: explain, list, lint, simulate and, with a record, history. Writes
nothing, and reads what the kubeconfig allows, what is pasted, and the records.

Examples:
  kubectl hpa mcp
  kubectl hpa mcp --context staging --as viewer
  kubectl hpa mcp -f day.jsonl";
