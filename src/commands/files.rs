//! Files that are written: whole or not at all, in the place that was named.
//!
//! What is beside a file is moved over it, so that nobody ever reads half of it. A link is followed and stays, and so
//! does what is no file: a device, a pipe and an open descriptor are written to as they are.

use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;

/// Who may read a file that was not there before. One that was keeps its mode.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Its owner alone.
    Owner,
    /// Everybody whom the umask allows.
    Umask,
}

/// How standard output is called.
const STREAM: &str = "-";

/// More links than this are a loop, as to Linux.
const LINKS: usize = 40;

/// Writes a file, or to `out` where that is what the path stands for. An error says what is wrong with the file; one of
/// `out` is passed on as it is.
pub fn write_whole(
    path: &Path,
    bytes: &[u8],
    readers: Readers,
    out: &mut dyn Write,
) -> Result<(), anyhow::Error> {
    let written = match place(path) {
        Ok(Destination::Output) => {
            out.write_all(bytes)?;
            return Ok(out.flush()?);
        }
        Ok(Destination::Errors) => io::stderr().write_all(bytes),
        Ok(Destination::Through(path)) => {
            OpenOptions::new().append(true).open(path).and_then(|mut it| it.write_all(bytes))
        }
        Ok(Destination::File(path)) => write(&path, bytes, readers),
        Err(error) => Err(error),
    };
    written.map_err(|error| anyhow!("{}", words(&error)))
}

/// Makes a file that is not there yet its owner's alone.
pub fn for_owner(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// What the system says of a failure, in lower case and without its number.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Where a path leads.
enum Destination {
    /// To standard output.
    Output,
    /// To standard error.
    Errors,
    /// To something other than a regular file, which is written in place.
    Through(PathBuf),
    /// To a file, which may not be there yet.
    File(PathBuf),
}

/// Whether a path stands for standard output.
pub fn is_output(path: &Path) -> bool {
    matches!(place(path), Ok(Destination::Output))
}

fn place(path: &Path) -> io::Result<Destination> {
    if path == Path::new(STREAM) {
        return Ok(Destination::Output);
    }
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match descriptor(&path).as_deref() {
            Some("1") => return Ok(Destination::Output),
            Some("2") => return Ok(Destination::Errors),
            Some(_) => return Ok(Destination::Through(path)),
            None => {}
        }
        let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        match fs::symlink_metadata(&path) {
            Ok(it) if it.is_symlink() => {
                path = path.parent().unwrap_or(Path::new("")).join(fs::read_link(&path)?);
            }
            Ok(it) if it.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(it) if it.is_file() => return Ok(Destination::File(path)),
            Ok(_) => return Ok(Destination::Through(path)),
            Err(error) if error.kind() == ErrorKind::NotFound && !is_folder => {
                return Ok(Destination::File(path));
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many links, one to the other"))
}

/// The number of one of this process' own descriptors, by its path. It looks like a link to a file, but what is written
/// there has to go on from where the descriptor is.
fn descriptor(path: &Path) -> Option<String> {
    let folder = fs::canonicalize(path.parent()?).ok()?;
    let is_own = folder == Path::new("/dev/fd") || fs::canonicalize("/proc/self/fd").ok()? == folder;
    is_own.then(|| path.file_name()?.to_str().map(str::to_owned)).flatten()
}

fn write(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    // A read-only file is not replaced either.
    let there = match OpenOptions::new().write(true).open(path) {
        Ok(file) => Some((file.metadata()?, file)),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let is_private = there.is_some() || readers == Readers::Owner;
    match (Beside::create(path, is_private), there) {
        (Ok(beside), None) => beside.replace(path, bytes),
        (Ok(beside), Some((like, _))) if beside.is_made_like(&like)? => beside.replace(path, bytes),
        (Err(error), there) if there.is_none() || error.kind() != ErrorKind::PermissionDenied => Err(error),
        // A file with several links, of another owner, or in a folder where no file can be created is written in place.
        (_, Some((_, mut file))) => {
            file.set_len(0)?;
            file.write_all(bytes)?;
            file.sync_all()
        }
        (Err(error), None) => Err(error),
    }
}

/// A file of our own in the folder of another, which it is to replace. It is taken away unless it does.
struct Beside {
    path: PathBuf,
    file: File,
    is_moved: bool,
}

impl Beside {
    /// Under a name that nobody can know before, and that nobody has put anything under.
    fn create(target: &Path, is_private: bool) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if is_private {
            for_owner(&mut options);
        }
        let folder = target.parent().unwrap_or(Path::new(""));
        loop {
            let path = folder.join(format!(".kubectl-hpa-{:016x}.tmp", RandomState::new().hash_one(0)));
            match options.open(&path) {
                Ok(file) => return Ok(Self { path, file, is_moved: false }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Gives it the owner and the mode of another. `false` where it cannot stand in for the other: that has a second
    /// name, or an owner that only the system may give.
    fn is_made_like(&self, other: &Metadata) -> io::Result<bool> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let own = self.file.metadata()?;
            let is_of_another = (own.uid(), own.gid()) != (other.uid(), other.gid());
            if other.nlink() > 1
                || (is_of_another && fchown(&self.file, Some(other.uid()), Some(other.gid())).is_err())
            {
                return Ok(false);
            }
        }
        self.file.set_permissions(other.permissions())?;
        Ok(true)
    }

    fn replace(mut self, target: &Path, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        // Some file systems report a full disk only now.
        self.file.sync_all()?;
        fs::rename(&self.path, target)?;
        self.is_moved = true;
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.is_moved {
            // The temporary file stays if it cannot be removed.
            let _ = fs::remove_file(&self.path);
        }
    }
}
