//! The handlers of all routes.
//!
//! | module | one line |
//! |---|---|
//! | `question` | a question in JSON, and its answer |
//! | `answers` | answers to many questions: from memory immediately, the others concurrently |
//! | `check_many` | arrays and JSON Lines of questions, answered as they arrive |
//! | `check` | single questions, and dispatch by the type of the body |
//! | `site` | robots.txt, history and pacing of a site |
//! | `file` | lint, who and diff |
//! | `indexing` | may a crawler index a page |
//! | `lists` | crawlers and profiles |
//! | `authz` | authorization subrequests of nginx, Caddy and Traefik |
//! | `hook` | judges tool calls of agents |
//! | `watched` | the sites of `--sites` and their events |
//! | `pages` | the same as pages and as a feed |
//! | `state` | health, readiness, metrics and the `OpenAPI` description |

pub(crate) mod answers;
pub(crate) mod authz;
pub(crate) mod check;
pub(crate) mod check_many;
pub(crate) mod file;
pub(crate) mod hook;
pub(crate) mod indexing;
pub(crate) mod lists;
pub(crate) mod pages;
pub(crate) mod question;
pub(crate) mod site;
pub(crate) mod state;
pub(crate) mod watched;
