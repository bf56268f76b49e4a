//! `StoreError`: why a call of a store failed.

use std::error::Error;

use verger_access::Authority;

use crate::lease::Lease;
use crate::shortage::Shortage;

/// Why a call of a store failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another lease was granted since, or this one was used or released.
    #[error("the lease on {0} is lost: acquire one and fetch again")]
    LeaseLost(Box<Authority>),
    /// The lease is for another authority than the observation.
    #[error(
        "the lease is for {lease}, but the observation is of {seen}: acquire a lease for {seen}"
    )]
    LeaseOfOther {
        /// The authority of the lease.
        lease: Box<Authority>,
        /// The authority of the observation.
        seen: Box<Authority>,
    },
    /// A store in memory has reached its bound, and there is nothing left to evict.
    #[error(
        "the store has reached its limit of {bytes_max} bytes with nothing left to evict: raise \
         the limit or fetch fewer authorities at once"
    )]
    Full {
        /// The bound, in bytes.
        bytes_max: usize,
    },
    /// This machine lacks a resource, such as disk space. Acknowledged data is kept.
    #[error("{0}")]
    Shortage(Shortage),
    /// Another process kept the store locked for longer than the call waits.
    #[error("another process has locked the store for too long: try again")]
    Busy,
    /// The database cannot be reached, or did not answer within the deadline. A put may still succeed. The text says
    /// why.
    #[error(
        "the database does not respond ({0}): answers in memory remain valid, and the next call \
         tries again"
    )]
    Away(String),
    /// The store was opened for reading only, or its file cannot be written to.
    #[error(
        "the store is read-only: allow writing to its file and directory, or name another file"
    )]
    ReadOnly,
    /// The store contains data that no store writes. The text describes it.
    #[error("the store is damaged ({0}): move the file away or restore it from a backup")]
    Damaged(String),
    /// Any other error of a backend.
    #[error("the store failed: {0}")]
    Backend(#[source] Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// Returns the error for a `lease` that is not the newest one.
    pub(crate) fn lost(lease: &Lease) -> Self {
        Self::LeaseLost(Box::new(lease.authority.clone()))
    }

    /// Returns an error if `lease` is for another authority than `seen`.
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
