//! `verger.columns`: columns of URLs in, columns of answers out.
//!
//! | module | one line |
//! |---|---|
//! | `key_column` | what says whose body applies: text or integers |
//! | `table` | a column, or a table with the columns that are read |
//! | `verdict_columns` | the answers for one crawler |
//! | `bodies` | bodies by authority or by id |
//! | `book` | bodies and crawlers: decides |
//! | `class_book` | how much each body disallows to crawlers |
//! | `authorities` | the authority of each URL |
//! | `job` | which columns are made, and how |
//! | `answered` | batches with their new columns, as they are asked for |
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
