//! What became of an attempt.

/// Why a redirect was not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RedirectEnd {
    TooMany,
    Loop,
    OtherHost,
    Downgrade,
    OtherScheme,
    NoLocation,
    BadLocation,
    UnaskedNotModified,
    DisallowedHop,
}

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Success(u16),
    /// A success with an HTML page that has no rules.
    HtmlPage(u16),
    /// A 206 that states a part of the file.
    Part,
    Error(u16),
    NotFoundPage(u16),
    Redirect(RedirectEnd),
    Failed(&'static str),
}

/// The failure of one that refuses to connect to an address.
pub(super) const ADDRESS_REFUSED: &str = "address-refused";

impl End {
    /// Whether it says something about the site; a refused address says something about the client.
    pub(super) fn is_about_the_site(&self) -> bool {
        *self != Self::Failed(ADDRESS_REFUSED)
    }

    /// As the product spells it.
    pub(super) fn code(&self) -> String {
        match self {
            Self::Success(status) => format!("successful http {status}"),
            Self::HtmlPage(status) => format!("successful-page http {status}"),
            Self::Part => "part-of-file http 206".to_owned(),
            Self::Error(status) => format!("error http {status}"),
            Self::NotFoundPage(status) => format!("error-saying-not-found http {status}"),
            Self::Failed(name) => format!("failed {name}"),
            Self::Redirect(end) => format!(
                "redirect {}",
                match end {
                    RedirectEnd::TooMany => "too-many",
                    RedirectEnd::Loop => "loop",
                    RedirectEnd::OtherHost => "other-host",
                    RedirectEnd::Downgrade => "downgrade",
                    RedirectEnd::OtherScheme => "other-scheme",
                    RedirectEnd::NoLocation => "no-location",
                    RedirectEnd::BadLocation => "bad-location",
                    RedirectEnd::UnaskedNotModified => "unasked-not-modified",
                    RedirectEnd::DisallowedHop => "disallowed-hop",
                }
            ),
        }
    }
}
