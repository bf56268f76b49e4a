//! Directories with what requests are checked with: published address ranges, and names of addresses.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use url::Url;
use verger_access::{Timestamp, web_url};
use verger_answer::CountOf;
use verger_audit::{
    NameAsker, NamesFile, RangeUpdate, RequestChecks, UpdateObserver, UpdatedRanges, read_ranges,
};
use verger_client::{Clock as _, SystemClock, WebReader, one_thread_runtime};
use verger_files::RunFiles;

use crate::notice;
use crate::octet_text::legible_path;
use crate::progress::{Counting, Drawing};
use crate::store_arguments::{make_directory, state_directory};
use crate::transport_arguments::TransportArguments;

/// The largest document that is fetched.
const DOCUMENT_OCTETS_MAX: usize = 16 << 20;

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
    pub(super) names: Option<NameAsker>,
}

impl ChecksArguments {
    /// Fetches the documents, where that is asked for.
    ///
    /// # Errors
    ///
    /// Where there is no directory for them, or one cannot be written.
    pub(super) fn update(&self) -> Result<Option<UpdatedRanges>, Box<dyn Error>> {
        if !self.update_checks {
            return Ok(None);
        }
        let update = RangeUpdate {
            directory: &self.made_directory()?,
            from: self.checks_from.as_ref().map(Url::as_str),
        };
        Ok(Some(
            update.run(&mut RangeDownload::start(&self.transport))?,
        ))
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
            read_ranges(&directory, &mut checks)?;
            let names = NamesFile::read(&directory)?;
            names.add_to(&mut checks);
            if own.as_ref() == Some(&directory) {
                own_names = names;
            }
        }
        let names = match own {
            Some(_) => {
                let resolver = self.transport.name_resolver();
                Some(NameAsker::new(one_thread_runtime()?, resolver, own_names))
            }
            None => None,
        };
        Ok(OpenChecks { checks, names })
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

/// Fetches documents, with a line that says how many were, and reports those that could not be fetched.
struct RangeDownload<'t> {
    web: WebReader<'t>,
    /// How many documents were fetched or failed, and how many there are.
    done: Counting<2>,
}

impl<'t> RangeDownload<'t> {
    fn start(transport: &'t TransportArguments) -> Self {
        let done = Counting::new(Drawing::Alone, |[done, all], _| {
            let all = CountOf(all, "document", "documents");
            format!("{done} of {all} fetched")
        });
        Self {
            web: transport
                .web_reader(DOCUMENT_OCTETS_MAX)
                .refusing_downgrades(),
            done,
        }
    }
}

impl UpdateObserver for RangeDownload<'_> {
    fn fetch(&mut self, url: &str) -> Result<(Vec<u8>, Timestamp), String> {
        let url = Url::parse(url).map_err(|error| error.to_string())?;
        Ok((self.web.read(url)?, SystemClock.now()))
    }

    fn failed(&mut self, problem: &str) {
        notice::error(problem);
    }

    fn done(&mut self, done: usize, all: usize) {
        self.done.set(0, done as u64);
        self.done.set(1, all as u64);
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
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("write a URL that begins with https:// or http://")]
struct NotADirectoryUrl;

/// There is no directory to write to.
#[derive(Debug, thiserror::Error)]
enum DirectoryError {
    #[error(
        "there is no home directory to keep address ranges and names in: name a directory with --checks"
    )]
    Homeless,
    #[error("the directory `{}` cannot be made: {}", legible_path(.0), .1)]
    NotMade(PathBuf, io::Error),
}

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
