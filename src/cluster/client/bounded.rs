//! Files that are read whole: no more of them than their kind can have.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a file, a pipe or a device, which may never end.
///
/// # Errors
/// What the system says, or that there are more bytes than `most`.
pub fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let words = format!("it is larger than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, words));
    }
    Ok(bytes)
}
