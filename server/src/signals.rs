//! `asked_to_end` and `asked_to_reload`: the signals of the process.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};

/// Returns a future that completes when the user or the system stops the process.
///
/// # Errors
///
/// Returns an error if a signal handler cannot be installed.
pub fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminated = signal(SignalKind::terminate())?;
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

/// Returns a function that waits for the next SIGHUP. Other systems than Unix have no such signal.
///
/// # Errors
///
/// Returns an error if a signal handler cannot be installed.
pub fn asked_to_reload() -> io::Result<impl AsyncFnMut()> {
    #[cfg(unix)]
    let mut hung_up = signal(SignalKind::hangup())?;
    Ok(async move || {
        #[cfg(unix)]
        let _ = hung_up.recv().await;
        #[cfg(not(unix))]
        std::future::pending::<()>().await;
    })
}
