//! The access method: which files to fetch, how to read a response and how long it is valid.
//!
//! | module | contents |
//! |---|---|
//! | `time` | converts times |
//! | `exception` | exceptions of `verger.access` |
//! | `asked` | converts profile and authority arguments |
//! | `headers` | converts headers and encoded bodies from Python HTTP clients |
//! | `answer` | `verger.access.Answer` |
//! | `decision` | `verger.access.Decision` |
//! | `access_policy` | `verger.access.AccessPolicy` |
//! | `knowledge` | `verger.access.Knowledge` |
//! | `fetch` | `verger.access.Fetch`, the state machine without I/O |
//! | `store` | `verger.access.Store` |
//! | `session` | decides which requests fetch, and which ones wait for them |
//! | `runtime` | the threads that clients fetch with |
//! | `client` | the shared core of `verger.access.Client` and `AsyncClient` |

pub(crate) mod access_policy;
pub(crate) mod answer;
pub(crate) mod answer_pickle;
pub(crate) mod asked;
pub(crate) mod client;
pub(crate) mod decision;
mod exception;
pub(crate) mod fetch;
pub(crate) mod headers;
pub(crate) mod knowledge;
pub(crate) mod knowledge_pickle;
mod lease_keeper;
pub(crate) mod runtime;
pub(crate) mod session;
pub(crate) mod store;
pub(crate) mod time;
