//! The lower bound: Verger's policies in a map without expiry, profiles or limits.

use std::collections::HashMap;

use verger::{Crawler, Dialect, Effect, Policy, RobotsTxt, TargetPath};

use super::Holder;
use crate::sites::{self, Sites};

/// Policies by authority, as written at the start of a URL.
pub(crate) struct PolicyMap(HashMap<String, Policy>);

impl PolicyMap {
    pub(crate) fn filled(sites: &Sites, agent: &str) -> Result<Self, String> {
        let dialect = Dialect::Rfc9309;
        let crawler = Crawler::named(agent, dialect).map_err(|error| error.to_string())?;
        let policy = |number| {
            let robots = RobotsTxt::parse(sites.body(number), dialect);
            // Compacted, as in the client.
            (sites::origin(number), robots.policy(&crawler))
        };
        Ok(Self((0..sites.count).map(policy).collect()))
    }
}

impl Holder for PolicyMap {
    fn allowed(&self, url: &str) -> Option<bool> {
        let host_start = url.find("://")? + 3;
        let rest = &url.as_bytes()[host_start..];
        let host_bytes = rest.iter().position(|byte| b"/?#".contains(byte));
        let authority = &url[..host_start + host_bytes.unwrap_or(rest.len())];
        let target = TargetPath::new(url, Dialect::Rfc9309).ok()?;
        Some(self.0.get(authority)?.decide(&target).effect() == Effect::Allow)
    }

    fn sites(&self) -> usize {
        self.0.len()
    }
}
