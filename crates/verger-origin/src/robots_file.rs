//! Files for scripts. All valid files have the same rules.

use std::io;

use super::connection::Connection;
use super::reply::{TEXT, send};

/// The content of all valid files.
pub(super) const RULES: &str = "User-agent: *\nDisallow: /private/\n";

pub(super) const COMMENT: &str = "# a comment of forty bytes, and no more\n";

/// Sends the file correctly.
pub(super) fn send_rules(connection: &mut Connection) -> io::Result<()> {
    send(connection, "200 OK", &[TEXT], RULES.as_bytes())
}

/// Sends the file with more headers.
pub(super) fn send_rules_with(
    connection: &mut Connection,
    headers: &[(&str, &str)],
) -> io::Result<()> {
    let mut all = vec![TEXT];
    all.extend_from_slice(headers);
    send(connection, "200 OK", &all, RULES.as_bytes())
}

/// Returns a file of this size: the rules, then comments, then `last_line`.
pub(super) fn file_of(bytes: usize, last_line: &str) -> Vec<u8> {
    let mut file = RULES.as_bytes().to_vec();
    let room = bytes.saturating_sub(file.len() + last_line.len());
    file.extend_from_slice(COMMENT.repeat(room / COMMENT.len()).as_bytes());
    let left = bytes.saturating_sub(file.len() + last_line.len());
    if left > 0 {
        file.extend(std::iter::repeat_n(b'#', left - 1));
        file.push(b'\n');
    }
    file.extend_from_slice(last_line.as_bytes());
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_size_that_is_asked_for() {
        for bytes in [512_000, 512_001, 512_040, 600_000] {
            let file = file_of(bytes, "Disallow: /last/\n");
            assert_eq!(file.len(), bytes);
            assert!(file.starts_with(RULES.as_bytes()));
            assert!(file.ends_with(b"\nDisallow: /last/\n"), "{bytes}");
        }
    }
}
