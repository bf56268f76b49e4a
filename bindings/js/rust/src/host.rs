//! ASCII forms of hosts, provided by the caller because the modules contain no Unicode tables.

use std::collections::BTreeMap;
use std::iter::zip;

use crate::failure::Failure;
use crate::scratch::with_texts;

/// Provides the ASCII forms of hosts, empty if one is invalid, in place of the previous ones. The
/// texts are the hosts and their ASCII forms, one per line.
#[unsafe(no_mangle)]
pub extern "C" fn hosts_known(hosts: usize, forms: usize) -> u32 {
    with_texts([hosts, forms], |texts| {
        let [hosts, forms] = texts.map(|text| std::str::from_utf8(text).unwrap_or_default());
        let mut known = BTreeMap::new();
        for (host, form) in zip(hosts.split('\n'), forms.split('\n')) {
            let form = (!form.is_empty()).then(|| form.to_owned());
            known.insert(host.to_owned(), form);
        }
        idna::know(known);
    });
    1
}

/// Returns the failure that names the missing hosts, if any. An answer without them is invalid.
pub(crate) fn missing() -> Option<Failure> {
    let hosts = idna::wanted().into_iter().collect::<Vec<_>>();
    (!hosts.is_empty()).then(|| Failure::new("hosts", hosts.join("\n")))
}

/// Returns the target, or a failure that names a missing host.
#[cfg(not(feature = "owner"))]
pub(crate) fn or_hosts(
    target: Result<verger::TargetPath<'_>, verger_access::RequestedUrlError>,
) -> Result<verger::TargetPath<'_>, Failure> {
    target.map_err(|error| missing().unwrap_or_else(|| error.into()))
}
