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

    /// Stores the first change of a receiver, unless there is one already. Returns the stored one. The default is for
    /// stores of one process.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Deliveries::put_delivery`].
    fn put_first_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<Delivery, StoreError> {
        if let Some(stored) = self.delivery(authority, receiver)? {
            return Ok(stored);
        }
        self.put_delivery(authority, receiver, delivery)?;
        Ok(delivery.clone())
    }
}
