//! The command that made a page, as text for its footer.

use std::ffi::OsString;

use verger_access::without_credentials;

use super::byte_text::argument_bytes;

/// Returns the arguments of this process as a command that a shell reads, without credentials.
pub(crate) fn shown_command() -> String {
    command_text(std::env::args_os().skip(1))
}

/// Shows `verger` with these arguments. The page may be published, so values of `--header`,
/// credentials in URLs and passwords are left out.
fn command_text(arguments: impl IntoIterator<Item = OsString>) -> String {
    let mut text = "verger".to_owned();
    let mut is_secret = false;
    for argument in arguments {
        let argument = String::from_utf8_lossy(&argument_bytes(&argument)).into_owned();
        let shown = match argument.split_once('=') {
            _ if is_secret || argument.contains("password=") => "…".to_owned(),
            Some((name @ "--header", _)) => format!("{name}=…"),
            _ => without_credentials(&argument).into_owned(),
        };
        is_secret = !is_secret && argument == "--header";
        text.push(' ');
        text.push_str(&quoted(&shown));
    }
    text
}

fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@,%+…".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(arguments: &[&str]) -> String {
        command_text(arguments.iter().map(OsString::from))
    }

    #[test]
    fn a_command_can_be_run_again() {
        assert_eq!(
            shown(&[
                "report",
                "a b.txt",
                "-o",
                "it's.html",
                "--url",
                "/*?x=1",
                ""
            ]),
            r"verger report 'a b.txt' -o 'it'\''s.html' --url '/*?x=1' ''"
        );
    }

    #[test]
    fn a_command_shows_no_credentials() {
        let secret = "Authorization: Bearer s3cret";
        let header = format!("--header={secret}");
        let arguments = [
            "report",
            "https://u:s3cret@h.example/",
            "--header",
            secret,
            &header,
            "postgres:///x?password=s3cret",
        ];
        let shown = shown(&arguments);
        assert!(!shown.contains("s3cret"), "{shown}");
        assert!(
            shown.contains("h.example") && shown.ends_with(" --header … --header=… …"),
            "{shown}"
        );
    }
}
