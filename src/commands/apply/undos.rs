//! The commands that take back what was written so far, or may have been.

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::commands::files;
use crate::render::sanitize;
use kubectl_hpa_core::model::shell_word;

/// Those of a run, in the order of the writes; in a file, too, if one was named.
pub(super) struct Undos {
    all: RefCell<Vec<String>>,
    script: Option<Script>,
}

impl Undos {
    /// With a new file, which is there before anything is written.
    ///
    /// # Errors
    /// If it cannot be made, or is there already.
    pub fn of(file: Option<&Path>) -> anyhow::Result<Self> {
        let script = file.map(Script::create).transpose()?;
        Ok(Self { script, all: RefCell::default() })
    }

    /// Notes a command. What goes wrong with the file is said at the end.
    pub fn add(&self, undo: &str) {
        if let Some(script) = &self.script {
            script.add(undo);
        }
        self.all.borrow_mut().push(undo.to_owned());
    }

    /// Says how all of them are taken back, if there are several or a file.
    pub fn tell(&self, talk: &mut dyn Write) -> anyhow::Result<()> {
        let all = self.all.borrow();
        match &self.script {
            Some(script) if !all.is_empty() => {
                script.whole()?;
                let path = script.path.to_string_lossy();
                writeln!(talk, "\nundo of all {}: sh {}", all.len(), sanitize(&shell_word(&path)))?;
            }
            None if all.len() > 1 => {
                writeln!(talk, "\nundo of all {}:", all.len())?;
                all.iter().try_for_each(|undo| writeln!(talk, "{}", sanitize(undo)))?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Drop for Undos {
    /// An empty file would say that there is something to take back.
    fn drop(&mut self) {
        if let Some(script) = self.script.take().filter(|_| self.all.borrow().is_empty()) {
            let _ = fs::remove_file(script.path);
        }
    }
}

/// A script for a shell, a command a line.
struct Script {
    path: PathBuf,
    file: RefCell<io::Result<File>>,
}

impl Script {
    fn create(path: &Path) -> anyhow::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let opened = options.open(path).map_err(|error| anyhow!("{}", files::words(&error)));
        let file = opened.with_context(|| format!("cannot write {}: nothing was written", path.display()))?;
        Ok(Self { path: path.to_owned(), file: RefCell::new(Ok(file)) })
    }

    /// On the disk before the next write begins.
    fn add(&self, undo: &str) {
        let mut file = self.file.borrow_mut();
        if let Ok(open) = &mut *file
            && let Err(error) = writeln!(open, "{undo}").and_then(|()| open.sync_data())
        {
            *file = Err(error);
        }
    }

    fn whole(&self) -> anyhow::Result<()> {
        let file = self.file.borrow();
        let broken = file.as_ref().err().map(files::words);
        broken.map_or(Ok(()), |why| Err(anyhow!("{} lacks an undo: {why}", self.path.display())))
    }
}
