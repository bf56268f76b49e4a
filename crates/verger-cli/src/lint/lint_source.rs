//! `LintSource`: a file, standard input, or a site whose robots.txt is fetched.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use verger::Crawler;
use verger_access::Authority;
use verger_client::Observer;
use verger_lint::Served;

use crate::fetch_arguments::FetchArguments;
use crate::fetch_progress::FetchProgress;
use crate::fetch_store::FetchStore;
use crate::input::Source;
use crate::interrupt::FetchClient;
use crate::octet_text::legible;
use crate::reading_arguments::ReadingOptions;

/// What is linted.
#[derive(Clone, Debug)]
pub(super) enum LintSource {
    File(OsString, Source),
    Site(Authority),
}

/// A body, and where it is served.
pub(super) struct ReadBody {
    pub(super) body: Vec<u8>,
    pub(super) served: Served,
}

impl LintSource {
    /// What an argument names: with `://` a site, else a file.
    pub(super) fn of(argument: OsString) -> Result<Self, Box<dyn Error>> {
        match argument.to_str().filter(|text| text.contains("://")) {
            Some(text) => Ok(Self::Site(crate::authority_argument::authority(text)?)),
            None => Ok(Self::File(argument.clone(), Source::from(argument))),
        }
    }

    pub(super) fn is_site(&self) -> bool {
        matches!(self, Self::Site(_))
    }

    pub(super) fn is_stdin(&self) -> bool {
        matches!(self, Self::File(_, Source::Stdin))
    }

    /// Its path, where it is a file.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::File(_, Source::File(path)) => Some(path),
            Self::File(_, Source::Stdin) | Self::Site(_) => None,
        }
    }

    /// Its name as it was given; of a site the URL of its robots.txt.
    pub(super) fn name(&self) -> OsString {
        match self {
            Self::File(name, _) => name.clone(),
            Self::Site(authority) => authority.robots_url().as_str().into(),
        }
    }

    /// Reads or fetches it.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or the site has no robots.txt or cannot be reached.
    pub(super) fn read(
        &self,
        sites: &mut Sites<'_>,
        served: Served,
    ) -> Result<ReadBody, Box<dyn Error>> {
        match self {
            Self::File(_, source) => Ok(ReadBody {
                body: source.read()?,
                served,
            }),
            Self::Site(authority) => sites.fetch(authority),
        }
    }
}

impl fmt::Display for LintSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(_, Source::Stdin) => f.write_str("standard input"),
            _ => f.write_str(&legible(self.name().to_string_lossy().as_bytes())),
        }
    }
}

/// The client that fetches, made where the first site is asked for.
pub(super) struct Sites<'a> {
    fetching: &'a FetchArguments,
    client: Option<(FetchClient, Arc<FetchProgress>)>,
}

impl<'a> Sites<'a> {
    pub(super) fn new(fetching: &'a FetchArguments) -> Self {
        Self {
            fetching,
            client: None,
        }
    }

    fn fetch(&mut self, authority: &Authority) -> Result<ReadBody, Box<dyn Error>> {
        if self.client.is_none() {
            self.client = Some(self.start()?);
        }
        let Some((client, progress)) = &self.client else {
            return Err(Box::new(NoBody(authority.clone(), String::new())));
        };
        let report = progress.during(|| client.fetch(authority))?;
        let attempt = report.fetched.as_deref().map(|fetched| &fetched.attempt);
        let copy = attempt.and_then(|attempt| attempt.copy.as_ref());
        let Some(copy) = copy else {
            let outcome = attempt.map(|attempt| attempt.last.outcome.to_string());
            let outcome = outcome.unwrap_or_else(|| "nothing was fetched".to_owned());
            return Err(Box::new(NoBody(authority.clone(), outcome)));
        };
        Ok(ReadBody {
            body: copy.body.to_vec(),
            served: Served {
                origin: Some(authority.to_string()),
            },
        })
    }

    fn start(&self) -> Result<(FetchClient, Arc<FetchProgress>), Box<dyn Error>> {
        let fetching = self.fetching;
        let FetchStore { store, .. } = fetching.open_store()?;
        let progress = Arc::new(FetchProgress::start());
        let observer = Arc::clone(&progress) as Arc<dyn Observer>;
        let profile = fetching.profile(&ReadingOptions::default());
        let crawler = Crawler::unnamed();
        let client = fetching.client(profile, store, &crawler, observer)?;
        fetching.note_user_agent([&crawler]);
        Ok((client, progress))
    }
}

/// A site served no file that can be linted.
#[derive(Debug)]
struct NoBody(Authority, String);

impl fmt::Display for NoBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(authority, outcome) = self;
        write!(f, "{authority} has no robots.txt to look at: {outcome}")
    }
}

impl Error for NoBody {}
