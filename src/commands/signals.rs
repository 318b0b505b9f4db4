//! What a terminal or a parent says to a process.

#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};

/// Waits for Ctrl-C, or for what `kill` sends.
pub async fn interrupted() {
    #[cfg(unix)]
    tokio::select! {
        () = sent(SignalKind::interrupt()) => (),
        () = sent(SignalKind::terminate()) => (),
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Waits for the same, or for what a terminal that is closed sends.
pub async fn ended() {
    #[cfg(unix)]
    tokio::select! {
        () = interrupted() => (),
        () = sent(SignalKind::hangup()) => (),
    }
    #[cfg(not(unix))]
    interrupted().await;
}

/// Waits until the terminal has another size.
pub async fn resized() {
    #[cfg(unix)]
    sent(SignalKind::window_change()).await;
    #[cfg(not(unix))]
    std::future::pending::<()>().await;
}

#[cfg(unix)]
async fn sent(kind: SignalKind) {
    match signal(kind) {
        Ok(mut signal) => _ = signal.recv().await,
        Err(_) => std::future::pending().await,
    }
}
