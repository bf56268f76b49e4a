//! `License`: the URL of a licence in Really Simple Licensing (RSL 1.0, RSL-1).

use crate::url_record::UrlRecord;
use verger::{RecordKind, RobotsTxt};

/// Returns the licences of the file in file order, whatever groups they are in, with repetitions.
/// Lines without a URL are left out. RSL-1.
pub fn licenses(robots: &RobotsTxt) -> impl Iterator<Item = UrlRecord<'_>> {
    robots
        .records_of(RecordKind::License)
        .filter_map(UrlRecord::of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;
    use verger::Dialect;

    #[test]
    fn licences_belong_to_the_file() {
        let robots = RobotsTxt::parse(
            "License: https://h.example/l\u{e9}.xml\nUser-agent: a\nlicense: l.xml\nLicense:\n",
            Dialect::Rfc9309,
        );
        let found: Vec<_> = licenses(&robots)
            .map(|license| {
                (
                    license.line().get(),
                    license.to_string(),
                    license.is_absolute(),
                )
            })
            .collect();
        let expected = [
            (1, "https://h.example/l\u{e9}.xml".to_string(), true),
            (3, "l.xml".to_string(), false),
        ];
        assert_eq!(found, expected);
    }
}
