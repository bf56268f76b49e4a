//! `Deliveries`: which changes were delivered to whom.

use verger_access::Authority;

use crate::delivery::Delivery;
use crate::store::Store;
use crate::store_error::StoreError;

/// A store that remembers the last change that each receiver accepted.
pub trait Deliveries: Store {
    /// Returns the last change of an authority that a receiver accepted, or `None`.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn delivery(
        &self,
        authority: &Authority,
        receiver: &str,
    ) -> Result<Option<Delivery>, StoreError>;

    /// Stores the last change that a receiver accepted, replacing the previous one. Deliveries are local and not
    /// exported. A store in memory evicts them together with the authority.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails or a store in memory is full.
    fn put_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<(), StoreError>;
}
