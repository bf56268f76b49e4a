//! What requests are checked with: published address ranges and names, in directories.
//!
//! | module | one line |
//! |---|---|
//! | `range_files` | the documents of ranges |
//! | `names_file` | what name servers said about addresses |
//! | `name_asker` | asks name servers, many at once |
//! | `update` | fetches the documents |

mod name_asker;
mod names_file;
mod range_files;
mod update;

use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use url::Url;
use verger_access::{Timestamp, web_url};
use verger_audit::{EVIDENCE_HOLDS, RequestChecks};

use crate::count_of::CountOf;
use crate::octet_text::legible;
use crate::run_files::RunFiles;
use crate::store_arguments::{make_directory, state_directory};
use crate::transport_arguments::TransportArguments;
pub(super) use name_asker::NameAsker;
use names_file::NamesFile;
pub(super) use update::{Updated, day};

/// What requests are checked with.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How crawlers are verified")]
pub(super) struct ChecksArguments {
    /// A directory with the address ranges that operators publish, as downloaded from the URLs that
    /// `verger crawlers NAME` shows, their time being that of the file; and with the names of addresses
    /// that `--resolve` asked for. May be given several times, for downloads of several times; the first
    /// is written to [default: checks in your system's directory for such files,
    /// ~/.local/state/verger/checks on Linux, where there is one]
    #[arg(long = "checks", value_name = "DIRECTORY")]
    directories: Vec<PathBuf>,

    /// Fetch the address ranges that operators publish into the directory, before logs are read; a
    /// document that cannot be fetched leaves the one before in its place
    #[arg(long, hide_short_help = true)]
    pub(super) update_checks: bool,

    /// Fetch the documents from your copy of them, the URL of a directory where they have their own
    /// names
    #[arg(long, value_name = "URL", requires = "update_checks", value_parser = directory_url)]
    #[arg(hide_short_help = true)]
    checks_from: Option<Url>,

    /// Ask name servers for the names of addresses, where a crawler is known by these, and whether the
    /// names have the addresses; what they say is kept in the directory
    #[arg(long)]
    resolve: bool,

    #[command(flatten)]
    transport: TransportArguments,
}

/// What is known for checks, and how more is asked for.
pub(super) struct OpenChecks {
    pub(super) checks: RequestChecks,
    pub(super) ages: RangeAges,
    pub(super) names: Option<NameAsker>,
}

/// When the documents of address ranges were read.
#[derive(Clone, Debug, Default)]
pub(super) struct RangeAges {
    /// The times of each document.
    documents: Vec<Vec<Timestamp>>,
}

impl RangeAges {
    fn of(checks: &RequestChecks) -> Self {
        let urls = range_files::urls_by_name().into_values();
        let times = urls.map(|url| checks.read_times(url).collect::<Vec<_>>());
        let documents = times.filter(|times| !times.is_empty()).collect();
        Self { documents }
    }

    /// How many documents there are, the versions of one counted once.
    pub(super) fn documents(&self) -> u64 {
        u64::try_from(self.documents.len()).unwrap_or(u64::MAX)
    }

    /// When the oldest and the newest were read.
    pub(super) fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let times = || self.documents.iter().flatten().copied();
        times().min().zip(times().max())
    }

    /// How many there are, and when they were read; `None` without any.
    pub(super) fn in_words(&self) -> Option<String> {
        let (oldest, newest) = self.span()?;
        let (oldest, newest) = (day(oldest), day(newest));
        let documents = CountOf(self.documents(), "document", "documents");
        Some(if oldest == newest {
            format!("{documents} of address ranges, read {newest}")
        } else {
            format!("{documents} of address ranges, read {oldest} to {newest}")
        })
    }

    /// How many documents have no version that was read within 30 days of a time.
    pub(super) fn too_old_at(&self, time: Timestamp) -> usize {
        let is_near = |read: &Timestamp| time.since(*read).max(read.since(time)) <= EVIDENCE_HOLDS;
        let old = self
            .documents
            .iter()
            .filter(|times| !times.iter().any(is_near));
        old.count()
    }
}

impl ChecksArguments {
    /// Fetches the documents, where that is asked for.
    ///
    /// # Errors
    ///
    /// Where there is no directory for them, or one cannot be written.
    pub(super) fn update(&self) -> Result<Option<Updated>, Box<dyn Error>> {
        if !self.update_checks {
            return Ok(None);
        }
        let directory = self.made_directory()?;
        let updated = update::update(&directory, self.checks_from.as_ref(), &self.transport)?;
        Ok(Some(updated))
    }

    /// Reads what there is.
    ///
    /// # Errors
    ///
    /// Where a directory or a file of it cannot be read, or there is none to write names to.
    pub(super) fn open(&self) -> Result<OpenChecks, Box<dyn Error>> {
        let own = if self.resolve {
            Some(self.made_directory()?)
        } else {
            None
        };
        let mut checks = RequestChecks::default();
        let mut own_names = NamesFile::default();
        for directory in self.directories() {
            range_files::read(&directory, &mut checks)?;
            let names = NamesFile::read(&directory)?;
            names.add_to(&mut checks);
            if own.as_ref() == Some(&directory) {
                own_names = names;
            }
        }
        let resolver = || self.transport.name_resolver();
        let names = own.map(|_| NameAsker::new(resolver(), own_names));
        Ok(OpenChecks {
            ages: RangeAges::of(&checks),
            names: names.transpose()?,
            checks,
        })
    }

    /// Adds the directories to the files of a run.
    pub(super) fn add_to(&self, files: &mut RunFiles) {
        for directory in self.directories() {
            files.read_directory(&directory);
        }
    }

    /// The directories that are given, or else the default one, where it is there.
    fn directories(&self) -> Vec<PathBuf> {
        if !self.directories.is_empty() {
            return self.directories.clone();
        }
        let default = default_directory().filter(|directory| directory.is_dir());
        default.into_iter().collect()
    }

    /// The directory that is written to; it is made where it is missing. Of one that is named, the one
    /// above it must be there: the name may be mistyped.
    fn made_directory(&self) -> Result<PathBuf, DirectoryError> {
        let (directory, made) = if let Some(directory) = self.directories.first() {
            (directory.clone(), make_one(directory))
        } else {
            let directory = default_directory().ok_or(DirectoryError::Homeless)?;
            let made = make_directory(&directory);
            (directory, made)
        };
        match made {
            Ok(()) => Ok(directory),
            Err(error) => Err(DirectoryError::NotMade(directory, error)),
        }
    }
}

fn default_directory() -> Option<PathBuf> {
    Some(state_directory()?.join("checks"))
}

fn make_one(directory: &Path) -> io::Result<()> {
    if directory.is_dir() {
        return Ok(());
    }
    fs::create_dir(directory)
}

/// The URL of a directory: what it names is below it.
fn directory_url(text: &str) -> Result<Url, NotADirectoryUrl> {
    let url = Url::parse(text).ok().and_then(web_url);
    let mut url = url.ok_or(NotADirectoryUrl)?;
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url.set_query(None);
    Ok(url)
}

/// A text is no URL of a directory.
#[derive(Clone, Copy, Debug)]
struct NotADirectoryUrl;

impl fmt::Display for NotADirectoryUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write a URL that begins with https:// or http://")
    }
}

impl Error for NotADirectoryUrl {}

/// There is no directory to write to.
#[derive(Debug)]
enum DirectoryError {
    Homeless,
    NotMade(PathBuf, io::Error),
}

impl fmt::Display for DirectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Homeless => f.write_str(
                "there is no home directory to keep address ranges and names in: name a directory \
                 with --checks",
            ),
            Self::NotMade(path, error) => {
                let path = legible(path.to_string_lossy().as_bytes());
                write!(f, "the directory `{path}` cannot be made: {error}")
            }
        }
    }
}

impl Error for DirectoryError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_below_the_url_of_a_copy() {
        for (text, expected) in [
            (
                "https://h.example/ranges",
                "https://h.example/ranges/gptbot.json",
            ),
            (
                "https://h.example/ranges/?a#b",
                "https://h.example/ranges/gptbot.json",
            ),
            ("http://h.example", "http://h.example/gptbot.json"),
        ] {
            let url = directory_url(text).unwrap().join("gptbot.json").unwrap();
            assert_eq!(url.as_str(), expected);
        }
        for wrong in ["ranges", "file:///ranges", "ftp://h.example/"] {
            assert!(directory_url(wrong).is_err(), "{wrong}");
        }
    }
}
