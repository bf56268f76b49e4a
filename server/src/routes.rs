//! What each route answers.
//!
//! | module | one line |
//! |---|---|
//! | `question` | a question in JSON, and the answer about a URL |
//! | `answers` | the answers to many questions: from memory at once, the others side by side |
//! | `check_many` | arrays and JSON Lines of questions, answered while they come |
//! | `check` | one question, and which of the above a body is |
//! | `site` | robots.txt, history and pacing of a site |
//! | `file` | lint, who and diff |
//! | `lists` | crawlers and profiles |
//! | `authz` | for nginx, Caddy and Traefik |
//! | `state` | health, readiness, this description |

pub(crate) mod answers;
pub(crate) mod authz;
pub(crate) mod check;
pub(crate) mod check_many;
pub(crate) mod file;
pub(crate) mod lists;
pub(crate) mod question;
pub(crate) mod site;
pub(crate) mod state;
