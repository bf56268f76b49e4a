//! `CheckParts`: the parts of lines of `verger.check/1` that are the same for all URLs of an authority, as JSON.
//!
//! A server answers about one authority millions of times. Names, warnings, clauses and times are two thirds of
//! the time of a line and the same in each; written once and copied, a line takes a fifth of that. The
//! reference is [`CheckLine`]: both write the same octets.

use std::io;

use serde::Serialize;

use crate::access::authority_lookup::AuthorityLookup;
use crate::check_answer::CheckAnswer;
use crate::check_line::{CheckLine, FileKeys, HeadKeys, WebKeys, result_keys};
use crate::check_result::CheckResult;
use crate::checked_file::CheckedFile;
use crate::json;
use crate::result_keys::UrlKey;

/// The parts of lines of `verger.check/1` that are the same for all URLs of an authority and one crawler.
#[derive(Debug)]
pub(crate) struct CheckParts {
    /// Up to the URL: `{"schema":…,"crawler":{…}`.
    head: Vec<u8>,
    /// Between URL and verdict: `,"sent_as":null,…,"warnings":[]`.
    file: Vec<u8>,
    /// What is known about the authority: `,"profile":…,"last_known":null}`.
    web: Vec<u8>,
}

impl CheckParts {
    /// The parts of the answers about an authority to the crawler of that number, counted from 0.
    ///
    /// # Errors
    ///
    /// None that is known: the parts have JSON.
    ///
    /// # Panics
    ///
    /// Where there is no such crawler.
    pub(crate) fn of(file: &CheckedFile, nth: usize, lookup: &AuthorityLookup) -> io::Result<Self> {
        let resolved = file.crawlers()[nth].resolved();
        let mut parts = Self {
            head: json::to_string(&HeadKeys::of(resolved))?.into_bytes(),
            file: Vec::new(),
            web: Vec::new(),
        };
        parts.head.pop();
        append_keys(&mut parts.file, &FileKeys::of_file(file))?;
        append_keys(&mut parts.web, &WebKeys::of_lookup(lookup))?;
        parts.web.push(b'}');
        Ok(parts)
    }

    /// Appends the line of an answer, without a line end. The answer is about the file, the crawler and the
    /// authority of these parts.
    ///
    /// # Errors
    ///
    /// None that is known: the answer has JSON.
    pub(crate) fn append_line(
        &self,
        output: &mut Vec<u8>,
        answer: &CheckAnswer<'_>,
    ) -> io::Result<()> {
        if has_own_parts(answer) {
            output.extend_from_slice(json::to_string(&CheckLine::of(answer))?.as_bytes());
            return Ok(());
        }
        output.extend_from_slice(&self.head);
        append_keys(output, &UrlKey::of(answer.url))?;
        output.extend_from_slice(&self.file);
        append_keys(output, &result_keys(answer))?;
        output.extend_from_slice(&self.web);
        Ok(())
    }
}

/// Whether the answer has more of its own than URL and verdict.
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
}

/// Appends the keys of an object, with a comma before the first.
fn append_keys<T: Serialize>(output: &mut Vec<u8>, object: &T) -> io::Result<()> {
    let start = output.len();
    json::append(output, object)?;
    output.pop();
    if let Some(brace) = output.get_mut(start) {
        *brace = b',';
    }
    Ok(())
}
