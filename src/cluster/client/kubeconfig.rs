//! The kubeconfig files, read and merged as kubectl does.

use std::env;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use kube::config::{AuthInfo, Cluster, Kubeconfig};
use kubectl_hpa_core::snapshot::{Violation, typed};
use serde_json::Value;

use super::bounded::read_bounded;
use super::document;
use super::plainly;
use crate::cluster::error::ClusterError;

/// Reads the file that was named; else those of `$KUBECONFIG`; else `~/.kube/config`. Only the one that was named must be
/// there.
///
/// Source: `ClientConfigLoadingRules.Load` of client-go's `tools/clientcmd`.
pub(super) fn read(named: Option<&Path>) -> Result<Kubeconfig, ClusterError> {
    match named {
        Some(path) => merge(Kubeconfig::default(), read_file(path).map_err(|error| useless(path, &error))?),
        None => read_all(usual_files()),
    }
}

/// The names of the contexts of a kubeconfig file, or of the files that are looked at without one.
///
/// # Errors
/// [`ClusterError::Config`] if it cannot be read.
pub fn contexts(kubeconfig: Option<&Path>) -> Result<Vec<String>, ClusterError> {
    let file = read(kubeconfig)?;
    Ok(file.contexts.into_iter().map(|context| context.name).collect())
}

/// Reads several files, of which each may be absent.
pub(super) fn read_all(files: impl IntoIterator<Item = PathBuf>) -> Result<Kubeconfig, ClusterError> {
    let mut merged = Kubeconfig::default();
    for file in files {
        match read_file(&file) {
            Ok(next) => merged = merge(merged, next)?,
            Err(error) if is_absent(&error) => {}
            Err(error) => return Err(useless(&file, &error)),
        }
    }
    Ok(merged)
}

/// A kubeconfig of a thousand clusters is no larger.
const LONGEST: u64 = 16 << 20;

/// Why a file is of no use.
enum Useless {
    Unread(io::Error),
    NoYaml(serde_yaml::Error),
    NoConfig(Violation),
}

/// One file, whose relative paths begin where it is.
fn read_file(path: &Path) -> Result<Kubeconfig, Useless> {
    let text = read_bounded(path, LONGEST).and_then(text).map_err(Useless::Unread)?;
    let document = document::first(text.trim_start_matches('\u{feff}'));
    let value: Value = serde_yaml::from_str(document).map_err(Useless::NoYaml)?;
    let mut file: Kubeconfig =
        if value.is_null() { Kubeconfig::default() } else { typed(&value).map_err(Useless::NoConfig)? };
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let clusters = file.clusters.iter_mut().filter_map(|named| named.cluster.as_mut());
    clusters.for_each(|cluster: &mut Cluster| locate(folder, &mut cluster.certificate_authority));
    for user in file.auth_infos.iter_mut().filter_map(|named| named.auth_info.as_mut()) {
        locate_all(folder, user);
    }
    Ok(file)
}

/// UTF-8, or the UTF-16 that some shells of Windows write.
fn text(bytes: Vec<u8>) -> io::Result<String> {
    let units = |of: fn([u8; 2]) -> u16| {
        let pairs = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]]));
        String::from_utf16(&pairs.collect::<Vec<_>>()).ok()
    };
    let text = match bytes.as_slice() {
        [0xff, 0xfe, ..] => units(u16::from_le_bytes),
        [0xfe, 0xff, ..] => units(u16::from_be_bytes),
        _ => String::from_utf8(bytes).ok(),
    };
    text.ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Source: `GetAuthInfoFileReferences` of client-go: of a plugin's command only one with a separator is a path.
fn locate_all(folder: &Path, user: &mut AuthInfo) {
    locate(folder, &mut user.client_certificate);
    locate(folder, &mut user.client_key);
    locate(folder, &mut user.token_file);
    if let Some(exec) = &mut user.exec
        && exec.command.as_ref().is_some_and(|command| command.contains(std::path::MAIN_SEPARATOR))
    {
        locate(folder, &mut exec.command);
    }
}

fn locate(folder: &Path, path: &mut Option<String>) {
    if let Some(path) =
        path.as_mut().filter(|path| !path.is_empty() && Path::new(path.as_str()).is_relative())
    {
        *path = folder.join(path.as_str()).display().to_string();
    }
}

/// The parser quotes the lines around a mistake, which may hold a token: nothing is told but the place and the kind of it.
fn useless(path: &Path, error: &Useless) -> ClusterError {
    let file = path.display();
    ClusterError::Config(match error {
        Useless::Unread(error) => {
            let words = plainly::tidy(&error.to_string());
            format!("cannot read the kubeconfig {file}: {words}")
        }
        Useless::NoYaml(error) => {
            let words = plainly::of_config(error);
            let words = words.trim_start_matches("error: ");
            let quoted =
                words.split('"').enumerate().map(|(place, part)| if place % 2 == 1 { "…" } else { part });
            format!("{file}: {}", quoted.collect::<Vec<_>>().join("\""))
        }
        Useless::NoConfig(violation) => {
            let words = violation.text.split(", not ").next().unwrap_or_default();
            let field = if violation.path.is_empty() { "it" } else { &violation.path };
            format!("{file}: {field} {words}")
        }
    })
}

fn usual_files() -> Vec<PathBuf> {
    match env::var_os("KUBECONFIG").filter(|list| !list.is_empty()) {
        Some(list) => env::split_paths(&list).filter(|file| !file.as_os_str().is_empty()).collect(),
        None => env::home_dir().map(|home| home.join(".kube/config")).into_iter().collect(),
    }
}

fn is_absent(error: &Useless) -> bool {
    matches!(error, Useless::Unread(error) if error.kind() == ErrorKind::NotFound)
}

/// The first file to set something wins; what is empty is not set. Kind and version of a file are of no account.
fn merge(merged: Kubeconfig, mut next: Kubeconfig) -> Result<Kubeconfig, ClusterError> {
    (next.kind, next.api_version) = (None, None);
    next.current_context = next.current_context.filter(|name| !name.is_empty());
    merged.merge(next).map_err(|error| ClusterError::Config(plainly::of_config(&error)))
}
