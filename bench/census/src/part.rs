//! `Part`: a part of the page.

/// A part of the page, with its charts: names without `.svg`, and pictures.
pub(super) struct Part {
    pub(super) text: String,
    pub(super) charts: Vec<(&'static str, String)>,
}
