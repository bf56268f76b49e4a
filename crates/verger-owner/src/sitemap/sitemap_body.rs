//! Decompresses sitemaps, up to a limit.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::sitemap_problem::SitemapProblem;

/// Maximum size of a sitemap in bytes, uncompressed: "no larger than 50MB (52,428,800 bytes)".
pub const SITEMAP_BYTES_MAX: usize = 52_428_800;

pub(crate) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Returns the sitemap, uncompressed, cut at `bytes_max` or at the first gzip error.
pub(super) fn uncompressed(
    bytes: &[u8],
    bytes_max: usize,
) -> (Cow<'_, [u8]>, Option<SitemapProblem>) {
    let (mut body, mut problem) = (Cow::Borrowed(bytes), None);
    if bytes.starts_with(&GZIP) {
        let mut inflated = Vec::new();
        let limit = u64::try_from(bytes_max)
            .unwrap_or(u64::MAX)
            .saturating_add(1);
        let read = MultiGzDecoder::new(bytes)
            .take(limit)
            .read_to_end(&mut inflated);
        problem = read
            .err()
            .map(|error| SitemapProblem::Gzip(error.to_string()));
        body = Cow::Owned(inflated);
    }
    if body.len() > bytes_max {
        problem = Some(SitemapProblem::TooLong);
        match &mut body {
            Cow::Borrowed(bytes) => *bytes = &bytes[..bytes_max],
            Cow::Owned(bytes) => bytes.truncate(bytes_max),
        }
    }
    (body, problem)
}
