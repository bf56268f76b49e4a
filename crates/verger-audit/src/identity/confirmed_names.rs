use verger_access::Timestamp;

use super::evidence_age;

/// The host names of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfirmedNames {
    /// The names (PTR) that resolve back to the address (A, AAAA). May be empty.
    Names(Vec<String>),
    /// The name servers did not answer.
    Unknown,
}

#[derive(Clone, Debug)]
pub(super) struct NamesThen {
    pub(super) read_at: Timestamp,
    pub(super) names: ConfirmedNames,
}

impl NamesThen {
    pub(super) fn are_below(&self, suffixes: &[String]) -> bool {
        let ConfirmedNames::Names(names) = &self.names else {
            return false;
        };
        let is_known = |name: &String| suffixes.iter().any(|suffix| is_below(name, suffix));
        names.iter().any(is_known)
    }

    /// Returns whether the answer counts against the address at this time.
    pub(super) fn holds_at(&self, time: Timestamp) -> bool {
        self.names != ConfirmedNames::Unknown && evidence_age::holds_at(self.read_at, time)
    }
}

pub(super) fn is_below(name: &str, suffix: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let rest = name.strip_suffix(suffix);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
