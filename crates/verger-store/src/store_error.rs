//! `StoreError`: why a store did not do what it was asked.

use std::error::Error;
use std::fmt;

use verger_access::Authority;

use crate::lease::Lease;

/// Why a store did not do what it was asked.
#[derive(Debug)]
pub enum StoreError {
    /// Another lease was granted since, or this one was used or given back.
    LeaseLost(Box<Authority>),
    /// The lease is one for another authority than the one that was seen.
    LeaseOfOther {
        /// What the lease is for.
        lease: Box<Authority>,
        /// What was seen.
        seen: Box<Authority>,
    },
    /// A store in memory has reached its bound, and nothing in it may be forgotten.
    Full {
        /// The bound.
        octets_max: usize,
    },
    /// The disk is full. What was acknowledged is kept.
    DiskFull,
    /// Another process wrote for longer than is waited.
    Busy,
    /// The store was opened for reading alone, or its file may not be written to.
    ReadOnly,
    /// What is read is not what was written.
    Damaged(String),
    /// Anything else that a backend meets.
    Backend(Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// Where another lease than `lease` is the newest one.
    pub(crate) fn lost(lease: &Lease) -> Self {
        Self::LeaseLost(Box::new(lease.authority.clone()))
    }

    /// An error where `lease` is not one for what was seen.
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
                "the lease on {authority} is not held any more: acquire one and fetch again"
            ),
            Self::LeaseOfOther { lease, seen } => write!(
                f,
                "a lease on {lease} is not one on {seen}: acquire one on what is fetched"
            ),
            Self::Full { octets_max } => write!(
                f,
                "the store may take {octets_max} octets, and all that is left in it is being \
                 fetched: allow it more octets, or fetch fewer authorities at once"
            ),
            Self::DiskFull => f.write_str(
                "the disk is full: make room and try again; what was acknowledged is kept",
            ),
            Self::Busy => {
                f.write_str("another process kept the store busy for too long: try again")
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
            | Self::DiskFull
            | Self::Busy
            | Self::ReadOnly
            | Self::Damaged(_) => None,
        }
    }
}
