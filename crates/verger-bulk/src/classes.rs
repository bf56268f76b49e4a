//! How much each body disallows to each crawler, once for each distinct body.
//!
//! | module | one line |
//! |---|---|
//! | `body_class` | everything, some or nothing, with a witness each way |
//! | `class_maker` | the classes of bodies, each computed once |
//! | `class_columns` | classes as columns |
//! | `class_rows` | a row for each body and crawler |
//! | `class_unit`, `class_counts` | what rows are about; how many bodies have which class |
//! | `class_run` | bodies of every source to rows |

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
