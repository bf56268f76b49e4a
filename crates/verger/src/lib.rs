//! Robots Exclusion Protocol engine.
#![no_std]
#![cfg_attr(test, allow(clippy::unwrap_used))]

extern crate alloc;

mod crawler;
mod diagnostic;
mod dialect;
mod encoding;
mod group;
mod group_match;
pub mod limits;
mod line;
mod lines;
mod octets;
mod parse_event;
mod path_match;
mod path_pattern;
mod policy;
mod product_token;
mod record;
mod robots_txt;
mod scan;
mod span;
mod target_path;
mod verdict;

pub use crawler::{Crawler, Star};
pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use dialect::{
    AgentList, AllowLines, Dialect, EncodingMismatch, OtherRecords, Reading, UnknownDialect,
};
pub use encoding::NotUtf8;
pub use group_match::GroupMatch;
pub use lines::{Line, LineKind};
pub use parse_event::{LineMetadata, ParseEvent};
pub use path_pattern::{Specificity, UnusablePattern};
pub use policy::{MatchingRule, Policy};
pub use product_token::{ProductToken, ProductTokenError};
pub use record::{InvalidLine, KeyForm, RecordKind, Separator};
pub use robots_txt::{Group, Record, RobotsTxt, Rule};
pub use scan::{QuestionError, allowed};
pub use span::{LineNumber, Span};
pub use target_path::{TargetPath, TargetPathError};
pub use verdict::{AppliedGroup, DecidingRule, Effect, NamedBy, Reason, Verdict};
