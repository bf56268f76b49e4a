use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use url::Url;
use verger::legible;
use verger_access::{Authority, Timestamp};
use verger_answer::{CheckAnswer, PageFacts, PageFinding, ReadError};

use super::sitemap_source::SitemapSource;

/// Maximum number of files read for one sitemap.
const FILES_MAX: usize = 1_000;

/// Gets sitemaps and robots.txt files for a check.
pub trait SitemapReader {
    /// Returns the bytes of a sitemap, at most [`crate::SITEMAP_BYTES_MAX`] plus one. Only an
    /// argument may name something other than a regular file.
    ///
    /// # Errors
    ///
    /// Returns an error if the sitemap cannot be read.
    fn sitemap(&mut self, source: &SitemapSource, is_argument: bool) -> Result<Vec<u8>, ReadError>;

    /// Returns the regular file at `path`, relative to the local index `index`, if it exists.
    fn beside(&self, index: &Path, path: &Path) -> Option<PathBuf>;

    /// Returns the robots.txt of a site.
    ///
    /// # Errors
    ///
    /// Returns an error if the site has no rules to apply.
    fn robots(&mut self, site: &Authority) -> Result<Vec<u8>, ReadError>;

    /// Returns the page at an http or https URL. Default: an error.
    ///
    /// # Errors
    ///
    /// Returns an error if the page cannot be fetched from this machine. A failing server is not an error.
    fn page(&mut self, _url: &str) -> Result<Rc<PageFacts>, ReadError> {
        Err("pages are not fetched here".into())
    }

    /// Returns the mistakes in the directives of a page, which a sitemap may list. `answer` has the page at a time. Default:
    /// none.
    fn page_findings(
        &self,
        _answer: &CheckAnswer<'_>,
        _page: (&PageFacts, Timestamp),
        _sitemap: Option<&str>,
    ) -> Vec<PageFinding> {
        Vec::new()
    }
}

/// Files still to read, each once.
pub(crate) struct SitemapWalk {
    root: SitemapSource,
    waiting: VecDeque<SitemapSource>,
    seen: BTreeSet<SitemapSource>,
}

/// The reason why a listed sitemap is not read.
pub(crate) enum NotRead {
    /// The index violates the protocol.
    Wrong(String),
    /// The index lists too many files.
    TooMany(String),
}

impl SitemapWalk {
    pub(crate) fn from(root: SitemapSource) -> Self {
        Self {
            waiting: VecDeque::from([root.clone()]),
            seen: BTreeSet::from([root.clone()]),
            root,
        }
    }

    pub(crate) fn next(&mut self) -> Option<SitemapSource> {
        self.waiting.pop_front()
    }

    /// Queues a sitemap that `index` lists. For a local index, prefers the file that `reader`
    /// finds.
    pub(crate) fn take(
        &mut self,
        index: &SitemapSource,
        text: &str,
        reader: &impl SitemapReader,
    ) -> Result<(), NotRead> {
        if *index != self.root {
            let sentence = format!(
                "{index} is an index inside an index: it lists {}",
                shown(text)
            );
            return Err(NotRead::Wrong(sentence));
        }
        let url = Url::parse(text).ok();
        let listed = url.and_then(|url| {
            let beside = match index {
                SitemapSource::File(index) => {
                    path_of(&url).and_then(|it| reader.beside(index, &it))
                }
                SitemapSource::Url(_) => None,
            };
            beside.map_or_else(
                || SitemapSource::of_url(url),
                |it| Some(SitemapSource::File(it)),
            )
        });
        let listed = listed.ok_or_else(|| NotRead::Wrong(not_a_url(text)))?;
        if self.seen.contains(&listed) {
            return Ok(());
        }
        if self.seen.len() >= FILES_MAX {
            let sentence = format!(
                "{}: not read, because the index lists more than {FILES_MAX} files",
                shown(text)
            );
            return Err(NotRead::TooMany(sentence));
        }
        self.seen.insert(listed.clone());
        self.waiting.push_back(listed);
        Ok(())
    }
}

/// Converts the path of a URL to a relative file path.
fn path_of(url: &Url) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for segment in url.path_segments()? {
        // The URL parser has removed `.` and `..`. An escaped separator is not part of a name.
        let is_name = !segment.is_empty() && !segment.contains(['%', '\\', ':']);
        path = is_name.then(|| path.join(segment))?;
    }
    Some(path)
}

/// Quotes an invalid entry only if it looks like a URL, because the list may be a file with
/// secrets.
pub(crate) fn not_a_url(text: &str) -> String {
    if text.contains("://") {
        format!("{} is not an http or https URL", shown(text))
    } else {
        "an entry is not an http or https URL".to_owned()
    }
}

/// Quotes the first 100 characters of an entry.
fn shown(text: &str) -> String {
    let start: String = text.chars().take(100).collect();
    format!("`{}`", legible(start.as_bytes()))
}
