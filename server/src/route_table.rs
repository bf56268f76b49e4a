//! The table of routes. To add a route, add a line here.

use axum::response::Response;
use axum::routing::MethodFilter;

use crate::call::{ATOM, Call, HTML, JSON, JSON_LINES, TEXT};
use crate::mcp;
use crate::problem::Problem;
use crate::route::{Access, BodyArgument, Kind, Parameter, Place, Route, Tool};
use crate::routes::{authz, check, file, hook, indexing, lists, pages, site, state, watched};

const fn query(name: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter {
        name,
        place: Place::Query,
        kind,
        about,
    }
}

const fn header(name: &'static str, about: &'static str) -> Parameter {
    Parameter {
        place: Place::Header,
        ..query(name, Kind::Text, about)
    }
}

const URL: Parameter = Parameter {
    place: Place::RequiredQuery,
    ..query("url", Kind::Url, "Absolute URL.")
};

const AUTHORITY: Parameter = Parameter {
    name: "authority",
    place: Place::Path,
    kind: Kind::Text,
    about: "A host name, which means https, or a percent-encoded URL such as http%3A%2F%2Fexample.com%3A8080.",
};

const AGENT: Parameter = query(
    "agent",
    Kind::Text,
    "The crawler: a product token, a name from /v1/crawlers, or * for a crawler to which only * groups apply.",
);

const AGENTS: Parameter = query(
    "agents",
    Kind::Text,
    "Crawlers separated by commas: names, @purpose or @operator. All known crawlers by default.",
);

const PROFILE: Parameter = query("profile", Kind::Profile, "A name from /v1/profiles.");

const AT: Parameter = query(
    "at",
    Kind::Text,
    "Answer from the store as of this time, without a fetch: 2026-11-20T17:02:11Z, 2026-11-20, 7d (ago) or @1795194131.",
);

const SINCE: Parameter = query("since", Kind::Text, "Start time, inclusive, as in `at`.");

const UNTIL: Parameter = query("until", Kind::Text, "End time, exclusive, as in `at`.");

const SITE: Parameter = query("site", Kind::Text, "Site of the file.");

const LIMIT: Parameter = query(
    "limit",
    Kind::Number(1000),
    "Maximum number of lines. 1000 by default.",
);

const OF_SITE: &[Parameter] = &[AUTHORITY, AGENT, PROFILE, AT];

const fn tool(name: &'static str, body: Option<BodyArgument>, about: &'static str) -> Tool {
    Tool {
        name,
        about,
        body,
        requires_agents: false,
    }
}

/// A tool about some crawlers. A model that leaves them out would read names that the site invented.
const fn tool_of_agents(name: &'static str, about: &'static str) -> Tool {
    Tool {
        requires_agents: true,
        ..tool(name, None, about)
    }
}

const fn only(tools: &[Tool]) -> Option<Tool> {
    match tools {
        [tool] => Some(*tool),
        _ => None,
    }
}

/// Handles `POST /mcp`: the routes with a tool are the tools.
async fn mcp_of_table(call: Call) -> Result<Response, Problem> {
    mcp::post(call, ROUTES).await
}

/// A route with default access, answered by `$handler`, and the tool that models call it by.
macro_rules! route {
    ($method:ident $path:literal $name:literal $summary:literal,
     $parameters:expr, $bodies:expr, $answers:expr, $problems:expr, $access:ident, $handler:path $(, $tool:expr)?) => {
        Route {
            method: stringify!($method),
            filter: MethodFilter::$method,
            path: $path,
            name: $name,
            summary: $summary,
            access: Access::$access,
            parameters: $parameters,
            bodies: $bodies,
            answers: $answers,
            problems: $problems,
            tool: only(&[$($tool)?]),
            handler: |call| Box::pin($handler(call)),
        }
    };
}

/// All routes except the static page.
pub(crate) static ROUTES: &[Route] = &[
    route!(GET "/v1/check" "check" "Check whether a crawler may fetch a URL.",
        &[URL, AGENT, PROFILE, AT], &[], &[(200, JSON, "Check")], &[400], Token, check::get),
    route!(POST "/v1/check" "checkMany"
        "Check one question, an array, JSON Lines, or URLs in plain text. Lines are answered in order as they arrive, without a limit on their number.",
        &[AGENT, PROFILE, AT],
        &[(JSON, "Questions"), (JSON_LINES, "Question"), (TEXT, "Urls")],
        &[(200, JSON, "Checks"), (200, JSON_LINES, "CheckOrProblem"), (200, TEXT, "Words")],
        &[400, 413, 415], Token, check::post,
        tool("may_fetch", Some(BodyArgument::Urls), "Ask whether robots.txt lets a crawler or agent fetch URLs, before you fetch them. Answers are in the order of the URLs. Fetch a URL only if `allowed` is true; null means not known now.")),
    route!(GET "/v1/explain" "explain" "Check a URL, and show the matching rules and the dialects that disagree.",
        &[URL, AGENT, PROFILE, AT], &[], &[(200, JSON, "Explanation")], &[400], Token, check::explain,
        tool("explain", None, "Explain the answer about one URL: the matching rules by line, and the dialects that disagree.")),
    route!(POST "/v1/page" "page"
        "Check whether a crawler may fetch and index a page: robots.txt, the response and its robots directives together. The page is given, or fetched.",
        &[AGENT, PROFILE, AT], &[(JSON, "PageQuestion")], &[(200, JSON, "Page")], &[400, 413, 415], Token, indexing::page),
    route!(GET "/v1/robots/{authority}" "robots"
        "Return the robots.txt whose rules apply, or facts about it if the client prefers JSON. Supports If-None-Match.",
        OF_SITE, &[], &[(200, TEXT, "Robots"), (200, JSON, "Known"), (304, "", "")], &[400, 404], Token, site::robots,
        tool("site", None, "Show how a site answers for its robots.txt: stance, result of the last fetch, and times.")),
    route!(GET "/v1/history/{authority}" "history"
        "Return the history of a robots.txt, oldest first. X-Verger-More-Since is the `since` of the next page.",
        &[AUTHORITY, SINCE, UNTIL, query("limit", Kind::Number(1000), "Maximum number of lines. 100 by default."),
          query("diff", Kind::Flag, "Include changed lines."),
          query("facts", Kind::Flag, "Include headers, TLS facts and times of each request.")],
        &[], &[(200, JSON_LINES, "History")], &[400], Token, site::history,
        tool("history", None, "List stored fetches of the robots.txt of a site, oldest first: outcomes and how many lines changed.")),
    route!(GET "/v1/pacing/{authority}" "pacing"
        "Return the delay between requests and the visiting hours of a crawler. The crawler itself must wait.",
        &[AUTHORITY, AGENT, PROFILE, AT,
          query("min_ms", Kind::Number(31_536_000_000), "Minimum delay, in milliseconds."),
          query("max_ms", Kind::Number(31_536_000_000), "Maximum delay, in milliseconds. One day by default.")],
        &[], &[(200, JSON, "Pacing")], &[400], Token, site::pacing),
    route!(POST "/v1/lint" "lint" "Lint a robots.txt.",
        &[SITE], &[(TEXT, "Robots")], &[(200, JSON, "Lint")], &[400, 413, 415], Token, file::lint,
        tool("lint", Some(BodyArgument::Robots), "Find mistakes in the text of a robots.txt, by code and line.")),
    route!(POST "/v1/who" "who" "Show how much of a site each crawler may fetch under this file.",
        &[AGENTS, PROFILE], &[(TEXT, "Robots")], &[(200, JSON_LINES, "Who")], &[400, 413, 415], Token, file::who),
    route!(GET "/v1/who/{authority}" "whoOfSite" "Show how much of a site each crawler may fetch.",
        &[AUTHORITY, AGENTS, PROFILE, AT], &[], &[(200, JSON_LINES, "Who")], &[400, 404], Token, file::who_of_site,
        tool_of_agents("who", "Show how much of a site each of some crawlers may fetch.")),
    route!(POST "/v1/diff" "diff" "Compare two robots.txt files by what each crawler may fetch.",
        &[AGENTS, PROFILE], &[(JSON, "Change")], &[(200, JSON_LINES, "Diff")], &[400, 413, 415], Token, file::diff),
    route!(GET "/v1/diff/{authority}" "diffOfSite" "Compare the robots.txt of a site at two times, or with now, by what each crawler may fetch.",
        &[AUTHORITY, AGENTS, PROFILE, Parameter { place: Place::RequiredQuery, ..SINCE }, UNTIL],
        &[], &[(200, JSON_LINES, "Diff")], &[400, 404], Token, file::diff_of_site,
        tool_of_agents("diff", "Compare the robots.txt of a site at two times, or with now, by what some crawlers may fetch.")),
    route!(GET "/v1/crawlers" "crawlers" "List known crawlers.",
        &[query("purpose", Kind::Purpose, "Only crawlers with this purpose."), query("operator", Kind::Text, "Only crawlers of this operator.")],
        &[], &[(200, JSON_LINES, "Crawler")], &[400], Token, lists::crawlers,
        tool("crawlers", None, "List known crawlers and agents: names, product tokens, operators and purposes.")),
    route!(GET "/v1/profiles" "profiles" "List access profiles and how they handle status codes, redirects, errors and expiry.",
        &[], &[], &[(200, JSON_LINES, "Profile")], &[], Token, lists::profiles),
    route!(GET "/v1/sites" "sites"
        "List the watched sites in the order of the list. `place` of the last one is the `after` of the next page.",
        &[query("after", Kind::Number(u64::MAX), "Only sites after this place in the list."), LIMIT],
        &[], &[(200, JSON_LINES, "WatchedSite")], &[400, 404], Token, watched::sites),
    route!(GET "/v1/sites/{authority}" "watchedSite" "Show a watched site and its last 50 events.",
        &[AUTHORITY], &[], &[(200, JSON, "WatchedSite")], &[400, 404], Token, watched::site),
    route!(GET "/v1/events" "events"
        "List the events of the watched sites, oldest first. The `time` of the last one is the `since` of the next page, which repeats the events of that second.",
        &[SINCE, LIMIT], &[], &[(200, JSON_LINES, "WatchEvent")], &[400, 404], Token, watched::events),
    route!(GET "/sites" "sitesPage" "Show the watched sites as a page, those with problems first.",
        &[query("after", Kind::Number(u64::MAX), "Skip this number of sites.")],
        &[], &[(200, HTML, "Text")], &[400, 404], Token, pages::sites),
    route!(GET "/sites/{authority}" "sitePage" "Show a watched site as a page: its events, its robots.txt and its history.",
        &[AUTHORITY], &[], &[(200, HTML, "Text")], &[400, 404], Token, pages::site),
    route!(GET "/events.atom" "feed" "Return the last 100 events of the watched sites as an Atom feed.",
        &[], &[], &[(200, ATOM, "Text")], &[404], Token, pages::feed),
    route!(GET "/probe" "probe" "Return the metrics of one site for Prometheus, as an exporter for many targets does. A site that is not watched needs a token.",
        &[Parameter { place: Place::RequiredQuery, ..query("target", Kind::Text, "The site, a URL or a host.") }],
        &[], &[(200, TEXT, "Text")], &[400, 404], Token, watched::probe),
    route!(GET "/v1/authz" "authz"
        "Authorize a request for nginx, Caddy or Traefik: 403 if robots.txt disallows the URL for the crawler in User-Agent, else 204. This is not access control.",
        &[header("X-Original-URL", "Original URL. Set it in nginx.conf."), header("X-Forwarded-Proto", "Scheme of the original URL, if X-Original-URL is missing."),
          header("X-Forwarded-Host", "Host of the original URL."), header("X-Forwarded-Uri", "Path and query of the original URL."),
          header("User-Agent", "User-Agent of the original request.")],
        &[], &[(204, "", "")], &[400, 403, 404], Token, authz::authz),
    route!(POST "/v1/hooks/claude-code" "hook"
        "Judge a tool call of Claude Code (`PreToolUse`): refuse it if robots.txt disallows a URL, ask the user if that is not known, or say nothing. The status is also 200 if the event cannot be judged.",
        &[Parameter { place: Place::RequiredQuery, ..AGENT }, PROFILE, query("deferred", Kind::Text, "`deny` refuses where the user would be asked. `ask` by default.")],
        &[(JSON, "Anything")], &[(200, JSON, "Anything")], &[400], Token, hook::claude_code),
    route!(POST "/mcp" "mcp"
        "Answer a message of the Model Context Protocol, revision 2026-07-28, 2025-11-25 or 2025-06-18, without a session. Pages of other machines (Origin) are refused.",
        &[], &[(JSON, "JsonRpc")],
        &[(200, JSON, "JsonRpc"), (202, "", ""), (400, JSON, "JsonRpc"), (403, JSON, "JsonRpc"), (404, JSON, "JsonRpc"),
          (406, JSON, "JsonRpc"), (413, JSON, "JsonRpc"), (415, JSON, "JsonRpc")],
        &[400], Token, mcp_of_table),
    route!(GET "/v1/openapi.json" "openapi" "Return this description.",
        &[], &[], &[(200, JSON, "Anything")], &[], Open, state::openapi),
    route!(GET "/healthz" "healthz" "Check that the process is alive.",
        &[], &[], &[(200, TEXT, "Text")], &[], Open, state::healthz),
    route!(GET "/readyz" "readyz" "Check whether the server accepts requests and whether the store works.",
        &[], &[], &[(200, JSON, "Ready")], &[503], Open, state::readyz),
    route!(GET "/metrics" "metrics" "Return Prometheus metrics.",
        &[], &[], &[(200, TEXT, "Text")], &[], Token, state::metrics),
];
