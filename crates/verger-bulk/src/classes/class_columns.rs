use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder};
use arrow_schema::{DataType, Field};
use verger_compare::{EXAMPLE_SITE, ExtentClass};

use super::body_class::BodyClass;

/// Returns the columns of classes, documented in `docs/columns.md`.
#[must_use]
pub fn class_fields() -> Vec<Field> {
    let text = |name| Field::new(name, DataType::Utf8, true);
    let number = |name| Field::new(name, DataType::Int64, true);
    vec![
        text("disallowed"),
        number("group_line"),
        Field::new("group_named", DataType::Boolean, true),
        text("disallowed_url"),
        number("disallowed_line"),
        text("allowed_url"),
        number("allowed_line"),
        number("states"),
    ]
}

/// Classes for one crawler.
#[derive(Debug, Default)]
pub struct ClassColumns {
    disallowed: StringBuilder,
    group_line: Int64Builder,
    group_named: BooleanBuilder,
    disallowed_url: StringBuilder,
    disallowed_line: Int64Builder,
    allowed_url: StringBuilder,
    allowed_line: Int64Builder,
    states: Int64Builder,
}

impl ClassColumns {
    /// Adds a row, all null without a class. URLs start with `site`, such as `https://example.com`,
    /// which is also the default.
    pub fn push(&mut self, class: Option<&BodyClass>, site: Option<&str>) {
        let site = site.unwrap_or(EXAMPLE_SITE);
        let nothing = BodyClass::default();
        let class = class.unwrap_or(&nothing);
        let line = |line: Option<u32>| line.map(i64::from);
        let word = class.disallowed.map(ExtentClass::as_str);
        self.disallowed.append_option(word);
        self.group_line.append_option(line(class.group_line));
        self.group_named.append_option(class.group_named);
        let url = |path: &Option<String>| Some(format!("{site}{}", path.as_ref()?));
        self.disallowed_url
            .append_option(url(&class.disallowed_path));
        self.disallowed_line
            .append_option(line(class.disallowed_line));
        self.allowed_url.append_option(url(&class.allowed_path));
        self.allowed_line.append_option(line(class.allowed_line));
        let states = class.states.map(|it| i64::try_from(it).unwrap_or(i64::MAX));
        self.states.append_option(states);
    }

    /// Returns the columns as arrays, in the order of [`class_fields`].
    #[must_use]
    pub fn finish(mut self) -> Vec<ArrayRef> {
        vec![
            Arc::new(self.disallowed.finish()),
            Arc::new(self.group_line.finish()),
            Arc::new(self.group_named.finish()),
            Arc::new(self.disallowed_url.finish()),
            Arc::new(self.disallowed_line.finish()),
            Arc::new(self.allowed_url.finish()),
            Arc::new(self.allowed_line.finish()),
            Arc::new(self.states.finish()),
        ]
    }
}
