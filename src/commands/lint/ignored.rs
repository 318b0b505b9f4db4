//! The file of exceptions.

use std::path::Path;

use anyhow::{Error, bail, ensure};

use super::super::cases;
use kubectl_hpa_core::lint::{IGNORE_KIND, IgnoreFile};

/// The exceptions of a file, which has nothing else.
pub fn read(file: &Path) -> anyhow::Result<IgnoreFile> {
    let mut objects = cases::objects(vec![file.to_owned()]);
    let first = objects.next().transpose()?;
    let Some(written) = first.filter(|written| written.text("/kind") == IGNORE_KIND) else {
        bail!("{}: no object of kind {IGNORE_KIND}", file.display());
    };
    ensure!(objects.next().is_none(), "{}: expected one {IGNORE_KIND}, and nothing else", file.display());
    IgnoreFile::read(&written).map_err(Error::msg)
}
