//! `JsonElements`: the elements of a JSON array, of bounded length.

use std::io::{self, BufRead};

/// Maximum length of a line or element, in bytes. Longer ones are skipped.
pub(super) const LINE_BYTES_MAX: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextLine {
    Line,
    TooLong,
    End,
}

/// The elements of a JSON array, read like the lines of JSON Lines.
pub(super) struct JsonElements<R> {
    input: R,
    element: Vec<u8>,
    number: u64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Before,
    Within,
    Behind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ElementEnd {
    Comma,
    Array,
    Input,
}

impl<R: BufRead> JsonElements<R> {
    pub(super) fn of(input: R) -> Self {
        Self {
            input,
            element: Vec::new(),
            number: 0,
            state: State::Before,
        }
    }

    /// Returns the number of the last element read, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn element(&self) -> &[u8] {
        self.element.trim_ascii()
    }

    /// Returns an error for an array that is not closed, or if anything but white space follows it.
    pub(super) fn advance(&mut self) -> io::Result<NextLine> {
        let broken = |problem: &str| Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        if self.state == State::Before {
            self.skip_to_bracket()?;
            self.state = State::Within;
        }
        if self.state == State::Behind {
            return self.end();
        }
        let (end, is_long) = self.read_element()?;
        let is_empty = self.element().is_empty() && !is_long;
        match end {
            ElementEnd::Input => return broken("the file ends within its JSON array"),
            ElementEnd::Array => self.state = State::Behind,
            ElementEnd::Comma => {}
        }
        if is_empty && end == ElementEnd::Array && self.number == 0 {
            return self.end();
        }
        self.number += 1;
        Ok(if is_long {
            NextLine::TooLong
        } else {
            NextLine::Line
        })
    }

    fn end(&mut self) -> io::Result<NextLine> {
        loop {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                return Ok(NextLine::End);
            }
            if !bytes.trim_ascii().is_empty() {
                let problem = "there is more data after the JSON array: give one array, or one line per element";
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
            let read = bytes.len();
            self.input.consume(read);
        }
    }

    fn skip_to_bracket(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.input.fill_buf()?;
            let Some(at) = memchr::memchr(b'[', bytes) else {
                let read = bytes.len();
                if read == 0 {
                    return Ok(());
                }
                self.input.consume(read);
                continue;
            };
            self.input.consume(at + 1);
            return Ok(());
        }
    }

    /// Ignores commas and brackets in strings and nested brackets.
    fn read_element(&mut self) -> io::Result<(ElementEnd, bool)> {
        self.element.clear();
        let (mut depth, mut is_text, mut is_escaped, mut is_long) = (0_usize, false, false, false);
        loop {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                return Ok((ElementEnd::Input, is_long));
            }
            let mut end = None;
            let mut used = 0;
            for &byte in bytes {
                used += 1;
                match byte {
                    _ if is_escaped => is_escaped = false,
                    b'\\' if is_text => is_escaped = true,
                    b'"' => is_text = !is_text,
                    _ if is_text => {}
                    b'[' | b'{' => depth += 1,
                    b']' if depth == 0 => end = Some(ElementEnd::Array),
                    b',' if depth == 0 => end = Some(ElementEnd::Comma),
                    b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if end.is_some() {
                    break;
                }
            }
            let taken = used - usize::from(end.is_some());
            is_long |= self.element.len() + taken > LINE_BYTES_MAX;
            if is_long {
                self.element.clear();
            } else {
                self.element.extend_from_slice(&bytes[..taken]);
            }
            self.input.consume(used);
            if let Some(end) = end {
                return Ok((end, is_long));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(array: &[u8]) -> Result<Vec<(NextLine, Vec<u8>)>, String> {
        let mut elements = JsonElements::of(io::BufReader::with_capacity(5, array));
        let mut found = Vec::new();
        loop {
            match elements.advance().map_err(|error| error.to_string())? {
                NextLine::End => return Ok(found),
                next => found.push((next, elements.element().to_vec())),
            }
        }
    }

    #[test]
    fn elements_end_outside_of_texts_and_brackets() {
        let line = |text: &str| (NextLine::Line, text.as_bytes().to_vec());
        for (array, expected) in [
            ("[]", vec![]),
            (" [ \n] ", vec![]),
            ("[1]", vec![line("1")]),
            (
                "[ {\"a\": \"],\\\"}\"},\n [1,[2]] ,\"b,\" ]",
                vec![
                    line("{\"a\": \"],\\\"}\"}"),
                    line("[1,[2]]"),
                    line("\"b,\""),
                ],
            ),
            ("[1,]", vec![line("1"), line("")]),
        ] {
            assert_eq!(elements(array.as_bytes()), Ok(expected), "{array}");
        }
        let long = format!("[\"{}\",2]", "x".repeat(LINE_BYTES_MAX));
        let expected = vec![(NextLine::TooLong, Vec::new()), line("2")];
        assert_eq!(elements(long.as_bytes()), Ok(expected));
        for cut in ["[", "[1", "[1,", "[\"]"] {
            let problem = "the file ends within its JSON array".to_owned();
            assert_eq!(elements(cut.as_bytes()), Err(problem), "{cut}");
        }
        for more in ["[1]\n[2]", "[]       ]", "[1]           x"] {
            let problem = elements(more.as_bytes()).unwrap_err();
            assert!(problem.contains("more data after"), "{more}: {problem}");
        }
    }
}
