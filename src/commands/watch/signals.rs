//! What a terminal or a parent says to a process that would go on for ever.

/// Waits until somebody wants an end: Ctrl-C, or what `kill` and a terminal that is closed send.
pub async fn ended() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let asked = |kind: SignalKind| async move {
            match signal(kind) {
                Ok(mut signal) => signal.recv().await,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = asked(SignalKind::interrupt()) => (),
            _ = asked(SignalKind::terminate()) => (),
            _ = asked(SignalKind::hangup()) => (),
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Waits until the terminal has another size.
pub async fn resized() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut signal) = signal(SignalKind::window_change()) {
            signal.recv().await;
            return;
        }
    }
    std::future::pending::<()>().await;
}
