//! Bodies and URLs.

/// A body, also as text for engines that read only text, converted before the clock runs.
pub(crate) enum Body {
    Text(String),
    Bytes {
        bytes: Vec<u8>,
        #[cfg_attr(
            not(any(feature = "peers", feature = "sets")),
            expect(dead_code, reason = "only peers and J8 read text")
        )]
        lossy: String,
    },
}

impl Body {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Bytes {
                lossy: String::from_utf8_lossy(error.as_bytes()).into_owned(),
                bytes: error.into_bytes(),
            },
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes { bytes, .. } => bytes,
        }
    }

    #[cfg(any(feature = "peers", feature = "sets"))]
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Bytes { lossy, .. } => lossy,
        }
    }
}

pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) body: Body,
    pub(crate) urls: Vec<String>,
}

impl Input {
    pub(crate) fn question<'i>(&'i self, agent: &'i str) -> Question<'i> {
        Question {
            body: &self.body,
            agent,
            urls: &self.urls,
        }
    }

    /// Whether it was written to slow engines down.
    pub(crate) fn is_hostile(&self) -> bool {
        self.name.starts_with("e_")
    }
}

/// A question: may `agent` fetch each of `urls`?
#[derive(Clone, Copy)]
pub(crate) struct Question<'i> {
    pub(crate) body: &'i Body,
    pub(crate) agent: &'i str,
    pub(crate) urls: &'i [String],
}
