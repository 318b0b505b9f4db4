//! What a terminal or a parent says to a process.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

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

/// A signal that the parent wants ignored, as nohup a hangup and a shell's `&` an interrupt, is not waited for: that would be an end to
/// its being ignored.
#[cfg(unix)]
async fn sent(kind: SignalKind) {
    match signal_unless_ignored(kind) {
        Some(mut signal) => _ = signal.recv().await,
        None => std::future::pending().await,
    }
}

#[cfg(unix)]
fn signal_unless_ignored(kind: SignalKind) -> Option<Signal> {
    // Linux alone tells; std and tokio have no way to ask.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let is_ignored = ignored.is_some_and(|ignored| ignored >> (kind.as_raw_value() - 1) & 1 == 1);
    if is_ignored { None } else { signal(kind).ok() }
}
