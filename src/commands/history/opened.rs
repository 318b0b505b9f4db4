//! Files that are records, or something else.

use std::io::{Cursor, Read};
use std::path::Path;

use anyhow::Context;

use crate::commands::packed;
use kubectl_hpa_core::record::Recorder;

/// No first line of a record has more bytes.
const HEAD: u64 = 256;

/// A file that is open.
pub struct Opened {
    /// As it was typed.
    pub name: String,
    /// Its text.
    pub reader: Box<dyn Read>,
    /// True if it begins as a record does, is packed, or is empty.
    pub is_record: bool,
}

/// Opens a file, or standard input.
pub fn open(path: &Path) -> anyhow::Result<Opened> {
    let name = path.display().to_string();
    let (mut reader, mut head) = (packed::open(path)?, Vec::new());
    reader.by_ref().take(HEAD).read_to_end(&mut head).with_context(|| name.clone())?;
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_record = packed::is_packed(path)
        || Recorder::header().as_bytes().starts_with(first)
        || String::from_utf8_lossy(first).replace(' ', "").contains("\"kind\":\"Record\"");
    Ok(Opened { name, reader: Box::new(Cursor::new(head).chain(reader)), is_record })
}
