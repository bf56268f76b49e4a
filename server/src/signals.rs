//! `asked_to_end`: shutdown signals.

#[cfg(unix)]
use tokio::signal::unix;

/// Returns a future that completes when the user or the system stops the process.
///
/// # Errors
///
/// Returns an error if a signal handler cannot be installed.
pub fn asked_to_end() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminated = unix::signal(unix::SignalKind::terminate())?;
    Ok(async move {
        let interrupted = tokio::signal::ctrl_c();
        #[cfg(unix)]
        tokio::select! {
            _ = interrupted => {}
            _ = terminated.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = interrupted.await;
    })
}
