//! `RobotsSource`: a robots.txt as an argument: a file, standard input, or a site of which it is
//! fetched.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use verger_answer::ReadError;

use clap::builder::{OsStringValueParser, TypedValueParser};
use verger_access::{Authority, Timestamp};
#[cfg(feature = "web")]
use verger_answer::AuthorityState;
use verger_answer::{NoSite, written_site};
#[cfg(feature = "web")]
use verger_client::{state_at, state_of_report};
use verger_compare::EXAMPLE_SITE;
use verger_files::Source;

use crate::arguments::fetch::FetchArguments;
#[cfg(not(feature = "web"))]
use crate::left_out::LeftOut;
use crate::screen::byte_text::legible;
#[cfg(feature = "web")]
use crate::screen::notice;
use crate::sources::site_client::SiteClient;

/// A robots.txt as an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RobotsSource {
    /// A file, or standard input.
    Input(Source),
    /// That of a site.
    Site(Authority),
}

/// The argument: with `://` it is a URL of the site.
pub(crate) fn robots_source() -> impl TypedValueParser<Value = RobotsSource> {
    OsStringValueParser::new().try_map(of_argument)
}

/// Reads the text of an argument.
///
/// # Errors
///
/// Where it has `://` and names no site.
pub(crate) fn of_argument(text: OsString) -> Result<RobotsSource, NoSite> {
    match text.to_str().filter(|text| text.contains("://")) {
        Some(url) => written_site(url).map(RobotsSource::Site),
        None => Ok(RobotsSource::Input(Source::from(text))),
    }
}

impl fmt::Display for RobotsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(source) => source.fmt(f),
            Self::Site(site) => site.robots_url().fmt(f),
        }
    }
}

impl RobotsSource {
    /// Whether it is that of a site.
    pub(crate) fn is_site(&self) -> bool {
        matches!(self, Self::Site(_))
    }

    pub(crate) fn is_stdin(&self) -> bool {
        matches!(self, Self::Input(Source::Stdin))
    }

    /// Its path, where it is a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Input(Source::File(path)) => Some(path),
            Self::Input(Source::Stdin) | Self::Site(_) => None,
        }
    }

    /// The start of the URLs that it is about: those of the site, else of `https://example.com`.
    pub(crate) fn site(&self) -> String {
        match self {
            Self::Input(_) => EXAMPLE_SITE.to_owned(),
            Self::Site(site) => site.to_string(),
        }
    }

    /// The path or the URL, byte by byte; `-` for standard input.
    pub(crate) fn written_name(&self) -> OsString {
        match self {
            Self::Input(Source::Stdin) => "-".into(),
            Self::Input(Source::File(path)) => path.clone().into(),
            Self::Site(site) => site.robots_url().as_str().into(),
        }
    }

    /// The path or the URL for people, without anything around it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Input(Source::Stdin) => "standard input".to_owned(),
            Self::Input(Source::File(path)) => legible(path.to_string_lossy().as_bytes()),
            Self::Site(site) => site.robots_url().to_string(),
        }
    }
}

/// An option about fetching that is given where only files are read.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("`{0}` does not go with a file: nothing is fetched")]
pub(crate) struct NothingFetched(&'static str);

impl NothingFetched {
    /// Refuses the option.
    pub(crate) fn refuse(given: Option<&'static str>) -> Result<(), Self> {
        given.map_or(Ok(()), |option| Err(Self(option)))
    }

    /// Refuses the options of `fetching`, but the profile: it says in which dialect files are read, too.
    pub(crate) fn refuse_all_but_profile(fetching: &FetchArguments) -> Result<(), Self> {
        Self::refuse(fetching.first_given().filter(|it| *it != "--profile"))
    }
}

/// When sites are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SiteTime {
    /// They are fetched.
    Now,
    /// What the store had then is taken.
    At(Timestamp),
}

impl From<Option<Timestamp>> for SiteTime {
    fn from(at: Option<Timestamp>) -> Self {
        at.map_or(Self::Now, Self::At)
    }
}

impl RobotsSource {
    /// Its bytes; none where a site has no robots.txt, which a note says.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or a site is unreachable, so that no rules decide.
    pub(crate) fn read(
        &self,
        sites: &mut SiteClient<'_>,
        time: impl Into<SiteTime>,
    ) -> Result<Vec<u8>, Box<dyn Error>> {
        match self {
            Self::Input(source) => Ok(source.read()?),
            #[cfg(not(feature = "web"))]
            Self::Site(_) => {
                let (_, _) = (sites, time.into());
                Err(LeftOut("web").into())
            }
            #[cfg(feature = "web")]
            Self::Site(site) => {
                let state = match time.into() {
                    SiteTime::At(at) => look_back(sites, site, at)?,
                    SiteTime::Now => state_of_report(sites.fetch(site)?),
                };
                self.rules_of(state)
            }
        }
    }

    #[cfg(feature = "web")]
    fn rules_of(&self, state: Option<AuthorityState>) -> Result<Vec<u8>, Box<dyn Error>> {
        let no_rules = |why: ReadError| NoRules(format!("{self}: {why}"));
        let state = state.ok_or_else(|| no_rules("nothing was known of it".into()))?;
        let (body, note) = state.deciding_body().map_err(no_rules)?;
        let note = note.map(|note| format!("{self}: {note}"));
        note.iter().for_each(notice::note);
        Ok(body.to_vec())
    }
}

/// What the store knew of a site at a time.
#[cfg(feature = "web")]
fn look_back(
    sites: &SiteClient<'_>,
    site: &Authority,
    at: Timestamp,
) -> Result<Option<AuthorityState>, Box<dyn Error>> {
    let store = sites.fetching.store.read_existing()?;
    let profile = sites.fetching.profile(&sites.options);
    Ok(state_at(&*store, site, &profile, at)?)
}

/// No rules of a site decide.
#[cfg(feature = "web")]
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NoRules(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_a_site_and_all_else_a_file() {
        let of = |text: &str| of_argument(text.into()).map(|source| source.to_string());
        assert_eq!(
            of("https://example.com/x").unwrap(),
            "https://example.com/robots.txt"
        );
        assert_eq!(of("robots.txt").unwrap(), "`robots.txt`");
        assert_eq!(of("-").unwrap(), "standard input");
        assert!(of("https://").is_err());
    }
}
