//! The ASCII of hosts that are not plain: the engine has no tables of Unicode, and its caller knows it.

use std::collections::BTreeMap;

use verger::TargetPath;
use verger_access::RequestedUrlError;

use crate::failure::Failure;
use crate::scratch::with_texts;

/// Makes known what one host is in ASCII; an empty text where it is no host. It replaces the one before: a URL
/// has one host. The texts are both.
#[unsafe(no_mangle)]
pub extern "C" fn host_known(host: usize, ascii: usize) -> u32 {
    with_texts([host, ascii], |texts| {
        let [host, ascii] = texts.map(|text| String::from_utf8_lossy(text).into_owned());
        let ascii = (!ascii.is_empty()).then_some(ascii);
        idna::know(BTreeMap::from([(host, ascii)]));
    });
    1
}

/// A target; where it takes the ASCII of a host, a failure that has the host.
pub(crate) fn or_hosts(
    target: Result<TargetPath<'_>, RequestedUrlError>,
) -> Result<TargetPath<'_>, Failure> {
    target.map_err(|error| match idna::wanted().pop_first() {
        Some(host) => Failure::new("hosts", host),
        None => error.into(),
    })
}
