//! `verger.columns`: checks columns of URLs.
//!
//! | module | contents |
//! |---|---|
//! | `key_column` | keys that select bodies: text or integers |
//! | `table` | a column, or a table with the columns to read |
//! | `verdict_columns` | the result columns for one crawler |
//! | `bodies` | bodies by authority or by id |
//! | `book` | bodies and crawlers, which decide |
//! | `class_book` | how much each body disallows to crawlers |
//! | `authorities` | the authority of each URL |
//! | `job` | which columns to compute, and how |
//! | `answered` | batches with their new columns, computed on demand |
//! | `captures` | `verger.columns.Captures` |
//! | `output` | `verger.columns.Columns` |
//! | `rulebook` | `verger.columns.Rulebook` |

mod answered;
mod authorities;
mod bodies;
mod book;
pub(crate) mod captures;
mod class_book;
mod job;
mod key_column;
pub(crate) mod output;
pub(crate) mod rulebook;
mod table;
mod verdict_columns;
