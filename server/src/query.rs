//! `Query`: the parsed parameters of a request.

use std::sync::Arc;

use url::form_urlencoded;
use verger_access::{Authority, Profile, Timestamp, UnknownProfile};
use verger_answer::{Explaining, written_sites};
use verger_client::{Clock as _, FetchAsker, SystemClock};
use verger_store::past_time_written;

use crate::problem::Problem;
use crate::service::Service;
use crate::site_lookup::{Agent, SiteQuestion};

/// The parameters of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    pairs: Vec<(&'static str, String)>,
    /// Whose request this is.
    pub(crate) asker: FetchAsker,
}

impl Query {
    /// Parses a query that may contain only these names, each at most once.
    ///
    /// # Errors
    ///
    /// Returns an error for an unknown or repeated name, and for a query that is not UTF-8, because its bytes would
    /// belong to a different URL.
    pub(crate) fn read(
        query: &str,
        names: impl Iterator<Item = &'static str> + Clone,
    ) -> Result<Self, Problem> {
        let decoded = percent_encoding::percent_decode_str(query).decode_utf8();
        decoded.map_err(Problem::why("parameter", "query is not UTF-8"))?;
        let mut pairs: Vec<(&'static str, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let Some(known) = names.clone().find(|known| **known == *name) else {
                let known: Vec<_> = names.collect();
                let known = known.join(", ");
                let detail = format!("unknown parameter `{name}`: this route accepts {known}");
                return Err(Problem::parameter(detail));
            };
            if pairs.iter().any(|(earlier, _)| *earlier == known) {
                return Err(Problem::parameter(format!("repeated parameter `{name}`")));
            }
            pairs.push((known, value.into_owned()));
        }
        Ok(Self {
            pairs,
            asker: FetchAsker::default(),
        })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let pair = self.pairs.iter().find(|(known, _)| *known == name);
        pair.map(|(_, value)| value.as_str())
    }

    /// Returns a required value.
    ///
    /// # Errors
    ///
    /// Returns an error if it is missing.
    pub(crate) fn required(&self, name: &'static str) -> Result<&str, Problem> {
        let missing = || Problem::parameter(format!("missing parameter `{name}`"));
        self.get(name).ok_or_else(missing)
    }

    /// Returns an integer.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not an integer or exceeds `max`.
    pub(crate) fn number(&self, name: &str, max: u64) -> Result<Option<u64>, Problem> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|number| *number <= max);
        if number.is_none() || text.starts_with('+') {
            let detail = format!("invalid `{name}`: give an integer from 0 to {max}");
            return Err(Problem::parameter(detail));
        }
        Ok(number)
    }

    /// Returns `true` or `false`, and `false` if the parameter is missing.
    ///
    /// # Errors
    ///
    /// Returns an error for any other word.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Problem> {
        match self.get(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(Problem::parameter(format!("`{name}`: give true or false"))),
        }
    }

    /// Returns a time that is not in the future.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not such a time.
    pub(crate) fn time(&self, name: &str) -> Result<Option<Timestamp>, Problem> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        let time = past_time_written(text, SystemClock.now());
        let time = time.map_err(|error| Problem::bad("time", format!("invalid `{name}`: {error}")));
        time.map(Some)
    }

    /// Returns the index of the profile in `Profile::ALL`.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile does not exist.
    pub(crate) fn profile(&self, service: &Service) -> Result<usize, Problem> {
        let Some(name) = self.get("profile") else {
            return Ok(service.profile);
        };
        let place = Profile::ALL.iter().position(|it| it.name == name);
        let detail = || format!("unknown profile `{name}`: {UnknownProfile}");
        place.ok_or_else(|| Problem::bad("profile", detail()))
    }

    /// Returns the question that the parameters `agent`, `profile` and `at` ask.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them cannot be parsed.
    pub(crate) fn question(
        &self,
        service: &Service,
        explaining: Explaining,
    ) -> Result<SiteQuestion, Problem> {
        let usual = || Arc::clone(&service.agent);
        Ok(SiteQuestion {
            agent: Agent::Named(self.get("agent").map_or_else(usual, Arc::from)),
            profile: self.profile(service)?,
            at: self.time("at")?,
            explaining,
            asker: self.asker,
            share: None,
        })
    }
}

/// Returns the authority that a path segment names: a host, which means https, or a URL with its reserved characters
/// encoded.
///
/// # Errors
///
/// Returns an error if it names no authority.
pub(crate) fn authority_of(segment: &str) -> Result<Authority, Problem> {
    sites_of(segment).map(|mut sites| sites.swap_remove(0))
}

/// Returns the sites that a path segment names: that of a URL, or those of a host under https and http.
///
/// # Errors
///
/// Returns an error if it names no site.
pub(crate) fn sites_of(segment: &str) -> Result<Vec<Authority>, Problem> {
    let text = percent_encoding::percent_decode_str(segment).decode_utf8();
    let text = text.map_err(Problem::why("authority", "path is not UTF-8"))?;
    written_sites(&text).map_err(Problem::because("authority"))
}
