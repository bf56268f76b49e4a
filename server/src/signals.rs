//! `asked_to_end`: the signals that end the server.

#[cfg(unix)]
use tokio::signal::unix;

/// Returns a future that ends when the user or the system asks the process to end.
///
/// # Errors
///
/// Where the system takes no handler for its signal.
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
