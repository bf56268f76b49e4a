//! JSON about whole files for site owners.

use std::ffi::c_char;

use verger_access::{Authority, Timestamp};
use verger_answer::{CrawlerQuery, ReadAs};
use verger_compare::Budget;
use verger_html::{Given, page_facts};
use verger_lint::report::{LintSettings, PageJsonError, lint_json, page_json};
use verger_owner::{
    FileQuestion, FileQuestionError, HistoryDetail, HistoryTextError, history_json_of_export,
};

use crate::buffer::{Buffer, written};
use crate::crawler::problem;
use crate::dialect::{Dialect, dialect};
use crate::failure::{Failure, Problem};
use crate::status::Status;
use crate::text::{Text, bytes, copied, name, slice};

/// The crawlers that a query about whole files covers, and how the files are read. A null pointer
/// or an all-zero struct means all defaults.
///
/// The functions that take it, and verger_lint_json and verger_history_json, require the feature
/// `owner`, on by default. They return JSON Lines with the keys in docs/json.md. Free `*json`,
/// which is empty on failure, with verger_buffer_free.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OwnerQuestion {
    /// A verger_dialect. VERGER_DIALECT_AS_OPERATOR judges each known crawler as its operator reads,
    /// as `verger who` does without `--dialect`. 0 is RFC 9309.
    pub dialect: u32,
    /// Names as `verger who -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`.
    pub agents: *const Text,
    /// Number of agents. If 0, verger_who_json and verger_diff_json cover all known crawlers in use
    /// and all that the files name.
    pub agent_count: usize,
    /// A URL of the site. If empty, https://example.com.
    pub site: Text,
    /// Maximum number of states to search in verger_who_json and verger_diff_json. If 0, four
    /// million.
    pub max_states: u64,
}

/// Returns how much of a site each crawler may fetch, and which lines decide: a line of
/// `verger.who/1` for each crawler.
///
/// Returns false on failure: VERGER_STATUS_UNKNOWN_DIALECT, VERGER_STATUS_NOT_A_TOKEN,
/// VERGER_STATUS_UNKNOWN_CRAWLER, VERGER_STATUS_NOT_A_SITE, or a text error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_who_json(
    body: *const c_char,
    body_len: usize,
    question: *const OwnerQuestion,
    json: *mut Buffer,
    error: *mut Failure,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let (question, body) = unsafe { (asked(question)?, copied(body, body_len)?) };
        answered(question.who_json(body))
    };
    // SAFETY: the contract.
    unsafe { written(json, error, ask) }
}

/// Returns what a change means for each crawler: a line of `verger.diff/1` for each change, then a
/// summary.
///
/// Returns false on failure, as verger_who_json does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_diff_json(
    old_body: *const c_char,
    old_body_len: usize,
    new_body: *const c_char,
    new_body_len: usize,
    question: *const OwnerQuestion,
    json: *mut Buffer,
    error: *mut Failure,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let (question, old) = unsafe { (asked(question)?, copied(old_body, old_body_len)?) };
        // SAFETY: the contract.
        let new = unsafe { copied(new_body, new_body_len) }?;
        answered(question.diff_json(old, new))
    };
    // SAFETY: the contract.
    unsafe { written(json, error, ask) }
}

/// Lists the contents and ignored lines of a file: a line of `verger.parse/1`. With one agent,
/// also what applies to that crawler. `name` is the file's name in the answer, `-` if empty.
///
/// Returns false on failure, as verger_who_json does, or with VERGER_STATUS_SEVERAL_CRAWLERS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_parse_json(
    body: *const c_char,
    body_len: usize,
    name: *const c_char,
    name_len: usize,
    question: *const OwnerQuestion,
    json: *mut Buffer,
    error: *mut Failure,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let (question, body) = unsafe { (asked(question)?, copied(body, body_len)?) };
        // SAFETY: the contract.
        let name = unsafe { bytes(name, name_len) }?;
        answered(question.parse_json(file_name(name), body))
    };
    // SAFETY: the contract.
    unsafe { written(json, error, ask) }
}

/// Finds probable mistakes: a line of `verger.lint/1`. The file is read by RFC 9309, and compared
/// with the other dialects. `site` is a URL of the site, `settings` the text of a verger.toml, and
/// either may be empty. `name` is the file's name in the answer, `-` if empty.
///
/// Returns false on failure: VERGER_STATUS_NOT_A_SITE, VERGER_STATUS_BAD_SETTINGS, or a text
/// error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_lint_json(
    body: *const c_char,
    body_len: usize,
    name: *const c_char,
    name_len: usize,
    site: *const c_char,
    site_len: usize,
    settings: *const c_char,
    settings_len: usize,
    json: *mut Buffer,
    error: *mut Failure,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let (body, name) = unsafe { (copied(body, body_len)?, bytes(name, name_len)?) };
        // SAFETY: the contract.
        let (site, settings) = unsafe { (bytes(site, site_len)?, bytes(settings, settings_len)?) };
        let settings = LintSettings::from_toml(&crate::text::name(settings));
        let settings = settings.map_err(|error| Problem::new(Status::BadSettings, error))?;
        let origin = (!site.is_empty()).then(|| self::site(site)).transpose()?;
        let origin = origin.map(|it| it.to_string());
        let line = lint_json(file_name(name).to_vec(), body, origin, &settings);
        line.map_err(|error| Problem::new(Status::Internal, error))
    };
    // SAFETY: the contract.
    unsafe { written(json, error, ask) }
}

/// Returns whether crawlers may fetch and index a page: robots.txt, the response and its directives
/// together, as a line of `verger.check/1` with the key `page` for each crawler. Nothing is fetched.
///
/// `body` is the robots.txt of the site, `url` the URL of the page. `head` is the head of the
/// response as `curl --include` prints it, and `html` the page as it was received, of which the
/// first MiB is read. If `head` is empty, the status is 200. If only `html` is empty, the state of an
/// HTML page is unknown unless a header decides. If both are empty, the page counts as not fetched.
/// Dates of `unavailable_after` are compared with `at`, in seconds since 1970. Without agents, the
/// answer is for a crawler that no group names.
///
/// Returns false on failure, as verger_who_json does, or with VERGER_STATUS_NOT_A_TARGET or
/// VERGER_STATUS_NOT_A_HEAD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_page_json(
    body: *const c_char,
    body_len: usize,
    url: *const c_char,
    url_len: usize,
    head: *const c_char,
    head_len: usize,
    html: *const c_char,
    html_len: usize,
    at: u64,
    question: *const OwnerQuestion,
    json: *mut Buffer,
    error: *mut Failure,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let (question, body) = unsafe { (asked(question)?, bytes(body, body_len)?) };
        // SAFETY: the contract.
        let (url, head) = unsafe { (bytes(url, url_len)?, bytes(head, head_len)?) };
        // SAFETY: the contract.
        let html = unsafe { bytes(html, html_len) }?;
        let [head, html] = [head, html].map(|it| (!it.is_empty()).then_some(Given::Bytes(it)));
        let facts = page_facts(head, html);
        let facts = facts.map_err(|error| Problem::new(Status::NotAHead, error))?;
        let asked = (&*question.crawlers, question.read_as);
        let lines = page_json(body, asked, url, &facts, Timestamp::from_unix_seconds(at));
        lines.map_err(|error| match error {
            PageJsonError::Crawler(error) => problem(&error),
            PageJsonError::Url(error) => Problem::new(Status::NotATarget, error),
            error => Problem::new(Status::Internal, error),
        })
    };
    // SAFETY: the contract.
    unsafe { written(json, error, ask) }
}

/// Returns the recorded history of a URL's site, from the output of `verger store export`: a line
/// of `verger.history/1` for each snapshot, oldest first, or nothing. `with_lines` adds the changed
/// lines, `with_facts` other facts about each request and response. Includes times from `since`
/// until before `until`, in seconds since 1970. UINT64_MAX means no end.
///
/// Returns false on failure: VERGER_STATUS_NOT_A_SITE, VERGER_STATUS_NOT_AN_EXPORT, or a text
/// error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_history_json(
    export_lines: *const c_char,
    export_len: usize,
    url: *const c_char,
    url_len: usize,
    since: u64,
    until: u64,
    with_lines: bool,
    with_facts: bool,
    json: *mut Buffer,
    error: *mut Failure,
) -> bool {
    let ask = || {
        // SAFETY: the contract.
        let (export, url) = unsafe { (bytes(export_lines, export_len)?, bytes(url, url_len)?) };
        let during = Timestamp::from_unix_seconds(since)..Timestamp::from_unix_seconds(until);
        let detail = HistoryDetail {
            diff: with_lines,
            facts: with_facts,
        };
        let lines = history_json_of_export(export, &site(url)?, during, detail);
        lines.map_err(|error| {
            let status = match error {
                HistoryTextError::Import(_) => Status::NotAnExport,
                _ => Status::Internal,
            };
            Problem::new(status, error)
        })
    };
    // SAFETY: the contract.
    unsafe { written(json, error, ask) }
}

/// Reads the question behind a pointer.
///
/// # Safety
///
/// The contract.
unsafe fn asked(question: *const OwnerQuestion) -> Result<FileQuestion, Problem> {
    // SAFETY: guaranteed by the caller.
    let Some(asked) = (unsafe { question.as_ref() }) else {
        let mut question = FileQuestion::default();
        question.read_as = verger::Dialect::Rfc9309.into();
        return Ok(question);
    };
    let mut question = FileQuestion::default();
    question.read_as = if asked.dialect == Dialect::AsOperator as u32 {
        ReadAs::default()
    } else {
        dialect(asked.dialect)?.into()
    };
    // SAFETY: as above.
    for agent in unsafe { slice(asked.agents, asked.agent_count) }? {
        // SAFETY: as above.
        let agent = name(unsafe { bytes(agent.data, agent.len) }?);
        let query: CrawlerQuery = agent.parse().map_err(|error| problem(&error))?;
        question.crawlers.push(query);
    }
    // SAFETY: as above.
    let site = unsafe { bytes(asked.site.data, asked.site.len) }?;
    if !site.is_empty() {
        question.site = self::site(site)?.to_string();
    }
    if asked.max_states > 0 {
        question.budget = Budget::from_states(asked.max_states);
    }
    Ok(question)
}

fn answered(answer: Result<String, FileQuestionError>) -> Result<String, Problem> {
    answer.map_err(|error| match error {
        FileQuestionError::Crawler(error) => problem(&error),
        error => Problem::new(Status::Internal, error),
    })
}

fn site(url: &[u8]) -> Result<Authority, Problem> {
    Authority::from_url(&name(url)).map_err(|error| Problem::new(Status::NotASite, error))
}

fn file_name(name: &[u8]) -> &[u8] {
    if name.is_empty() { b"-" } else { name }
}
