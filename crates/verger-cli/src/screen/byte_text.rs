use std::io::{self, IsTerminal as _, Write};

pub(crate) use verger_answer::text::{legible, start_of};
pub(crate) use verger_inputs::{argument_bytes, legible_path};

/// Writes to standard output byte for byte, but escaped on a terminal.
pub(crate) fn write_out(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    if stdout.is_terminal() {
        write_lines(&mut stdout, bytes)?;
    } else {
        stdout.write_all(bytes)?;
    }
    stdout.flush()
}

fn write_lines(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let mut shown = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        shown += &legible(text.strip_suffix(b"\r").unwrap_or(text));
        shown.push('\n');
    }
    output.write_all(shown.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_does_nothing_to_a_terminal() {
        let mut shown = Vec::new();
        write_lines(&mut shown, b"Allow: /\x1b]0;x\x07\r\n\n\xff").unwrap();
        let shown = String::from_utf8(shown).unwrap();
        assert_eq!(shown, "Allow: /\\x1b]0;x\\x07\n\n\u{fffd}\n");
    }
}
