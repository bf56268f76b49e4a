use std::io::{self, Write};

use verger_answer::HumanCountOf;
use verger_answer::text::base64;
use verger_store::BodyHash;

use super::text::Text;

const STYLE: &str = concat!(include_str!("tokens.css"), include_str!("style.css"));
const MARK: &str = include_str!("mark.svg");

/// The parts of a page around its content.
pub(crate) struct Frame<'f> {
    /// The kind of page, for the bar on top.
    pub(crate) kind: &'static str,
    pub(crate) title: &'f str,
    /// The command that made the page, for its footer.
    pub(crate) command: &'f str,
}

impl Frame<'_> {
    /// Writes the page with its summary and parts.
    pub(crate) fn write<W: Write>(
        &self,
        output: &mut W,
        write_summary: impl FnOnce(&mut W) -> io::Result<()>,
        write_parts: impl FnOnce(&mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        let (title, kind) = (Text(self.title), self.kind);
        // The policy allows only the style with this hash, so page content cannot add one.
        let hash = base64(BodyHash::new(STYLE.as_bytes()).bytes());
        // Inside HTML, a drawing needs no namespace.
        let mark = MARK.trim_end().replacen(
            " xmlns=\"http://www.w3.org/2000/svg\"",
            " class=\"logo\" aria-hidden=\"true\"",
            1,
        );
        writeln!(
            output,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title} · Verger</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <header>{mark}<strong>Verger</strong> <span>{kind}</span></header>\n\
             <main>\n<div class=\"summary\"><h1>{title}</h1>"
        )?;
        write_summary(output)?;
        output.write_all(b"</div>\n")?;
        write_parts(output)?;
        output.write_all(b"</main>\n")?;
        self.write_footer(output)?;
        output.write_all(b"</body>\n</html>\n")
    }

    fn write_footer(&self, output: &mut impl Write) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        write!(output, "<footer><p>Made by Verger {version}")?;
        if !self.command.is_empty() {
            write!(output, " with <code>{}</code>", Text(self.command))?;
        }
        output.write_all(b". The page is one file and loads nothing.</p><p>")?;
        // Empty until the repository has a place: see RELEASING.md.
        match env!("CARGO_PKG_REPOSITORY") {
            "" => output.write_all(b"Verger is open source")?,
            repository => write!(output, "<a href=\"{repository}\">Source of Verger</a>")?,
        }
        output.write_all(
            b", licensed under <a href=\"https://spdx.org/licenses/MIT.html\">MIT</a> or \
              <a href=\"https://spdx.org/licenses/Apache-2.0.html\">Apache-2.0</a>.</p></footer>\n",
        )
    }
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

/// Writes how many things are omitted, if any. The nouns are the singular and the plural.
pub(crate) fn write_cut(
    output: &mut impl Write,
    count: u64,
    [one, others]: [&'static str; 2],
    end: &str,
) -> io::Result<()> {
    match HumanCountOf(count, one, others) {
        HumanCountOf(0, ..) => Ok(()),
        things => writeln!(output, "<p class=\"cut\">{things} {end}</p>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_has_the_hash_that_a_browser_computes() {
        // A browser converts CR LF to LF before it hashes the style.
        assert!(!STYLE.contains('\r'));
        assert!(STYLE.contains("--closed:") && STYLE.contains(".badge"));
    }
}
