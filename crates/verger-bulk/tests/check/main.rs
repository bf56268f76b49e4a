//! Answers about URLs agree with the engine and the access method.
//!
//! | module | one line |
//! |---|---|
//! | `captured` | captures for tests, and answers in comparable form |
//! | `captured_parts` | parts of `bulk captures` that a later run finds |
//! | `cases` | the cases of `testdata/` |
//! | `classes` | classes of captures, stores and given bodies |
//! | `laws` | URLs in any order, against the engine |
//! | `past` | past observations in a store |
//! | `runs` | whole runs, as the command starts them |
//! | `parquet_files` | Parquet with every codec, and files with false sizes |
//! | `times` | URLs with times |
//! | `inputs` | lists of URLs in every format, and malformed files |
//! | `kept` | kept columns, nested columns, arrays, directories |

mod captured;
mod captured_parts;
mod cases;
mod classes;
mod inputs;
mod kept;
mod laws;
mod parquet_files;
#[path = "../../../verger-store/tests/store/past.rs"]
mod past;
mod runs;
mod times;
