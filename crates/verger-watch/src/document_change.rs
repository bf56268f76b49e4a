use verger_access::Authority;
use verger_store::{Deliveries, StoreError};

use crate::condition::{AGREES, Condition};
use crate::seen_site::Replaced;

/// Moves a difference or failing claims that a receiver was told of to the new document, so their end is told as well.
pub(crate) fn hand_over(
    store: &dyn Deliveries,
    (site, lane): (&Authority, &str),
    replaced: &Replaced,
) -> Result<(), StoreError> {
    let [old, new] =
        [replaced.old, replaced.new].map(|document| Condition::row(lane, replaced.name, document));
    let told = store.delivery(site, &old)?;
    let Some(told) = told.filter(|told| told.state != AGREES) else {
        return Ok(());
    };
    store.put_delivery(site, &new, &told)?;
    let ended = Condition::delivery(told.event, told.at, AGREES);
    store.put_delivery(site, &old, &ended)
}
