//! Preferences about uses of the content, by category (AIPREF vocabulary, AA-1).

use core::fmt;

use crate::content_use::ContentUse;
use crate::dictionary::{Dictionary, Member};

/// The preference about one category of use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preference {
    /// `y`: the use is welcome.
    Yes,
    /// `n`: the use is not welcome.
    No,
    /// No preference is stated, or it cannot be understood.
    #[default]
    Unknown,
}

impl Preference {
    /// Returns `y`, `n` or `unknown`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "y",
            Self::No => "n",
            Self::Unknown => "unknown",
        }
    }

    /// Combines two preferences: `n` takes precedence over `y`, and `y` over unknown. AA-1.
    #[must_use]
    pub fn most_restrictive(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, _) | (_, Self::Yes) => Self::Yes,
            (Self::Unknown, Self::Unknown) => Self::Unknown,
        }
    }

    /// Returns the preference of a member. Only the Tokens `y` and `n` are valid.
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

/// The preferences about every category of the vocabulary. By default all are unknown.
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
    /// In the order of [`ContentUse::ALL`].
    of_uses: [Preference; 3],
}

impl Preferences {
    /// Parses an RFC 9651 Dictionary: the value of an HTTP `Content-Usage` field, or the text after
    /// the path on a Content-Usage line.
    ///
    /// Labels are case-sensitive, and if one is repeated, the last applies. Parameters and unknown
    /// labels are ignored. Values other than the Tokens `y` and `n` are unknown. If the bytes are
    /// not a Dictionary, everything is unknown. AA-1.
    #[must_use]
    pub fn parse(dictionary: impl AsRef<[u8]>) -> Self {
        match Dictionary::parse(dictionary.as_ref()) {
            Ok(dictionary) => Self {
                of_uses: ContentUse::ALL
                    .map(|it| Preference::of(dictionary.member(it.label().as_bytes()))),
            },
            Err(_) => Self::default(),
        }
    }

    /// Returns the preference about a use.
    #[must_use]
    pub fn about(&self, content_use: ContentUse) -> Preference {
        self.of_uses[content_use as usize]
    }

    /// Returns the preference for `train-ai`: training models.
    #[must_use]
    pub fn train_ai(&self) -> Preference {
        self.about(ContentUse::AiTrain)
    }

    /// Returns the preference for `ai-use`: input to a model that answers.
    #[must_use]
    pub fn ai_use(&self) -> Preference {
        self.about(ContentUse::AiInput)
    }

    /// Returns the preference for `search`: building an index that links to the content.
    #[must_use]
    pub fn search(&self) -> Preference {
        self.about(ContentUse::Search)
    }

    /// Combines two statements category by category: `n` takes precedence over `y`, and `y` over
    /// unknown. Use it to combine lines with the same path, and the file with the HTTP field. AA-1.
    #[must_use]
    pub fn most_restrictive(self, other: Self) -> Self {
        let of = |it: ContentUse| self.about(it).most_restrictive(other.about(it));
        Self {
            of_uses: ContentUse::ALL.map(of),
        }
    }
}

impl fmt::Display for Preferences {
    /// Writes the known preferences in alphabetical order of their labels, as in `search=y,
    /// train-ai=n`. Writes nothing if none is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for it in [ContentUse::AiInput, ContentUse::Search, ContentUse::AiTrain] {
            let preference = self.about(it);
            if preference != Preference::Unknown {
                write!(f, "{separator}{}={preference}", it.label())?;
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
            (
                "train-ai=n, search=y, ai-use=n",
                "ai-use=n, search=y, train-ai=n",
            ),
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
