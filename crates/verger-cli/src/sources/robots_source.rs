//! `RobotsSource`: a robots.txt as an argument: a file, standard input, or a site to fetch it from.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;

use clap::builder::{OsStringValueParser, TypedValueParser};
use verger::RobotsTxt;
use verger_access::{Authority, Timestamp};
#[cfg(feature = "web")]
use verger_answer::{AuthorityState, ReadError};
use verger_answer::{NoSite, written_site};
#[cfg(feature = "web")]
use verger_client::{state_at, state_of_report};
use verger_compare::EXAMPLE_SITE;
use verger_extensions::{UrlRecord, sitemaps};
use verger_inputs::{InputError, Source, url_without_scheme};

use crate::arguments::fetch::FetchArguments;
#[cfg(feature = "web")]
use crate::arguments::transport::allow_address;
#[cfg(not(feature = "web"))]
use crate::left_out::left_out;
use crate::screen::byte_text::{legible, legible_path};
use crate::screen::message::Message;
use crate::screen::notice;
use crate::sources::site_client::SiteClient;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RobotsSource {
    /// A file, or standard input.
    Input(Source),
    Site(Authority),
}

/// Parses the argument. With `://` it is a URL of a site, and a file if not.
pub(crate) fn robots_source() -> impl TypedValueParser<Value = RobotsSource> {
    OsStringValueParser::new().try_map(from_argument)
}

/// Parses a site, with a note about credentials.
pub(crate) fn site_argument(text: &str) -> Result<Authority, NoSite> {
    notice::note_credentials(text);
    written_site(text)
}

pub(crate) fn from_argument(text: OsString) -> Result<RobotsSource, NoSite> {
    match text.to_str().filter(|text| text.contains("://")) {
        Some(url) => site_argument(url).map(RobotsSource::Site),
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
    pub(crate) fn is_site(&self) -> bool {
        matches!(self, Self::Site(_))
    }

    pub(crate) fn is_stdin(&self) -> bool {
        matches!(self, Self::Input(Source::Stdin))
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Input(Source::File(path)) => Some(path),
            Self::Input(Source::Stdin) | Self::Site(_) => None,
        }
    }

    /// Returns the start of its URLs, which is `https://example.com` for a file.
    pub(crate) fn site(&self) -> String {
        match self {
            Self::Input(_) => EXAMPLE_SITE.to_owned(),
            Self::Site(site) => site.to_string(),
        }
    }

    /// Returns the start of URLs in examples. For a file, this is the host of its first absolute
    /// Sitemap URL, if there is one.
    pub(crate) fn example_site(&self, robots: &RobotsTxt) -> String {
        let of_url =
            |it: UrlRecord<'_>| Authority::from_url(std::str::from_utf8(it.url()).ok()?).ok();
        let written = sitemaps(robots).find_map(of_url);
        match (self, written) {
            (Self::Input(_), Some(site)) => site.to_string(),
            _ => self.site(),
        }
    }

    /// Returns the path or the URL, `-` for standard input.
    pub(crate) fn written_name(&self) -> OsString {
        match self {
            Self::Input(Source::Stdin) => "-".into(),
            Self::Input(Source::File(path)) => path.clone().into(),
            Self::Site(site) => site.robots_url().as_str().into(),
        }
    }

    /// Returns the path or the URL without quotes.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Input(Source::Stdin) => "standard input".to_owned(),
            Self::Input(Source::File(path)) => legible(path.to_string_lossy().as_bytes()),
            Self::Site(site) => site.robots_url().to_string(),
        }
    }
}

/// Rejects an option about fetching for a command that only reads files.
pub(crate) fn refuse_without_fetch(given: Option<&'static str>) -> Result<(), Message> {
    match given {
        Some(option) => Err(Message::new(format_args!(
            "`{option}` has no effect on a file: nothing is fetched"
        ))
        .help(format_args!(
            "leave out `{option}`, or give a URL such as https://example.com"
        ))),
        None => Ok(()),
    }
}

/// Rejects the options of `fetching` except `--profile`, which also chooses the dialect for files.
pub(crate) fn refuse_all_but_profile(fetching: &FetchArguments) -> Result<(), Message> {
    refuse_without_fetch(fetching.first_given().filter(|it| *it != "--profile"))
}

/// Returns the message about an unreadable file, which may have been meant as a site.
pub(crate) fn unreadable(error: &InputError, source: &Source) -> Message {
    let message = Message::of_error(error);
    if let Some(directory) = source.path().filter(|path| path.is_dir()) {
        let file = legible_path(&directory.join("robots.txt"));
        return message.help(format_args!("name a file in it, such as `{file}`"));
    }
    let meant = source.path().filter(|path| !path.exists());
    let meant = meant.and_then(|path| url_without_scheme(path.as_os_str().as_encoded_bytes()));
    message.maybe_help(meant.map(|url| format!("did you mean {url}?")))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SiteTime {
    Now,
    /// Sites are read from the store, as of this time.
    At(Timestamp),
}

impl From<Option<Timestamp>> for SiteTime {
    fn from(at: Option<Timestamp>) -> Self {
        at.map_or(Self::Now, Self::At)
    }
}

impl RobotsSource {
    /// Reads its bytes. If a site has no robots.txt there are none, and a note says so. Fails if
    /// the site is unreachable and no rules apply.
    pub(crate) fn read(
        &self,
        sites: &mut SiteClient<'_>,
        time: impl Into<SiteTime>,
    ) -> Result<Vec<u8>, Box<dyn Error>> {
        match self {
            Self::Input(source) => Ok(source.read().map_err(|error| unreadable(&error, source))?),
            #[cfg(not(feature = "web"))]
            Self::Site(_) => {
                let (_, _) = (sites, time.into());
                Err(left_out("web").into())
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
        let result = state.as_ref().and_then(|it| it.answer.access_result());
        let help = result.and_then(|it| allow_address(it.outcome()));
        let no_rules =
            |why: ReadError| Message::from_text(format_args!("{self}: {why}")).maybe_help(help);
        let state = state.ok_or_else(|| no_rules("the store has nothing about it".into()))?;
        let (body, note) = state.deciding_body().map_err(no_rules)?;
        let note = note.map(|note| format!("{self}: {note}"));
        note.into_iter().for_each(notice::note);
        Ok(body.to_vec())
    }
}

/// Returns what the store knew about a site at a time.
#[cfg(feature = "web")]
fn look_back(
    sites: &SiteClient<'_>,
    site: &Authority,
    at: Timestamp,
) -> Result<Option<AuthorityState>, Box<dyn Error>> {
    let store = sites.fetching.store.read_existing()?;
    Ok(state_at(&*store, site, &sites.profile, at)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_a_site_and_all_else_a_file() {
        let of = |text: &str| from_argument(text.into()).map(|source| source.to_string());
        assert_eq!(
            of("https://example.com/x").unwrap(),
            "https://example.com/robots.txt"
        );
        assert_eq!(of("robots.txt").unwrap(), "`robots.txt`");
        assert_eq!(of("-").unwrap(), "standard input");
        assert!(of("https://").is_err());
    }
}
