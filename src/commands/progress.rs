//! How much has been read, while that takes long.

use std::io::{self, Write};
use std::pin::pin;
use std::time::Duration;

use super::Screen;
use crate::cluster::Connection;

/// Of what takes shorter nothing is told.
const LONG: Duration = Duration::from_secs(1);
const OFTEN: Duration = Duration::from_millis(250);

/// Waits for lists. People who see standard error are told how much has come, on one line, which is gone afterwards.
pub async fn told<T>(
    screen: Screen,
    err: &mut dyn Write,
    connection: &Connection,
    lists: impl Future<Output = T>,
) -> io::Result<T> {
    let mut lists = pin!(lists);
    if !screen.can_tell {
        return Ok(lists.await);
    }
    let mut wait = LONG;
    loop {
        let answer = tokio::time::timeout(wait, &mut lists).await;
        if wait < LONG {
            write!(err, "\r\x1b[K")?;
        }
        match answer {
            Ok(answer) => return Ok(answer),
            Err(_) => write!(err, "Reading lists: {:.1} MB so far", megabytes(connection.received()))?,
        }
        err.flush()?;
        wait = OFTEN;
    }
}

#[expect(clippy::cast_precision_loss, reason = "one decimal place is shown")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
