//! Exchanges Arrow data with other packages through the `PyCapsule` interface, without importing
//! them.
//!
//! | module | contents |
//! |---|---|
//! | `checked` | takes over data from a producer without trusting its numbers |
//! | `stream_in` | a stream that another package writes |
//! | `stream_out` | a stream that another package reads |
//! | `capsule` | objects with `__arrow_c_array__` or `__arrow_c_stream__`, and capsules for others |
//! | `text_column` | values of text and binary columns as bytes |
//! | `integer_column` | values of integer columns |

pub(crate) mod capsule;
pub(crate) mod checked;
pub(crate) mod integer_column;
pub(crate) mod stream_in;
pub(crate) mod stream_out;
pub(crate) mod text_column;
