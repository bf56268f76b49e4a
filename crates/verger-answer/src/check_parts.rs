//! `CheckParts`: the parts of lines of `verger.check/1` that are the same for all URLs of an authority, as JSON.
//!
//! A server answers about one authority millions of times. Names, warnings, clauses and times are the same in each
//! line, and so is the verdict of one rule: they are written once and copied, and the URL, in which JSON escapes
//! nothing as a rule, is copied too. The reference is [`CheckLine`]: both write the same bytes.
//!
//! A server with 1,000 URLs a batch in JSON Lines took 3.4 µs a line by the reference, and takes 0.5 µs.

use std::io;
use std::sync::OnceLock;

use serde::Serialize;
use verger::Verdict;

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
    /// The first verdicts that were asked for: `,"allowed":…,"dialect":…`.
    verdicts: [OnceLock<(Verdict, Vec<u8>)>; VERDICTS_MAX],
}

/// Few rules decide about most URLs of a site.
const VERDICTS_MAX: usize = 8;

/// A verdict with a longer rule is not kept.
const VERDICT_BYTES_MAX: usize = 256;

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
            verdicts: Default::default(),
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
                        // Another thread may have been faster.
                        let _ = place.set((verdict, keys.to_vec()));
                    }
                    return Ok(());
                }
            }
        }
        append_keys(output, &result_keys(answer))
    }
}

/// Appends the key of a URL; as it is where JSON escapes nothing in it.
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
