use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use verger_access::Authority;
use verger_answer::{ReadAs, ResolvedCrawler};
use verger_crawlers::Registry;

/// Number of crawlers that matter to an owner who names none.
const USUAL_CRAWLERS: usize = 20;

/// A site to watch, and the expectations of its owner.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WatchedSite {
    /// The site.
    pub site: Authority,
    /// The interval between fetches, or `None` to fetch when the answer expires.
    pub every: Option<Duration>,
    /// A file that the served one should be equivalent to.
    pub file: Option<PathBuf>,
    /// A `robots.test.toml` whose claims the served file should fulfil.
    pub claims: Option<PathBuf>,
    /// The crawlers that matter. They decide how severe a change is.
    pub crawlers: Arc<[ResolvedCrawler]>,
    /// Networks that are not public, to which the host may lead.
    pub own_addresses: Arc<[IpNet]>,
}

impl WatchedSite {
    /// Creates a site that is fetched when its answer expires, without expectations.
    #[must_use]
    pub fn new(site: Authority, crawlers: Arc<[ResolvedCrawler]>) -> Self {
        Self {
            site,
            every: None,
            file: None,
            claims: None,
            crawlers,
            own_addresses: Arc::default(),
        }
    }

    /// Returns the crawlers that matter by default: the first 20 of the registry, judged as `read_as`
    /// says.
    #[must_use]
    pub fn usual_crawlers(read_as: ReadAs) -> Arc<[ResolvedCrawler]> {
        let known = Registry::bundled().iter().take(USUAL_CRAWLERS);
        let crawlers = known.map(|it| ResolvedCrawler::from_known(it, it.name()).judged(read_as));
        crawlers.collect()
    }
}
