//! `verger crawlers`: the registry of known crawlers.

use std::io::{self, BufWriter, Write};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger::{ProductToken, Star};
use verger_answer::{CrawlerLine, json};
use verger_crawlers::{Evidence, KnownCrawler, Purpose, Registry};

use crate::crawler_names::crawler_names;
use crate::octet_text::start_of;
use crate::outcome::{CommandResult, Outcome};
use crate::output_format::{FormatArguments, Formats};
use crate::palette::{self, FAINT, HEADING};

/// List the known crawlers, or show all about one
///
/// `--purpose` and `--operator` list some of them; with both, those that fit both.
#[derive(Args, Clone, Debug)]
pub(crate) struct CrawlersArguments {
    /// A registry name or a product token
    #[arg(conflicts_with_all = ["purpose", "operator"])]
    #[arg(value_parser = crawler_names(), hide_possible_values = true)]
    name: Option<String>,

    /// Only the crawlers that fetch for this purpose
    #[arg(long, value_name = "PURPOSE", value_parser = purpose_names())]
    purpose: Option<Purpose>,

    /// Only the crawlers of this operator, such as `OpenAI`; upper and lower case are equal
    #[arg(long, value_name = "NAME")]
    operator: Option<String>,

    #[command(flatten)]
    format: FormatArguments<Self>,
}

impl Formats for CrawlersArguments {
    const HUMAN: &'static str = "A table; all about one that is named";
    const JSON: &'static str = "JSON Lines (schema verger.crawler/1, in docs/json.md)";
}

/// Runs the command.
pub(crate) fn run(arguments: &CrawlersArguments) -> CommandResult {
    let registry = Registry::bundled();
    if let Some(name) = &arguments.name {
        let found = registry.by_name(name);
        let one = found.ok_or_else(|| NotKnown::crawler(name))?;
        if arguments.format.is_json() {
            write_json(&[one])?;
        } else {
            let mut output = palette::stdout();
            write_one(&mut output, one)?;
            output.flush()?;
        }
        return Ok(Outcome::Success);
    }
    let listed = listed(registry, arguments)?;
    if arguments.format.is_json() {
        write_json(&listed)?;
    } else {
        let mut output = palette::stdout();
        write_table(&mut output, &listed)?;
        output.flush()?;
    }
    Ok(Outcome::Success)
}

/// The names of purposes, so that help, errors and completions list them.
fn purpose_names() -> impl TypedValueParser<Value = Purpose> {
    let names = PossibleValuesParser::new(Purpose::ALL.iter().map(|it| it.as_str()));
    names.try_map(|name| name.parse::<Purpose>())
}

/// The crawlers that the options ask for, in the order of the registry.
fn listed<'r>(
    registry: &'r Registry,
    arguments: &CrawlersArguments,
) -> Result<Vec<&'r KnownCrawler>, NotKnown> {
    let mut listed: Vec<_> = match &arguments.operator {
        Some(name) => registry.by_operator(name).collect(),
        None => registry.iter().collect(),
    };
    if let (Some(name), []) = (&arguments.operator, listed.as_slice()) {
        return Err(NotKnown::operator(name));
    }
    if let Some(purpose) = &arguments.purpose {
        listed.retain(|it| it.purposes().contains(purpose));
    }
    Ok(listed)
}

fn write_json(crawlers: &[&KnownCrawler]) -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    for crawler in crawlers {
        json::write_line(&mut output, &CrawlerLine::of(crawler))?;
    }
    output.flush()
}

fn write_table(output: &mut impl Write, crawlers: &[&KnownCrawler]) -> io::Result<()> {
    let heads = ["name", "tokens in order", "operator", "purposes"];
    let rows: Vec<_> = crawlers.iter().map(|&it| table_row(it)).collect();
    let mut widths = heads.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    // The last column is not padded.
    widths[3] = 0;
    let [a, b, c, d] = heads;
    let [wa, wb, wc, wd] = widths;
    writeln!(
        output,
        "{HEADING}{a:<wa$}  {b:<wb$}  {c:<wc$}  {d:<wd$}{HEADING:#}"
    )?;
    for [a, b, c, d] in rows {
        writeln!(
            output,
            "{a:<wa$}  {b:<wb$}  {c:<wc$}  {FAINT}{d:<wd$}{FAINT:#}"
        )?;
    }
    Ok(())
}

fn table_row(crawler: &KnownCrawler) -> [String; 4] {
    [
        crawler.name().to_owned(),
        tokens_in_order(crawler),
        crawler.operator().to_owned(),
        purposes(crawler),
    ]
}

/// The tokens, then `*` where it is honoured.
fn tokens_in_order(crawler: &KnownCrawler) -> String {
    let star = (crawler.star() == Star::Honoured).then_some("*");
    let tokens = crawler.tokens().iter().map(ProductToken::as_str);
    tokens.chain(star).collect::<Vec<_>>().join(", ")
}

fn purposes(crawler: &KnownCrawler) -> String {
    let names = crawler.purposes().iter().map(|purpose| purpose.as_str());
    names.collect::<Vec<_>>().join(", ")
}

fn write_one(output: &mut impl Write, crawler: &KnownCrawler) -> io::Result<()> {
    let name = crawler.name();
    let star = match crawler.star() {
        Star::Honoured => "honoured: rules for `*` apply where no group names it",
        Star::Ignored => "ignored: rules for `*` do not apply to it",
    };
    let mut status = Vec::new();
    if crawler.is_retired() {
        status.push("retired".to_owned());
    }
    if crawler.is_control_only() {
        status.push("a token for rules only; it sends no request".to_owned());
    }
    let list = |values: &[String]| values.join(", ");
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    let verification = [
        ("reverse DNS", list(crawler.reverse_dns())),
        ("addresses", list(crawler.ip_ranges())),
    ];
    let facts = [
        ("tokens in order", tokens_in_order(crawler)),
        ("star", star.to_owned()),
        ("operator", crawler.operator().to_owned()),
        ("purposes", purposes(crawler)),
        ("obeys", crawler.obeys().to_string()),
        (
            "crawl-delay",
            crawler
                .crawl_delay()
                .map(|delay| delay.to_string())
                .unwrap_or_default(),
        ),
        ("in headers", header_names(crawler)),
        ("status", status.join("; ")),
        ("docs", text(crawler.docs())),
    ];
    writeln!(output, "{HEADING}{name}{HEADING:#}")?;
    let further = [
        ("note", text(crawler.note())),
        ("source", crawler.source().to_owned()),
        ("evidence", evidence(crawler).to_owned()),
        ("source read", crawler.read_on().to_string()),
    ];
    for (what, fact) in facts.into_iter().chain(verification).chain(further) {
        if !fact.is_empty() {
            writeln!(output, "  {FAINT}{what:<15}{FAINT:#}  {fact}")?;
        }
    }
    Ok(())
}

fn evidence(crawler: &KnownCrawler) -> &'static str {
    match crawler.evidence() {
        Evidence::SecondHand => {
            "second-hand: some facts come from the lists or quotations of others"
        }
        _ => "the operator's own page",
    }
}

fn header_names(crawler: &KnownCrawler) -> String {
    let names = std::iter::once(crawler.header_name());
    let aliases = crawler.header_aliases().iter().map(String::as_str);
    names.chain(aliases).collect::<Vec<_>>().join(", ")
}

/// No crawler of that name, or of that operator, is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} `{}`; {}", start_of(.name), advice(.near))]
struct NotKnown {
    what: &'static str,
    name: String,
    near: Vec<&'static str>,
}

fn advice(near: &[&str]) -> String {
    match near {
        [] => "`verger crawlers` lists all crawlers with their operators".to_owned(),
        near => format!("similar names are {}", near.join(", ")),
    }
}

impl NotKnown {
    fn crawler(name: &str) -> Self {
        let near = Registry::bundled().suggest(name);
        Self::new("no crawler is known as", name, near)
    }

    fn operator(name: &str) -> Self {
        let near = Registry::bundled().suggest_operators(name);
        Self::new("no known crawler has the operator", name, near)
    }

    fn new(what: &'static str, name: &str, near: Vec<&'static str>) -> Self {
        let name = name.to_owned();
        Self { what, name, near }
    }
}
