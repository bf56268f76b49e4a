//! `Tokens`: bearer tokens and their rate limits.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use subtle::{Choice, ConstantTimeEq};
use thiserror::Error;

/// Minimum size of a token in bytes. Shorter ones could be guessed.
const TOKEN_BYTES_MIN: usize = 16;

/// The tokens of a server. Without a file, all requests share one anonymous holder.
#[derive(Debug)]
pub(crate) struct Tokens {
    holders: Vec<Holder>,
    is_open: bool,
    interval: Duration,
    started: Instant,
}

#[derive(Debug)]
pub(crate) struct Holder {
    pub(crate) name: String,
    token: Vec<u8>,
    /// `None` for the anonymous holder, whose clients differ by address.
    pub(crate) client: Option<u64>,
    /// Time in nanoseconds since the start at which all requests so far are paid for (GCRA).
    paid_until: AtomicU64,
}

/// The token file cannot be used.
#[derive(Debug, Error)]
pub enum TokensError {
    /// The file cannot be read.
    #[error("cannot read tokens from `{0}`: {1}")]
    Unreadable(PathBuf, #[source] io::Error),
    /// A line is not a name and a token.
    #[error("invalid line {1} in `{0}`\nhelp: write NAME TOKEN, a token of at least 16 characters")]
    Line(PathBuf, usize),
    /// The file contains no token.
    #[error("no token in `{0}`\nhelp: add a line `NAME TOKEN`")]
    None(PathBuf),
}

impl Tokens {
    /// Reads a token file. Each token may be used `rate` times a second, or without limit if `rate` is 0.
    pub(crate) fn of(file: Option<&Path>, rate: u32) -> Result<Self, TokensError> {
        let holders = match file {
            None => vec![Holder::new("anyone", "", None)],
            Some(path) => {
                let text = fs::read_to_string(path)
                    .map_err(|error| TokensError::Unreadable(path.to_owned(), error))?;
                let lines = text.lines().enumerate();
                let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
                let read = |(nth, line): (usize, &str)| {
                    let (name, token) = line.split_once(' ').unwrap_or_default();
                    if name.is_empty() || token.trim().len() < TOKEN_BYTES_MIN {
                        return Err(TokensError::Line(path.to_owned(), nth + 1));
                    }
                    Ok(Holder::new(name, token.trim(), Some(nth as u64)))
                };
                let holders = lines.map(read).collect::<Result<Vec<_>, _>>()?;
                if holders.is_empty() {
                    return Err(TokensError::None(path.to_owned()));
                }
                holders
            }
        };
        Ok(Self {
            holders,
            is_open: file.is_none(),
            interval: Duration::from_secs(1).checked_div(rate).unwrap_or_default(),
            started: Instant::now(),
        })
    }

    /// Returns whether requests need no token.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the holder of the token in `Authorization: Bearer TOKEN`. The time taken reveals neither the holder
    /// nor how much of a token is right.
    pub(crate) fn holder(&self, authorization: Option<&[u8]>) -> Option<&Holder> {
        if self.is_open {
            return self.holders.first();
        }
        let (scheme, token) = authorization?.split_at_checked(7)?;
        if !scheme.eq_ignore_ascii_case(b"bearer ") {
            return None;
        }
        let mut found = None;
        for holder in &self.holders {
            let is_it: Choice = holder.token.as_slice().ct_eq(token.trim_ascii());
            if bool::from(is_it) {
                found = Some(holder);
            }
        }
        found
    }

    /// Counts a request of `holder`.
    ///
    /// # Errors
    ///
    /// Returns the number of seconds to wait if the holder has exceeded its rate.
    pub(crate) fn count(&self, holder: &Holder) -> Result<(), u64> {
        if self.interval.is_zero() {
            return Ok(());
        }
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let now = nanoseconds(self.started.elapsed());
        // A burst may use the budget of one second.
        let burst = 1_000_000_000;
        let paid = holder
            .paid_until
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |paid| {
                let next = paid.max(now) + nanoseconds(self.interval);
                (next <= now + burst.max(nanoseconds(self.interval))).then_some(next)
            });
        match paid {
            Ok(_) => Ok(()),
            Err(paid) => Err((paid + nanoseconds(self.interval))
                .saturating_sub(now + burst)
                .div_ceil(1_000_000_000)
                .max(1)),
        }
    }
}

impl Holder {
    fn new(name: &str, token: &str, client: Option<u64>) -> Self {
        Self {
            name: name.to_owned(),
            token: token.as_bytes().to_vec(),
            client,
            paid_until: AtomicU64::new(0),
        }
    }
}
