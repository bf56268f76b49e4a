//! All scripts, by the names of their behaviours.

use super::script::{NamedScript, Script};
use super::{bodies, encodings, framing, freshness, ftp, http2, redirects, slow, statuses, tls};

const ALL: [&[NamedScript]; 10] = [
    bodies::SCRIPTS,
    statuses::SCRIPTS,
    redirects::SCRIPTS,
    freshness::SCRIPTS,
    encodings::SCRIPTS,
    framing::SCRIPTS,
    slow::SCRIPTS,
    tls::SCRIPTS,
    http2::SCRIPTS,
    ftp::SCRIPTS,
];

/// Returns the script with this name.
pub(super) fn script_of(name: &str) -> Option<Script> {
    let mut scripts = ALL.into_iter().flatten();
    scripts
        .find(|(of, _)| *of == name)
        .map(|(_, script)| *script)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use verger_testkit::origin_file::{UrlScheme, bundled_behaviours};

    #[test]
    fn each_script_has_one_entry_in_the_file_and_each_entry_one_script() {
        let behaviours = bundled_behaviours().unwrap();
        let entries: BTreeSet<&str> = behaviours.iter().map(|it| it.name.as_str()).collect();
        let names: Vec<&str> = ALL.into_iter().flatten().map(|(name, _)| *name).collect();
        let scripts: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(scripts.len(), names.len(), "a script occurs twice");
        let without_entry: Vec<_> = scripts.difference(&entries).collect();
        let without_script: Vec<_> = entries.difference(&scripts).collect();
        assert!(without_entry.is_empty(), "no entry: {without_entry:?}");
        assert!(without_script.is_empty(), "no script: {without_script:?}");
    }

    #[test]
    fn a_script_speaks_as_its_entry_says() {
        for behaviour in bundled_behaviours().unwrap() {
            let fits = match script_of(&behaviour.name).unwrap() {
                Script::Http(_) | Script::Absent => behaviour.scheme == UrlScheme::Http,
                Script::Https(..) | Script::Http2(_) => behaviour.scheme == UrlScheme::Https,
                Script::Ftp(_) => behaviour.scheme == UrlScheme::Ftp,
                Script::Raw(_) => behaviour.scheme != UrlScheme::Ftp,
            };
            assert!(fits, "{}", behaviour.name);
        }
    }
}
