//! `ConfirmedNames`: the host names of an address.

use verger_access::Timestamp;

use super::evidence_age;

/// The host names of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfirmedNames {
    /// Those of its names (PTR) that have the address themselves (A, AAAA); perhaps none.
    Names(Vec<String>),
    /// The name servers did not answer.
    Unknown,
}

/// The answers of name servers about an address at a time.
#[derive(Clone, Debug)]
pub(super) struct NamesThen {
    pub(super) read_at: Timestamp,
    pub(super) names: ConfirmedNames,
}

impl NamesThen {
    /// Whether one of the names is below one of the suffixes.
    pub(super) fn are_below(&self, suffixes: &[String]) -> bool {
        let ConfirmedNames::Names(names) = &self.names else {
            return false;
        };
        let is_known = |name: &String| suffixes.iter().any(|suffix| is_below(name, suffix));
        names.iter().any(is_known)
    }

    /// Whether it says at a time which names an address has not.
    pub(super) fn holds_at(&self, time: Timestamp) -> bool {
        self.names != ConfirmedNames::Unknown && evidence_age::holds_at(self.read_at, time)
    }
}

/// Whether a host is the one of a suffix or below it.
pub(super) fn is_below(name: &str, suffix: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let rest = name.strip_suffix(suffix);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
