//! The table of routes. To add a route, add a line here.

use axum::routing::MethodFilter;

use crate::call::{JSON, JSON_LINES, TEXT};
use crate::route::{Access, Kind, Parameter, Place, Route};
use crate::routes::{authz, check, file, lists, site, state};

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
    ..query("url", Kind::Url, "The URL, absolute.")
};

const AUTHORITY: Parameter = Parameter {
    name: "authority",
    place: Place::Path,
    kind: Kind::Text,
    about: "A host, which stands for https, or a URL with its reserved characters encoded: http%3A%2F%2Fexample.com%3A8080.",
};

const AGENT: Parameter = query(
    "agent",
    Kind::Text,
    "One crawler: a product token or a name of /v1/crawlers; * for one to which only * groups apply.",
);

const AGENTS: Parameter = query(
    "agents",
    Kind::Text,
    "Crawlers with commas between them: names, @purposes, @operators; else all that are known.",
);

const PROFILE: Parameter = query("profile", Kind::Profile, "A profile of /v1/profiles.");

const AT: Parameter = query(
    "at",
    Kind::Text,
    "What was known then, and nothing is fetched: 2026-11-20T17:02:11Z, 2026-11-20, 7d (before now), @1795194131.",
);

const SINCE: Parameter = query("since", Kind::Text, "From this time on, written as `at`.");

const UNTIL: Parameter = query("until", Kind::Text, "Before this time, written as `at`.");

const SITE: Parameter = query("site", Kind::Text, "The site that the file is of.");

const OF_SITE: &[Parameter] = &[AUTHORITY, AGENT, PROFILE, AT];

/// A route with default access, answered by `$handler`.
macro_rules! route {
    ($method:ident $path:literal $name:literal $summary:literal,
     $parameters:expr, $bodies:expr, $answers:expr, $problems:expr, $access:ident, $handler:path) => {
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
            handler: |call| Box::pin($handler(call)),
        }
    };
}

/// All routes except the static page.
pub(crate) static ROUTES: &[Route] = &[
    route!(GET "/v1/check" "check" "Whether a crawler may fetch a URL, and why.",
        &[URL, AGENT, PROFILE, AT], &[], &[(200, JSON, "Check")], &[400], Token, check::get),
    route!(POST "/v1/check" "checkMany"
        "The same for one question, an array, JSON Lines, or URLs in plain text. Lines are read and answered one by one, in their order, however many there are.",
        &[AGENT, PROFILE, AT],
        &[(JSON, "Questions"), (JSON_LINES, "Question"), (TEXT, "Urls")],
        &[(200, JSON, "Checks"), (200, JSON_LINES, "CheckOrProblem"), (200, TEXT, "Words")],
        &[400, 413, 415], Token, check::post),
    route!(GET "/v1/explain" "explain" "The same with the rules that match and the dialects that answer otherwise.",
        &[URL, AGENT, PROFILE, AT], &[], &[(200, JSON, "Explanation")], &[400], Token, check::explain),
    route!(GET "/v1/robots/{authority}" "robots"
        "The robots.txt whose rules decide; what is known of it, where JSON is accepted. 304 where If-None-Match has its tag.",
        OF_SITE, &[], &[(200, TEXT, "Robots"), (200, JSON, "Known"), (304, "", "")], &[400, 404], Token, site::robots),
    route!(GET "/v1/history/{authority}" "history"
        "What was seen of a robots.txt and when, oldest first. Where there is more, X-Verger-More-Since says from when.",
        &[AUTHORITY, SINCE, UNTIL, query("limit", Kind::Number(1000), "Lines at most; 100 where it is not given."),
          query("diff", Kind::Flag, "With the lines that changed."),
          query("facts", Kind::Flag, "With heads, TLS and times of each request and its reply.")],
        &[], &[(200, JSON_LINES, "History")], &[400], Token, site::history),
    route!(GET "/v1/pacing/{authority}" "pacing"
        "How long a crawler waits between two requests, and when it is welcome. The wait itself is for its frontier.",
        &[AUTHORITY, AGENT, PROFILE, AT,
          query("min_ms", Kind::Number(31_536_000_000), "No delay is shorter, in milliseconds."),
          query("max_ms", Kind::Number(31_536_000_000), "No delay is longer, in milliseconds; a day where it is not given.")],
        &[], &[(200, JSON, "Pacing")], &[400], Token, site::pacing),
    route!(POST "/v1/lint" "lint" "What the owner of a file probably does not mean.",
        &[SITE], &[(TEXT, "Robots")], &[(200, JSON, "Lint")], &[400, 413, 415], Token, file::lint),
    route!(POST "/v1/who" "who" "How much of a site with this file each crawler may fetch.",
        &[AGENTS, PROFILE], &[(TEXT, "Robots")], &[(200, JSON_LINES, "Who")], &[400, 413, 415], Token, file::who),
    route!(GET "/v1/who/{authority}" "whoOfSite" "How much of a site each crawler may fetch.",
        &[AUTHORITY, AGENTS, PROFILE, AT], &[], &[(200, JSON_LINES, "Who")], &[400, 404], Token, file::who_of_site),
    route!(POST "/v1/diff" "diff" "What a change of a file means for each crawler.",
        &[AGENTS, PROFILE], &[(JSON, "Change")], &[(200, JSON_LINES, "Diff")], &[400, 413, 415], Token, file::diff),
    route!(GET "/v1/diff/{authority}" "diffOfSite" "What changed of a site for each crawler, from one time to another or to now.",
        &[AUTHORITY, AGENTS, PROFILE, Parameter { place: Place::RequiredQuery, ..SINCE }, UNTIL],
        &[], &[(200, JSON_LINES, "Diff")], &[400, 404], Token, file::diff_of_site),
    route!(GET "/v1/crawlers" "crawlers" "The crawlers that are known.",
        &[query("purpose", Kind::Purpose, "Only those that fetch for it."), query("operator", Kind::Text, "Only those of it.")],
        &[], &[(200, JSON_LINES, "Crawler")], &[400], Token, lists::crawlers),
    route!(GET "/v1/profiles" "profiles" "The access profiles, and what follows from what in each.",
        &[], &[], &[(200, JSON_LINES, "Profile")], &[], Token, lists::profiles),
    route!(GET "/v1/authz" "authz"
        "For nginx, Caddy and Traefik: 403 where the site's robots.txt disallows the URL to the crawler that the User-Agent names, else 204. It is no access control.",
        &[header("X-Original-URL", "The URL; set it in nginx.conf."), header("X-Forwarded-Proto", "Else its scheme."),
          header("X-Forwarded-Host", "Its host."), header("X-Forwarded-Uri", "Its path and query."),
          header("User-Agent", "The header of the request that was made.")],
        &[], &[(204, "", "")], &[400, 403, 404], Token, authz::authz),
    route!(GET "/v1/openapi.json" "openapi" "This description.",
        &[], &[], &[(200, JSON, "Anything")], &[], Open, state::openapi),
    route!(GET "/healthz" "healthz" "Whether the process answers.",
        &[], &[], &[(200, TEXT, "Text")], &[], Open, state::healthz),
    route!(GET "/readyz" "readyz" "Whether requests may be sent here, and whether the store answers.",
        &[], &[], &[(200, JSON, "Ready")], &[503], Open, state::readyz),
    route!(GET "/metrics" "metrics" "Counts and times, as Prometheus reads them.",
        &[], &[], &[(200, TEXT, "Text")], &[], Token, state::metrics),
];
