//! What may be done with content, by category (AIPREF vocabulary, AA-1).

use core::fmt;

use crate::dictionary::{Dictionary, Member};

/// The labels of the categories.
pub(crate) const TRAIN_AI: &str = "train-ai";
pub(crate) const SEARCH: &str = "search";

/// Labels that former versions of the vocabulary had.
pub(crate) const FORMER_LABELS: [&str; 9] = [
    "ai",
    "ai-output",
    "ai-use",
    "all",
    "bots",
    "genai",
    "inference",
    "tdm",
    "train-genai",
];

/// What is preferred about one category of use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preference {
    /// `y`: the use is welcome.
    Yes,
    /// `n`: the use is not.
    No,
    /// Nothing is said that can be understood.
    #[default]
    Unknown,
}

impl Preference {
    /// `y`, `n` or `unknown`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "y",
            Self::No => "n",
            Self::Unknown => "unknown",
        }
    }

    /// Both preferences as one: any `n` is `n`, else any `y` is `y`. AA-1.
    #[must_use]
    pub fn most_restrictive(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, _) | (_, Self::Yes) => Self::Yes,
            (Self::Unknown, Self::Unknown) => Self::Unknown,
        }
    }

    /// The preference that a member states: the Tokens `y` and `n` only.
    pub(crate) fn of(member: Option<Member<'_>>) -> Self {
        match member {
            Some(Member::Token(b"y")) => Self::Yes,
            Some(Member::Token(b"n")) => Self::No,
            Some(Member::Token(_) | Member::Other) | None => Self::Unknown,
        }
    }
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What is preferred about every category that the vocabulary has; the default is that nothing
/// is known.
///
/// ```
/// use verger_extensions::{Preference, Preferences};
///
/// let of_header = Preferences::parse("train-ai=y, search=y");
/// let of_file = Preferences::parse("train-ai=n");
/// let together = of_header.most_restrictive(of_file);
/// assert_eq!(together.train_ai(), Preference::No);
/// assert_eq!(together.to_string(), "search=y, train-ai=n");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Preferences {
    train_ai: Preference,
    search: Preference,
}

impl Preferences {
    /// Reads an RFC 9651 Dictionary: the value of an HTTP `Content-Usage` field, or the text
    /// after the path on a Content-Usage line.
    ///
    /// Labels count in their case, of a repeated one the last; parameters and unknown labels are
    /// ignored. A value other than the Tokens `y` and `n` is unknown, and so is everything where
    /// the bytes are not a Dictionary. AA-1.
    #[must_use]
    pub fn parse(dictionary: impl AsRef<[u8]>) -> Self {
        match Dictionary::parse(dictionary.as_ref()) {
            Ok(dictionary) => Self {
                train_ai: Preference::of(dictionary.member(TRAIN_AI.as_bytes())),
                search: Preference::of(dictionary.member(SEARCH.as_bytes())),
            },
            Err(_) => Self::default(),
        }
    }

    /// `train-ai`: training models.
    #[must_use]
    pub fn train_ai(&self) -> Preference {
        self.train_ai
    }

    /// `search`: building an index that leads to where the content is.
    #[must_use]
    pub fn search(&self) -> Preference {
        self.search
    }

    /// Both statements as one, category by category: any `n` is `n`, else any `y` is `y`. So are
    /// lines of the same path combined, and the file with the HTTP field. AA-1.
    #[must_use]
    pub fn most_restrictive(self, other: Self) -> Self {
        Self {
            train_ai: self.train_ai.most_restrictive(other.train_ai),
            search: self.search.most_restrictive(other.search),
        }
    }
}

impl fmt::Display for Preferences {
    /// What is known, by label in alphabetical order: `search=y, train-ai=n`; empty where
    /// nothing is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (label, preference) in [(SEARCH, self.search), (TRAIN_AI, self.train_ai)] {
            if preference != Preference::Unknown {
                write!(f, "{separator}{label}={preference}")?;
                separator = ", ";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn only_the_tokens_y_and_n_are_known() {
        for (dictionary, text) in [
            ("train-ai=n", "train-ai=n"),
            (
                "train-ai=y;why=\"x\", search=n, other=y",
                "search=n, train-ai=y",
            ),
            ("train-ai=n, train-ai=y", "train-ai=y"),
            ("train-ai", ""),
            ("train-ai=\"n\"", ""),
            ("train-ai=?0, search=1", ""),
            ("train-ai=(n), search=N", ""),
            ("train-ai=no", ""),
            ("train-ai=n, Search=y", ""),
            ("train-ai=n,", ""),
            ("", ""),
        ] {
            assert_eq!(Preferences::parse(dictionary).to_string(), text);
        }
    }

    #[test]
    fn a_refusal_outweighs_and_the_unknown_gives_way() {
        use Preference::{No, Unknown, Yes};
        for (left, right, both) in [
            (Yes, Yes, Yes),
            (Yes, No, No),
            (No, Unknown, No),
            (Yes, Unknown, Yes),
            (Unknown, Unknown, Unknown),
        ] {
            assert_eq!(left.most_restrictive(right), both);
            assert_eq!(right.most_restrictive(left), both);
        }
    }
}
