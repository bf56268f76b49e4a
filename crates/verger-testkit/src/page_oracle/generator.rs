use super::question::{Convention, Fetched, PageQuestion, RobotsAnswer};
use crate::generate::Rng;

/// The parts of a [`PageQuestion`] except the convention and the crawler.
#[derive(Clone, Debug)]
pub struct GeneratedPage {
    /// The answer of robots.txt.
    pub robots: RobotsAnswer,
    /// The result of the fetch.
    pub fetched: Fetched,
    /// Names, values and lines of header fields.
    pub headers: Vec<(String, Vec<u8>, usize)>,
    /// Names, contents and lines of meta elements, and whether each is in the head.
    pub metas: Vec<(String, String, usize, bool)>,
    /// The second since 1970.
    pub now: i64,
}

impl GeneratedPage {
    /// Returns the question of a crawler.
    #[must_use]
    pub fn question<'a>(
        &'a self,
        convention: Convention,
        crawlers: &'a [String],
        limit: usize,
    ) -> PageQuestion<'a> {
        PageQuestion {
            convention,
            crawlers,
            robots: self.robots,
            fetched: self.fetched,
            headers: &self.headers,
            metas: &self.metas,
            now: self.now,
            limit,
        }
    }
}

const RULES: [&str; 48] = [
    "noindex",
    "noindex",
    "NoIndex",
    "nofollow",
    "none",
    "all",
    "index",
    "follow",
    "nosnippet",
    "NOSNIPPET",
    "indexifembedded",
    "max-snippet:0",
    "max-snippet: 20",
    "max-snippet :-1",
    "max-snippet:x",
    "max-snippet:",
    "max-snippet:99999999999999999999",
    "max-snippet:50",
    "max-image-preview:large",
    "max-image-preview: None",
    "max-image-preview:standard",
    "max-image-preview:huge",
    "max-video-preview:-1",
    "max-video-preview:5",
    "notranslate",
    "noimageindex",
    "noarchive",
    "nocache",
    "noai",
    "noimageai",
    "noodp",
    "nosnipet",
    "",
    "noindex nofollow",
    "noindex;nofollow",
    "unavailable_after: 25 Jun 2010 15:00:00 PST",
    "unavailable_after: Friday, 25-Jun-10 23:00:00 GMT",
    "unavailable_after: 2010-06-25T23:00:00Z",
    "unavailable_after: 2030-01-01",
    "unavailable_after: Tue, 01 Jan 2030 00:00:00 +0200",
    "unavailable_after: 9999999",
    "unavailable_after: soon",
    "unavailable_after: 2020-01-01 00:00:00 UTC",
    "unavailable_after: 2020-01-01 00:00:00 +0200",
    "unavailable_after: 25 Jun 2030 15:00:00 XYZ",
    "unavailable_after: 31-Dec-60",
    "unavailable_after: Friday, 31-Dec-60 00:00:00 GMT",
    "unavailable_after: 1 Jan 1960",
];

const AGENTS: [&str; 10] = [
    "googlebot",
    "Googlebot",
    "googlebot-news",
    "bingbot",
    "msnbot",
    "ExampleBot",
    "AdsBot-Google",
    "Yandex",
    "Google-InspectionTool",
    "otherbot",
];

const MEMBERS: [&str; 25] = [
    "*;noindex",
    "*;nosnippet",
    "ExampleBot;noindex",
    "\"examplebot\";noindex;nosnippet",
    "*;noindex=?0",
    "*",
    "*;max-snippet=20",
    "*;max-snippet=0;noarchive",
    "ExampleBot; nosnippet",
    "otherbot;noindex",
    "*;none",
    "bingbot;nocache",
    "*;unavailable_after=\"2010-06-25T23:00:00Z\"",
    "*;max-image-preview=none",
    "*;noindex;noindex=?0",
    "*;NoIndex",
    "*;9;noindex",
    "*;noindex;",
    "noindex",
    "googlebot;noindex",
    "",
    "*;x=\"a,b\"",
    "*;unavailable_after=@1277506800",
    "ExampleBot;unavailable_after=@-5",
    "*;unavailable_after=\"2020-01-01 00:00:00 +0200\"",
];

const STATUSES: [u16; 17] = [
    200, 200, 200, 200, 200, 200, 203, 204, 206, 301, 302, 304, 404, 410, 429, 500, 503,
];

/// Times around the dates of the rules: an hour before, the same second, one later, and today.
const TIMES: [i64; 5] = [
    1_277_503_200,
    1_277_506_800,
    1_277_506_801,
    1_790_000_000,
    1_900_000_000,
];

/// Returns a page. Each seed has its own.
#[must_use]
pub fn generated_page(seed: u64) -> GeneratedPage {
    let mut rng = Rng::new(seed);
    let robots = match rng.below(10) {
        0 => RobotsAnswer::Disallowed,
        1 if rng.one_in(2) => RobotsAnswer::ForNow,
        1 => RobotsAnswer::Unknown,
        _ => RobotsAnswer::Allowed,
    };
    let fetched = match rng.below(20) {
        0 => Fetched::No,
        1 => Fetched::Failed,
        _ => Fetched::Status(STATUSES[rng.below(STATUSES.len())]),
    };
    let mut headers = vec![("Server".to_owned(), b"noindex".to_vec())];
    for _ in 0..rng.below(4) {
        let name = rng.pick(&["X-Robots-Tag", "x-robots-tag", "Robots-Tag"]);
        let is_list = name == "Robots-Tag";
        let parts = (0..=rng.below(3)).map(|_| match (is_list, rng.one_in(3)) {
            (true, _) => rng.pick(&MEMBERS).to_owned(),
            (false, true) => format!(
                "{}{}{}",
                rng.pick(&AGENTS),
                rng.pick(&[":", ": ", " : "]),
                rng.pick(&RULES)
            ),
            (false, false) => rng.pick(&RULES).to_owned(),
        });
        let parts: Vec<String> = parts.collect();
        headers.push((
            name.to_owned(),
            parts.join(rng.pick(&[",", ", ", " ,\t"])).into_bytes(),
        ));
    }
    if rng.one_in(3) {
        headers.push(("location".to_owned(), b"https://example.com/b".to_vec()));
    }
    let mut metas = Vec::new();
    for nth in 0..rng.below(4) {
        let is_for_all = rng.one_in(2);
        let name = if is_for_all {
            rng.pick(&["robots", "Robots"])
        } else {
            rng.pick(&AGENTS)
        };
        let rules: Vec<String> = (0..=rng.below(3))
            .map(|_| rng.pick(&RULES).to_owned())
            .collect();
        metas.push((
            name.to_owned(),
            rules.join(rng.pick(&[",", ", "])),
            nth + 2,
            !rng.one_in(5),
        ));
    }
    GeneratedPage {
        robots,
        fetched,
        headers: headers
            .into_iter()
            .zip(2..)
            .map(|((name, value), line)| (name, value, line))
            .collect(),
        metas,
        now: TIMES[rng.below(TIMES.len())],
    }
}
