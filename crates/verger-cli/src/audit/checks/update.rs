//! `--update-checks`: the address ranges that operators publish, fetched into a directory.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use url::Url;
use verger_access::Timestamp;
use verger_audit::RangeDocument;
use verger_client::{Clock as _, SystemClock};
use verger_files::Links;
use verger_store::time_text;

use super::range_files::{urls_by_name, written_at};
use crate::count_of::CountOf;
use crate::file_replacement::put_file;
use crate::notice;
use crate::octet_text::legible;
use crate::progress::Progress;
use crate::transport_arguments::TransportArguments;
use crate::web_reader::WebReader;

/// The largest document that is fetched.
const DOCUMENT_OCTETS_MAX: usize = 16 << 20;

/// What became of the documents.
pub(crate) struct Updated {
    fetched: usize,
    failed: usize,
    directory: String,
}

impl Updated {
    /// Whether every document was fetched.
    pub(crate) fn is_whole(&self) -> bool {
        self.failed == 0
    }
}

impl fmt::Display for Updated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents = CountOf(self.fetched, "document", "documents");
        write!(
            f,
            "{documents} of address ranges fetched into {}",
            self.directory
        )?;
        if self.failed > 0 {
            write!(f, ", {} not", self.failed)?;
        }
        Ok(())
    }
}

/// Fetches each document from its operator, or from below `from`, and writes it whole. What cannot be
/// fetched or has no ranges is said, and the one before is kept.
pub(super) fn update(
    directory: &Path,
    from: Option<&Url>,
    transport: &TransportArguments,
) -> Result<Updated, Box<dyn Error>> {
    let urls = urls_by_name();
    let done = Arc::new(AtomicU64::new(0));
    let (shown, all) = (Arc::clone(&done), urls.len() as u64);
    let _progress = Progress::alone(move |_| {
        format!(
            "{} of {} fetched",
            shown.load(Ordering::Relaxed),
            CountOf(all, "document", "documents")
        )
    });
    let mut web = WebReader::new(transport, DOCUMENT_OCTETS_MAX).refusing_downgrades();
    let mut updated = Updated {
        fetched: 0,
        failed: 0,
        directory: legible(directory.to_string_lossy().as_bytes()),
    };
    for (name, url) in urls {
        let asked = match from {
            None => Url::parse(url)?,
            Some(from) => from.join(name)?,
        };
        let path = directory.join(name);
        let body = web.read(asked.clone()).and_then(|body| {
            let checked = RangeDocument::fetched(url, &body, SystemClock.now());
            checked.map(|_| body).map_err(|error| error.to_string())
        });
        match body {
            Ok(body) => {
                put_file(&path, &body, Links::Follow)?;
                updated.fetched += 1;
            }
            Err(problem) => {
                let kept = match written_at(&path) {
                    Ok(time) => format!("; the one of {} is kept", day(time)),
                    Err(_) => String::new(),
                };
                notice::error(format_args!("{asked}: {problem}{kept}"));
                updated.failed += 1;
            }
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    Ok(updated)
}

/// The day of a time, in UTC.
pub(crate) fn day(time: Timestamp) -> String {
    let text = time_text(time);
    text.split('T').next().unwrap_or_default().to_owned()
}
