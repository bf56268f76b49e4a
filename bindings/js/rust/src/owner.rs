//! The owner's queries, answered with the command's JSON, and the registry.
//!
//! Each query is a separate function. V8 compiles a function when it is first called, so the first
//! query does not wait for the code of the others.

use serde::Serialize;
use verger::Effect;
use verger_access::{Authority, Timestamp};
use verger_answer::{
    CrawlerLine, CrawlerQuery, CrawlerQueryError, PageFacts, ReadAs, ResponseHead, json,
};
use verger_compare::{Budget, EXAMPLE_SITE};
use verger_crawlers::{KnownCrawler, Registry, UserAgentHeader};
use verger_lint::report::{LintSettings, PageJsonError, lint_json, page_json};
use verger_owner::{Addition, FileQuestion, FileQuestionError, NewRule};

use crate::argument::{Argument, Bytes, unknown};
use crate::asked::Asked;
use crate::failure::Failure;

impl Argument {
    pub(crate) fn read_as(&self) -> ReadAs {
        Asked::of(self.asked).read_as()
    }

    pub(crate) fn budget(&self) -> Budget {
        self.max_states
            .map_or_else(Budget::default, Budget::from_states)
    }

    pub(crate) fn site(&self) -> Result<String, Failure> {
        let site = self.site.as_deref().map(origin).transpose()?;
        Ok(site.unwrap_or_else(|| EXAMPLE_SITE.to_owned()))
    }

    fn crawlers(&self) -> Result<Vec<CrawlerQuery>, CrawlerQueryError> {
        self.agents.iter().map(|agent| agent.parse()).collect()
    }

    fn question(&self) -> Result<FileQuestion, Failure> {
        let mut question = FileQuestion::default();
        question.read_as = self.read_as();
        question.crawlers = self.crawlers()?;
        question.budget = self.budget();
        question.site = self.site()?;
        Ok(question)
    }
}

impl From<FileQuestionError> for Failure {
    fn from(error: FileQuestionError) -> Self {
        match error {
            FileQuestionError::Crawler(error) => error.into(),
            error => Self::internal(error),
        }
    }
}

pub(crate) fn answer(name: &[u8], of: &Argument, bytes: Bytes<'_>) -> Result<Vec<u8>, Failure> {
    let text = match (name, bytes) {
        (b"who", [body]) => who(of, body)?,
        (b"diff", [old, new]) => diff(of, old, new)?,
        (b"diff-urls", [urls, old, new]) => diff_urls(of, urls, old, new)?,
        (b"listing", [name, body]) => listing(of, name, body)?,
        (b"lint", [name, body]) => lint(of, name, body, &LintSettings::default())?,
        (b"page", [url, body, head @ ..]) => page(of, url, body, head.first().copied())?,
        (b"add", [body]) => return add(of, body),
        (b"crawlers" | b"crawler" | b"header", _) => crawlers(name, bytes)?,
        _ => return Err(unknown(name)),
    };
    Ok(text.into_bytes())
}

#[inline(never)]
fn who(of: &Argument, body: &[u8]) -> Result<String, Failure> {
    Ok(of.question()?.who_json(body)?)
}

#[inline(never)]
fn diff(of: &Argument, old: &[u8], new: &[u8]) -> Result<String, Failure> {
    Ok(of.question()?.diff_json(old, new)?)
}

#[inline(never)]
fn diff_urls(of: &Argument, urls: &[u8], old: &[u8], new: &[u8]) -> Result<String, Failure> {
    Ok(of.question()?.diff_urls_json(urls, old, new)?)
}

#[inline(never)]
fn listing(of: &Argument, name: &[u8], body: &[u8]) -> Result<String, Failure> {
    Ok(of.question()?.parse_json(name, body)?)
}

/// Returns lines of the registry: all, or the crawler with a name or in a header.
#[inline(never)]
fn crawlers(name: &[u8], bytes: Bytes<'_>) -> Result<String, Failure> {
    match (name, bytes) {
        (b"crawlers", []) => lines(Registry::bundled()),
        (b"crawler", [name]) => lines([named(&String::from_utf8_lossy(name))?]),
        (b"header", [header]) => {
            let header = UserAgentHeader::new(&String::from_utf8_lossy(header));
            lines(Registry::bundled().named_by(&header))
        }
        _ => Err(unknown(name)),
    }
}

/// Returns a line of `verger.lint/1`.
#[inline(never)]
pub(crate) fn lint(
    of: &Argument,
    name: &[u8],
    body: &[u8],
    settings: &LintSettings,
) -> Result<String, Failure> {
    let site = of.site.as_deref().map(origin).transpose()?;
    lint_json(name.to_vec(), body.to_vec(), site, settings).map_err(Failure::internal)
}

/// Returns a line of `verger.check/1` for each crawler. Without a head, the page was not fetched.
#[inline(never)]
fn page(of: &Argument, url: &[u8], body: &[u8], head: Option<&[u8]>) -> Result<String, Failure> {
    let mut facts = match head.map(ResponseHead::parse) {
        Some(parsed) => PageFacts::of_response(parsed.map_err(Failure::argument)?.0),
        None => PageFacts::not_fetched("no response was given"),
    };
    if of.elements.is_none() {
        facts.set_html_not_given();
    }
    if of.is_cut {
        facts.set_cut();
    }
    // The elements of other responses are not read.
    let has_html = facts.head().is_some_and(ResponseHead::has_html);
    let elements = of.elements.iter().flatten().filter(|_| has_html);
    for (is_link, name, value, line, is_in_head) in elements {
        if *is_link {
            for rel in name.split_ascii_whitespace() {
                facts.add_link(rel, value, *line, *is_in_head);
            }
        } else {
            facts.add_meta(name, value, *line, *is_in_head);
        }
    }
    let at = Timestamp::from_unix_seconds(of.now);
    let asked = (&*of.crawlers()?, of.read_as());
    page_json(body, asked, url, &facts, at).map_err(|error| match error {
        PageJsonError::Crawler(error) => error.into(),
        PageJsonError::Url(error) => error.into(),
        error => Failure::internal(error),
    })
}

/// The output of `add` except for the new file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Added<'a> {
    already: &'a [String],
    left_out: &'a [String],
    without_effect: Vec<String>,
    also: &'a [String],
    still_allowed: Vec<StillSo<'a>>,
    still_disallowed: Vec<StillSo<'a>>,
}

#[derive(Serialize)]
struct StillSo<'a> {
    crawler: &'a str,
    url: &'a str,
}

fn still_so(urls: &[(String, String)]) -> Vec<StillSo<'_>> {
    let urls = urls.iter();
    urls.map(|(crawler, url)| StillSo { crawler, url })
        .collect()
}

/// Returns a line of JSON, then the new file.
#[inline(never)]
fn add(of: &Argument, body: &[u8]) -> Result<Vec<u8>, Failure> {
    let read_as = of.read_as();
    let queries = of.crawlers()?;
    let crawlers = CrawlerQuery::resolve_all(&queries, read_as).map_err(|(_, error)| error)?;
    let rule = |effect| move |pattern: &String| NewRule::new(effect, pattern, read_as.reading());
    let allow = of.allow.iter().map(rule(Effect::Allow));
    let rules = allow.chain(of.disallow.iter().map(rule(Effect::Disallow)));
    let rules = rules
        .collect::<Result<Vec<_>, _>>()
        .map_err(Failure::argument)?;
    let addition = Addition::new(body, read_as, &crawlers, &rules, of.budget());
    let addition = addition.map_err(Failure::argument)?;
    let added = Added {
        already: &addition.already,
        left_out: &addition.left_out,
        without_effect: addition
            .without_effect
            .iter()
            .map(ToString::to_string)
            .collect(),
        also: &addition.also,
        still_allowed: still_so(&addition.still_allowed),
        still_disallowed: still_so(&addition.still_disallowed),
    };
    let mut answer = json::line_of(&added)
        .map_err(Failure::internal)?
        .into_bytes();
    answer.extend_from_slice(&addition.body);
    Ok(answer)
}

/// Returns the known crawler with a registry name or product token of its own.
fn named(name: &str) -> Result<&'static KnownCrawler, Failure> {
    Registry::bundled().by_name(name).ok_or_else(|| {
        let near = Registry::bundled().suggest(name).join(", ");
        let near = if near.is_empty() {
            near
        } else {
            format!(". Did you mean {near}?")
        };
        Failure::new(
            "unknown-crawler",
            format_args!("unknown crawler `{name}`{near}"),
        )
    })
}

/// Returns lines of `verger.crawler/1`.
fn lines<'c>(crawlers: impl IntoIterator<Item = &'c KnownCrawler>) -> Result<String, Failure> {
    let mut lines = Vec::new();
    for crawler in crawlers {
        json::write_line(&mut lines, &CrawlerLine::new(crawler)).map_err(Failure::internal)?;
    }
    json::text_of(lines).map_err(Failure::internal)
}

fn origin(site: &str) -> Result<String, Failure> {
    let authority = Authority::from_url(site).map_err(Failure::argument)?;
    Ok(authority.to_string())
}
