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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Success(u16),
    /// A success with a body that is not legible, and the name of the reason.
    Illegible(&'static str, u16),
    /// A 206 that states a part of the file.
    Part,
    Error(u16),
    NotFoundPage(u16),
    Redirect(RedirectEnd),
    Failed(&'static str),
}

/// The failure of a client that refuses to connect to an address.
pub(super) const ADDRESS_REFUSED: &str = "address-refused";

impl End {
    /// Returns `true` unless the end says something about the client, as a refused address does.
    pub(super) fn is_about_the_site(&self) -> bool {
        *self != Self::Failed(ADDRESS_REFUSED)
    }

    pub(super) fn code(&self) -> String {
        match self {
            Self::Success(status) => format!("successful http {status}"),
            Self::Illegible(why, status) => format!("successful-{why} http {status}"),
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
