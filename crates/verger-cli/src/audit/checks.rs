//! Directories with published address ranges and names of addresses, which verify crawlers.

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
use verger_client::{Clock as _, SystemClock, one_thread_runtime};
use verger_inputs::WebReader;

use crate::arguments::store::state_directory;
use crate::arguments::transport::TransportArguments;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::progress::{Counting, Drawing};

/// Maximum size of a fetched document, in bytes.
const DOCUMENT_BYTES_MAX: usize = 16 << 20;

/// How crawlers are verified.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Verification of crawlers")]
pub(super) struct ChecksArguments {
    /// Directory of address ranges and names (repeatable) [default: your own]
    ///
    /// It has the address ranges that operators publish, downloaded from the URLs that `verger crawlers NAME`
    /// shows, and the names of addresses that `--resolve` looked up. The time of a file is the time of its
    /// download. Give several directories for downloads of several times. The first is written to. The default
    /// is checks in your system's directory for application state, on Linux ~/.local/state/verger/checks, if it
    /// exists.
    #[arg(long = "checks", value_name = "DIRECTORY")]
    directories: Vec<PathBuf>,

    /// Download the address ranges of operators before reading logs
    ///
    /// If a download fails, the previous document stays.
    #[arg(long, hide_short_help = true)]
    pub(super) update_checks: bool,

    /// Download the documents from your own copy, the URL of a directory with their file names
    #[arg(long, value_name = "URL", requires = "update_checks", value_parser = directory_url)]
    #[arg(hide_short_help = true)]
    checks_from: Option<Url>,

    /// Verify crawlers by reverse and forward DNS
    ///
    /// For crawlers that are identified by the names of their addresses. The results are stored in the
    /// directory.
    #[arg(long)]
    resolve: bool,

    #[command(flatten)]
    transport: TransportArguments,
}

pub(super) struct OpenChecks {
    pub(super) checks: RequestChecks,
    pub(super) names: Option<NameAsker>,
}

impl ChecksArguments {
    /// Downloads the documents, with `--update-checks`.
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

    pub(super) fn open(&self) -> Result<OpenChecks, Box<dyn Error>> {
        let directories = self.directories();
        let written = self.resolve.then(|| directories.made()).transpose()?;
        let (checks, own_names) = directories.read(written, |warning| {
            notice::warning(Message::from_text(warning));
        })?;
        let names = match written {
            Some(_) => {
                let resolver = self.transport.name_resolver();
                Some(NameAsker::new(one_thread_runtime()?, resolver, own_names))
            }
            None => None,
        };
        Ok(OpenChecks { checks, names })
    }

    pub(super) fn directories(&self) -> CheckDirectories {
        CheckDirectories {
            named: self.directories.clone(),
            default: state_directory().map(|directory| directory.join("checks")),
        }
    }
}

struct RangeDownload<'t> {
    web: WebReader<'t>,
    /// Number of documents that were fetched or failed, and number of all.
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
        notice::error(Message::from_text(problem));
    }

    fn done(&mut self, done: usize, all: usize) {
        self.done.set(0, done as u64);
        self.done.set(1, all as u64);
    }
}

/// Parses the URL of a directory, and adds a missing `/`.
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
