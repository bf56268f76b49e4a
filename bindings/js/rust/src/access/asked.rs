//! Reads the parts of a query about an authority.

use serde::Serialize;
use serde_json::{Value as Json, json};
use verger::Reading;
use verger_access::{Authority, Knowledge, Profile, RestOfSite, Timestamp};
use verger_answer::ResolvedCrawler;

use super::snapshot::Kept;
use crate::argument::Argument;
use crate::failure::Failure;

pub(super) fn text(answer: &impl Serialize) -> Result<String, Failure> {
    verger_answer::json::to_string(answer).map_err(Failure::internal)
}

pub(super) fn located(authority: &Authority) -> Json {
    json!({
        "authority": authority.to_string(),
        "robots_url": authority.robots_url().as_str(),
        "scheme": authority.scheme_name(),
    })
}

impl Argument {
    pub(super) fn profile(&self) -> Result<Profile, Failure> {
        self.profile.parse().map_err(Failure::argument)
    }

    pub(super) fn authority(&self) -> Result<Authority, Failure> {
        Authority::from_url(&self.url).map_err(|error| Failure::new("target", error))
    }

    pub(super) fn crawler_of_tokens(&self, reading: Reading) -> Result<ResolvedCrawler, Failure> {
        Ok(match &self.agents[..] {
            [] => ResolvedCrawler::unnamed(),
            [token] => ResolvedCrawler::from_token(token, reading)?,
            tokens => ResolvedCrawler::from_tokens(tokens, reading)?,
        })
    }

    pub(super) fn now(&self) -> Timestamp {
        Timestamp::from_unix_seconds(self.now)
    }

    pub(super) fn answer(&self, known: &Knowledge, profile: &Profile) -> verger_access::Answer {
        let rest = if self.rest_is_up {
            RestOfSite::Up
        } else {
            RestOfSite::NotKnownToBeUp
        };
        known.answer(profile, self.now(), rest)
    }

    /// Returns the part of a snapshot that is valid for this profile and crawler.
    pub(super) fn known(&self, profile: &Profile, snapshot: &[u8]) -> Result<Knowledge, Failure> {
        let kept = Kept::read(snapshot, &self.authority()?);
        Ok(kept.map_or_else(Knowledge::default, |it| it.under(profile, &self.known_for)))
    }
}
