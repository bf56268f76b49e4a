//! `urls_of_call`: the URLs that a tool call would request.

use core::str::FromStr;

use serde::Deserialize;
use serde_json::Value;
use url::Url;
use verger::legible;
use verger_access::{Authority, AuthorityError, Scheme};

/// The largest event that is read, in bytes.
pub const EVENT_BYTES_MAX: usize = 1 << 20;

/// The largest number of URLs in an event.
pub const URLS_MAX: usize = 100;

/// Tools that fetch the URL they are given.
const FETCH_TOOLS: [&str; 3] = ["WebFetch", GEMINI_FETCH, "fetch"];

/// The tool of Gemini CLI, whose prompt contains URLs.
const GEMINI_FETCH: &str = "web_fetch";

/// Tools of MCP servers: `mcp__server__tool`, or `mcp_server_tool` in Gemini CLI.
const MCP_PREFIX: &str = "mcp_";

/// Tools of `vergerd`, which answer about URLs and request none of them.
pub const OWN_TOOLS: [&str; 8] = [
    "may_fetch",
    "explain",
    "site",
    "history",
    "lint",
    "who",
    "diff",
    "crawlers",
];

/// The MCP server with these tools, as hosts name it.
const OWN_PREFIXES: [&str; 2] = ["mcp__verger__", "mcp_verger_"];

/// Ends of the names of arguments with URLs.
const URL_ARGUMENTS: [&str; 4] = ["url", "urls", "uri", "uris"];

/// Schemes of URLs without a host that no crawler requests.
const LOCAL_SCHEMES: [&str; 5] = ["about:", "data:", "file:", "mailto:", "urn:"];

/// A program that runs agents and asks a hook before each tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentHost {
    /// Claude Code, event `PreToolUse`.
    ClaudeCode,
    /// Codex, event `PreToolUse`. Its hooks cannot ask the user.
    Codex,
    /// Gemini CLI, event `BeforeTool`.
    Gemini,
}

impl AgentHost {
    /// All hosts.
    pub const ALL: [Self; 3] = [Self::ClaudeCode, Self::Codex, Self::Gemini];

    /// Returns its name in arguments: `claude-code`, `codex` or `gemini`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }
}

impl FromStr for AgentHost {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|host| host.name() == name);
        named.ok_or_else(|| "expected claude-code, codex or gemini".to_owned())
    }
}

/// Why a tool call cannot be judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HookCallError {
    /// The event is too long.
    #[error("the event of the hook is longer than {EVENT_BYTES_MAX} bytes")]
    TooLong,
    /// The event is not JSON with `tool_name` and `tool_input`.
    #[error("the event of the hook is not a tool call: {0}")]
    NotACall(#[from] serde_json::Error),
    /// A tool that fetches has no argument with a URL.
    #[error("no URL was found in the arguments of `{0}`")]
    NoUrl(String),
    /// An argument is not an absolute URL that robots.txt can be about.
    #[error("`{0}` is not an http, https or ftp URL")]
    NotAWebUrl(String),
    /// There are too many URLs.
    #[error("the call has more than {URLS_MAX} URLs")]
    TooManyUrls,
}

#[derive(Deserialize)]
struct Event {
    tool_name: String,
    tool_input: Value,
}

/// Reads an event, and returns the URLs that the tool would request, each once. Calls of other tools have none.
///
/// The URLs are the strings in arguments whose name ends with `url`, `urls`, `uri` or `uris`, at any depth, of
/// `WebFetch`, `web_fetch`, `fetch` and tools of MCP servers, and the URLs in the prompt of `web_fetch`. A URL that
/// clients request in another form, such as one with `/../`, is returned in both. Other schemes than http, https and ftp
/// are skipped in calls of MCP servers, whose tools name files and records like that. Tools of `vergerd` in an MCP server
/// named `verger` request nothing.
///
/// # Errors
///
/// Returns an error if the event is not a tool call, or its URLs cannot be told.
pub fn urls_of_call(event: &[u8]) -> Result<Vec<String>, HookCallError> {
    if event.len() > EVENT_BYTES_MAX {
        return Err(HookCallError::TooLong);
    }
    let Event {
        tool_name,
        tool_input,
    } = serde_json::from_slice(event)?;
    let is_fetch = FETCH_TOOLS.contains(&&*tool_name);
    let mut own = OWN_PREFIXES.iter();
    let own = own.find_map(|prefix| tool_name.strip_prefix(prefix));
    let is_own = own.is_some_and(|own| OWN_TOOLS.contains(&own));
    let mut written = Vec::new();
    if is_fetch || (tool_name.starts_with(MCP_PREFIX) && !is_own) {
        if !tool_input.is_object() {
            return Err(HookCallError::NoUrl(start_of(&tool_name)));
        }
        urls_within(&tool_input, false, &mut written);
    }
    if tool_name == GEMINI_FETCH
        && let Some(prompt) = tool_input.get("prompt").and_then(Value::as_str)
    {
        urls_of_prompt(prompt, &mut written);
    }
    let mut urls: Vec<String> = Vec::new();
    for url in written {
        let has_scheme = |scheme: &&str| {
            let start = url.get(..scheme.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        let is_local = || LOCAL_SCHEMES.iter().any(has_scheme);
        match Authority::from_url(url).map(|authority| authority.scheme()) {
            Ok(Scheme::Http | Scheme::Https | Scheme::Ftp)
                if !url.contains(char::is_whitespace) => {}
            Ok(Scheme::Other) if !is_fetch => continue,
            Err(AuthorityError::NoHost(_)) if !is_fetch && is_local() => continue,
            _ => return Err(HookCallError::NotAWebUrl(start_of(url))),
        }
        let requested = Url::parse(url).map(String::from);
        for url in [Ok(url.to_owned()), requested].into_iter().flatten() {
            if urls.contains(&url) {
                continue;
            }
            if urls.len() == URLS_MAX {
                return Err(HookCallError::TooManyUrls);
            }
            urls.push(url);
        }
    }
    if is_fetch && urls.is_empty() {
        return Err(HookCallError::NoUrl(start_of(&tool_name)));
    }
    Ok(urls)
}

/// Collects the strings in arguments that are named like a URL.
fn urls_within<'v>(value: &'v Value, is_url: bool, urls: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if is_url => urls.push(text.trim()),
        Value::Array(values) => {
            for value in values {
                urls_within(value, is_url, urls);
            }
        }
        Value::Object(arguments) => {
            for (name, value) in arguments {
                let name = name.to_ascii_lowercase();
                let is_named = URL_ARGUMENTS.iter().any(|end| name.ends_with(end));
                urls_within(value, is_url || is_named, urls);
            }
        }
        _ => {}
    }
}

/// Collects the URLs in a text: each as the word that starts with it, and without what may belong to the text.
fn urls_of_prompt<'p>(prompt: &'p str, urls: &mut Vec<&'p str>) {
    let is_space = |it: char| it.is_whitespace() || it == '\u{feff}';
    for word in prompt.split(is_space) {
        let lower = word.to_ascii_lowercase();
        let starts = ["http:", "https:"]
            .iter()
            .flat_map(|it| lower.match_indices(it));
        for (start, _) in starts {
            let whole = &word[start..];
            let end = whole.find(['<', '>', '"', '`']).unwrap_or(whole.len());
            let marks = [
                ')', ']', '}', '\'', '.', ',', ';', ':', '!', '?', '*', '"', '>',
            ];
            let (text, bare) = (
                whole.trim_end_matches(marks),
                whole[..end].trim_end_matches(marks),
            );
            urls.push(bare);
            let site = |url| Authority::from_url(url).ok();
            // With a mark at its end, a host is another host.
            if text != bare && site(text).is_some() {
                urls.push(text);
            }
            if whole != text && site(whole) == site(text) {
                urls.push(whole);
            }
        }
    }
}

/// Returns the start of an untrusted text.
fn start_of(text: &str) -> String {
    let start: String = text.chars().take(80).collect();
    legible(start.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(tool: &str, input: &str) -> Result<Vec<String>, String> {
        let event = format!(r#"{{"tool_name":"{tool}","tool_input":{input},"cwd":"/"}}"#);
        urls_of_call(event.as_bytes()).map_err(|error| error.to_string())
    }

    /// A tool, its arguments, and the URLs in order.
    const FOUND: &str = r#"
        WebFetch {"url":" https://a.example/x ","prompt":"see https://b.example/"} => https://a.example/x
        fetch {"URL":"http://a.example/"} => http://a.example/
        mcp__a__b {"options":[{"uri":"https://a.example/1"}],"urls":["https://a.example/2","https://a.example/1"]} => https://a.example/1 https://a.example/2
        mcp_a_b {"url":"https://a.example/"} => https://a.example/
        mcp__a__b {"uri":"postgres://db/table","url":"file:///etc/hosts"} =>
        mcp__a__b {"text":"https://a.example/"} =>
        mcp__verger__may_fetch {"urls":["https://a.example/"]} =>
        mcp__verger__get {"url":"https://a.example/"} => https://a.example/
        Bash {"url":"https://a.example/"} =>"#;

    /// A tool, its arguments, and a URL that the tool would request. A `¤` is U+FEFF.
    const REQUESTED: &str = r#"
        WebFetch {"url":"https://a.example/b/../c"} => https://a.example/c
        WebFetch {"url":"https://a.example/b\\..\\c"} => https://a.example/c
        WebFetch {"url":"https://a.example/b/%2e%2E/c"} => https://a.example/c
        mcp_a_b {"urls":[{"href":["https://a.example/c"]}]} => https://a.example/c
        mcp_a_b {"startUrl":"https://a.example/c"} => https://a.example/c
        web_fetch {"prompt":"Sum up (HTTPS://a.example/c?d=(1))."} => HTTPS://a.example/c?d=(1
        web_fetch {"prompt":"HTTPS://a.example/c?d=(1)."} => HTTPS://a.example/c?d=(1).
        web_fetch {"prompt":"See <http://a.example>!"} => http://a.example/
        web_fetch {"prompt":"https://b.example\"@a.example/c"} => https://b.example%22@a.example/c
        web_fetch {"prompt":"https://a.example/\"/../c"} => https://a.example/c
        web_fetch {"prompt":"https://b.example/¤https://a.example/c"} => https://a.example/c
        web_fetch {"prompt":"https://b.example/,https://a.example/c"} => https://a.example/c
        web_fetch {"prompt":"https://b.example/ https:\\\\a.example/c?://"} => https://a.example/c?://"#;

    /// A tool, its arguments, and the argument without a web URL, or nothing if none is found.
    const UNKNOWN: &str = r#"
        WebFetch {} =>
        WebFetch {"url":7} =>
        web_fetch {"prompt":"no address"} =>
        mcp__a__b "https://a.example/" =>
        WebFetch {"url":"file:///etc/passwd"} => file:///etc/passwd
        mcp__a__b {"url":"a.example/x"} => a.example/x
        mcp__a__b {"url":"a.example:443/x"} => a.example:443/x
        mcp__a__b {"url":"view-source:https://a.example/x"} => view-source:https://a.example/x
        mcp__a__b {"urls":"https://a.example/, https://b.example/"} => https://a.example/, https://b.example/"#;

    fn cases(table: &str) -> impl Iterator<Item = (&str, &str, &str)> {
        table.trim_start().lines().map(|line| {
            let (call, expected) = line.split_once(" =>").unwrap();
            let (tool, input) = call.trim().split_once(' ').unwrap();
            (tool, input, expected.trim())
        })
    }

    #[test]
    fn the_urls_of_a_call_are_found_in_its_arguments() {
        for (tool, input, found) in cases(FOUND) {
            let found: Vec<_> = found.split_whitespace().map(str::to_owned).collect();
            assert_eq!(urls(tool, input), Ok(found), "{tool} {input}");
        }
    }

    #[test]
    fn a_url_is_judged_as_the_tool_requests_it() {
        for (tool, input, requested) in cases(REQUESTED) {
            let found = urls(tool, &input.replace('¤', "\u{feff}")).unwrap();
            let is_found = found.iter().any(|url| url == requested);
            assert!(is_found, "{input}: {found:?}");
        }
    }

    #[test]
    fn a_call_whose_urls_cannot_be_told_is_an_error() {
        for (tool, input, url) in cases(UNKNOWN) {
            let error = match url {
                "" => format!("no URL was found in the arguments of `{tool}`"),
                url => format!("`{url}` is not an http, https or ftp URL"),
            };
            assert_eq!(urls(tool, input), Err(error), "{tool} {input}");
        }
        let many = (0..101).map(|n| format!("\"https://{n}.example/\""));
        let many = format!("{{\"urls\":[{}]}}", many.collect::<Vec<_>>().join(","));
        let error = "the call has more than 100 URLs".to_owned();
        assert_eq!(urls("mcp__a__b", &many), Err(error));
        let deep = format!(r#"{{"tool_name":"x","tool_input":{}"#, "[".repeat(10_000));
        let events = ["", "{", "null", "{}", r#"{"tool_name":"fetch"}"#];
        for event in events.into_iter().chain([&*deep]) {
            let read = urls_of_call(event.as_bytes());
            assert!(
                matches!(read, Err(HookCallError::NotACall(_))),
                "{event:.20}"
            );
        }
        let long = vec![b' '; EVENT_BYTES_MAX + 1];
        assert!(matches!(urls_of_call(&long), Err(HookCallError::TooLong)));
    }
}
