use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::certificates::Certificates;
use super::ledger::Ledger;
use super::settings::{CONNECTIONS_MAX, OriginSettings, robots_url};
use verger_testkit::origin_file::UrlScheme;

/// The port of a behaviour, and its statistics.
#[derive(Debug)]
pub(super) struct Port {
    pub(super) scheme: UrlScheme,
    pub(super) number: u16,
    pub(super) ledger: Mutex<Ledger>,
}

/// The state that all connections share.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) settings: OriginSettings,
    pub(super) ports: BTreeMap<String, Port>,
    pub(super) certificates: Certificates,
    /// An address that only a gullible client connects to.
    pub(super) victim: SocketAddr,
    pub(super) trespasses: AtomicU64,
    pub(super) open_connections: AtomicUsize,
    pub(super) is_stopping: AtomicBool,
}

impl Site {
    /// Returns the robots.txt URL of a behaviour on this host.
    pub(super) fn url(&self, host: &str, name: &str) -> Option<String> {
        let Port { scheme, number, .. } = self.ports.get(name)?;
        Some(robots_url(*scheme, host, *number))
    }

    /// Returns the statistics of a behaviour, even after a script panicked.
    pub(super) fn ledger(&self, name: &str) -> Option<MutexGuard<'_, Ledger>> {
        let ledger = &self.ports.get(name)?.ledger;
        Some(ledger.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }

    pub(super) fn connection_lifetime(&self) -> Duration {
        self.settings.connection_lifetime
    }

    pub(super) fn step_timeout(&self) -> Duration {
        self.settings.step_timeout
    }
}

/// A slot for a concurrent connection.
#[derive(Debug)]
pub(super) struct Seat(Arc<Site>);

impl Seat {
    /// Returns a slot if one is free.
    pub(super) fn take(site: &Arc<Site>) -> Option<Self> {
        let taken = site.open_connections.fetch_add(1, Ordering::SeqCst);
        let seat = Self(Arc::clone(site));
        (taken < CONNECTIONS_MAX).then_some(seat)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.open_connections.fetch_sub(1, Ordering::SeqCst);
    }
}
