//! A slow transcription of the access method, as a second reading of RFC 9309, 2.3 to 2.5, and
//! `docs/reference/choices.md`, with generated histories to compare against.
//!
//! It shares no code with `verger-access` and never calls it. It keeps every attempt with every
//! reply. For each question it works out what a profile knows from the attempts, one by one from
//! the first. So it needs no rule about what to keep, and no way to replay it.
//!
//! Data flows one way: `web, end → profile → chain → knowledge → oracle`. A `history` is a changing
//! web with questions at times. `generator` makes one from a seed, and `comparison` plays it.

mod chain;
mod comparison;
mod end;
mod generator;
mod history;
mod knowledge;
mod oracle;
pub(crate) mod profile;
mod web;

pub use comparison::{hold_histories, told_by_oracle};
pub use generator::{
    history_of_captures, history_of_one_profile, history_of_several_profiles,
    history_of_several_profiles_and_refusals,
};
pub use history::{Change, Event, History, Question};
pub use knowledge::Told;
pub use oracle::AccessOracle;
pub use profile::ProfileName;
pub use web::{Content, ErrorPage, Location, Page, Range, Reply, Site, Stated};
