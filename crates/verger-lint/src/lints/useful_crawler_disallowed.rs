use verger::Clause;
use verger_crawlers::{KnownCrawler, Purpose, Registry};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "useful-crawler-disallowed",
    severity: Severity::Note,
    summary: "a group disallows everything for a crawler that brings visitors or income",
    explanation: "\
Lists of unwanted crawlers often name crawlers that most owners want: crawlers that check Google's ads, make
previews of shared links, or belong to search engines of other countries. Lists of AI crawlers also name the
search engine of Siri and Spotlight (Applebot) and of ChatGPT (OAI-SearchBot). The message says who loses what.
Remove the names that you did not mean.

ChatGPT-User and similar crawlers fetch a page because a person asked for it. If only they are disallowed, the
texts can still be used for training, because the operator trains with another crawler.",
    wrong: Example::of(b"User-agent: CCBot\nUser-agent: Applebot\nUser-agent: SeznamBot\nUser-agent: AdsBot-Google\nUser-agent: ChatGPT-User\nDisallow: /\n"),
    right: Example::of(b"User-agent: CCBot\nUser-agent: GPTBot\nDisallow: /\n"),
    clauses: &[Clause::new("R9309-2.2.1-4")],
    check,
};

/// Crawlers of services of one kind.
struct Services {
    /// The loss if all of them are disallowed.
    together: &'static str,
    /// The loss if a single crawler is disallowed. `{}` stands for its service.
    loss: &'static str,
    /// Names of the registry, each with its service.
    crawlers: &'static [(&'static str, &'static str)],
}

const SERVICES: [Services; 3] = [
    Services {
        together: "crawlers that check Google's ads may fetch nothing, so Google may refuse ads",
        loss: "Google may refuse ads {}",
        crawlers: &[
            ("adsbot-google", "that lead to this site"),
            ("adsbot-google-mobile", "that lead to this site"),
            ("mediapartners-google", "on this site"),
        ],
    },
    Services {
        together: "crawlers of social networks may fetch nothing, so shared links have no preview",
        loss: "links that are shared on {} have no preview",
        crawlers: &[
            ("facebookexternalhit", "Facebook"),
            ("twitterbot", "X"),
            ("linkedinbot", "LinkedIn"),
            ("slackbot", "Slack"),
            ("whatsapp", "WhatsApp"),
            ("telegrambot", "Telegram"),
            ("discordbot", "Discord"),
        ],
    },
    Services {
        together: "search engines of other countries may fetch nothing, so people there do not find the site",
        loss: "people do not find the site with {}",
        crawlers: &[
            ("seznambot", "Seznam, a search engine in Czechia"),
            ("yeti", "Naver, a search engine in Korea"),
            ("daum", "Daum, a search engine in Korea"),
            ("coccocbot", "Coc Coc, a search engine in Vietnam"),
            ("coccocbot-web", "Coc Coc, a search engine in Vietnam"),
            ("baiduspider", "Baidu, a search engine in China"),
            ("sogou-web-spider", "Sogou, a search engine in China"),
            ("360spider", "360 Search, a search engine in China"),
            ("petalbot", "Petal Search, which Huawei's phones use"),
            ("yandex", "Yandex, a search engine in Russia"),
            ("yandexbot", "Yandex, a search engine in Russia"),
            ("qwantbot", "Qwant, a search engine in France"),
        ],
    },
];

/// Search engines that are often in lists of AI crawlers.
const IN_AI_LISTS: Services = Services {
    together: "search engines in a list of AI crawlers may fetch nothing, so people do not find the site",
    loss: "people do not find the site with {}",
    crawlers: &[
        ("applebot", "Siri, Spotlight and Safari"),
        ("oai-searchbot", "the search of ChatGPT"),
        ("claude-searchbot", "the search of Claude"),
        ("perplexitybot", "Perplexity"),
        ("duckassistbot", "the answers of DuckDuckGo"),
    ],
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_closed = |known| {
        let readers = file.readers(Some(known));
        readers.is_some_and(|it| it.everything.is_some())
    };
    let names_trainer = file.named_crawlers().any(|(_, it)| is_trainer(it));
    let services = SERVICES.iter().chain(names_trainer.then_some(&IN_AI_LISTS));
    for (agent, known) in file.named_crawlers() {
        let token = quoted(agent.token.as_bytes());
        let trainer = trainer_instead_of(known);
        let mut lost = services
            .clone()
            .filter_map(|it| Some((it, it.loss_of(known)?)));
        if let Some(trainer) = trainer.filter(|it| !is_closed(it) && is_closed(known)) {
            let message = format!(
                "{token} fetches pages for people who ask: {} trains with {}, which may fetch them",
                known.operator(),
                quoted(trainer.own_token().as_str().as_bytes()),
            );
            let help = "to keep texts out of training, disallow the crawler that trains";
            found.add(Draft::new(agent.span(), message).help(help));
        } else if let Some((services, loss)) = lost.next().filter(|_| is_closed(known)) {
            let message = format!("{token} may fetch nothing, so {loss}");
            let draft = Draft::new(agent.span(), message).together(services.together);
            found.add(draft.help("take the names out that you did not mean"));
        }
    }
}

impl Services {
    /// Returns the loss if a crawler of these services is disallowed.
    fn loss_of(&self, known: &KnownCrawler) -> Option<String> {
        let mut crawlers = self.crawlers.iter();
        let (_, service) = crawlers.find(|(name, _)| *name == known.name())?;
        Some(self.loss.replace("{}", service))
    }
}

/// Returns the crawler with which an operator trains, if another of its crawlers fetches pages only
/// for answers.
fn trainer_instead_of(known: &KnownCrawler) -> Option<&'static KnownCrawler> {
    let purposes = [Purpose::UserTriggered, Purpose::AiInput];
    let answers = purposes.iter().all(|it| known.purposes().contains(it));
    let mut others = Registry::bundled().by_operator(known.operator());
    let trainer = others.find(|it| is_trainer(it) && !it.is_retired());
    trainer.filter(|_| answers && !is_trainer(known))
}

fn is_trainer(known: &KnownCrawler) -> bool {
    let purposes = known.purposes();
    purposes.contains(&Purpose::AiTrain) && !purposes.contains(&Purpose::Search)
}
