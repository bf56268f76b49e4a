//! The address guard of `verger-client`, whose rules need no network.

use std::net::IpAddr;

use super::asked::text;
use crate::argument::Argument;
use crate::failure::Failure;
use crate::transport::address_guard::AddressGuard;

/// Returns why an address must not be connected to, or null if it may.
pub(super) fn refusal(asked: &Argument) -> Result<String, Failure> {
    let mut guard = AddressGuard::default();
    for network in &asked.allow {
        guard = guard.allowing(network.parse().map_err(|error| named(network, error))?);
    }
    for network in &asked.refuse {
        guard = guard.refusing(network.parse().map_err(|error| named(network, error))?);
    }
    let address: IpAddr = (asked.address.parse()).map_err(|error| named(&asked.address, error))?;
    text(&guard.verify(address).err().map(|error| error.to_string()))
}

fn named(text: &str, error: impl std::fmt::Display) -> Failure {
    Failure::argument(format_args!("`{text}`: {error}"))
}
