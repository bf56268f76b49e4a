//! The access method: what to fetch, what a response means, how long that holds.
//!
//! | module | one line |
//! |---|---|
//! | `time` | times as Python has them |
//! | `exception` | exceptions of `verger.access` |
//! | `asked` | profiles and authorities out of arguments |
//! | `headers` | headers out of what HTTP clients of Python return |
//! | `answer` | `verger.access.Answer` |
//! | `decision` | `verger.access.Decision` |
//! | `access_policy` | `verger.access.AccessPolicy` |
//! | `knowledge` | `verger.access.Knowledge` |
//! | `fetch` | `verger.access.Fetch`, the machine without IO |
//! | `store` | `verger.access.Store` |
//! | `runtime` | the threads that clients fetch with |
//! | `client` | what `verger.access.Client` and `AsyncClient` share |

pub(crate) mod access_policy;
pub(crate) mod answer;
pub(crate) mod answer_pickle;
pub(crate) mod asked;
pub(crate) mod client;
pub(crate) mod decision;
mod exception;
pub(crate) mod fetch;
mod headers;
pub(crate) mod knowledge;
pub(crate) mod knowledge_pickle;
pub(crate) mod runtime;
pub(crate) mod store;
mod time;
