//! `kubectl hpa rbac`.

use clap::Args;

/// `kubectl hpa rbac`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
pub struct RbacArgs {
    /// Print a Role for this namespace instead of a ClusterRole
    #[arg(short, long)]
    pub namespace: Option<String>,
    /// Add the rights that --apply needs
    #[arg(long)]
    pub apply: bool,
    /// Add the rights that lint needs in a cluster
    #[arg(long)]
    pub lint: bool,
}

const EXAMPLES: &str = "\
Examples:
  kubectl hpa rbac | kubectl apply -f -
  kubectl create clusterrolebinding hpa --clusterrole kubectl-hpa --group sre
  kubectl hpa rbac -n shop --apply | kubectl apply -f -
  kubectl create rolebinding hpa -n shop --role kubectl-hpa --group shop";
