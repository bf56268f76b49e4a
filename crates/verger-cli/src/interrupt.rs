//! How a command that fetches ends on Ctrl-C and SIGTERM: it gives its leases back, so other processes need not wait.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tokio::runtime::Runtime;
use verger_access::Authority;
use verger_client::{
    Asking, BlockingClient, Client, ClientError, FetchReport, SettingsError, one_thread_runtime,
};
use verger_watch::end_programs;

/// Time limit for giving leases back.
const LONGEST: Duration = Duration::from_secs(2);

/// The name of the thread that gives leases back.
const CLOSING: &str = "closing";

/// A client that gives its leases back however the command ends. A second signal ends the process
/// immediately.
pub(crate) struct FetchClient {
    client: Arc<BlockingClient>,
    is_interrupted: Arc<AtomicBool>,
}

impl FetchClient {
    /// Starts the client. Fails if no thread can be started, or too few files can be opened.
    pub(crate) fn new(client: Client) -> Result<Self, SettingsError> {
        let client = Arc::new(BlockingClient::new(client).map_err(|error| unstartable(&error))?);
        let is_interrupted = Arc::new(AtomicBool::new(false));
        let (held, tell) = (Arc::downgrade(&client), Arc::clone(&is_interrupted));
        let (runtime, mut signals) = signals()?;
        let listening = move || {
            let code = runtime.block_on(signals.next());
            tell.store(true, Ordering::SeqCst);
            let closing = move || {
                end_programs();
                if let Some(client) = held.upgrade() {
                    client.close(LONGEST);
                }
                process::exit(code);
            };
            let closing = thread::Builder::new()
                .name(CLOSING.to_owned())
                .spawn(closing);
            if closing.is_err() {
                process::exit(code);
            }
            process::exit(runtime.block_on(signals.next()));
        };
        thread::Builder::new()
            .spawn(listening)
            .map_err(|error| unstartable(&error))?;
        Ok(Self {
            client,
            is_interrupted,
        })
    }

    /// As [`Client::fetch`].
    pub(crate) fn fetch(&self, authority: &Authority) -> Result<FetchReport, ClientError> {
        self.block_on(self.client().fetch(authority))
    }

    /// As [`Client::report_many`].
    pub(crate) fn report_many(
        &self,
        authorities: &[Authority],
        asking: Asking,
    ) -> Vec<Result<FetchReport, ClientError>> {
        self.block_on(self.client().report_many(authorities, asking))
    }

    pub(crate) fn client(&self) -> &Client {
        self.client.client()
    }

    /// As [`Client::report_each`].
    pub(crate) fn report_each(
        &self,
        authorities: &[(Authority, Asking)],
    ) -> Vec<Result<FetchReport, ClientError>> {
        self.block_on(self.client().report_each(authorities))
    }

    /// Blocks on work that uses the client, unless a signal comes. Then the thread waits for the process to end.
    pub(crate) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        let answer = self.client.block_on(work);
        while self.is_interrupted.load(Ordering::SeqCst) {
            thread::park();
        }
        answer
    }
}

impl Drop for FetchClient {
    fn drop(&mut self) {
        self.client.close(LONGEST);
    }
}

/// Shells report this plus the signal as the exit code.
#[cfg(unix)]
const AFTER_SIGNAL: i32 = 128;

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) -> i32 {
        use tokio::signal::unix::SignalKind;
        let kind = tokio::select! {
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.terminate.recv() => SignalKind::terminate(),
        };
        AFTER_SIGNAL + kind.as_raw_value()
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> i32 {
        let _ = tokio::signal::ctrl_c().await;
        130
    }
}

/// Wraps an error of the system, because a bare one would be taken for an error of the output.
fn unstartable(error: &io::Error) -> SettingsError {
    SettingsError::Runtime(error.to_string())
}

fn signals() -> Result<(Runtime, Signals), SettingsError> {
    let runtime = one_thread_runtime()?;
    let signals = {
        let _entered = runtime.enter();
        Signals::listen().map_err(|error| unstartable(&error))?
    };
    Ok((runtime, signals))
}
