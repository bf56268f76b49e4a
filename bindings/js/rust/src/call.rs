//! Named calls with JSON arguments.

use verger::RobotsTxt;
use verger_access::asked_target;
use verger_answer::parsed::{FileName, Listing, ParsedFile};
use verger_answer::{RobotsFile, explanation_json};

use crate::answer::{answered, put_text};
use crate::argument::{Argument, Bytes, read};
use crate::asked::Asked;
use crate::failure::Failure;
use crate::host::missing;
use crate::scratch::with_texts;

/// Answers a named call, usually with JSON, or fails with the missing hosts. The texts are the
/// lengths of the byte strings as 32-bit words, the name, the arguments as JSON, and the byte
/// strings.
#[unsafe(no_mangle)]
pub extern "C" fn call(lengths: usize, name: usize, argument: usize, bytes: usize) -> u32 {
    let ask = |[lengths, name, argument, bytes]: [&[u8]; 4]| {
        let mut rest = bytes;
        let lengths = lengths.as_chunks().0.iter();
        let bytes = lengths.map(|length| {
            let (text, after) = rest.split_at(u32::from_le_bytes(*length) as usize);
            rest = after;
            text
        });
        let bytes = bytes.collect::<Vec<_>>();
        let answer = answer(name, &read(argument)?, &bytes);
        missing().map_or(answer, Err).map(put_text)
    };
    let result = with_texts([lengths, name, argument, bytes], ask);
    answered(result.map(|()| true))
}

fn answer(name: &[u8], of: &Argument, bytes: Bytes<'_>) -> Result<Vec<u8>, Failure> {
    let text = match (name, bytes) {
        (b"parse", [names, body]) => parse(of, names, body),
        (b"explain", [names, url, body]) => explain(of, names, url, body),
        #[cfg(feature = "whole")]
        _ if name.starts_with(b"access.") => crate::access::answer(name, of, bytes),
        #[cfg(feature = "whole")]
        (b"claims" | b"lint-by-settings" | b"test", _) => crate::claims::answer(name, of, bytes),
        _ => return crate::owner::answer(name, of, bytes),
    };
    text.map(String::into_bytes)
}

/// Returns a line of `verger.parse/1`, with names also what applies to that crawler.
fn parse(of: &Argument, names: &[u8], body: &[u8]) -> Result<String, Failure> {
    let asked = Asked::of(of.asked);
    let crawler = match names {
        [] => None,
        names => Some(asked.resolved(names)?),
    };
    let robots = RobotsTxt::parse(body, asked.reading());
    let (listing, name) = (
        Listing::new(&robots, crawler.as_ref()),
        FileName::from_bytes(b"-"),
    );
    verger_answer::json::line_of(&ParsedFile(&listing, &name)).map_err(Failure::internal)
}

/// Returns a line of `verger.check/1`.
fn explain(of: &Argument, names: &[u8], url: &[u8], body: &[u8]) -> Result<String, Failure> {
    let asked = Asked::of(of.asked);
    let crawler = asked.resolved(names)?;
    let target = asked_target(url, asked.reading())?;
    let file = RobotsFile::new(body, asked.reading());
    explanation_json(&file, &crawler, url, &target).map_err(Failure::internal)
}
