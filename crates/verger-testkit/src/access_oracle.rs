//! The access method transcribed slowly: a second reading of the documents, RFC 9309, 2.3 to
//! 2.5, and the choices in `docs/reference/choices.md`, and generated histories to hold it against.
//!
//! It shares no code with `verger-access` and never calls it. It keeps every attempt with every
//! reply, and works out anew for each question what a profile knows: the attempts that count for it,
//! one by one from the first. So it needs no rule about what to keep, and no way to replay it.
//!
//! The data flows one way: `web, end → profile → chain → knowledge → oracle`. A `history` is a web
//! that changes, and questions at times; `generator` makes one of a seed, and `comparison` plays it.

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
