//! `kubectl hpa rbac`.

use clap::Args;

/// `kubectl hpa rbac`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
pub struct RbacArgs {
    /// Print a Role for this namespace instead of a ClusterRole
    #[arg(short, long)]
    pub namespace: Option<String>,
    /// Add what --apply needs
    #[arg(long)]
    pub apply: bool,
    /// Add what lint needs of a cluster
    #[arg(long)]
    pub lint: bool,
}

const EXAMPLES: &str = "\
Examples:
  kubectl hpa rbac | kubectl apply -f -
  kubectl create clusterrolebinding kubectl-hpa --clusterrole kubectl-hpa --group sre
  kubectl hpa rbac -n shop --apply | kubectl apply -f -
  kubectl create rolebinding kubectl-hpa -n shop --role kubectl-hpa --group shop-developers";
