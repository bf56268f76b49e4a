//! Arrow data of other packages, in and out through the `PyCapsule` interface; no package of theirs is
//! imported.
//!
//! | module | one line |
//! |---|---|
//! | `checked` | what a producer gives, taken over without trust in its numbers |
//! | `stream_in` | a stream that another package fills |
//! | `stream_out` | a stream that another package reads |
//! | `capsule` | objects with `__arrow_c_array__` or `__arrow_c_stream__`, and capsules for others |
//! | `text_column` | the values of text and binary columns as bytes |
//! | `integer_column` | the values of integer columns |

pub(crate) mod capsule;
pub(crate) mod checked;
pub(crate) mod integer_column;
pub(crate) mod stream_in;
pub(crate) mod stream_out;
pub(crate) mod text_column;
