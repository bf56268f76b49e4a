//! Resolves names, tokens, headers and purposes to crawlers.

pub(crate) mod crawler_readings;
pub(crate) mod facts;
pub(crate) mod line;
pub(crate) mod query;
pub(crate) mod query_error;
pub(crate) mod read_as;
pub(crate) mod resolved;
pub(crate) mod sending;
