//! `SitemapWalk`: the files that a sitemap consists of: itself, and those that it lists where it is an index.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use verger_answer::ReadError;

use url::Url;
use verger::legible;
use verger_access::Authority;

use super::sitemap_source::SitemapSource;

/// So many files are read of what one sitemap lists.
const FILES_MAX: usize = 1_000;

/// Reads what a check needs.
pub trait SitemapReader {
    /// The bytes of a sitemap, one more than [`crate::SITEMAP_BYTES_MAX`] at most; in words why there are none.
    /// Only an argument may name what is no regular file.
    ///
    /// # Errors
    ///
    /// Where it cannot be read.
    fn sitemap(&mut self, source: &SitemapSource, is_argument: bool) -> Result<Vec<u8>, ReadError>;

    /// The regular file at `path` beside an index that is a file, where there is one.
    fn beside(&self, index: &Path, path: &Path) -> Option<PathBuf>;

    /// The robots.txt of a site; in words why there is none.
    ///
    /// # Errors
    ///
    /// Where no rules of the site decide.
    fn robots(&mut self, site: &Authority) -> Result<Vec<u8>, ReadError>;
}

/// The files that are still to be read, each once.
pub(crate) struct SitemapWalk {
    root: SitemapSource,
    waiting: VecDeque<SitemapSource>,
    seen: BTreeSet<SitemapSource>,
}

/// A sitemap that is listed and not read.
pub(crate) enum NotRead {
    /// The index is not as the protocol has it.
    Wrong(String),
    /// It lists too much.
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

    /// The next file.
    pub(crate) fn next(&mut self) -> Option<SitemapSource> {
        self.waiting.pop_front()
    }

    /// Takes a sitemap that `index` lists; beside a file, where `reader` finds it there.
    pub(crate) fn take(
        &mut self,
        index: &SitemapSource,
        text: &str,
        reader: &impl SitemapReader,
    ) -> Result<(), NotRead> {
        if *index != self.root {
            let sentence = format!(
                "{index} is an index that an index lists, of {}",
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
            let sentence = format!("{}: more than {FILES_MAX} files", shown(text));
            return Err(NotRead::TooMany(sentence));
        }
        self.seen.insert(listed.clone());
        self.waiting.push_back(listed);
        Ok(())
    }
}

/// The path of a URL as that of a file.
fn path_of(url: &Url) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for segment in url.path_segments()? {
        // The parser has removed `.` and `..`; an escaped separator is no part of a name.
        let is_name = !segment.is_empty() && !segment.contains(['%', '\\', ':']);
        path = is_name.then(|| path.join(segment))?;
    }
    Some(path)
}

/// What is not understood is repeated only where it looks like a URL: a list of URLs may be another file.
pub(crate) fn not_a_url(text: &str) -> String {
    if text.contains("://") {
        format!("{} is no URL of the web", shown(text))
    } else {
        "an entry is no URL of the web".to_owned()
    }
}

/// The start of an entry.
fn shown(text: &str) -> String {
    let start: String = text.chars().take(100).collect();
    format!("`{}`", legible(start.as_bytes()))
}
