use verger::{Reading, TargetPath};
use verger_access::{RequestedUrlError, requested_target};

/// The target of one URL in each of several readings.
#[derive(Clone, Debug)]
pub struct ReadTargets<'u> {
    /// Stored inline, because it is often the only one.
    first: TargetPath<'u>,
    others: Vec<TargetPath<'u>>,
}

impl<'u> ReadTargets<'u> {
    /// Returns the target of `url` in each of the readings, in their order ([`requested_target`]).
    ///
    /// # Errors
    ///
    /// Returns an error if a client cannot request the URL. Without readings, uses RFC 9309.
    pub fn new(url: &'u [u8], readings: &[Reading]) -> Result<Self, RequestedUrlError> {
        let (first, others) = readings.split_first().map_or_else(
            || (Reading::default(), readings),
            |(first, others)| (*first, others),
        );
        let others = others.iter().map(|reading| requested_target(url, *reading));
        Ok(Self {
            first: requested_target(url, first)?,
            others: others.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the target in the reading with this index, or in the first one if that reading
    /// does not exist.
    #[must_use]
    pub fn get(&self, reading: usize) -> &TargetPath<'u> {
        let nth = reading.checked_sub(1);
        let other = nth.and_then(|nth| self.others.get(nth));
        other.unwrap_or(&self.first)
    }
}

impl<'u> From<TargetPath<'u>> for ReadTargets<'u> {
    /// The target in a single reading.
    fn from(first: TargetPath<'u>) -> Self {
        let others = Vec::new();
        Self { first, others }
    }
}
