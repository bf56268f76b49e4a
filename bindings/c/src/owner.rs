//! What the owner of a site asks about whole files, as JSON: one pattern for all questions.

use std::ffi::c_char;

use verger_access::{Authority, Timestamp};
use verger_answer::CrawlerQuery;
use verger_compare::Budget;
use verger_lint::report::{LintSettings, lint_json};
use verger_owner::{
    FileQuestion, FileQuestionError, HistoryDetail, HistoryTextError, history_json_of_export,
};

use crate::buffer::{Buffer, written};
use crate::crawler::problem;
use crate::dialect::dialect;
use crate::failure::{Failure, Problem};
use crate::status::Status;
use crate::text::{Text, bytes, copied, name, slice};

/// Which crawlers a question about whole files is about, and how the files are read. A question that is all
/// zeros has all defaults, and so has a null pointer.
///
/// The functions that take one, and those that end in `_json` beside them, are in a library that was built
/// with the feature `owner`, as it is by default. Each answers with JSON Lines, of which docs/json.md of the
/// repository has the keys; free `*json` with verger_buffer_free. It is empty where the function fails.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OwnerQuestion {
    /// A verger_dialect.
    pub dialect: u32,
    /// Names as `verger who -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`.
    pub agents: *const Text,
    /// How many there are. Without any, verger_who_json and verger_diff_json are about all known crawlers in
    /// use and those that the files name.
    pub agent_count: usize,
    /// A URL of the site that has the files; empty for https://example.com.
    pub site: Text,
    /// After how many states a question of verger_who_json or verger_diff_json is given up; 0 for four million.
    pub max_states: u64,
}

/// How much of the site each crawler may fetch, and by which lines: a line of `verger.who/1` for each crawler.
///
/// False where it fails: VERGER_STATUS_UNKNOWN_DIALECT, VERGER_STATUS_NOT_A_TOKEN,
/// VERGER_STATUS_UNKNOWN_CRAWLER, VERGER_STATUS_NOT_A_SITE, and as for all texts.
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

/// What a change of the file means for each crawler: a line of `verger.diff/1` for each change, and at last
/// one about the whole.
///
/// False where it fails: as verger_who_json.
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

/// What the file holds, and what was ignored: a line of `verger.parse/1`. With one agent in the question also
/// what applies to that crawler. The file has the name `name` in the answer, and `-` where that is empty.
///
/// False where it fails: as verger_who_json, and VERGER_STATUS_SEVERAL_CRAWLERS.
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

/// What the owner of the file probably does not mean: a line of `verger.lint/1`. Every file is read by RFC
/// 9309, and the other dialects are compared with it. `site` is a URL of the site that has the file, or empty;
/// `settings` the text of a verger.toml, or empty. The file has the name `name` in the answer, and `-` where
/// that is empty.
///
/// False where it fails: VERGER_STATUS_NOT_A_SITE, VERGER_STATUS_BAD_SETTINGS, and as for all texts.
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

/// What was seen of the site of a URL, by an export of the store (`verger store export`): a line of
/// `verger.history/1` for each snapshot, oldest first; with the lines that changed where `with_lines` is true, and with
/// what else was seen of each request and its reply where `with_facts` is. Times are seconds since 1970; `until`
/// is not among them, and UINT64_MAX is the end. No line where nothing was seen.
///
/// False where it fails: VERGER_STATUS_NOT_A_SITE, VERGER_STATUS_NOT_AN_EXPORT, and as for all texts.
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

/// The question that a pointer names.
///
/// # Safety
///
/// The contract.
unsafe fn asked(question: *const OwnerQuestion) -> Result<FileQuestion, Problem> {
    // SAFETY: the caller vouches for it.
    let Some(asked) = (unsafe { question.as_ref() }) else {
        return Ok(FileQuestion::default());
    };
    let mut question = FileQuestion::default();
    question.reading = dialect(asked.dialect)?.into();
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
