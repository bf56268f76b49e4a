//! How much each distinct body disallows to each crawler.
//!
//! | module | one line |
//! |---|---|
//! | `body_class` | everything, some or nothing, with example paths |
//! | `class_maker` | computes the classes of each distinct body once |
//! | `class_columns` | classes as columns |
//! | `class_rows` | a row for each body and crawler |
//! | `class_unit`, `class_counts` | the subject of rows, and the number of bodies in each class |
//! | `class_run` | writes rows for the bodies of any source |

mod body_class;
mod class_columns;
mod class_counts;
mod class_maker;
mod class_rows;
mod class_run;
mod class_unit;

pub use body_class::BodyClass;
pub use class_columns::{ClassColumns, class_fields};
pub use class_counts::{CLASSES, ClassCounts, CrawlerCounts};
pub use class_maker::{ClassMaker, UnknownColumnType};
pub use class_rows::{BodyPlace, ClassRows, class_schema};
pub use class_run::{ClassObserver, ClassRun, ClassRunError};
pub use class_unit::ClassUnit;
