//! Adds rules for some crawlers and proves that nothing changes for any other.

use std::collections::BTreeMap;

use verger::{DiagnosticKind, Effect, NotUtf8, ProductToken, RobotsTxt};
use verger_answer::{ReadAs, ResolvedCrawler};
use verger_compare::Budget;
use verger_crawlers::Purpose;

pub use new_rule::NewRule;
pub use not_added::NotAdded;
pub use without_effect::WithoutEffect;

use crate::crawler_list::{crawlers_of, first_names, spelt};
use crate::file_comparison::FileComparison;
use wanted::{Wanted, own_token};

mod new_rule;
mod not_added;
mod wanted;
mod without_effect;
mod written_rules;

/// A robots.txt with rules added for some crawlers, proven to change nothing for others.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Addition {
    /// The new file, or the old one if nothing was added.
    pub body: Vec<u8>,
    /// Crawlers that got no new lines because the rules apply to them already.
    pub already: Vec<String>,
    /// Crawlers of a purpose or an operator that got no new lines because no user-agent line can
    /// name them in this reading.
    pub left_out: Vec<String>,
    /// Reasons why the requested rules have no effect.
    pub without_effect: Vec<WithoutEffect>,
    /// Crawlers that were not requested but are affected, because they fall back to a token on a
    /// new line.
    pub also: Vec<String>,
    /// Further purposes of some crawlers with new lines, if all of them share a purpose, and the
    /// names of these crawlers.
    pub also_for: BTreeMap<Purpose, Vec<String>>,
    /// Crawlers and URLs that a new `Disallow` matches but an older rule still allows.
    pub still_allowed: Vec<(String, String)>,
    /// Crawlers and URLs that a new `Allow` matches but an older rule still disallows.
    pub still_disallowed: Vec<(String, String)>,
}

impl Addition {
    /// Adds rules for `crawlers` at the end of the file, or at its start if adding them at the end
    /// would change something for another crawler.
    ///
    /// A crawler that a group already names gets another group, which RFC 9309 merges with the
    /// first. In `koster1996` only the first record applies, so the new group copies the crawler's
    /// rules. A crawler that falls back to other groups gets a group with a copy of their rules,
    /// unless the new rules disallow everything. Crawlers for which the rules already apply or
    /// would have no effect get nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is not text, a crawler cannot be named, or the rules would
    /// change something for another crawler.
    pub fn new(
        body: &[u8],
        read_as: impl Into<ReadAs>,
        crawlers: &[ResolvedCrawler],
        rules: &[NewRule],
        budget: Budget,
    ) -> Result<Self, NotAdded> {
        let read_as = read_as.into();
        let reading = read_as.reading();
        let wanted = Wanted {
            rules,
            takes_all: without_effect::disallow_everything(rules, reading, budget),
            budget,
        };
        let before = RobotsTxt::parse(body, reading);
        let mut of_body = before.body_diagnostics();
        if let Some(no_text) = of_body.find(|it| is_no_text(it.kind)) {
            return Err(NotAdded::NotText(no_text.kind.to_string()));
        }
        let applies = |it: &&ResolvedCrawler| wanted.applies(&before, &before, it) == Some(true);
        let (unchanged, lacking): (Vec<_>, Vec<_>) = crawlers.iter().partition(applies);
        let is_left_out =
            |it: &&ResolvedCrawler| it.is_listed() && it.unmatchable(reading).is_some();
        let (left_out, lacking): (Vec<_>, Vec<_>) = lacking.into_iter().partition(is_left_out);
        let mut addition = Self {
            body: body.to_vec(),
            already: Vec::new(),
            left_out: left_out.iter().map(|it| it.name().to_owned()).collect(),
            without_effect: WithoutEffect::of_rules(rules, reading, budget),
            also: Vec::new(),
            also_for: purposes_of_some(&lacking),
            still_allowed: wanted.still(Effect::Allow, &before, &lacking),
            still_disallowed: wanted.still(Effect::Disallow, &before, &lacking),
        };
        addition.sort_unchanged(&before, &unchanged, &wanted);
        if lacking.is_empty() {
            return Ok(addition);
        }
        let lines = wanted.new_lines(&before, &lacking)?;
        let end = if body.windows(2).any(|pair| pair == b"\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let added = lines.join(end.as_bytes());
        let has_end = body.is_empty() || body.ends_with(b"\n");
        let at_end = [body, if has_end { b"" } else { end.as_bytes() }];
        let separator = if body.is_empty() { "" } else { end };
        let at_end = [at_end.concat().as_slice(), separator.as_bytes(), &added].concat();
        match addition
            .clone()
            .with_body((at_end, read_as), &before, &wanted, &lacking)
        {
            Err(NotAdded::ChangesMore(_)) => {
                let mark: &[u8] = if body.starts_with(BYTE_ORDER_MARK) {
                    BYTE_ORDER_MARK
                } else {
                    b""
                };
                let rest = &body[mark.len()..];
                let at_start = [mark, &added, end.as_bytes(), rest].concat();
                addition.with_body((at_start, read_as), &before, &wanted, &lacking)
            }
            result => result,
        }
    }

    /// Describes which crawlers got no new lines and which others are affected.
    #[must_use]
    pub fn notes(&self, old: &[u8]) -> Vec<String> {
        let nothing_else = self.left_out.is_empty() && self.without_effect.is_empty();
        if self.body == old && nothing_else {
            return vec!["nothing added: the rules already apply to these crawlers".to_owned()];
        }
        let names = |names: &[String]| {
            let spelt = names.iter().map(|name| spelt(name).to_owned());
            first_names(&spelt.collect::<Vec<_>>())
        };
        let already = "nothing added for crawlers to which the rules already apply";
        let left_out =
            "nothing added for crawlers that no user-agent line can name in this dialect";
        let also = "also affected, because a new line names a token they fall back to";
        let notes = [
            (already, &self.already),
            (left_out, &self.left_out),
            (also, &self.also),
        ];
        let notes = notes.into_iter().filter(|(_, names)| !names.is_empty());
        let notes = notes.map(|(what, of)| format!("{what}: {}", names(of)));
        let purposes = self.also_for.iter();
        let purposes = purposes.map(|(purpose, of)| format!("also {purpose}: {}", names(of)));
        notes.chain(purposes).collect()
    }

    /// Describes which URLs keep the effect that the rules were meant to change.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let still = [
            ("allowed", &self.still_allowed),
            ("disallowed", &self.still_disallowed),
        ];
        let still = still.into_iter().flat_map(|(word, urls)| {
            let older = move |(crawler, url): &'_ (String, String)| {
                let text = format!("{url} is still {word} because of an older rule");
                (text, crawler.clone())
            };
            urls.iter().map(older)
        });
        // The same text for several crawlers is one warning.
        let mut crawlers: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let without_effect = self.without_effect.iter().map(WithoutEffect::parts);
        for (text, crawler) in without_effect.chain(still) {
            let crawlers = crawlers.entry(text).or_default();
            crawlers.extend((!crawler.is_empty()).then(|| spelt(&crawler).to_owned()));
        }
        let together = crawlers.into_iter().map(|(text, names)| match &names[..] {
            [] => text,
            names => format!("{}: {text}", first_names(names)),
        });
        together.collect()
    }

    /// Sorts crawlers that the rules do not change into `already` and `without_effect`.
    fn sort_unchanged(
        &mut self,
        before: &RobotsTxt,
        unchanged: &[&ResolvedCrawler],
        wanted: &Wanted<'_>,
    ) {
        if !self.without_effect.is_empty() {
            return;
        }
        for crawler in unchanged {
            let mut effects = [Effect::Disallow, Effect::Allow].into_iter();
            let without = effects.find_map(|effect| {
                let rules = (wanted.rules, effect);
                WithoutEffect::of_crawler(before, crawler, rules, wanted.budget)
            });
            if let Some(without) = without {
                self.without_effect.push(without);
            } else {
                self.already.push(crawler.name().to_owned());
                let still = |effect| wanted.still(effect, before, &[crawler]);
                self.still_allowed.extend(still(Effect::Allow));
                self.still_disallowed.extend(still(Effect::Disallow));
            }
        }
    }

    /// Sets the new body after proving that it changes only what was requested.
    fn with_body(
        self,
        (body, read_as): (Vec<u8>, ReadAs),
        before: &RobotsTxt,
        wanted: &Wanted<'_>,
        crawlers: &[&ResolvedCrawler],
    ) -> Result<Self, NotAdded> {
        let budget = wanted.budget;
        let after = RobotsTxt::parse(&body[..], *before.reading());
        for crawler in crawlers {
            match wanted.applies(before, &after, crawler) {
                Some(true) => {}
                Some(false) => return Err(NotAdded::ChangesMore(crawler.name().to_owned())),
                None => return Err(NotAdded::NotDecided(budget.states())),
            }
        }
        let meant: Vec<&str> = crawlers
            .iter()
            .filter_map(|it| own_token(before, it))
            .collect();
        let all = crawlers_of([before, &after], read_as);
        let comparison = FileComparison::new(before.clone(), after, &all, budget)?;
        if comparison.not_compared() > 0 {
            return Err(NotAdded::NotDecided(budget.states()));
        }
        let mut also = Vec::new();
        for change in comparison.changes() {
            let is_changed = change.difference().is_none() == Some(false);
            for crawler in change.crawlers() {
                let tokens = crawler.crawler().tokens();
                let name = || crawler.name().to_owned();
                let is_meant = |own: &ProductToken| {
                    meant.iter().any(|it| it.eq_ignore_ascii_case(own.as_str()))
                };
                match tokens.split_first() {
                    Some((own, _)) if is_meant(own) => {}
                    Some((_, others)) if others.iter().any(is_meant) => also.push(name()),
                    _ if is_changed => return Err(NotAdded::ChangesMore(name())),
                    _ => return Err(NotAdded::NotDecided(budget.states())),
                }
            }
        }
        Ok(Self { body, also, ..self })
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

fn purposes_of_some(crawlers: &[&ResolvedCrawler]) -> BTreeMap<Purpose, Vec<String>> {
    let mut names: BTreeMap<Purpose, Vec<String>> = BTreeMap::new();
    for crawler in crawlers {
        for &purpose in crawler.known().map_or(&[][..], |it| it.purposes()) {
            names
                .entry(purpose)
                .or_default()
                .push(spelt(crawler.label()).to_owned());
        }
    }
    let all = crawlers.len();
    if all == 1 || names.values().all(|of| of.len() < all) {
        return BTreeMap::new();
    }
    names.retain(|_, of| of.len() < all);
    names
}

fn is_no_text(kind: DiagnosticKind<'_>) -> bool {
    use DiagnosticKind::{Compressed, LooksBinary, LooksLikeHtml};
    match kind {
        DiagnosticKind::NotUtf8(kind) => !matches!(kind, NotUtf8::Bytes { .. }),
        kind => matches!(kind, Compressed | LooksBinary | LooksLikeHtml),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::{Dialect, Reading};

    fn add(
        body: impl AsRef<[u8]>,
        names: &[&str],
        rules: &[(Effect, &str)],
    ) -> Result<Addition, NotAdded> {
        add_in(Dialect::Rfc9309, body, names, rules)
    }

    fn add_in(
        dialect: Dialect,
        body: impl AsRef<[u8]>,
        names: &[&str],
        rules: &[(Effect, &str)],
    ) -> Result<Addition, NotAdded> {
        let reading = Reading::new(dialect);
        let crawlers: Vec<_> = names
            .iter()
            .map(|name| ResolvedCrawler::from_name(name, reading).unwrap())
            .collect();
        let rules: Result<Vec<_>, _> = rules
            .iter()
            .map(|(effect, pattern)| NewRule::new(*effect, pattern, reading))
            .collect();
        let budget = Budget::default();
        Addition::new(body.as_ref(), reading, &crawlers, &rules?, budget)
    }

    fn text(addition: &Addition) -> &str {
        std::str::from_utf8(&addition.body).unwrap()
    }

    const ALL: &[(Effect, &str)] = &[(Effect::Disallow, "/")];

    #[test]
    fn a_group_is_put_at_the_end() {
        let added = add("User-agent: *\nDisallow: /cart", &["gptbot", "ccbot"], ALL).unwrap();
        assert_eq!(
            text(&added),
            "User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n"
        );
        assert!(added.still_allowed.is_empty() && added.also.is_empty());
    }

    #[test]
    fn rules_that_a_crawler_had_are_kept() {
        let body = "User-agent: *\r\nDisallow: /cart\r\nAllow: /cart/x # help\r\n";
        let added = add(body, &["bingbot"], &[(Effect::Disallow, "/search")]).unwrap();
        assert!(text(&added).ends_with(
            "\r\n\r\nUser-agent: bingbot\r\nDisallow: /cart\r\nAllow: /cart/x\r\nDisallow: /search\r\n"
        ));
        // Groups with the same name are merged, so the crawler keeps its rules.
        let body = "User-agent: GPTBot\nUser-agent: CCBot\nAllow: /x\n";
        let added = add(body, &["gptbot"], ALL).unwrap();
        assert!(text(&added).ends_with("\n\nUser-agent: GPTBot\nDisallow: /\n"));
        assert_eq!(
            added.still_allowed,
            [("gptbot".to_owned(), "https://example.com/x".to_owned())]
        );
    }

    #[test]
    fn what_applies_already_is_not_added() {
        for body in [
            "",
            "User-agent: *\nDisallow: /cart\n",
            "User-agent: GPTBot\nAllow: /x\n",
        ] {
            for rules in [ALL, &[(Effect::Disallow, "/a"), (Effect::Allow, "/a/b")]] {
                let names = ["gptbot", "ccbot", "kangaroo-bot"];
                let once = add(body, &names, rules).unwrap();
                assert!(once.already.is_empty() && once.body.len() > body.len());
                let twice = add(text(&once), &names, rules).unwrap();
                assert_eq!(twice.body, once.body);
                assert_eq!(twice.already, names);
                assert_eq!(twice.still_allowed, once.still_allowed);
                let one_more = add(text(&once), &["gptbot", "bingbot"], rules).unwrap();
                assert_eq!(one_more.already, ["gptbot"]);
                let added = text(&one_more).strip_prefix(text(&once)).unwrap();
                assert!(added.starts_with("\nUser-agent: bingbot\n"), "{added}");
            }
        }
        let by_star = add("User-agent: *\nDisallow: /\n", &["gptbot"], ALL).unwrap();
        assert_eq!(by_star.already, ["gptbot"]);
    }

    #[test]
    fn rules_without_effect_do_not_apply_already() {
        let disallow = |pattern| [(Effect::Disallow, pattern)];
        let (rfc, koster) = (Dialect::Rfc9309, Dialect::Koster1996);
        for (dialect, body, pattern, line) in [
            (
                rfc,
                "User-agent: GPTBot\nAllow: /x\n",
                "/x",
                "`Allow: /x` on line 2",
            ),
            (
                rfc,
                "User-agent: GPTBot\nAllow: /x/y\n",
                "/x/y",
                "`Allow: /x/y` on line 2",
            ),
            (
                rfc,
                "User-agent: GPTBot\nAllow: /x\nDisallow: /x/y\n",
                "/x",
                "`Allow: /x` on line 2",
            ),
            (
                koster,
                "User-agent: GPTBot\nAllow: /\nDisallow: /x\n",
                "/z",
                "`Allow: /` on line 2",
            ),
        ] {
            let added = add_in(dialect, body, &["gptbot"], &disallow(pattern)).unwrap();
            assert_eq!(text(&added), body);
            assert!(added.already.is_empty() && added.still_allowed.is_empty());
            assert!(added.notes(body.as_bytes()).is_empty());
            let [without] = added.without_effect.as_slice() else {
                panic!("{added:?}");
            };
            assert!(without.to_string().contains(line), "{without}");
        }
        let added = add_in(Dialect::Google, "", &["gptbot"], &disallow("/a b")).unwrap();
        let said = WithoutEffect::NoUrl("Disallow: /a b".to_owned());
        assert_eq!((added.already.len(), added.without_effect), (0, vec![said]));
        let rules = [(Effect::Disallow, "/a"), (Effect::Allow, "/a")];
        let added = add("", &["gptbot"], &rules).unwrap();
        let said = WithoutEffect::AllowedToo("Disallow: /a".to_owned());
        assert_eq!((added.already.len(), added.without_effect), (0, vec![said]));
        // Other rules already disallow these targets.
        let body = "User-agent: *\nDisallow: /b*\nAllow: /b/free\n";
        let rules = [(Effect::Disallow, "/b"), (Effect::Allow, "/b/free")];
        let added = add(body, &["gptbot"], &rules).unwrap();
        assert!(added.without_effect.is_empty() && added.already == ["gptbot"]);
    }

    #[test]
    fn a_reason_is_given_once_for_all_crawlers() {
        let body = "User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: ClaudeBot\nDisallow: /x*\n";
        let allow = [(Effect::Allow, "/x")];
        let added = add(body, &["gptbot", "ccbot", "claudebot"], &allow).unwrap();
        let [warning] = &added.warnings()[..] else {
            panic!("{added:?}");
        };
        let start =
            "GPTBot, CCBot, ClaudeBot: the rules have no effect: `Disallow: /x*` on line 4 ";
        assert!(warning.starts_with(start), "{warning}");
        let body = body.replace("/x*", "/\nDisallow: /x/y");
        let added = add(&body, &["gptbot", "ccbot"], &allow).unwrap();
        let start = "GPTBot, CCBot: https://example.com/x/y is still disallowed ";
        assert!(added.warnings()[0].starts_with(start), "{added:?}");
        assert_eq!(added.warnings().len(), 1);
    }

    #[test]
    fn other_purposes_of_the_crawlers_are_noted() {
        let reading = Reading::new(Dialect::Rfc9309);
        let crawlers = ResolvedCrawler::from_purpose(Purpose::AiTrain);
        let rules = [NewRule::new(Effect::Disallow, "/", reading).unwrap()];
        let added = Addition::new(b"", reading, &crawlers, &rules, Budget::default()).unwrap();
        let notes = added.notes(b"");
        let of_search = "also search: Bytespider, Timpibot".to_owned();
        assert!(notes.contains(&of_search), "{notes:?}");
        assert!(!notes.iter().any(|it| it.starts_with("also ai-train")));
        // Nothing is noted for crawlers that were named one by one.
        let added = add("", &["gptbot", "oai-searchbot"], ALL).unwrap();
        assert!(added.also_for.is_empty());
    }

    #[test]
    fn where_one_record_counts_it_comes_first() {
        let body = "User-agent: GPTBot\nUser-agent: a\nDisallow: /x\n";
        let rules = [(Effect::Disallow, "/z")];
        let added = add_in(Dialect::Koster1996, body, &["gptbot"], &rules).unwrap();
        assert_eq!(
            text(&added),
            format!("User-agent: GPTBot\nDisallow: /x\nDisallow: /z\n\n{body}")
        );
    }

    #[test]
    fn listed_crawlers_that_no_line_can_name_are_left_out() {
        let reading = Reading::new(Dialect::Google);
        let crawlers = ResolvedCrawler::from_purpose(verger_crawlers::Purpose::AiTrain);
        let rules = [NewRule::new(Effect::Disallow, "/", reading).unwrap()];
        let added = Addition::new(b"", reading, &crawlers, &rules, Budget::default()).unwrap();
        assert!(added.left_out.contains(&"ai2bot".to_owned()), "{added:?}");
        assert!(text(&added).contains("User-agent: GPTBot\n"));
        let named = add_in(Dialect::Google, "", &["ai2bot"], ALL);
        assert_eq!(named.unwrap_err(), NotAdded::NoToken("ai2bot".to_owned()));
    }

    #[test]
    fn nothing_is_added_to_what_is_no_text() {
        for (body, what) in [
            (&b"\xff\xfeU\0s\0"[..], "UTF-16"),
            (b"U\0s\0e\0", "binary"),
            (b"\x1f\x8b\x08\0\0", "compressed"),
            (b"<!doctype html>\n", "HTML page"),
        ] {
            let refused = add(body, &["gptbot"], ALL).unwrap_err();
            assert!(refused.to_string().contains(what), "{refused}");
        }
    }

    #[test]
    fn nothing_is_swallowed() {
        // At the end the new lines would join a group without rules.
        let body = "User-agent: a\nDisallow: /x\n\nUser-agent: b\n";
        let added = add(body, &["gptbot"], ALL).unwrap();
        assert!(text(&added).starts_with("User-agent: GPTBot\nDisallow: /\n\nUser-agent: a\n"));
        // At the start the stray rule would join them, so neither place works.
        let body = "Disallow: /y\nUser-agent: a\nDisallow: /x\n\nUser-agent: b\n";
        let added = add(body, &["gptbot"], &[(Effect::Disallow, "/z")]);
        assert_eq!(
            added.unwrap_err(),
            NotAdded::ChangesMore("gptbot".to_owned())
        );
    }

    #[test]
    fn crawlers_that_a_list_or_a_new_line_names_too_are_others() {
        let body = "User-agent: *\nDisallow: /q\n\nUser-agent: Foo, Bar\n";
        let added = add(body, &["gptbot"], ALL).unwrap();
        assert!(text(&added).ends_with(body), "{}", text(&added));
        // `User-agent: MJ12bot` also names `MJ`, which nobody wrote.
        let added = add("User-agent: *\nDisallow: /q\n", &["mj12bot"], ALL).unwrap();
        assert!(added.also.is_empty());
        let refused = add("User-agent: MJ\nDisallow: /q\n", &["mj12bot"], ALL).unwrap_err();
        assert_eq!(refused, NotAdded::ChangesMore("MJ".to_owned()));
    }

    #[test]
    fn crawlers_that_fall_back_to_the_token_are_named() {
        let added = add("User-agent: *\nDisallow: /a\n", &["googlebot"], ALL).unwrap();
        assert!(
            added.also.contains(&"googlebot-news".to_owned()),
            "{:?}",
            added.also
        );
    }

    #[test]
    fn copied_rules_keep_their_bytes() {
        let body = b"User-agent: *\nDisallow: /caf\xe9\n";
        let added = add(body, &["bingbot"], &[(Effect::Disallow, "/search")]).unwrap();
        assert!(
            added
                .body
                .ends_with(b"Disallow: /caf\xe9\nDisallow: /search\n")
        );
    }

    #[test]
    fn what_a_new_rule_allows_is_no_older_one() {
        let rules = [(Effect::Disallow, "/blog/"), (Effect::Allow, "/blog/free/")];
        let added = add("User-agent: *\nDisallow: /x\n", &["gptbot"], &rules).unwrap();
        assert!(added.still_allowed.is_empty(), "{added:?}");
    }

    #[test]
    fn what_is_allowed_without_effect_is_no_rule_that_applies_already() {
        let allow = |pattern| [(Effect::Allow, pattern)];
        let (rfc, koster) = (Dialect::Rfc9309, Dialect::Koster1996);
        for (dialect, body, pattern, rule) in [
            (
                rfc,
                "User-agent: GPTBot\nDisallow: /x/y\n",
                "/x",
                "/x/y` on line 2",
            ),
            (
                rfc,
                "User-agent: GPTBot\nDisallow: /x*\n",
                "/x",
                "/x*` on line 2",
            ),
            (
                koster,
                "User-agent: GPTBot\nDisallow: /\n",
                "/x",
                "/` on line 2",
            ),
        ] {
            let mut added = add_in(dialect, body, &["gptbot"], &allow(pattern)).unwrap();
            if dialect == koster {
                // A copy of its rules in an earlier record would precede the new rule.
                assert_eq!(added.body, body.as_bytes());
            }
            assert!(added.already.is_empty(), "{added:?}");
            let said = added.without_effect.pop().unwrap().to_string();
            let keeps = format!("gptbot: the rules have no effect: `Disallow: {rule} keeps ");
            assert!(
                said.contains(&keeps) && said.ends_with(" disallowed"),
                "{said}"
            );
        }
        let rules = [(Effect::Allow, "/x"), (Effect::Disallow, "/x*")];
        let added = add("", &["gptbot"], &rules).unwrap();
        let expected = [WithoutEffect::DisallowedToo("Allow: /x".to_owned())];
        assert_eq!(added.without_effect, expected);
        // A rule that affects only some of its targets is added once.
        let body = "User-agent: GPTBot\nDisallow: /\nDisallow: /x/y\n";
        let once = add(body, &["gptbot"], &allow("/x")).unwrap();
        let still = [("gptbot".to_owned(), "https://example.com/x/y".to_owned())];
        assert_eq!(
            (&once.still_disallowed[..], &once.without_effect[..]),
            (&still[..], &[][..])
        );
        let twice = add(text(&once), &["gptbot"], &allow("/x")).unwrap();
        assert_eq!(
            (twice.already, twice.still_disallowed),
            (vec!["gptbot".to_owned()], still.to_vec())
        );
        // Everything it matches is already allowed.
        let added = add(
            "User-agent: GPTBot\nDisallow: /z\n",
            &["gptbot"],
            &allow("/x"),
        )
        .unwrap();
        assert_eq!((added.already.len(), added.warnings().len()), (1, 0));
    }

    #[test]
    fn a_retired_crawler_is_another_one_too() {
        let added = add(
            "User-agent: a\nDisallow: /x\n\nUser-agent: anthropic-ai\n",
            &["gptbot"],
            ALL,
        );
        let added = added.unwrap();
        assert!(
            text(&added).starts_with("User-agent: GPTBot\nDisallow: /\n"),
            "{}",
            text(&added)
        );
    }

    #[test]
    fn what_cannot_be_added_is_said() {
        for pattern in ["x", "", "/a#b", "/a\nAllow: /", " /a"] {
            let refused = add("", &["gptbot"], &[(Effect::Disallow, pattern)]);
            let said = match pattern {
                "" => ": the path-pattern is empty",
                _ => " is not a path-pattern: it must start with `/` or `*`, ",
            };
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(&format!("{pattern}`{said}")), "{refused}");
        }
    }
}
