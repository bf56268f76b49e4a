//! A slow transcription of the documents about page directives: Google's page about robots meta tags (GM), the draft
//! of `Robots-Tag` (RX) and Bing's pages (BM).
//!
//! It shares no code with `verger-extensions` and `verger-answer` and never calls them, so if both agree, two
//! independent readings agree. Data flows one way: `fields → date → directives → state`.

mod date;
mod directives;
mod fields;
mod generator;
mod question;
mod reading;
mod state;

pub use date::seconds;
pub use generator::{GeneratedPage, generated_page};
pub use question::{Convention, Fetched, PageQuestion, RobotsAnswer};
pub use reading::{PageReading, PageTag, TagSource};
pub use state::read_page;

#[cfg(test)]
mod tests {
    use super::{Convention, PageTag, read_page, seconds};
    use crate::case::{ExpectedPage, load_all, testdata_dir};

    fn texts(tags: &[PageTag], applies: bool) -> Vec<String> {
        let mut texts = Vec::new();
        for tag in tags.iter().filter(|it| it.applies == applies) {
            let value = tag.value.iter().map(|it| format!("={it}"));
            let agent = if tag.agent == "*" {
                String::new()
            } else {
                format!(" for {}", tag.agent)
            };
            let text = format!(
                "{} {}{}{agent}",
                tag.source.as_str(),
                tag.name,
                value.collect::<String>()
            );
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    #[test]
    fn the_oracle_answers_every_case_as_stated() {
        let corpus = load_all(&testdata_dir()).unwrap_or_else(|error| panic!("{error}"));
        let mut wrong = Vec::new();
        for case in &corpus.pages {
            let (headers, metas) = (case.header_fields(), case.meta_elements());
            for &convention in &case.conventions {
                let reading = read_page(&case.question(convention, &headers, &metas, 8192));
                let expected = case.expected(convention);
                let after = expected
                    .unavailable_after
                    .as_deref()
                    .map(|it| seconds(it, case.now()).expect("a date"));
                let found = ExpectedPage {
                    state: format!("{} {}", reading.state, reading.reason),
                    applies: texts(&reading.tags, true),
                    ignored: texts(&reading.tags, false),
                    nofollow: reading.nofollow,
                    max_snippet: reading.max_snippet,
                    image_preview: reading.image_preview.map(str::to_owned),
                    unavailable_after: expected.unavailable_after.clone(),
                    ai_input: reading.ai_input.to_owned(),
                    ai_train: reading.ai_train.to_owned(),
                };
                if found != *expected || reading.unavailable_after != after {
                    let is_google = convention == Convention::Google;
                    wrong.push(format!(
                        "{} (google: {is_google}): {found:#?}, not {expected:#?}",
                        case.id
                    ));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
