//! The case files under `testdata/`, which every interface of the product is tested with.
//!
//! Each file is TOML with tables of these kinds. Every table has an `id` that is unique over all
//! files, and the `clauses` it rests on:
//!
//! | table | content |
//! |---|---|
//! | `[[case]]` | a body and questions about it, with the verdict of each dialect |
//! | `[[pattern]]` | whether a path-pattern matches a request target, and how specific it is |
//! | `[[target]]` | the request target of a URL |
//! | `[[token]]` | whether a text is a product token |
//! | `[[listing]]` | the groups, sitemaps and number of lines of a body |
//! | `[[value]]` | the values of an extension record |
//! | `[[preference]]` | the preferences of a body about the uses of a URL's content |
//! | `[[page]]` | (in `page_directives.toml`) a page, and whether it is indexable for a crawler |
//! | `[[answer]]` | (in `answers.toml`) a site owner's question and its JSON, which rests on `docs/json.md` |
//! | `[[clause]]` | (in `clauses.toml`) a requirement and how it is covered |
//! | `[[choice]]` | (in `choices.toml`) a choice that the documents leave open |

mod answer;
mod ask;
mod bytes;
mod check;
mod citation;
mod corpus;
mod expected;
mod load;
mod page;
mod preference;
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
pub use page::{ExpectedPage, NoResponse, PageCase};
pub use preference::PreferenceCase;
