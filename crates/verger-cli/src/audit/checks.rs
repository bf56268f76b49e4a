//! Directories with what requests are checked with: published address ranges, and names of addresses.

use std::error::Error;
use std::path::PathBuf;
use verger_answer::ReadError;

use clap::Args;
use url::Url;
use verger_access::{Timestamp, web_url};
use verger_answer::CountOf;
use verger_audit::{
    CheckDirectories, NameAsker, RangeUpdate, RequestChecks, UpdateObserver, UpdatedRanges,
};
use verger_client::{Clock as _, SystemClock, WebReader, one_thread_runtime};

use crate::arguments::store::state_directory;
use crate::arguments::transport::TransportArguments;
use crate::screen::notice;
use crate::screen::progress::{Counting, Drawing};

/// The largest document that is fetched.
const DOCUMENT_BYTES_MAX: usize = 16 << 20;

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
        let directories = self.directories();
        let update = RangeUpdate {
            directory: directories.made()?,
            from: self.checks_from.as_ref().map(Url::as_str),
        };
        let updated = update.run(&mut RangeDownload::start(&self.transport))?;
        Ok(Some(updated))
    }

    /// Reads what there is.
    ///
    /// # Errors
    ///
    /// Where a directory or a file of it cannot be read, or there is none to write names to.
    pub(super) fn open(&self) -> Result<OpenChecks, Box<dyn Error>> {
        let directories = self.directories();
        let written = self.resolve.then(|| directories.made()).transpose()?;
        let (checks, own_names) = directories.read(written, |warning| notice::warning(warning))?;
        let names = match written {
            Some(_) => {
                let resolver = self.transport.name_resolver();
                Some(NameAsker::new(one_thread_runtime()?, resolver, own_names))
            }
            None => None,
        };
        Ok(OpenChecks { checks, names })
    }

    /// The directories that are given, or else the default one.
    pub(super) fn directories(&self) -> CheckDirectories {
        CheckDirectories {
            named: self.directories.clone(),
            default: state_directory().map(|directory| directory.join("checks")),
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
                .web_reader(DOCUMENT_BYTES_MAX)
                .refusing_downgrades(),
            done,
        }
    }
}

impl UpdateObserver for RangeDownload<'_> {
    fn fetch(&mut self, url: &str) -> Result<(Vec<u8>, Timestamp), ReadError> {
        let url = Url::parse(url).map_err(|error| error.to_string())?;
        let read = self.web.read(url).map_err(|error| error.to_string())?;
        Ok((read, SystemClock.now()))
    }

    fn failed(&mut self, problem: &str) {
        notice::error(problem);
    }

    fn done(&mut self, done: usize, all: usize) {
        self.done.set(0, done as u64);
        self.done.set(1, all as u64);
    }
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
