use verger_answer::CrawlerQueryError;
use verger_crawlers::Registry;

use super::byte_text::start_of;
use super::message::Message;

/// Returns the message about a query that cannot be read or resolved.
pub(crate) fn unusable_query(error: &CrawlerQueryError) -> Message {
    let near = |near: &[&'static str]| {
        let near: Vec<String> = near.iter().map(|name| format!("`-a '@{name}'`")).collect();
        match near.as_slice() {
            [] => "`verger crawlers` lists the operators".to_owned(),
            near => format!("did you mean {}?", near.join(" or ")),
        }
    };
    match error {
        CrawlerQueryError::NotAToken(error) => {
            let text = start_of(error.text());
            let message = Message::new(format_args!(
                "`{text}` is not a product token: it takes letters, digits, `_`, `-` and `.`"
            ));
            message.help(match error.likely().map(start_of) {
                Some(likely) => {
                    format!("use the token, `-a {likely}`; a whole header goes to `--user-agent`")
                }
                None => {
                    "use a name that `verger crawlers` lists; a whole header goes to `--user-agent`"
                        .to_owned()
                }
            })
        }
        CrawlerQueryError::UnknownPurpose {
            unknown,
            near: others,
        } => {
            let text = start_of(unknown.text());
            let message = Message::new(format_args!(
                "`@{text}` is neither a purpose nor an operator: the purposes are {}",
                unknown.expected().join(", ")
            ));
            match Registry::bundled().by_name(&text) {
                Some(crawler) => message.help(format_args!(
                    "`-a {}` is the crawler of that name",
                    crawler.own_token()
                )),
                None => message.help(near(others)),
            }
        }
        CrawlerQueryError::UnknownOperator { name, near: others } => {
            let name = start_of(name);
            let what = format!("no known crawler in use has the operator `{name}`");
            Message::from(what).help(near(others))
        }
        CrawlerQueryError::Several { query, count } => Message::new(format_args!(
            "`{query}` names {count} crawlers, but one is needed here"
        ))
        .help("choose one that `verger crawlers` lists"),
        CrawlerQueryError::UnknownHeader { header, likely } => Message::new(format_args!(
            "no known crawler is named in the header `{}`",
            start_of(header)
        ))
        .help(match likely.as_deref().map(start_of) {
            Some(likely) => format!("give its product token, probably `-a {likely}`"),
            None => "give its product token with `-a`".to_owned(),
        }),
        error => Message::new(error),
    }
}
