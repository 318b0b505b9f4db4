//! Records packed with gzip: a member for each look (RFC 1952, section 2.2), so that all looks before a cut are whole.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::{GzDecoder, MultiGzDecoder};
use flate2::write::GzEncoder;

use super::cases;

/// True if a file is packed, by its name.
pub fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Opens a file or standard input, and unpacks it if its name says that it is packed.
///
/// # Errors
/// Those of opening it.
pub fn open(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    let reader = cases::open(path)?;
    Ok(if is_packed(path) { Box::new(unpack(reader)) } else { reader })
}

/// One member.
pub fn pack(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut member = GzEncoder::new(Vec::new(), Compression::default());
    member.write_all(text)?;
    member.finish()
}

/// Reads members; a cut one ends where its last whole byte does.
fn unpack(reader: Box<dyn Read>) -> impl Read {
    Unpacked(MultiGzDecoder::new(BufReader::new(reader)))
}

struct Unpacked<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(0),
            read => read,
        }
    }
}

/// The number of bytes up to the end of the last whole member, and the first line of the text.
pub fn last_member_end(mut reader: impl BufRead + Seek) -> io::Result<(u64, Vec<u8>)> {
    let (mut end, mut first) = (0, Vec::new());
    while !reader.fill_buf()?.is_empty() {
        let mut text = BufReader::new(GzDecoder::new(&mut reader));
        let read = if end == 0 { text.read_until(b'\n', &mut first).map(|_| ()) } else { Ok(()) };
        match read.and_then(|()| io::copy(&mut text, &mut io::sink())) {
            Ok(_) => end = reader.stream_position()?,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
    }
    Ok((end, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_a_cut_is_read() {
        let texts = ["the first look\n", "the second look, longer than the first\n", "the last one\n"];
        let members = texts.map(|text| pack(text.as_bytes()).expect("packed"));
        let (whole, bytes) = (texts.concat(), members.concat());
        let ends = [0, 1, 2, 3].map(|count| members[..count].iter().map(Vec::len).sum::<usize>());
        for cut in 0..=bytes.len() {
            let mut text = Vec::new();
            let before = bytes[..cut].to_vec();
            unpack(Box::new(io::Cursor::new(before.clone()))).read_to_end(&mut text).expect("a text");
            let looks = ends.iter().rposition(|end| *end <= cut).expect("a look");
            let read = String::from_utf8(text).expect("UTF-8");
            assert!(whole.starts_with(&read) && read.len() >= texts[..looks].concat().len(), "{cut}: {read}");

            let (end, first) = last_member_end(io::Cursor::new(before)).expect("an end");
            assert_eq!(end, ends[looks] as u64, "{cut}");
            assert!(texts[0].as_bytes().starts_with(&first), "{cut}");
        }
    }
}
