//! The octets of a sitemap: gzip undone, with a limit.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::sitemap_problem::SitemapProblem;

/// The most octets of a sitemap, uncompressed: "no larger than 50MB (52,428,800 bytes)".
pub const SITEMAP_OCTETS_MAX: usize = 52_428_800;

pub(crate) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The first octets of a sitemap, up to a limit, and why they are not all.
pub(super) fn uncompressed(
    octets: &[u8],
    octets_max: usize,
) -> (Cow<'_, [u8]>, Option<SitemapProblem>) {
    let (mut body, mut problem) = (Cow::Borrowed(octets), None);
    if octets.starts_with(&GZIP) {
        let mut inflated = Vec::new();
        let limit = u64::try_from(octets_max)
            .unwrap_or(u64::MAX)
            .saturating_add(1);
        let read = MultiGzDecoder::new(octets)
            .take(limit)
            .read_to_end(&mut inflated);
        problem = read
            .err()
            .map(|error| SitemapProblem::Gzip(error.to_string()));
        body = Cow::Owned(inflated);
    }
    if body.len() > octets_max {
        problem = Some(SitemapProblem::TooLong);
        match &mut body {
            Cow::Borrowed(octets) => *octets = &octets[..octets_max],
            Cow::Owned(octets) => octets.truncate(octets_max),
        }
    }
    (body, problem)
}
