//! `CheckParts`: serialized parts of `verger.check/1` lines that are the same for all URLs of an
//! authority.
//!
//! A server answers millions of questions about one authority. The crawler, warnings, clauses and
//! times never change, and few rules decide most URLs. These parts are serialized once and copied.
//! [`CheckLine`] is the reference and writes the same bytes.
//!
//! A server with 1,000 URLs per JSON Lines batch took 3.4 µs per line with the reference and takes
//! 0.5 µs with this.

use std::io;
use std::sync::OnceLock;

use serde::Serialize;
use verger::Verdict;

use crate::access::authority_lookup::AuthorityLookup;
use crate::check_answer::CheckAnswer;
use crate::check_answer::preference_answer::PreferenceAnswer;
use crate::check_line::{CheckLine, FileKeys, HeadKeys, WebKeys, result_keys};
use crate::check_result::CheckResult;
use crate::checked_file::CheckedFile;
use crate::json;
use crate::result_keys::UrlKey;

/// Shared parts of the lines for one authority and one crawler.
#[derive(Debug)]
pub(crate) struct CheckParts {
    /// Before the URL: `{"schema":…,"crawler":{…}`.
    head: Vec<u8>,
    /// Between URL and verdict: `,"sent_as":null,…,"warnings":[]`.
    file: Vec<u8>,
    /// The state of the authority: `,"profile":…,"last_known":null}`.
    web: Vec<u8>,
    /// The first few verdicts: `,"allowed":…,"dialect":…`.
    verdicts: [OnceLock<(Verdict, Vec<u8>)>; VERDICTS_MAX],
}

/// Maximum number of cached verdicts. Few rules decide most URLs of a site.
const VERDICTS_MAX: usize = 8;

/// Maximum size of a cached verdict in bytes.
const VERDICT_BYTES_MAX: usize = 256;

impl CheckParts {
    /// Serializes the shared parts for the `nth` crawler, counted from 0.
    ///
    /// # Panics
    ///
    /// Panics if there is no such crawler.
    pub(crate) fn of(file: &CheckedFile, nth: usize, lookup: &AuthorityLookup) -> io::Result<Self> {
        let resolved = file.crawlers()[nth].resolved();
        let mut parts = Self {
            head: json::to_string(&HeadKeys::of(resolved))?.into_bytes(),
            file: Vec::new(),
            web: Vec::new(),
            verdicts: Default::default(),
        };
        parts.head.pop();
        append_keys(&mut parts.file, &FileKeys::of_file(file))?;
        append_keys(&mut parts.web, &WebKeys::of_lookup(lookup))?;
        parts.web.push(b'}');
        Ok(parts)
    }

    /// Appends the line of an answer for this file, crawler and authority, without a line end.
    pub(crate) fn append_line(
        &self,
        output: &mut Vec<u8>,
        answer: &CheckAnswer<'_>,
    ) -> io::Result<()> {
        if has_own_parts(answer) {
            output.extend_from_slice(json::to_string(&CheckLine::new(answer))?.as_bytes());
            return Ok(());
        }
        output.extend_from_slice(&self.head);
        append_url(output, answer.url)?;
        output.extend_from_slice(&self.file);
        match &answer.result {
            CheckResult::Rules(verdict) => self.append_verdict(output, *verdict, answer)?,
            _ => append_keys(output, &result_keys(answer))?,
        }
        if let Some(preferences) = &answer.preferences {
            append_keys(output, &PreferenceKey { preferences })?;
        }
        output.extend_from_slice(&self.web);
        Ok(())
    }

    fn append_verdict(
        &self,
        output: &mut Vec<u8>,
        verdict: Verdict,
        answer: &CheckAnswer<'_>,
    ) -> io::Result<()> {
        let start = output.len();
        for place in &self.verdicts {
            match place.get() {
                Some((kept, keys)) if *kept == verdict => {
                    output.extend_from_slice(keys);
                    return Ok(());
                }
                Some(_) => {}
                None => {
                    append_keys(output, &result_keys(answer))?;
                    let keys = &output[start..];
                    if keys.len() <= VERDICT_BYTES_MAX {
                        // Another thread may have set it first.
                        let _ = place.set((verdict, keys.to_vec()));
                    }
                    return Ok(());
                }
            }
        }
        append_keys(output, &result_keys(answer))
    }
}

#[derive(Serialize)]
struct PreferenceKey<'a> {
    preferences: &'a PreferenceAnswer,
}

/// Appends the key of a URL. Copies the URL if JSON escapes nothing in it.
fn append_url(output: &mut Vec<u8>, url: &[u8]) -> io::Result<()> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if !url.iter().fold(true, |all, byte| all & is_plain(*byte)) {
        return append_keys(output, &UrlKey::of(url));
    }
    output.extend_from_slice(b",\"url\":\"");
    output.extend_from_slice(url);
    output.push(b'"');
    Ok(())
}

/// Returns whether the answer has parts of its own, other than URL and verdict.
fn has_own_parts(answer: &CheckAnswer<'_>) -> bool {
    let has_last_known = match &answer.result {
        CheckResult::Stance { last_known, .. } => last_known.is_some(),
        CheckResult::Rules(_) | CheckResult::Unknown => false,
    };
    has_last_known
        || answer.sent_as.is_some()
        || answer.ignored_star.is_some()
        || answer.at_other_limit.is_some()
        || answer.explanation.is_some()
        || answer.crawler.delay().is_some()
}

/// Appends the keys of an object, each after a comma.
fn append_keys<T: Serialize>(output: &mut Vec<u8>, object: &T) -> io::Result<()> {
    let start = output.len();
    json::append(output, object)?;
    output.pop();
    if let Some(brace) = output.get_mut(start) {
        *brace = b',';
    }
    Ok(())
}
