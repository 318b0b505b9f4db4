//! Standard output, and what is said where it takes no more.

use std::io::{self, BufWriter, ErrorKind, Write};

use anyhow::anyhow;
use thiserror::Error;

use super::complain::complain;
use super::{Ending, files};

/// Standard output. An error of it says that it is one, apart from a reader that left early.
#[derive(Debug)]
pub struct Output<W: Write> {
    inner: BufWriter<W>,
    has_failed: bool,
}

/// What kept the output from being written: a full disk, mostly.
#[derive(Debug, Error)]
#[error("cannot write the output: {0}")]
pub struct Unwritten(String);

/// What is to be told of an error of standard output; nothing of a reader that left early.
pub fn unwritten(error: &io::Error) -> Option<Unwritten> {
    (error.kind() != ErrorKind::BrokenPipe).then(|| Unwritten(files::words(error)))
}

impl<W: Write> Output<W> {
    /// Of a stream.
    #[must_use]
    pub fn new(stream: W) -> Self {
        Self { inner: BufWriter::new(stream), has_failed: false }
    }

    /// Writes what is left, and says how the run ends with that.
    pub fn end(mut self, ending: Ending, err: &mut dyn Write) -> Ending {
        // An earlier failure was reported when it happened.
        let flushed = if self.has_failed { Ok(()) } else { self.inner.flush() };
        let Some(error) = flushed.as_ref().err().and_then(unwritten) else { return ending };
        // If standard error is closed too, nobody can be told.
        let _ = complain(&error.into(), err);
        Ending::Failed
    }

    fn noted<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| match unwritten(&error) {
            // The caller retries an interrupted write.
            Some(told) if error.kind() != ErrorKind::Interrupted => {
                self.has_failed = true;
                io::Error::new(error.kind(), told)
            }
            _ => error,
        })
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.inner.write(bytes);
        self.noted(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.inner.flush();
        self.noted(result)
    }
}

/// Whether the output takes no more, for whatever reason: nothing else is worth trying.
pub fn is_closed(error: &anyhow::Error) -> bool {
    has_left(error) || causes(error).any(is_unwritten)
}

/// Whether it is the reader of the output that left early.
pub fn has_left(error: &anyhow::Error) -> bool {
    causes(error).any(|it| it.kind() == ErrorKind::BrokenPipe)
}

/// What is to be told of an error: of one of the output not in which case it came up.
pub fn to_report(error: anyhow::Error) -> anyhow::Error {
    let of_output = causes(&error).find(|it| is_unwritten(it)).map(ToString::to_string);
    of_output.map_or(error, |words| anyhow!(words))
}

fn is_unwritten(error: &io::Error) -> bool {
    error.get_ref().and_then(|inner| inner.downcast_ref::<Unwritten>()).is_some()
}

fn causes(error: &anyhow::Error) -> impl Iterator<Item = &io::Error> {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>())
}
