use std::collections::BTreeMap;

use verger_compare::ExtentClass;

use crate::who::topic::Topic;
use crate::who::who_row::WhoRow;

/// How many crawlers of a topic may fetch how much.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TopicSummary {
    /// The topic.
    pub topic: Topic,
    /// The crawlers by how much is disallowed, the least restricted first. Empty classes are left
    /// out, so there is at least one and there are at most four.
    pub classes: Vec<ClassSummary>,
}

/// The crawlers of a topic that may fetch equally much.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClassSummary {
    /// How much is disallowed, or `None` if undecided.
    pub class: Option<ExtentClass>,
    /// Number of crawlers.
    pub count: usize,
    /// Names of the first three, the best known one first.
    pub first: Vec<String>,
}

/// Summarizes `rows` by topic. Topics without crawlers are left out.
#[must_use]
pub fn summary(rows: &[WhoRow<'_>]) -> Vec<TopicSummary> {
    let topics = Topic::ALL.iter().map(|&topic| {
        let mut classes: BTreeMap<(bool, Option<ExtentClass>), Vec<&WhoRow<'_>>> = BTreeMap::new();
        for row in rows.iter().filter(|row| topic.covers(row)) {
            let class = row.extent.class();
            classes
                .entry((class.is_none(), class))
                .or_default()
                .push(row);
        }
        let classes = classes.into_iter().map(|((_, class), rows)| ClassSummary {
            class,
            count: rows.len(),
            first: rows.iter().take(3).map(|it| it.name.clone()).collect(),
        });
        let classes = classes.collect();
        TopicSummary { topic, classes }
    });
    topics.filter(|it| !it.classes.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::{Dialect, RobotsTxt};
    use verger_compare::Budget;

    use crate::crawler_list::crawlers_of;
    use crate::who::who_row::who;

    fn words(body: &str) -> BTreeMap<&'static str, String> {
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let crawlers = crawlers_of([&robots], (*robots.reading()).into());
        let rows = who(robots, &crawlers, Budget::default());
        let classes = |it: &TopicSummary| {
            let classes = it.classes.iter().map(|it| {
                let class = it.class.map(ExtentClass::as_str);
                format!("{} {}", class.unwrap_or("?"), it.first.join(" "))
            });
            classes.collect::<Vec<_>>().join("; ")
        };
        summary(&rows)
            .iter()
            .map(|it| (it.topic.title, classes(it)))
            .collect()
    }

    #[test]
    fn crawlers_are_counted_by_topic_and_class() {
        let closed =
            "GPTBot\nUser-agent: Google-Extended\nUser-agent: ClaudeBot\nUser-agent: CCBot";
        let body = format!("User-agent: *\nDisallow: /x\n\nUser-agent: {closed}\nDisallow: /\n");
        let words = words(&body);
        let of_search = &words["search engines"];
        assert!(
            of_search.ends_with("; some Googlebot bingbot OAI-SearchBot"),
            "{words:?}"
        );
        assert_eq!(
            words["AI training"],
            "nothing LAIONDownloader; some Bytespider Amazonbot meta-externalagent; \
             everything GPTBot ClaudeBot Google-Extended"
        );
        assert!(words["AI answers for people"].contains("; some ChatGPT-User "));
        assert_eq!(words["any other crawler"], "some *");
        assert!(!words.contains_key("not in the registry"));
    }

    #[test]
    fn names_are_those_that_the_owner_or_the_operator_writes() {
        let body = "User-agent: gptbot\nUser-agent: img2dataset\nUser-agent: Crawl9AI\n\
                    User-agent: bigsur.ai # no\nUser-agent: Kangaroo Bot\nUser-agent: Poseidon Research Crawler\nDisallow: /\n";
        let words = words(body);
        assert!(
            words["AI training"].ends_with("everything GPTBot img2dataset Kangaroo Bot"),
            "{words:?}"
        );
        let unknown = &words["not in the registry"];
        assert_eq!(
            unknown,
            "everything Crawl9AI bigsur.ai Poseidon Research Crawler"
        );
    }
}
