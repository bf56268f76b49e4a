//! `verger_events`: the parse events of Google's library.

use std::borrow::Cow;
use std::ptr;
use std::sync::Arc;

use verger::{LineMetadata, ParseEvent, RobotsTxt};
use verger_answer::RobotsFile;

use crate::failure::Failure;
use crate::guard::{guarded, quietly};
use crate::robots::Robots;
use crate::text::{Text, exclusive, not_null, object, put};

/// The `RobotsParseHandler` call that an event corresponds to.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// `HandleRobotsStart`.
    Start = 0,
    /// `HandleUserAgent`.
    UserAgent = 1,
    /// `HandleAllow`.
    Allow = 2,
    /// `HandleDisallow`.
    Disallow = 3,
    /// `HandleSitemap`.
    Sitemap = 4,
    /// `HandleUnknownAction`.
    UnknownAction = 5,
    /// `ReportLineMetadata`, after the line's own event.
    LineMetadata = 6,
    /// `HandleRobotsEnd`.
    End = 7,
}

/// Properties of a line. The names are those of Google's library.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct LineFacts {
    /// It contains only white space.
    pub is_empty: bool,
    /// It contains a `#`.
    pub has_comment: bool,
    /// It contains only a comment.
    pub is_comment: bool,
    /// It has a key and a separator.
    pub has_directive: bool,
    /// Its key is an accepted misspelling.
    pub is_acceptable_typo: bool,
    /// It exceeds the library's maximum length.
    pub is_line_too_long: bool,
    /// It has white space instead of a colon.
    pub is_missing_colon_separator: bool,
}

/// A parse event.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The line, counted from 1. 0 for VERGER_EVENT_KIND_START and VERGER_EVENT_KIND_END.
    pub line: u32,
    /// The key as written, for VERGER_EVENT_KIND_UNKNOWN_ACTION.
    pub action: Text,
    /// The value, escaped like the library does. Both texts live until the next event.
    pub value: Text,
    /// The properties, for VERGER_EVENT_KIND_LINE_METADATA.
    pub metadata: LineFacts,
}

/// A cursor over events.
pub struct Events {
    /// Borrows `_file`, so it comes first: fields are dropped in order.
    rest: Box<dyn Iterator<Item = ParseEvent<'static>> + Send>,
    /// The last event points into it.
    value: Cow<'static, [u8]>,
    _file: Arc<RobotsFile>,
}

/// Returns a cursor over the events that Google's library would report, in order. Parse the file in
/// VERGER_DIALECT_GOOGLE.
///
/// Returns null if `robots` is null. Free it with verger_events_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_events_new(
    robots: *const Robots,
    error: *mut Failure,
) -> *mut Events {
    let make = || {
        // SAFETY: the contract.
        let file = Arc::clone(&unsafe { object(robots) }?.file);
        // SAFETY: the cursor keeps the file and its parsed tree longer than the iterator and the
        // value. The tree neither moves nor changes. Texts are documented to live until the next
        // event.
        let forever: &'static RobotsTxt = unsafe { &*ptr::from_ref(file.tree()) };
        Ok(Box::into_raw(Box::new(Events {
            rest: Box::new(forever.parse_events()),
            value: Cow::Borrowed(&[]),
            _file: file,
        })))
    };
    // SAFETY: the contract.
    unsafe { guarded(error, ptr::null_mut(), make) }
}

/// Gets the next event. Returns false at the end, or without moving the cursor if a pointer is
/// null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_events_next(events: *mut Events, event: *mut Event) -> bool {
    let step = || {
        not_null(event)?;
        // SAFETY: the contract.
        let events = unsafe { exclusive(events) }?;
        let Some(next) = events.rest.next() else {
            return Ok(false);
        };
        // SAFETY: the contract.
        unsafe { put(event, events.take(next)) }.map(|()| true)
    };
    // SAFETY: null is allowed.
    unsafe { guarded(ptr::null_mut(), false, step) }
}

/// Frees a cursor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn verger_events_free(events: *mut Events) {
    quietly(|| {
        if !events.is_null() {
            // SAFETY: the contract: `verger_events_new` made it, and nothing uses it afterwards.
            drop(unsafe { Box::from_raw(events) });
        }
    });
}

impl Events {
    fn take(&mut self, event: ParseEvent<'static>) -> Event {
        let without_text = |kind, line| Event {
            kind,
            line,
            action: Text::EMPTY,
            value: Text::EMPTY,
            metadata: LineFacts::default(),
        };
        match event {
            ParseEvent::Start => without_text(EventKind::Start, 0),
            ParseEvent::End => without_text(EventKind::End, 0),
            ParseEvent::Record { line, kind, value } => {
                self.value = value;
                let kind = match kind {
                    verger::RecordKind::UserAgent => EventKind::UserAgent,
                    verger::RecordKind::Allow => EventKind::Allow,
                    verger::RecordKind::Disallow => EventKind::Disallow,
                    _ => EventKind::Sitemap,
                };
                Event {
                    value: Text::of(&self.value),
                    ..without_text(kind, line.get())
                }
            }
            ParseEvent::UnknownAction {
                line,
                action,
                value,
            } => {
                self.value = value;
                Event {
                    action: Text::of(action),
                    value: Text::of(&self.value),
                    ..without_text(EventKind::UnknownAction, line.get())
                }
            }
            ParseEvent::LineMetadata { line, metadata } => Event {
                metadata: facts(metadata),
                ..without_text(EventKind::LineMetadata, line.get())
            },
        }
    }
}

fn facts(metadata: LineMetadata) -> LineFacts {
    LineFacts {
        is_empty: metadata.is_empty,
        has_comment: metadata.has_comment,
        is_comment: metadata.is_comment,
        has_directive: metadata.has_directive,
        is_acceptable_typo: metadata.is_acceptable_typo,
        is_line_too_long: metadata.is_line_too_long,
        is_missing_colon_separator: metadata.is_missing_colon_separator,
    }
}
