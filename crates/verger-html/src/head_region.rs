//! The start and the end of a page's head.

/// The part of a page that the parser is in: the insertion modes of the HTML Standard, 13.2.6.4.1 to 13.2.6.4.6, as
/// far as they decide whether an element is a child of the head. Nothing after these modes enters the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadRegion {
    /// The modes "initial", "before html" and "before head".
    Before,
    /// The mode "in head".
    Inside,
    /// The mode "after head": elements of the head are still put into it.
    After,
    /// All other modes.
    Body,
}

impl HeadRegion {
    /// Handles a start tag. Afterwards, the element is in the head unless the region is the body.
    pub(crate) fn start_tag(&mut self, name: &str) {
        *self = match (*self, name) {
            (Self::Body, _) => Self::Body,
            // Its attributes are merged, or the tag is ignored.
            (region, "html") | (region @ (Self::Inside | Self::After), "head") => region,
            (
                region,
                "base" | "basefont" | "bgsound" | "link" | "meta" | "noframes" | "script" | "style"
                | "template" | "title",
            ) => region.entered(),
            (Self::Before, "head") | (Self::Before | Self::Inside, "noscript") => Self::Inside,
            // "Act as described in the 'anything else' entry": the head ends and the body starts.
            _ => Self::Body,
        };
    }

    /// Handles an end tag, except of a template.
    pub(crate) fn end_tag(&mut self, name: &str) {
        *self = match (*self, name) {
            (Self::Before | Self::Inside, "head") => Self::After,
            (_, "body" | "html" | "br") => Self::Body,
            // "Ignore the token."
            (region, _) => region,
        };
    }

    /// Handles text. White space belongs to each of the modes.
    pub(crate) fn text(&mut self, text: &str) {
        let is_space = |byte| matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ');
        if !text.bytes().all(is_space) {
            *self = Self::Body;
        }
    }

    /// An element of the head starts it, and does not reopen it.
    fn entered(self) -> Self {
        match self {
            Self::Before => Self::Inside,
            region => region,
        }
    }
}
