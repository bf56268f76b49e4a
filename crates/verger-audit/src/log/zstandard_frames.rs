//! `ZstandardFrames`: what the frames of a Zstandard stream hold, one after the other (RFC 8878).

use std::error::Error;
use std::io::{self, ErrorKind, Read};
use std::iter::successors;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The largest window that is kept in memory: 128 MiB, as far as `zstd` itself goes unasked.
const WINDOW_OCTETS_MAX: u64 = 128 << 20;

/// So many octets are decoded at once, at least.
const STEP_OCTETS: usize = 64 << 10;

/// The last block of a frame, without content, and a check sum, which is read where the frame has one.
const EMPTY_LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

const CUT: &str = "it ends within a Zstandard frame";

/// Whether octets begin as a frame, or as one without content does.
pub(super) fn begins_as_frame(octets: &[u8]) -> bool {
    octets.starts_with(&MAGIC) || is_without_content(octets)
}

fn is_without_content(octets: &[u8]) -> bool {
    matches!(octets, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// Reads what frames hold. What was decoded before damage comes before the error.
pub(super) struct ZstandardFrames<R> {
    input: R,
    frame: FrameDecoder,
    state: State,
    damage: Option<io::Error>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    Within,
    Ended,
}

impl<R: Read> ZstandardFrames<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            frame: FrameDecoder::new(),
            state: State::Between,
            damage: None,
        }
    }

    /// Opens the next frame that has content.
    fn open(&mut self) -> io::Result<State> {
        loop {
            let mut start = Vec::new();
            self.input.by_ref().take(4).read_to_end(&mut start)?;
            if start.is_empty() {
                return Ok(State::Ended);
            }
            if is_without_content(&start) {
                self.pass_over()?;
            } else if start == MAGIC {
                self.open_frame()?;
                return Ok(State::Within);
            } else {
                return Err(damage("no Zstandard frame, behind one"));
            }
        }
    }

    /// Passes over a frame without content (RFC 8878 3.1.2).
    fn pass_over(&mut self) -> io::Result<()> {
        let [a, b, c, d] = self.octets()?;
        let octets = u64::from(u32::from_le_bytes([a, b, c, d]));
        let mut content = self.input.by_ref().take(octets);
        let passed = io::copy(&mut content, &mut io::sink())?;
        if passed < octets {
            return Err(damage(CUT));
        }
        Ok(())
    }

    /// Reads the header behind the magic number (RFC 8878 3.1.1.1).
    fn open_frame(&mut self) -> io::Result<()> {
        let [descriptor] = self.octets()?;
        let mut header = [MAGIC.as_slice(), &[descriptor]].concat();
        let is_single_segment = descriptor & 0x20 != 0;
        let window_octets = usize::from(!is_single_segment);
        let dictionary_octets = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let length_octets = [usize::from(is_single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
        let left = window_octets + dictionary_octets + length_octets;
        let mut fields = self.input.by_ref().take(left as u64);
        if fields.read_to_end(&mut header)? < left {
            return Err(damage(CUT));
        }
        // A dictionary with the id 0 is none.
        let (fields, length) = header[5..].split_at(header.len() - 5 - length_octets);
        let (window, dictionary) = fields.split_at(window_octets);
        if dictionary.iter().any(|octet| *octet != 0) {
            return Err(damage(
                "a Zstandard frame needs a dictionary, and none is read",
            ));
        }
        let window = window
            .first()
            .map_or_else(|| number(length), |it| window_of(*it));
        if window > WINDOW_OCTETS_MAX {
            return Err(damage("a Zstandard frame needs over 128 MiB of memory"));
        }
        // One that was used takes memory for the window before there is content.
        self.frame = FrameDecoder::new();
        let reset = self.frame.reset(header.as_slice());
        reset.map_err(|_| damage("the head of a Zstandard frame is malformed"))
    }

    /// Reads on. At its end the check sum is compared, if there is one.
    fn decode(&mut self) -> io::Result<State> {
        if self.frame.is_finished() {
            let stated = self.frame.get_checksum_from_data();
            if stated.is_some() && stated != self.frame.get_calculated_checksum() {
                return Err(damage("a Zstandard frame has a wrong check sum"));
            }
            return Ok(State::Between);
        }
        let step = BlockDecodingStrategy::UptoBytes(STEP_OCTETS);
        let decoded = self.frame.decode_blocks(&mut self.input, step);
        decoded.map_err(|error| in_words(&error))?;
        Ok(State::Within)
    }

    fn octets<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut octets = [0; N];
        match self.input.read_exact(&mut octets) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(damage(CUT)),
            read => read.map(|()| octets),
        }
    }

    /// Ends the frame at what was decoded of it: the decoder keeps a window back until there is an end.
    fn end_at_damage(&mut self) {
        let all = BlockDecodingStrategy::All;
        // Where that fails too, there is no more to be had.
        let _ = self.frame.decode_blocks(EMPTY_LAST_BLOCK.as_slice(), all);
    }
}

impl<R: Read> Read for ZstandardFrames<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.state != State::Between {
                let made = self.frame.read(room)?;
                if made > 0 || room.is_empty() {
                    return Ok(made);
                }
            }
            let next = match self.state {
                State::Between => self.open(),
                State::Within => self.decode(),
                State::Ended => return self.damage.take().map_or(Ok(0), Err),
            };
            self.state = next.unwrap_or_else(|error| {
                if self.state == State::Within && !self.frame.is_finished() {
                    self.end_at_damage();
                }
                self.damage = Some(error);
                State::Ended
            });
        }
    }
}

/// The window that a descriptor states, in octets (RFC 8878 3.1.1.1.2).
fn window_of(descriptor: u8) -> u64 {
    let base = 1_u64 << (10 + u32::from(descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}

/// The length of the content, in octets, where it states one (RFC 8878 3.1.1.1.4).
fn number(length: &[u8]) -> u64 {
    let octets = length.iter().rev();
    let number = octets.fold(0, |number, octet| number << 8 | u64::from(*octet));
    number.saturating_add(if length.len() == 2 { 256 } else { 0 })
}

fn damage(why: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

/// An error of the input as it is, and any other one in words.
fn in_words(error: &(dyn Error + 'static)) -> io::Error {
    let mut causes = successors(Some(error), |error| (**error).source());
    match causes.find_map(|cause| cause.downcast_ref::<io::Error>()) {
        Some(cause) if cause.kind() == ErrorKind::UnexpectedEof => damage(CUT),
        Some(cause) => io::Error::new(cause.kind(), cause.to_string()),
        None => damage("a Zstandard frame is damaged"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn frame(octets: &[u8]) -> Vec<u8> {
        compress_to_vec(octets, CompressionLevel::Fastest)
    }

    /// What is read, and the error behind it.
    fn read(stream: &[u8]) -> (Vec<u8>, Option<String>) {
        let mut read = Vec::new();
        let ended = ZstandardFrames::new(stream).read_to_end(&mut read);
        (read, ended.err().map(|error| error.to_string()))
    }

    /// Incompressible, so that each block is as long as what it holds.
    fn noise(octets: usize) -> Vec<u8> {
        let next = |state: &u64| Some(state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1));
        let states = successors(Some(1), next).skip(1);
        states
            .map(|state| state.to_be_bytes()[0])
            .take(octets)
            .collect()
    }

    #[test]
    fn frames_without_content_are_passed_over() {
        let skipped = [b"\x5A\x2A\x4D\x18\x03\0\0\0".as_slice(), b"abc"].concat();
        let stream = [
            &skipped,
            &frame(b"one"),
            &skipped,
            &skipped,
            &frame(b"two"),
            &skipped,
        ];
        assert_eq!(
            read(&stream.map(Vec::as_slice).concat()),
            (b"onetwo".to_vec(), None)
        );
        assert!(begins_as_frame(&skipped) && begins_as_frame(&frame(b"")));
        assert_eq!(read(&skipped), (Vec::new(), None));
        for cut in 1..skipped.len() {
            let stream = [frame(b"one"), skipped[..cut].to_vec()].concat();
            let problem = if cut < 4 {
                "no Zstandard frame, behind one"
            } else {
                CUT
            };
            assert_eq!(read(&stream), (b"one".to_vec(), Some(problem.to_owned())));
        }
    }

    #[test]
    fn all_whole_blocks_before_a_cut_come_before_the_error() {
        let content = noise(300 << 10);
        let whole = frame(&content);
        for cut in [5, 9, 1000, 140 << 10, whole.len() - 2] {
            let (read, error) = read(&whole[..cut]);
            assert_eq!(error.as_deref(), Some(CUT), "{cut}");
            assert!(content.starts_with(&read), "{cut}");
            // A block has at most 128 KiB.
            assert!(
                read.len() + (128 << 10) + 64 >= cut,
                "{cut}: {}",
                read.len()
            );
        }
    }

    #[test]
    fn a_check_sum_is_compared_behind_the_content() {
        let mut stream = frame(b"content");
        assert_eq!(stream[4] & 4, 4, "it has a check sum");
        *stream.last_mut().unwrap() ^= 1;
        let problem = "a Zstandard frame has a wrong check sum";
        assert_eq!(
            read(&stream),
            (b"content".to_vec(), Some(problem.to_owned()))
        );
    }

    #[test]
    fn what_a_head_asks_for_is_bounded() {
        let behind =
            |head: &[u8]| read(&[MAGIC.as_slice(), head, &EMPTY_LAST_BLOCK[..3]].concat()).1;
        let too_large = Some("a Zstandard frame needs over 128 MiB of memory".to_owned());
        assert_eq!(behind(&[0, 17 << 3]), None, "128 MiB");
        assert_eq!(behind(&[0, 17 << 3 | 1]), too_large);
        assert_eq!(behind(&[0xA0, 0, 0, 0, 8]), None, "128 MiB in one segment");
        assert_eq!(behind(&[0xA0, 1, 0, 0, 8]), too_large);
        let dictionary = Some("a Zstandard frame needs a dictionary, and none is read".to_owned());
        assert_eq!(behind(&[1, 0, 7]), dictionary);
        assert_eq!(behind(&[1, 0, 0]), None, "no dictionary");
    }
}
