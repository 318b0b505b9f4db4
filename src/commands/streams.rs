//! Standard output and standard error, and what becomes of a run whose reader leaves.

use std::io::{self, ErrorKind, Write};

/// What follows when a stream is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// The rest is dropped, and the run goes on: its exit code still counts.
    Drop,
    /// The run fails, before anything is written to a cluster.
    Fail,
    /// The run ends well: somebody has seen enough.
    End,
}

/// A stream whose reader may leave early.
pub struct Stream<'a> {
    name: &'static str,
    inner: &'a mut dyn Write,
    closed: Closed,
}

impl<'a> Stream<'a> {
    /// Around standard output or standard error.
    pub fn new(name: &'static str, inner: &'a mut dyn Write, closed: Closed) -> Self {
        Self { name, inner, closed }
    }

    fn after<T>(&self, written: io::Result<T>, all: T) -> io::Result<T> {
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => match self.closed {
                Closed::Drop => Ok(all),
                Closed::Fail => {
                    Err(io::Error::new(ErrorKind::BrokenPipe, format!("{} is closed", self.name)))
                }
                Closed::End => Err(error),
            },
            written => written,
        }
    }
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes);
        self.after(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.inner.flush();
        self.after(flushed, ())
    }
}
