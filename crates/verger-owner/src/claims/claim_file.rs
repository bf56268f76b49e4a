use std::collections::BTreeSet;

use serde::Deserialize;
use toml::Spanned;
use verger::{Dialect, Effect, Reading, RobotsTxt};
use verger_answer::text::toml_problem;
use verger_answer::{CrawlerQuery, ReadAs, ResolvedCrawler};

use super::claim::{About, Claim};
use crate::sitemap::page_check::{ClaimedPages, PagesToCheck};

/// The claims of a `robots.test.toml` file.
///
/// ```
/// use verger_owner::ClaimFile;
///
/// let file = ClaimFile::parse(
///     r#"
///     [[claim]]
///     why = "the shop lives of searchers"
///     crawlers = ["googlebot", "bingbot"]
///     allowed = ["https://example.com/shop?id=1"]
///     allowed_under = ["/blog/"]
///
///     [[claim]]
///     crawlers = ["@ai-train"]
///     disallowed_under = ["/"]
///     "#,
///     None,
/// )?;
/// assert_eq!(file.claims()[2].to_string(), "googlebot: everything under /blog/ is allowed");
/// # Ok::<(), verger_owner::ClaimFileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClaimFile {
    robots: Option<String>,
    read_as: ReadAs,
    claims: Vec<Claim>,
    sitemaps: Vec<SitemapClaim>,
    pages: Vec<PagesToCheck>,
}

/// A claim that crawlers may fetch everything that a sitemap lists.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SitemapClaim {
    /// The crawlers.
    pub crawlers: Vec<ResolvedCrawler>,
    /// The sitemap: a URL, or a path relative to the claim file.
    pub sitemap: String,
    /// The owner's reason.
    pub why: Option<String>,
    /// Line of the claim, counted from 1.
    pub line: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    robots: Option<String>,
    dialect: Option<Spanned<String>>,
    #[serde(default)]
    claim: Vec<Spanned<WrittenClaim>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenClaim {
    why: Option<String>,
    #[serde(default)]
    crawlers: Vec<Spanned<String>>,
    #[serde(default)]
    allowed: Vec<Spanned<String>>,
    #[serde(default)]
    disallowed: Vec<Spanned<String>>,
    #[serde(default)]
    allowed_under: Vec<Spanned<String>>,
    #[serde(default)]
    disallowed_under: Vec<Spanned<String>>,
    #[serde(default)]
    allowed_sitemaps: Vec<Spanned<String>>,
    #[serde(default)]
    indexable: Vec<Spanned<String>>,
    #[serde(default)]
    not_indexed: Vec<Spanned<String>>,
}

type Compile = fn(&str, Reading) -> Result<About, String>;

impl ClaimFile {
    /// Parses a claim file.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not TOML, has an unknown key or an empty claim, or names an
    /// invalid dialect, crawler, URL or pattern.
    pub fn parse(text: &str, stated: Option<Reading>) -> Result<Self, ClaimFileError> {
        let written: Written = toml::from_str(text).map_err(|error| ClaimFileError {
            line: error.span().map(|span| line_of(text, span.start)),
            message: toml_problem(error.message()),
        })?;
        let at = |place: &Spanned<String>, message: String| ClaimFileError {
            line: Some(line_of(text, place.span().start)),
            message,
        };
        let dialect = written.dialect.as_ref().map(|name| {
            let dialect = name.get_ref().parse::<Dialect>();
            dialect.map_err(|error| at(name, error.to_string()))
        });
        let written_as = dialect.transpose()?.map(Reading::new);
        let read_as = match stated.or(written_as) {
            Some(reading) => ReadAs::Stated(reading),
            None => ReadAs::default(),
        };
        let (mut claims, mut sitemaps, mut pages) = (Vec::new(), Vec::new(), Vec::new());
        for place in &written.claim {
            let claim = place.get_ref();
            let before = (claims.len(), sitemaps.len(), pages.len());
            let crawlers = crawlers(claim, read_as, &at)?;
            sitemaps.extend(claim.allowed_sitemaps.iter().map(|place| SitemapClaim {
                crawlers: crawlers.clone(),
                sitemap: place.get_ref().clone(),
                why: claim.why.clone(),
                line: line_of(text, place.span().start),
            }));
            let lists: [(_, Effect, Compile); 4] = [
                (&claim.allowed, Effect::Allow, About::url),
                (&claim.disallowed, Effect::Disallow, About::url),
                (&claim.allowed_under, Effect::Allow, About::under),
                (&claim.disallowed_under, Effect::Disallow, About::under),
            ];
            for (texts, effect, compile) in lists {
                for place in texts {
                    for crawler in &crawlers {
                        let reading = crawler.reading(read_as.reading());
                        let about = compile(place.get_ref(), reading);
                        claims.push(Claim {
                            crawler: crawler.clone(),
                            effect,
                            about: about.map_err(|message| at(place, message))?,
                            text: place.get_ref().clone(),
                            why: claim.why.clone(),
                            line: line_of(text, place.span().start),
                        });
                    }
                }
            }
            pages.extend(page_claims(claim, &crawlers, read_as.reading(), text)?);
            if before == (claims.len(), sitemaps.len(), pages.len()) {
                return Err(ClaimFileError {
                    line: Some(line_of(text, place.span().start)),
                    message: "the claim is empty: add `allowed`, `disallowed` or another list"
                        .to_owned(),
                });
            }
        }
        Ok(Self {
            robots: written.robots,
            read_as,
            claims,
            sitemaps,
            pages,
        })
    }

    /// Returns the robots.txt that the file names: a URL, or a path relative to the claim file.
    #[must_use]
    pub fn robots(&self) -> Option<&str> {
        self.robots.as_deref()
    }

    /// Returns which dialect each crawler is judged in.
    #[must_use]
    pub fn read_as(&self) -> ReadAs {
        self.read_as
    }

    /// Returns the claims about sitemaps, in file order.
    #[must_use]
    pub fn sitemaps(&self) -> &[SitemapClaim] {
        &self.sitemaps
    }

    /// Returns the claims about pages, in file order.
    #[must_use]
    pub fn pages(&self) -> &[PagesToCheck] {
        &self.pages
    }

    /// Returns the claims about crawlers, in file order.
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }
}

/// Returns the claims about pages.
fn page_claims(
    claim: &WrittenClaim,
    crawlers: &[ResolvedCrawler],
    reading: Reading,
    text: &str,
) -> Result<Vec<PagesToCheck>, ClaimFileError> {
    let mut pages = Vec::new();
    for (texts, indexable) in [(&claim.indexable, true), (&claim.not_indexed, false)] {
        for place in texts {
            let line = Some(line_of(text, place.span().start));
            let about = ClaimedPages::from_text(place.get_ref(), reading);
            pages.push(PagesToCheck {
                crawlers: crawlers.to_vec(),
                pages: about.map_err(|message| ClaimFileError { line, message })?,
                indexable,
                why: claim.why.clone(),
                line,
            });
        }
    }
    Ok(pages)
}

/// Returns the crawlers of a claim. A claim that names none is about crawlers that no group names.
fn crawlers(
    claim: &WrittenClaim,
    read_as: ReadAs,
    at: &impl Fn(&Spanned<String>, String) -> ClaimFileError,
) -> Result<Vec<ResolvedCrawler>, ClaimFileError> {
    if claim.crawlers.is_empty() {
        return Ok(vec![ResolvedCrawler::unnamed()]);
    }
    let mut crawlers = Vec::new();
    for place in &claim.crawlers {
        let query = match place.get_ref().as_str() {
            "*" => Ok(CrawlerQuery::Unnamed),
            name => name.parse::<CrawlerQuery>(),
        };
        let resolved = query.and_then(|query| query.resolve(read_as));
        crawlers.extend(resolved.map_err(|error| at(place, error.to_string()))?);
    }
    Ok(crawlers)
}

/// Returns a warning for each name in a claim that neither the registry nor `robots` knows but that
/// resembles a known one, with the line of the first claim that uses it.
#[must_use]
pub fn unknown_names(file: &ClaimFile, robots: &RobotsTxt) -> Vec<(usize, String)> {
    let of_claims = file.claims.iter().map(|it| (it.line, &it.crawler));
    let of_sitemaps = file.sitemaps.iter().map(|it| (it.line, &it.crawlers));
    let of_pages = file
        .pages
        .iter()
        .filter_map(|it| Some((it.line?, &it.crawlers)));
    let of_sitemaps = of_sitemaps.chain(of_pages);
    let of_sitemaps = of_sitemaps.flat_map(|(line, of)| of.iter().map(move |named| (line, named)));
    let mut seen = BTreeSet::new();
    let crawlers = of_claims.chain(of_sitemaps);
    let crawlers = crawlers.filter(|(_, crawler)| seen.insert(crawler.name()));
    crawlers
        .filter_map(|(line, crawler)| Some((line, crawler.likely_misspelling(&[robots])?)))
        .collect()
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    before.filter(|&&byte| byte == b'\n').count() + 1
}

/// The text is not a valid claim file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct ClaimFileError {
    line: Option<usize>,
    message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        ClaimFile::parse(text, None).unwrap_err().to_string()
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let unknown = error("[[claim]]\nallow = []");
        assert!(unknown.starts_with("line 2: unknown key: use one of `"));
        // The file may contain secrets.
        let secret = "SECRET=\"a, expected b\"\n";
        assert!(!error(secret).contains("SECRET"), "{}", error(secret));
        let secret = error("robots = 12345");
        assert_eq!(secret, "line 1: invalid value: expected a string");
        assert!(error("dialect = \"bing\"").starts_with("line 1: "));
        for nothing in ["", "crawlers = [\"gptbot\"]", "why = \"\"\nallowed = []"] {
            let text = format!("[[claim]]\nallowed = [\"/\"]\n[[claim]]\n{nothing}\n");
            assert_eq!(
                error(&text),
                "line 3: the claim is empty: add `allowed`, `disallowed` or another list"
            );
        }
        let claim = |line: &str| error(&format!("[[claim]]\n\n{line}\n"));
        assert!(claim("allowed = [\"blog/\"]").starts_with("line 3: `blog/` "));
        assert!(claim("crawlers = [\"@nobody\"]").starts_with("line 3: "));
        assert_eq!(
            claim("allowed_under = [\n\"/x\",\n\"blog\"]"),
            "line 5: `blog`: the path-pattern starts with neither `/` nor a special `*`"
        );
    }

    #[test]
    fn a_name_that_nothing_knows_is_near_another_one() {
        let text = "[[claim]]\ncrawlers = [\"gogglebot\", \"homegrown\", \"googlbot\"]\n\
                    disallowed_under = [\"/\"]\nallowed = [\"/x\"]\n";
        let file = ClaimFile::parse(text, None).unwrap();
        let robots = RobotsTxt::parse(
            "User-agent: Googlbot\nDisallow: /\n",
            file.read_as().reading(),
        );
        let said = "unknown crawler `gogglebot`: did you mean Googlebot?".to_owned();
        assert_eq!(unknown_names(&file, &robots), [(4, said)]);
    }

    #[test]
    fn a_claim_is_about_each_crawler() {
        let text = "[[claim]]\ncrawlers = [\"*\", \"@ai-train\"]\ndisallowed_under = [\"/\"]\n";
        let file = ClaimFile::parse(text, None).unwrap();
        let claims: Vec<String> = file.claims().iter().map(ToString::to_string).collect();
        assert_eq!(claims[0], "*: everything under / is disallowed");
        assert!(claims.contains(&"gptbot: everything under / is disallowed".to_owned()));
        assert_eq!(file.claims()[0].line, 3);
    }
}
