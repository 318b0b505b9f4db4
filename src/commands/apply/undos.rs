//! The commands that take back what was written so far, or may have been.

use std::cell::{Cell, RefCell};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

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

    /// Puts the command for a write that is about to begin into the file, for a run that is killed during it.
    ///
    /// # Errors
    /// Those of the file: then nothing must be written.
    pub fn begin(&self, undo: &str) -> anyhow::Result<()> {
        self.script.as_ref().map_or(Ok(()), |script| script.begin(undo))
    }

    /// Notes the command for a write that was made, or may have been, in place of the one that it began with.
    pub fn add(&self, undo: &str) {
        if let Some(script) = &self.script {
            script.keep(undo);
        }
        self.all.borrow_mut().push(undo.to_owned());
    }

    /// Takes the command of a write that was not made after all out of the file.
    pub fn end(&self) {
        if let Some(script) = &self.script {
            script.end();
        }
    }

    /// Says how all of them are taken back, if there are several or a file.
    pub fn tell(&self, talk: &mut dyn Write) -> anyhow::Result<()> {
        // An interrupt may have come between what a write began with and the write.
        self.end();
        let all = self.all.borrow();
        match &self.script {
            Some(script) if !all.is_empty() => {
                writeln!(talk, "\nundo of all {}: sh {}", all.len(), sanitize(&script.word()))?;
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
    /// A file without a command would say that there is something to take back.
    fn drop(&mut self) {
        if let Some(script) = self.script.take().filter(|_| self.all.borrow().is_empty()) {
            let _ = fs::remove_file(script.path);
        }
    }
}

/// The head of a script that runs each command, whatever becomes of those before it, with the flags that it is given.
const HEAD: &str = "# Takes back what kubectl hpa wrote. Flags are passed on: sh FILE --token TOKEN\n\
    failed=0\ntrap 'exit $failed' EXIT\n";

/// A script for a shell, a command a line.
struct Script {
    path: PathBuf,
    file: File,
    /// How long it is with the commands of the writes that have ended.
    length: Cell<u64>,
}

impl Script {
    fn create(path: &Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            bail!("--undo-file takes the name of a new file; without it the undos are on standard error");
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let problem = || format!("cannot write {}: nothing was written; name a new file", path.display());
        let file =
            files::for_owner(&mut options).open(path).map_err(|it| words(&it)).with_context(problem)?;
        let script = Self { path: path.to_owned(), file, length: Cell::new(0) };
        script.append(HEAD).map_err(|it| words(&it)).with_context(problem).inspect_err(|_| {
            let _ = fs::remove_file(path);
        })?;
        Ok(script)
    }

    fn begin(&self, undo: &str) -> anyhow::Result<()> {
        let before = self.length.get();
        let written = self.append(&line(undo));
        self.length.set(before);
        written.map_err(|error| {
            self.end();
            let (why, path) = (files::words(&error), self.path.display());
            anyhow!("nothing was written: its undo cannot be put into {path}: {why}")
        })
    }

    /// Over the line that was put there before the write, most often the same. If that fails, the command is on the screen.
    fn keep(&self, undo: &str) {
        let _ = self.append(&line(undo));
        self.end();
    }

    fn end(&self) {
        let _ = self.file.set_len(self.length.get());
    }

    /// Writes after the commands of the writes that have ended, to the disk.
    fn append(&self, text: &str) -> io::Result<()> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(self.length.get()))?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        self.length.set(self.length.get() + text.len() as u64);
        Ok(())
    }

    /// Its name as a word of a shell, which nothing takes for a flag.
    fn word(&self) -> String {
        let path = self.path.to_string_lossy();
        let path = if path.starts_with('-') { format!("./{path}") } else { path.into_owned() };
        shell_word(&path).into_owned()
    }
}

fn line(undo: &str) -> String {
    format!("{undo} \"$@\" || failed=1\n")
}

fn words(error: &io::Error) -> anyhow::Error {
    anyhow!("{}", files::words(error))
}
