use std::io::{self, Write};

use verger_answer::text::base64;
use verger_store::BodyHash;

use super::text::Text;

const STYLE: &str = include_str!("style.css");

// A browser converts CR LF to LF before it hashes the style, and would then reject it.
const _: () = {
    let bytes = STYLE.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        assert!(bytes[at] != b'\r', "style.css has a carriage return");
        at += 1;
    }
};

/// Writes a page with its title, summary and parts.
pub(crate) fn write_page<W: Write>(
    output: &mut W,
    title: &str,
    write_summary: impl FnOnce(&mut W) -> io::Result<()>,
    write_parts: impl FnOnce(&mut W) -> io::Result<()>,
) -> io::Result<()> {
    let title = Text(title);
    // The policy allows only the style with this hash, so page content cannot add one.
    let hash = base64(BodyHash::new(STYLE.as_bytes()).bytes());
    writeln!(
        output,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header><h1>{title}</h1>"
    )?;
    write_summary(output)?;
    output.write_all(b"</header>\n<main>\n")?;
    write_parts(output)?;
    output.write_all(b"</main>\n</body>\n</html>\n")
}

/// Writes a section with a heading. `id` is its anchor.
pub(crate) fn write_part<W: Write>(
    output: &mut W,
    id: &str,
    heading: &str,
    write: impl FnOnce(&mut W) -> io::Result<()>,
) -> io::Result<()> {
    writeln!(
        output,
        "<section id=\"{id}\" aria-labelledby=\"{id}-heading\"><h2 id=\"{id}-heading\">{heading}</h2>"
    )?;
    write(output)?;
    output.write_all(b"</section>\n")
}

/// Writes how much is omitted, if anything.
#[cfg(feature = "audit")]
pub(crate) fn write_cut(
    output: &mut impl Write,
    count: u64,
    note: std::fmt::Arguments<'_>,
) -> io::Result<()> {
    match count {
        0 => Ok(()),
        _ => writeln!(output, "<p class=\"cut\">{note}</p>"),
    }
}
