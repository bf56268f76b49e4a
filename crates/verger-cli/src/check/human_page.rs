//! Answers about pages, for people.

use std::io::{self, Write};

use verger_answer::{Explaining, PageAnswer, PageState};
use verger_extensions::PageConvention;

use crate::screen::byte_text::{legible, start_of};
use crate::screen::palette::{ALLOWED, DISALLOWED, DOUBTFUL, FAINT, HEADING, HELP, MARKED};

/// Writes the answer about a page below that about its URL.
pub(super) fn write_page(
    output: &mut impl Write,
    page: &PageAnswer,
    explaining: Explaining,
) -> io::Result<()> {
    let style = match page.state {
        PageState::Indexable => ALLOWED,
        PageState::NotIndexed => DISALLOWED,
        PageState::Unseen => DOUBTFUL,
        PageState::Unknown => MARKED,
    };
    let (word, because) = (in_words(page.state), &page.because);
    write!(output, "            {style}{word:<11}{style:#}   {because}")?;
    match beside(page) {
        beside if beside.is_empty() => writeln!(output)?,
        beside => writeln!(output, "   {FAINT}({beside}){FAINT:#}")?,
    }
    for finding in &page.findings {
        let place = match (finding.source, finding.line) {
            (Some(source), Some(line)) => format!(" {FAINT}({source}, line {line}){FAINT:#}"),
            _ => String::new(),
        };
        let (severity, message) = (finding.severity, legible(finding.message.as_bytes()));
        let help = legible(finding.help.as_bytes());
        writeln!(
            output,
            "            {MARKED}{severity}:{MARKED:#} {message} {FAINT}[{}]{FAINT:#}{place}",
            finding.code
        )?;
        writeln!(output, "            {HELP}help:{HELP:#} {help}")?;
    }
    match explaining {
        Explaining::Yes => write_values(output, page),
        Explaining::No => Ok(()),
    }
}

fn in_words(state: PageState) -> String {
    state.as_str().replace('-', " ")
}

/// Returns how the page may be shown and used, and the answer of the other convention if it differs.
fn beside(page: &PageAnswer) -> String {
    let excerpt = page.max_snippet.map(|limit| match limit {
        0 => "no excerpt".to_owned(),
        limit => format!("excerpts of at most {limit} characters"),
    });
    let uses = [
        (page.ai_input, "AI answers"),
        (page.ai_train, "AI training"),
    ];
    let uses = uses.into_iter().filter_map(|(limit, what)| {
        let limit = limit?.as_str().replace("snippet", "excerpt only");
        Some(format!("{what}: {limit}"))
    });
    let other = page.otherwise.map(|state| {
        let other = match page.convention {
            PageConvention::Google => "draft-illyes-repext",
            PageConvention::RepExt => "Google",
        };
        format!("{} by {other}", in_words(state))
    });
    excerpt
        .into_iter()
        .chain(uses)
        .chain(other)
        .collect::<Vec<_>>()
        .join("; ")
}

/// Writes every directive and recorded value with its place.
fn write_values(output: &mut impl Write, page: &PageAnswer) -> io::Result<()> {
    if !page.directives.is_empty() {
        writeln!(output, "\n  {HEADING}directives of the page{HEADING:#}")?;
    }
    for (directive, applies) in &page.directives {
        let text = directive.to_string();
        let text = legible(start_of(&text).as_bytes());
        let of = match directive.agent.as_deref() {
            Some(agent) => format!(", for {}", legible(start_of(agent).as_bytes())),
            None => String::new(),
        };
        let applies = if *applies {
            "applies"
        } else {
            "does not apply"
        };
        let (source, line) = (directive.source, directive.line);
        writeln!(
            output,
            "  {line:>6}  {text:<30}   {FAINT}{source}{of}: {applies}{FAINT:#}"
        )?;
    }
    if !page.recorded.is_empty() {
        writeln!(output, "\n  {HEADING}recorded, without effect{HEADING:#}")?;
    }
    for it in &page.recorded {
        let text = format!("{}: {}", it.name, legible(it.value.as_bytes()));
        writeln!(
            output,
            "  {:>6}  {text:<30}   {FAINT}{}{FAINT:#}",
            it.line, it.source
        )?;
    }
    Ok(())
}
