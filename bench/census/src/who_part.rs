//! Which crawlers files block.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use verger_answer::ResolvedCrawler;
use verger_compare::ExtentClass;
use verger_crawlers::Purpose;

use super::charts::{About, Bar, Line, PartedBar, bars, lines, parted_bars};
use super::file_facts::FileFacts;
use super::markdown::{picture, table};
use super::part::Part;
use super::sample::{Sample, Share};

/// So many crawlers are in the table, and fewer in the chart.
const CRAWLERS_LISTED_MAX: usize = 50;
const CRAWLERS_SHOWN_MAX: usize = 25;

/// Crawlers by name are counted in files since that year: before, hardly a file named those of today.
const SINCE: u16 = 2023;

/// The purposes that are followed over the years.
const FOLLOWED: [Purpose; 5] = [
    Purpose::AiTrain,
    Purpose::AiInput,
    Purpose::Seo,
    Purpose::Archive,
    Purpose::Search,
];

const EXTENTS: [(char, &str); 3] = [('a', "everything"), ('b', "some"), ('c', "nothing")];

/// The part about who is blocked.
pub(super) fn part(drawn: &Sample<'_>, crawlers: &[ResolvedCrawler]) -> Part {
    let purposes = by_purpose(crawlers);
    let recent = drawn.with(|file| file.provenance.year.is_some_and(|year| year >= SINCE));
    let ranked = ranked(&recent, crawlers);
    let text = [
        "## Who is blocked\n".to_owned(),
        "A crawler is *shut out* where everything is disallowed for it, and *singled out* where \
         that is so for it, but not for a crawler that no group names. All extents are proven as \
         `verger who` proves them, by RFC 9309.\n"
            .to_owned(),
        "### A crawler that no group names, by year\n".to_owned(),
        picture("star", "How much is disallowed for a crawler that no group names, by year"),
        star_table(drawn),
        "### By purpose\n\nFiles in which at least one crawler of the purpose is shut out; a \
         crawler may have several purposes.\n"
            .to_owned(),
        picture("purposes", "Files that shut out a crawler, by its purpose"),
        purpose_table(drawn, &purposes),
        "### By purpose and year\n\nFiles in which at least one crawler of the purpose is singled out.\n"
            .to_owned(),
        picture("purposes-by-year", "Files that single out a crawler, by its purpose and by year"),
        purpose_year_table(drawn, &purposes),
        format!("### By crawler\n\nOf the crawlers that groups name, the {CRAWLERS_LISTED_MAX} that are singled out most often, in the {} files since {SINCE}.\n", recent.len()),
        picture("crawlers", "The crawlers that are singled out most often"),
        crawler_table(&recent, crawlers, &ranked),
        "### By source\n\nThe share of files that single out at least one crawler of the purpose.\n".to_owned(),
        source_table(drawn, &purposes),
    ];
    Part {
        text: text.join("\n"),
        charts: vec![
            ("star", star_chart(drawn)),
            ("purposes", purpose_chart(drawn, &purposes)),
            ("purposes-by-year", purpose_year_chart(drawn, &purposes)),
            ("crawlers", crawler_chart(&recent, crawlers, &ranked)),
        ],
    }
}

/// The crawlers of each purpose, by their place in the list.
type Purposes = BTreeMap<Purpose, Vec<usize>>;

fn by_purpose(crawlers: &[ResolvedCrawler]) -> Purposes {
    let mut purposes = Purposes::new();
    for (place, crawler) in crawlers.iter().enumerate() {
        for purpose in crawler.known().map_or(&[][..], |known| known.purposes()) {
            purposes.entry(*purpose).or_default().push(place);
        }
    }
    purposes
}

fn is_any_shut_out(facts: &FileFacts, crawlers: &[usize]) -> bool {
    crawlers.iter().any(|crawler| facts.is_shut_out(*crawler))
}

fn is_any_singled_out(facts: &FileFacts, crawlers: &[usize]) -> bool {
    crawlers
        .iter()
        .any(|crawler| facts.is_singled_out(*crawler))
}

/// Shares of everything, some, nothing and what the budget did not decide.
fn star_shares(files: &Sample<'_>) -> [Share; 4] {
    [
        Some(ExtentClass::EverythingDisallowed),
        Some(ExtentClass::SomeDisallowed),
        Some(ExtentClass::NothingDisallowed),
        None,
    ]
    .map(|class| files.share(|facts| facts.class(0) == class))
}

fn star_table(drawn: &Sample<'_>) -> String {
    let row = |name: String, files: &Sample<'_>| {
        let shares = star_shares(files).map(|share| share.to_string());
        [name, files.len().to_string()]
            .into_iter()
            .chain(shares)
            .collect()
    };
    let years = drawn.by_year();
    let years = years
        .iter()
        .map(|(year, files)| row(year.to_string(), files));
    let rows: Vec<Vec<String>> = years.chain([row("all".to_owned(), drawn)]).collect();
    table(
        1,
        &[
            "year",
            "files",
            "everything",
            "some",
            "nothing",
            "not decided",
        ],
        rows,
    )
}

fn star_chart(drawn: &Sample<'_>) -> String {
    let rows = drawn.by_year_in_charts().into_iter().map(|(year, files)| {
        let [everything, some, nothing, _] = star_shares(&files).map(|share| share.count);
        PartedBar {
            label: year.to_string(),
            of: files.len(),
            parts: vec![('a', everything), ('b', some), ('c', nothing)],
        }
    });
    let about = About {
        title: "How much is disallowed for a crawler that no group names",
        axis: "share of drawn files of the year",
    };
    parted_bars(about, &rows.collect::<Vec<_>>(), &EXTENTS)
}

/// How many files shut out a crawler of a purpose: those that single one out, and the others.
fn shut_out(files: &Sample<'_>, crawlers: &[usize]) -> (Share, Share) {
    let singled = files.share(|facts| is_any_singled_out(facts, crawlers));
    let shut_out = files.share(|facts| is_any_shut_out(facts, crawlers));
    (singled, shut_out)
}

fn purpose_table(drawn: &Sample<'_>, purposes: &Purposes) -> String {
    let mut rows: Vec<_> = purposes.iter().collect();
    rows.sort_by_key(|(_, crawlers)| Reverse(shut_out(drawn, crawlers).1.count));
    let rows = rows.into_iter().map(|(purpose, crawlers)| {
        let (singled, shut_out) = shut_out(drawn, crawlers);
        let shares = [shut_out, singled].map(|share| share.to_string());
        let count = crawlers.len().to_string();
        [purpose.as_str().to_owned(), count]
            .into_iter()
            .chain(shares)
            .collect()
    });
    table(
        1,
        &[
            "purpose",
            "crawlers",
            "one is shut out",
            "one is singled out",
        ],
        rows,
    )
}

fn purpose_chart(drawn: &Sample<'_>, purposes: &Purposes) -> String {
    let mut rows: Vec<_> = purposes.iter().collect();
    rows.sort_by_key(|(_, crawlers)| Reverse(shut_out(drawn, crawlers).1.count));
    let rows = rows.into_iter().map(|(purpose, crawlers)| {
        let (singled, shut_out) = shut_out(drawn, crawlers);
        PartedBar {
            label: purpose.as_str().to_owned(),
            of: drawn.len(),
            parts: vec![('a', singled.count), ('d', shut_out.count - singled.count)],
        }
    });
    let about = About {
        title: "Files that shut out a crawler, by its purpose",
        axis: "share of drawn files in which everything is disallowed for a crawler of the purpose",
    };
    let legend = [('a', "singled out"), ('d', "with all that no group names")];
    parted_bars(about, &rows.collect::<Vec<_>>(), &legend)
}

fn purpose_year_table(drawn: &Sample<'_>, purposes: &Purposes) -> String {
    let years = drawn.by_year();
    let head = years
        .iter()
        .map(|(year, files)| format!("{year} ({} files)", files.len()));
    let head: Vec<String> = std::iter::once("purpose".to_owned()).chain(head).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = purposes.iter().map(|(purpose, crawlers)| {
        let shares = years
            .values()
            .map(|files| shut_out(files, crawlers).0.to_string());
        std::iter::once(purpose.as_str().to_owned())
            .chain(shares)
            .collect()
    });
    table(1, &head, rows)
}

fn purpose_year_chart(drawn: &Sample<'_>, purposes: &Purposes) -> String {
    let years = drawn.by_year_in_charts();
    let rows = FOLLOWED.into_iter().map(|purpose| {
        let crawlers = purposes.get(&purpose).map_or(&[][..], Vec::as_slice);
        Line {
            label: purpose.as_str().to_owned(),
            shares: years
                .values()
                .map(|files| shut_out(files, crawlers).0)
                .collect(),
        }
    });
    let about = About {
        title: "Files that single out a crawler of a purpose",
        axis: "share of drawn files of the year in which everything is disallowed for a crawler of \
               the purpose, but not for one that no group names",
    };
    let years: Vec<u16> = years.keys().copied().collect();
    lines(about, &years, &rows.collect::<Vec<_>>())
}

/// The crawlers of the registry that groups name, those that are singled out most often first.
fn ranked(files: &Sample<'_>, crawlers: &[ResolvedCrawler]) -> Vec<usize> {
    // Dozens of names have no group, but are those of one operator and fall back to one token.
    let is_named = |place: &usize| files.share(|facts| facts.is_named(*place)).per_mille() > 0;
    let mut places: Vec<usize> = (1..crawlers.len()).filter(is_named).collect();
    places.sort_by_cached_key(|place| {
        let singled = files.share(|facts| facts.is_singled_out(*place));
        (Reverse(singled.count), crawlers[*place].name())
    });
    places
}

fn crawler_table(files: &Sample<'_>, crawlers: &[ResolvedCrawler], ranked: &[usize]) -> String {
    let rows = ranked.iter().take(CRAWLERS_LISTED_MAX).map(|&place| {
        let crawler = &crawlers[place];
        let purposes = crawler.known().map_or(&[][..], |known| known.purposes());
        let purposes: Vec<&str> = purposes.iter().map(|it| it.as_str()).collect();
        let class = |class| files.share(|facts| facts.class(place) == Some(class));
        let shares = [
            files.share(|facts| facts.is_named(place)),
            files.share(|facts| facts.is_singled_out(place)),
            class(ExtentClass::EverythingDisallowed),
            class(ExtentClass::SomeDisallowed),
            class(ExtentClass::NothingDisallowed),
        ];
        let name = [crawler.name().to_owned(), purposes.join(", ")];
        name.into_iter()
            .chain(shares.map(|share| share.to_string()))
            .collect()
    });
    let head = [
        "crawler",
        "purposes",
        "named by a group",
        "singled out",
        "everything",
        "some",
        "nothing",
    ];
    table(2, &head, rows)
}

fn crawler_chart(files: &Sample<'_>, crawlers: &[ResolvedCrawler], ranked: &[usize]) -> String {
    let rows = ranked.iter().take(CRAWLERS_SHOWN_MAX).map(|&place| Bar {
        label: crawlers[place].name().to_owned(),
        share: files.share(|facts| facts.is_singled_out(place)),
        class: 'a',
    });
    let about = About {
        title: "The crawlers that are singled out most often",
        axis: "share of drawn files since 2023 in which everything is disallowed for the crawler, \
               but not for one that no group names",
    };
    bars(about, &rows.collect::<Vec<_>>(), &[])
}

fn source_table(drawn: &Sample<'_>, purposes: &Purposes) -> String {
    let rows = drawn.by_source().into_iter().map(|(source, files)| {
        let [everything, ..] = star_shares(&files);
        let shares = FOLLOWED.into_iter().map(|purpose| {
            let crawlers = purposes.get(&purpose).map_or(&[][..], Vec::as_slice);
            shut_out(&files, crawlers).0.to_string()
        });
        [source, files.len().to_string(), everything.to_string()]
            .into_iter()
            .chain(shares)
            .collect()
    });
    let followed = FOLLOWED.map(Purpose::as_str);
    let head: Vec<&str> = ["source", "files", "all that no group names shut out"]
        .into_iter()
        .chain(followed)
        .collect();
    table(1, &head, rows)
}
