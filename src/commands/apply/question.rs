//! The question before a write.

use std::io::{self, Write};

use anyhow::bail;
use tokio::sync::oneshot;

/// Asks about all of them at once, and waits for the answer of a person who has seen the question.
///
/// # Errors
/// If the answer is not yes.
pub(super) async fn ask(writes: usize, talk: &mut dyn Write) -> anyhow::Result<()> {
    forget_typed_ahead();
    match writes {
        1 => write!(talk, "\nWrite it (y/N)? ")?,
        more => write!(talk, "\nWrite all {more} (y/N)? ")?,
    }
    talk.flush()?;
    let line = line().await?;
    if !line.ends_with('\n') {
        writeln!(talk)?;
    }
    if !matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        bail!("the answer was not yes; nothing was written");
    }
    Ok(())
}

/// What was typed before the question stood there answers something else. Elsewhere than on Unix this cannot be told.
fn forget_typed_ahead() {
    #[cfg(unix)]
    {
        use rustix::termios::{QueueSelector, tcflush};
        // Only a terminal can have input that was typed ahead.
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    }
}

/// The next line of standard input, on a thread that nobody waits for: an interrupt ends the process while it reads.
async fn line() -> io::Result<String> {
    let (sender, line) = oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        let _ = sender.send(read.map(|_| line));
    });
    line.await.unwrap_or_else(|_| Ok(String::new()))
}
