//! The case files under `testdata/`: what every interface of the product is tested with.
//!
//! Each file is TOML and holds tables of these kinds, every one with an `id` that is unique
//! over all files and with the `clauses` that it rests on:
//!
//! | table | what it states |
//! |---|---|
//! | `[[case]]` | a body and questions about it, with the verdict of each dialect |
//! | `[[pattern]]` | whether one path pattern matches one request target, and how specific it is |
//! | `[[target]]` | the request target that a URL asks for |
//! | `[[token]]` | whether a text is a product token |
//! | `[[listing]]` | the groups, sitemaps and number of lines of a body |
//! | `[[value]]` | what an extension record says |
//! | `[[answer]]` | (in `answers.toml`) a question of a site's owner, and its JSON; it rests on `docs/json.md` |
//! | `[[clause]]` | (in `clauses.toml`) one requirement and how it is covered |
//! | `[[choice]]` | (in `choices.toml`) one choice where the documents leave something open |
//!
//! | module | one line |
//! |---|---|
//! | `answer` | questions of a site's owner |
//! | `expected` | the short texts for a verdict and a group |
//! | `ask` | a question about a body, and the verdict of each dialect |
//! | `corpus` | the tables, typed, and the whole of them |
//! | `citation` | what a table may rest on |
//! | `bytes` | bodies given as text, as hex or as repeated pieces |
//! | `tables` | what can be judged of each table from it alone |
//! | `load` | all files |
//! | `check` | runs the cases through a [`Subject`](crate::subject::Subject) |

mod answer;
mod ask;
mod bytes;
mod check;
mod citation;
mod corpus;
mod expected;
mod load;
mod tables;

pub use answer::{AnswerCase, QuestionName};
pub use ask::Ask;
pub(crate) use bytes::{Bytes, as_base64};
pub use check::{Failure, check, check_case};
pub use citation::unknown_citation;
pub use corpus::{
    Case, CaseOption, Clause, ClauseStatus, Corpus, FieldName, ListedGroup, Listing, Pattern,
    Target, Token, Value,
};
pub use expected::{ExpectedGroup, ExpectedVerdict};
pub use load::{load_all, load_text, testdata_dir};
