//! ASCII forms of hosts, provided by the caller because the engine contains no Unicode tables.

use std::collections::BTreeMap;

use verger::TargetPath;
use verger_access::RequestedUrlError;

use crate::failure::Failure;
use crate::scratch::with_texts;

/// Provides the ASCII form of one host, empty if the host is invalid. It replaces the previous one,
/// because a URL has one host. The texts are the host and its ASCII form.
#[unsafe(no_mangle)]
pub extern "C" fn host_known(host: usize, ascii: usize) -> u32 {
    with_texts([host, ascii], |texts| {
        let [host, ascii] = texts.map(|text| String::from_utf8_lossy(text).into_owned());
        let ascii = (!ascii.is_empty()).then_some(ascii);
        idna::know(BTreeMap::from([(host, ascii)]));
    });
    1
}

/// Returns the target, or a failure that names a missing host.
pub(crate) fn or_hosts(
    target: Result<TargetPath<'_>, RequestedUrlError>,
) -> Result<TargetPath<'_>, Failure> {
    target.map_err(|error| match idna::wanted().pop_first() {
        Some(host) => Failure::new("hosts", host),
        None => error.into(),
    })
}
