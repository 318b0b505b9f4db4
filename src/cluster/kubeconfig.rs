//! The kubeconfig files, read and merged as kubectl does.

use std::env;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use kube::config::{Kubeconfig, KubeconfigError};

use super::error::{ClusterError, chain};

/// Reads the file that was named; else those of `$KUBECONFIG`; else `~/.kube/config`. Only the one that was named must be
/// there.
///
/// Source: `ClientConfigLoadingRules.Load` of client-go's `tools/clientcmd`.
pub(super) fn read(named: Option<&Path>) -> Result<Kubeconfig, ClusterError> {
    match named {
        Some(path) => merge(Kubeconfig::default(), Kubeconfig::read_from(path).map_err(useless)?),
        None => read_all(usual_files()),
    }
}

/// Reads several files, of which each may be absent.
pub(super) fn read_all(files: impl IntoIterator<Item = PathBuf>) -> Result<Kubeconfig, ClusterError> {
    let mut merged = Kubeconfig::default();
    for file in files {
        match Kubeconfig::read_from(&file) {
            Ok(next) => merged = merge(merged, next)?,
            Err(error) if is_absent(&error) => {}
            Err(error) => return Err(useless(error)),
        }
    }
    Ok(merged)
}

#[expect(clippy::needless_pass_by_value, reason = "as map_err hands it over")]
fn useless(error: KubeconfigError) -> ClusterError {
    ClusterError::Config(chain(&error))
}

fn usual_files() -> Vec<PathBuf> {
    match env::var_os("KUBECONFIG").filter(|list| !list.is_empty()) {
        Some(list) => env::split_paths(&list).filter(|file| !file.as_os_str().is_empty()).collect(),
        None => env::home_dir().map(|home| home.join(".kube/config")).into_iter().collect(),
    }
}

fn is_absent(error: &KubeconfigError) -> bool {
    matches!(error, KubeconfigError::ReadConfig(error, _) if error.kind() == ErrorKind::NotFound)
}

/// The first file to set something wins; what is empty is not set. Kind and version of a file are of no account.
fn merge(merged: Kubeconfig, mut next: Kubeconfig) -> Result<Kubeconfig, ClusterError> {
    (next.kind, next.api_version) = (None, None);
    next.current_context = next.current_context.filter(|name| !name.is_empty());
    merged.merge(next).map_err(useless)
}
