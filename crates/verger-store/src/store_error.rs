//! `StoreError`: why a call of a store failed.

use std::error::Error;
use std::fmt;

use verger_access::Authority;

use crate::lease::Lease;
use crate::shortage::Shortage;

/// Why a call of a store failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// Another lease was granted since, or this one was used or released.
    LeaseLost(Box<Authority>),
    /// The lease is for another authority than the observation.
    LeaseOfOther {
        /// The authority of the lease.
        lease: Box<Authority>,
        /// The authority of the observation.
        seen: Box<Authority>,
    },
    /// A store in memory has reached its bound, and there is nothing left to evict.
    Full {
        /// The bound, in octets.
        octets_max: usize,
    },
    /// This machine lacks something, such as room on the disk. What was acknowledged is kept.
    Shortage(Shortage),
    /// Another process kept the store locked for longer than the call waits.
    Busy,
    /// The store was opened for reading only, or its file cannot be written to.
    ReadOnly,
    /// Data that was read is not what a store writes: in words, what.
    Damaged(String),
    /// Any other error of a backend.
    Backend(Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// The error where `lease` is not the newest one.
    pub(crate) fn lost(lease: &Lease) -> Self {
        Self::LeaseLost(Box::new(lease.authority.clone()))
    }

    /// Returns an error where `lease` is for another authority than `seen`.
    pub(crate) fn unless_for(lease: &Lease, seen: &Authority) -> Result<(), Self> {
        if lease.authority == *seen {
            return Ok(());
        }
        Err(Self::LeaseOfOther {
            lease: Box::new(lease.authority.clone()),
            seen: Box::new(seen.clone()),
        })
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeaseLost(authority) => write!(
                f,
                "the lease on {authority} is lost: acquire one and fetch again"
            ),
            Self::LeaseOfOther { lease, seen } => write!(
                f,
                "the lease is for {lease}, and the observation is of {seen}: acquire a lease for \
                 the authority that is fetched"
            ),
            Self::Full { octets_max } => write!(
                f,
                "the store is full: it may take {octets_max} octets, and there is nothing left to \
                 evict: allow it more octets, or fetch fewer authorities at once"
            ),
            Self::Shortage(shortage) => shortage.fmt(f),
            Self::Busy => {
                f.write_str("another process kept the store locked for too long: try again")
            }
            Self::ReadOnly => f.write_str(
                "the store can only be read: open it where its file and directory may be written \
                 to, or name another file",
            ),
            Self::Damaged(what) => write!(
                f,
                "the store is damaged ({what}): move the file away, or restore it from a backup"
            ),
            Self::Backend(error) => write!(f, "the store failed: {error}"),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Backend(error) => Some(error.as_ref()),
            Self::LeaseLost(_)
            | Self::LeaseOfOther { .. }
            | Self::Full { .. }
            | Self::Shortage(_)
            | Self::Busy
            | Self::ReadOnly
            | Self::Damaged(_) => None,
        }
    }
}
