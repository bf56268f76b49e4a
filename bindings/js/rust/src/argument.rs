//! What a question by name takes.

use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// The octets that belong to a question, in order.
pub(crate) type Octets<'a> = &'a [&'a [u8]];

/// A question that the module does not have.
pub(crate) fn unknown(name: &[u8]) -> Failure {
    Failure::internal(format_args!("no such call: {}", name.escape_ascii()))
}

/// What is asked, which the package writes.
pub(crate) fn read<T: DeserializeOwned>(argument: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(argument).map_err(Failure::argument)
}
