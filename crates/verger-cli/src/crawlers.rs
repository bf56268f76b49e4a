//! `verger crawlers`: the registry of known crawlers.

use std::io::{self, BufWriter, Write};

use clap::Args;
use verger_answer::{CrawlerLine, crawler_facts, json, purposes_of, tokens_in_order};
use verger_crawlers::{KnownCrawler, Purpose, Registry};

use crate::arguments::crawler_names::{crawler_names, purpose_names};
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::start_of;
use crate::screen::message::Message;
use crate::screen::output_format::{FormatArguments, Formats};
use crate::screen::palette::{self, FAINT, HEADING};

/// List the known crawlers, or show one in detail
///
/// `--purpose` and `--operator` narrow the list. With both, crawlers must match both.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CrawlersArguments {
    /// Name or product token of a crawler, such as `GPTBot`
    #[arg(conflicts_with_all = ["purpose", "operator"])]
    #[arg(value_parser = crawler_names(), hide_possible_values = true)]
    name: Option<String>,

    /// List only crawlers that fetch for this purpose
    #[arg(long, value_name = "PURPOSE", value_parser = purpose_names())]
    purpose: Option<Purpose>,

    /// List only crawlers of this operator, such as openai
    #[arg(long, value_name = "NAME")]
    operator: Option<String>,

    #[command(flatten)]
    format: FormatArguments<Self>,
}

impl Formats for CrawlersArguments {
    const HUMAN: &'static str = "A table, or all facts about the crawler that is named";
    const JSON: &'static str = "JSON Lines (schema verger.crawler/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger crawlers GPTBot
  verger crawlers --purpose ai-train
  verger crawlers --operator OpenAI --json";

pub(crate) fn run(arguments: &CrawlersArguments) -> CommandResult {
    let registry = Registry::bundled();
    let one = arguments.name.as_ref().map(|name| {
        let found = registry.by_name(name);
        found.ok_or_else(|| unknown_crawler(name))
    });
    let one = one.transpose()?;
    let listed = one.map_or_else(|| listed(registry, arguments), |one| Ok(vec![one]))?;
    if arguments.format.is_json() {
        write_json(&listed)?;
        return Ok(Outcome::Success);
    }
    let mut output = palette::stdout();
    match one {
        Some(one) => write_one(&mut output, one)?,
        None => write_table(&mut output, &listed)?,
    }
    output.flush()?;
    Ok(Outcome::Success)
}

fn listed<'r>(
    registry: &'r Registry,
    arguments: &CrawlersArguments,
) -> Result<Vec<&'r KnownCrawler>, Message> {
    let mut listed: Vec<_> = match &arguments.operator {
        Some(name) => registry.by_operator(name).collect(),
        None => registry.iter().collect(),
    };
    if let (Some(name), []) = (&arguments.operator, listed.as_slice()) {
        return Err(unknown_operator(name));
    }
    if let Some(purpose) = &arguments.purpose {
        listed.retain(|it| it.purposes().contains(purpose));
    }
    Ok(listed)
}

fn write_json(crawlers: &[&KnownCrawler]) -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let mut lines = crawlers.iter().map(|it| CrawlerLine::new(it));
    lines.try_for_each(|line| json::write_line(&mut output, &line))?;
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
        purposes_of(crawler),
    ]
}

fn write_one(output: &mut impl Write, crawler: &KnownCrawler) -> io::Result<()> {
    writeln!(output, "{HEADING}{}{HEADING:#}", crawler.name())?;
    for (what, fact) in crawler_facts(crawler) {
        writeln!(output, "  {FAINT}{what:<15}{FAINT:#}  {fact}")?;
    }
    Ok(())
}

fn unknown_crawler(name: &str) -> Message {
    let near = Registry::bundled().suggest(name);
    let what = format!("unknown crawler `{}`", start_of(name));
    Message::from(what).help(advice(&near))
}

fn unknown_operator(name: &str) -> Message {
    let near = Registry::bundled().suggest_operators(name);
    let what = format!("no known crawler has the operator `{}`", start_of(name));
    Message::from(what).help(advice(&near))
}

fn advice(near: &[&str]) -> String {
    match near {
        [] => "`verger crawlers` lists all crawlers with their operators".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    }
}
