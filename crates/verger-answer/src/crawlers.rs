//! Names, tokens, headers and purposes to crawlers, and facts about them.
//!
//! | module | one line |
//! |---|---|
//! | `query_error`, `resolved`, `query` | names, tokens, headers and purposes to crawlers |
//! | `sending` | the crawler in whose name a request is sent |
//! | `facts` | facts about a crawler, for people |
//! | `line` | a known crawler as a line of JSON |

pub(crate) mod facts;
pub(crate) mod line;
pub(crate) mod query;
pub(crate) mod query_error;
pub(crate) mod resolved;
pub(crate) mod sending;
