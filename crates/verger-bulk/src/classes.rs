//! How much each body disallows to each crawler, once for each distinct body.
//!
//! | module | one line |
//! |---|---|
//! | `body_class` | everything, some or nothing, with a witness each way |
//! | `class_maker` | the classes of bodies, each computed once |
//! | `class_columns` | classes as columns |

mod body_class;
mod class_columns;
mod class_maker;

pub use body_class::BodyClass;
pub use class_columns::{ClassColumns, class_fields};
pub use class_maker::{ClassMaker, UnknownColumnType};
