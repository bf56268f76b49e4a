//! Names, tokens, headers and purposes to crawlers, and what is known about them.
//!
//! | module | one line |
//! |---|---|
//! | `query_error`, `resolved`, `query` | names, tokens, headers and purposes to crawlers |
//! | `sending` | the crawler in whose name a request is sent |
//! | `octets` | how much memory a crawler and its rules take |
//! | `facts` | what is known about a crawler, for people |
//! | `line` | a known crawler as a line of JSON |

pub(crate) mod facts;
pub(crate) mod line;
pub(crate) mod octets;
pub(crate) mod query;
pub(crate) mod query_error;
pub(crate) mod resolved;
pub(crate) mod sending;
