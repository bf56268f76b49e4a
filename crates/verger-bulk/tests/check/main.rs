//! Answers about URLs, held to the engine and to the access method.
//!
//! | module | one line |
//! |---|---|
//! | `captured` | captures as tests have them, and answers as they compare them |
//! | `captured_parts` | parts of `bulk captures` that are found again |
//! | `cases` | the cases of `testdata/` |
//! | `classes` | classes of captures, stores and given bodies |
//! | `laws` | any order of URLs, against the engine |
//! | `past` | what was seen long ago, in a store |
//! | `runs` | whole runs, as the command starts them |
//! | `parquet_files` | Parquet of every codec, and files that lie about themselves |
//! | `times` | URLs with times |
//! | `inputs` | lists of URLs in every form, and files that are wrong |
//! | `kept` | what goes with the answers, nested columns, arrays, directories |

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
