//! Typical crawler code with `robotxt`: its parsed files in a map by host.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use robotxt::Robots;
use url::Url;

use super::Holder;
use crate::sites::Sites;

pub(crate) struct RobotxtMap(HashMap<String, Robots>);

impl RobotxtMap {
    /// Skips files that make it panic.
    pub(crate) fn filled(sites: &Sites, agent: &str) -> Self {
        let robots = |number| {
            let body = sites.body(number);
            let read = || Robots::parse(&body, agent);
            let robots = catch_unwind(AssertUnwindSafe(read)).ok()?;
            Some((format!("www.host-{number}.example"), robots))
        };
        Self((0..sites.count).filter_map(robots).collect())
    }
}

impl Holder for RobotxtMap {
    fn allowed(&self, url: &str) -> Option<bool> {
        let url = Url::parse(url).ok()?;
        Some(self.0.get(url.host_str()?)?.is_url_allowed(&url))
    }

    fn sites(&self) -> usize {
        self.0.len()
    }
}
