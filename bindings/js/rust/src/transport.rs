//! The address guard of `verger-client`. These files need neither network nor runtime, unlike that
//! crate.

#[allow(dead_code, unreachable_pub, missing_docs)]
#[path = "../../../../crates/verger-client/src/transport/address_guard.rs"]
pub(crate) mod address_guard;
#[allow(dead_code, unreachable_pub, missing_docs)]
#[path = "../../../../crates/verger-client/src/transport/nat64_prefix.rs"]
pub(crate) mod nat64_prefix;
#[allow(dead_code, unreachable_pub, missing_docs)]
#[path = "../../../../crates/verger-client/src/transport/special_addresses.rs"]
pub(crate) mod special_addresses;
