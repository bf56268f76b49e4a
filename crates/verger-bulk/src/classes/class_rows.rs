use std::io;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder, TimestampMicrosecondBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};
use verger_access::{Profile, Stance};
use verger_compare::ExtentClass;
use verger_store::{BodyHash, InForce};

use super::body_class::BodyClass;
use super::class_columns::{ClassColumns, class_fields};
use super::class_maker::ClassMaker;
use crate::capture_index::{Capture, CaptureIndex, UnusableCapture};
use crate::standing::{micros, stance_after};

/// Returns the columns of these rows, documented in `docs/columns.md`.
#[must_use]
pub fn class_schema() -> Arc<Schema> {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let mut fields = vec![
        text("authority"),
        Field::new("time", time, true),
        Field::new("crawler", DataType::Utf8, false),
    ];
    fields.extend(class_fields());
    fields.extend([
        text("profile"),
        text("stance"),
        text("body_sha256"),
        text("capture_file"),
        Field::new("capture_offset", DataType::Int64, true),
    ]);
    Arc::new(Schema::new(fields))
}

/// Makes rows of classes, for each crawler of a [`ClassMaker`].
#[derive(Debug)]
pub struct ClassRows<'m> {
    maker: &'m ClassMaker,
    profile: Profile,
    columns: Columns,
    rows: usize,
    path_bytes: usize,
}

#[derive(Debug, Default)]
struct Columns {
    authority: StringBuilder,
    time: TimestampMicrosecondBuilder,
    crawler: StringBuilder,
    classes: ClassColumns,
    profile: StringBuilder,
    stance: StringBuilder,
    body_sha256: StringBuilder,
    file: StringBuilder,
    offset: Int64Builder,
}

/// The place of a body that comes without a server response.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyPlace<'p> {
    /// The authority of the robots.txt, if known.
    pub authority: Option<&'p str>,
    /// The file.
    pub file: Option<&'p str>,
    /// The offset in the file.
    pub offset: Option<i64>,
}

#[derive(Default)]
struct About<'a> {
    authority: Option<&'a str>,
    time: Option<i64>,
    profile: Option<&'a str>,
    stance: Option<Stance>,
    hash: Option<BodyHash>,
    file: Option<&'a str>,
    offset: Option<i64>,
}

impl<'m> ClassRows<'m> {
    /// Creates an empty set of rows. `profile` decides the effect of captures.
    #[must_use]
    pub fn new(maker: &'m ClassMaker, profile: Profile) -> Self {
        Self {
            maker,
            profile,
            columns: Columns::default(),
            rows: 0,
            path_bytes: 0,
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the size of all paths, in bytes. A path can be as long as a rule.
    #[must_use]
    pub fn path_bytes(&self) -> usize {
        self.path_bytes
    }

    /// Adds a capture, regardless of earlier ones. If its row does not contain the body, reads it
    /// from the index. Returns the classes, or `None` if a deciding body is missing.
    ///
    /// # Errors
    ///
    /// Returns an error if the index cannot be read.
    pub fn push_capture(
        &mut self,
        capture: &Capture,
        body: Option<&[u8]>,
        index: &CaptureIndex,
    ) -> io::Result<Option<Arc<[BodyClass]>>> {
        let stance = stance_after(capture, &self.profile);
        let missing = match (&capture.body, body) {
            (Some(hash), None) if stance.is_some_and(has_rules) => index.body(hash)?,
            _ => None,
        };
        let body = body.or(missing.as_deref());
        let classes = stance.and_then(|stance| {
            self.of_stance(stance, || {
                let (hash, body) = (capture.body.as_ref()?, body?);
                Some(self.maker.classes_of_hash(hash, || body.to_vec()))
            })
        });
        let name = self.profile.name.to_string();
        let about = About {
            authority: Some(&capture.authority),
            time: Some(capture.time_micros),
            profile: Some(&name),
            stance,
            hash: capture.body,
            file: Some(&capture.file),
            offset: Some(capture.offset),
        };
        self.push(&about, classes.as_deref());
        Ok(classes)
    }

    /// Adds a version of an authority in a store. Returns the classes, or `None` if a deciding body
    /// is missing.
    pub fn push_version(&mut self, authority: &str, version: &InForce) -> Option<Arc<[BodyClass]>> {
        let (stance, body) = (version.answer.stance(), version.answer.body());
        let body = body.map(|body| (BodyHash::new(body), body));
        let classes = self.of_stance(stance, || {
            let (hash, body) = body.as_ref()?;
            Some(self.maker.classes_of_hash(hash, || body.to_vec()))
        });
        let name = self.profile.name.to_string();
        let about = About {
            authority: Some(authority),
            time: Some(micros(version.evidence.attempt.at)),
            profile: Some(&name),
            stance: Some(stance),
            hash: body.map(|(hash, _)| hash),
            ..About::default()
        };
        self.push(&about, classes.as_deref());
        classes
    }

    /// Adds a body without a server response. `None` is a body that cannot be read. Returns the
    /// classes.
    pub fn push_body(
        &mut self,
        place: BodyPlace<'_>,
        body: Option<&[u8]>,
    ) -> Option<Arc<[BodyClass]>> {
        let body = body.map(|body| (BodyHash::new(body), body));
        let classes = body
            .as_ref()
            .map(|(hash, body)| self.maker.classes_of_hash(hash, || body.to_vec()));
        let about = About {
            authority: place.authority,
            hash: body.map(|(hash, _)| hash),
            file: place.file,
            offset: place.offset,
            ..About::default()
        };
        self.push(&about, classes.as_deref());
        classes
    }

    /// Adds an unusable capture with the fields that it has.
    pub fn push_unusable(&mut self, capture: &UnusableCapture<'_>) {
        let about = About {
            authority: capture.authority.as_deref(),
            time: capture.time_micros,
            file: capture.file,
            offset: capture.offset,
            ..About::default()
        };
        self.push(&about, None);
    }

    /// Calls `by_rules` for the classes of the body.
    fn of_stance(
        &self,
        stance: Stance,
        by_rules: impl FnOnce() -> Option<Arc<[BodyClass]>>,
    ) -> Option<Arc<[BodyClass]>> {
        match stance {
            Stance::Rules | Stance::Copy => by_rules(),
            Stance::Open => Some(self.of_all(ExtentClass::NothingDisallowed)),
            Stance::Closed | Stance::Defer => Some(self.of_all(ExtentClass::EverythingDisallowed)),
        }
    }

    fn of_all(&self, class: ExtentClass) -> Arc<[BodyClass]> {
        let crawlers = self.maker.crawlers().iter();
        crawlers.map(|_| BodyClass::without_rules(class)).collect()
    }

    fn push(&mut self, about: &About<'_>, classes: Option<&[BodyClass]>) {
        let hash = about.hash.map(|hash| hash.to_string());
        for (nth, crawler) in self.maker.crawlers().iter().enumerate() {
            let columns = &mut self.columns;
            columns.authority.append_option(about.authority);
            columns.time.append_option(about.time);
            columns.crawler.append_value(crawler.label());
            let class = classes.and_then(|classes| classes.get(nth));
            columns.classes.push(class, about.authority);
            self.path_bytes += class.map_or(0, BodyClass::heap_bytes);
            columns.profile.append_option(about.profile);
            columns
                .stance
                .append_option(about.stance.map(Stance::as_str));
            columns.body_sha256.append_option(hash.as_deref());
            columns.file.append_option(about.file);
            columns.offset.append_option(about.offset);
            self.rows += 1;
        }
    }

    /// Returns the rows so far as a batch and removes them.
    ///
    /// # Errors
    ///
    /// Returns an error if the rows do not fit into a column.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns = std::mem::take(&mut self.columns);
        self.rows = 0;
        self.path_bytes = 0;
        let mut arrays: Vec<ArrayRef> = vec![
            Arc::new(columns.authority.finish()),
            Arc::new(columns.time.finish().with_timezone("UTC")),
            Arc::new(columns.crawler.finish()),
        ];
        arrays.extend(columns.classes.finish());
        arrays.extend([
            Arc::new(columns.profile.finish()) as ArrayRef,
            Arc::new(columns.stance.finish()),
            Arc::new(columns.body_sha256.finish()),
            Arc::new(columns.file.finish()),
            Arc::new(columns.offset.finish()),
        ]);
        RecordBatch::try_new(class_schema(), arrays)
    }
}

fn has_rules(stance: Stance) -> bool {
    matches!(stance, Stance::Rules | Stance::Copy)
}
