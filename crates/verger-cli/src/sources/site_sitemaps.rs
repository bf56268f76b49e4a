//! `SiteSitemaps`: sitemaps from files and from the web, and the robots.txt files of sites.

#[cfg(feature = "web")]
use std::error::Error;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Once;

#[cfg(feature = "web")]
use verger_answer::PacingBounds;
use verger_answer::{CheckAnswer, PageFacts, PageFinding, ReadError};

#[cfg(feature = "web")]
use verger_access::Outcome;
use verger_access::{Authority, Timestamp};
use verger_inputs::Source;
use verger_lint::{PageSubject, lint_page};
use verger_owner::{SITEMAP_BYTES_MAX, SitemapReader, SitemapSource};

#[cfg(feature = "web")]
use crate::arguments::transport::allow_address;
#[cfg(not(feature = "web"))]
use crate::left_out::left_out;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::sources::robots_source::{RobotsSource, SiteTime};
use crate::sources::site_client::SiteClient;
#[cfg(feature = "web")]
use crate::sources::site_pages::SitePages;
use verger_inputs::repository_file;
#[cfg(feature = "web")]
use verger_inputs::{KeptPages, SiteOwner, WebReader};

pub(crate) struct SiteSitemaps<'a> {
    #[cfg(feature = "web")]
    web: WebReader<'a>,
    #[cfg(feature = "web")]
    pages: Option<SitePages>,
    /// Limits on delays, the owner of the sites, and pages that are not fetched again.
    #[cfg(feature = "web")]
    page_terms: (PacingBounds, SiteOwner, KeptPages),
    sites: SiteClient<'a>,
    noted: Once,
}

impl<'a> SiteSitemaps<'a> {
    pub(crate) fn new(sites: SiteClient<'a>) -> Self {
        Self {
            #[cfg(feature = "web")]
            web: sites.fetching.transport.web_reader(SITEMAP_BYTES_MAX),
            #[cfg(feature = "web")]
            pages: None,
            #[cfg(feature = "web")]
            page_terms: Default::default(),
            sites,
            noted: Once::new(),
        }
    }

    /// Fetches the pages of sites at their delays within these limits, with this owner, unless they are kept.
    #[cfg(feature = "web")]
    pub(crate) fn with_pages(self, page_terms: (PacingBounds, SiteOwner, KeptPages)) -> Self {
        Self { page_terms, ..self }
    }

    #[cfg(feature = "web")]
    fn pages(&mut self, url: &str) -> Result<&SitePages, Box<dyn Error>> {
        let pages = if let Some(pages) = self.pages.take() {
            pages
        } else {
            let site = Authority::from_url(url).ok();
            let started = (self.sites.fetching, self.sites.start(site.as_ref())?);
            let (delays, owner, kept) = std::mem::take(&mut self.page_terms);
            SitePages::new(started, delays, owner, kept)?
        };
        Ok(self.pages.insert(pages))
    }

    /// Notes the first failure that an option can prevent.
    fn note(&self, failure: &Message) {
        if failure.help_text().is_some() {
            self.noted.call_once(|| notice::note(failure.clone()));
        }
    }
}

impl SitemapReader for SiteSitemaps<'_> {
    fn sitemap(&mut self, source: &SitemapSource, is_argument: bool) -> Result<Vec<u8>, ReadError> {
        match source {
            SitemapSource::File(path) => {
                let input = Source::File(path.clone());
                let unreadable = |error| input.unreadable(error).to_string();
                let file = if is_argument {
                    input.open().map_err(|error| error.to_string())?
                } else {
                    Box::new(repository_file::open(path).map_err(unreadable)?)
                };
                let mut bytes = Vec::new();
                let limit = u64::try_from(SITEMAP_BYTES_MAX).unwrap_or(u64::MAX) + 1;
                file.take(limit)
                    .read_to_end(&mut bytes)
                    .map_err(unreadable)?;
                Ok(bytes)
            }
            #[cfg(feature = "web")]
            SitemapSource::Url(url) => {
                let read = self.web.read(url.clone());
                read.map_err(|error| {
                    let help = error.failure().map(Outcome::Failed).and_then(allow_address);
                    self.note(&Message::new(format_args!("{url}: {error}")).maybe_help(help));
                    error.to_string().into()
                })
            }
            #[cfg(not(feature = "web"))]
            SitemapSource::Url(_) => {
                let failure = left_out("web");
                self.note(&failure);
                Err(failure.to_string().into())
            }
        }
    }

    fn beside(&self, index: &Path, path: &Path) -> Option<PathBuf> {
        let path = repository_file::beside(index, path).ok()?;
        path.is_file().then_some(path)
    }

    fn robots(&mut self, site: &Authority) -> Result<Vec<u8>, ReadError> {
        let source = RobotsSource::Site(site.clone());
        let read = source.read(&mut self.sites, SiteTime::Now);
        read.map_err(|error| {
            if let Some(failure) = error.downcast_ref() {
                self.note(failure);
            }
            error.to_string().into()
        })
    }

    #[cfg(feature = "web")]
    fn page(&mut self, url: &str) -> Result<Rc<PageFacts>, ReadError> {
        let pages = self.pages(url).map_err(|error| error.to_string())?;
        Ok(Rc::new(pages.facts(url)?))
    }

    fn page_findings(
        &self,
        answer: &CheckAnswer<'_>,
        (facts, at): (&PageFacts, Timestamp),
        sitemap: Option<&str>,
    ) -> Vec<PageFinding> {
        lint_page(&PageSubject {
            answer,
            facts,
            at,
            sitemap,
        })
    }

    #[cfg(not(feature = "web"))]
    fn page(&mut self, _: &str) -> Result<Rc<PageFacts>, ReadError> {
        let failure = left_out("web");
        self.note(&failure);
        Err(failure.to_string().into())
    }
}
