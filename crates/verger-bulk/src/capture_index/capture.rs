use verger_access::{Outcome, Profile, Timestamp};
use verger_store::BodyHash;

/// A capture of a robots.txt, without its body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capture {
    /// The authority of the robots.txt, as `verger_access::Authority` displays it.
    pub authority: String,
    /// The time of the capture, in microseconds since 1970.
    pub time_micros: i64,
    /// How the fetch ended for the profile that follows the most redirects. `None` if a redirect
    /// leads to a URL that was not captured.
    pub outcome: Option<Outcome>,
    /// How it ended for each of [`Profile::ALL`]. `None` if the profile follows a redirect to a URL
    /// that was not captured.
    pub outcomes: [Option<Outcome>; Profile::ALL.len()],
    /// The URL after all redirects.
    pub final_url: Option<String>,
    /// The SHA-256 of the body, if there is one.
    pub body: Option<BodyHash>,
    /// The file that contains the capture.
    pub file: String,
    /// The offset in that file.
    pub offset: i64,
}

const AS_THE_ROW: &str = "=";

impl Capture {
    /// Returns the time of the capture.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        seconds_of(self.time_micros)
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.time_micros.to_be_bytes());
        bytes.extend_from_slice(&self.offset.to_be_bytes());
        let hash = self.body.as_ref().map_or(&[][..], |body| body.bytes());
        let outcome = self.outcome.map(Outcome::code).unwrap_or_default();
        let of_profiles = self.outcomes.map(|it| match it {
            it if it == self.outcome => AS_THE_ROW.to_owned(),
            it => it.map(Outcome::code).unwrap_or_default(),
        });
        let url = self.final_url.as_deref().unwrap_or_default();
        let texts = [&self.authority, &outcome, url, &self.file].map(str::as_bytes);
        let of_profiles = of_profiles.iter().map(String::as_bytes);
        for text in texts.into_iter().chain([hash]).chain(of_profiles) {
            let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(text);
        }
    }

    /// Reads what [`Capture::write`] wrote.
    pub(super) fn read(mut bytes: &[u8]) -> Option<Self> {
        let bytes = &mut bytes;
        let time_micros = i64::from_be_bytes(*bytes.split_off(..8)?.first_chunk()?);
        let offset = i64::from_be_bytes(*bytes.split_off(..8)?.first_chunk()?);
        let mut next = || {
            let length = u32::from_be_bytes(*bytes.split_off(..4)?.first_chunk()?);
            bytes.split_off(..usize::try_from(length).ok()?)
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (authority, outcome) = (text(next()?), text(next()?));
        let (url, file, hash) = (next()?, text(next()?), next()?);
        let outcome = outcome.parse().ok();
        let mut outcomes = [outcome; Profile::ALL.len()];
        for of_profile in &mut outcomes {
            let code = next()?;
            if code != AS_THE_ROW.as_bytes() {
                *of_profile = text(code).parse().ok();
            }
        }
        Some(Self {
            authority,
            time_micros,
            outcome,
            outcomes,
            final_url: (!url.is_empty()).then(|| text(url)),
            body: hash.try_into().ok().map(BodyHash::from_bytes),
            file,
            offset,
        })
    }
}

/// Treats times before 1970 as 1970.
pub(crate) fn seconds_of(micros: i64) -> Timestamp {
    let seconds = micros.div_euclid(1_000_000);
    Timestamp::from_unix_seconds(u64::try_from(seconds).unwrap_or(0))
}
