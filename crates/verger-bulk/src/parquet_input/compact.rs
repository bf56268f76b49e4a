//! `CompactReader`: reads structs in Thrift's compact protocol, field by field, without allocation.
//!
//! The library reads a known field by its known type, whatever type is stated. To see the same values, this reader rejects
//! a known field with another type, and fields out of order, which might be repeated.

const DEPTH_MAX: usize = 8;

pub(super) const MALFORMED: &str = "it is malformed";
const TRUNCATED: &str = "it is truncated";

/// The type of a field. Fields of a struct are listed by their numbers, from 1 on.
pub(super) enum FieldType {
    Unknown,
    Bool,
    Byte,
    Integer,
    Binary,
    Struct(&'static [FieldType]),
    Structs(&'static [FieldType]),
}

/// Receives the numbers of a field and of those around it, and its integer or the length of its list. Number 0 is the end
/// of a struct.
pub(super) type Found<'f> = dyn FnMut(&[i16], i64) -> Result<(), String> + 'f;

pub(super) struct CompactReader<'o, 'f> {
    rest: &'o [u8],
    path: Vec<i16>,
    found: &'f mut Found<'f>,
}

impl<'o, 'f> CompactReader<'o, 'f> {
    pub(super) fn new(rest: &'o [u8], found: &'f mut Found<'f>) -> Self {
        let path = Vec::new();
        Self { rest, path, found }
    }

    pub(super) fn read(&mut self, fields: &[FieldType]) -> Result<(), String> {
        if self.path.len() > DEPTH_MAX {
            return Err(MALFORMED.to_owned());
        }
        self.path.push(0);
        let last = self.path.len() - 1;
        loop {
            let head = self.byte()?;
            let (delta, wire) = (head >> 4, head & 0x0F);
            if wire == 0 {
                self.path[last] = 0;
                (self.found)(&self.path, 0)?;
                self.path.pop();
                return Ok(());
            }
            let number = match delta {
                0 => i16::try_from(self.integer()?).ok(),
                delta => self.path[last].checked_add(i16::from(delta)),
            };
            let number = number.filter(|it| *it > self.path[last]);
            self.path[last] = number.ok_or(MALFORMED)?;
            let nth = usize::try_from(self.path[last] - 1).unwrap_or(usize::MAX);
            self.value(fields.get(nth).unwrap_or(&FieldType::Unknown), wire)?;
        }
    }

    fn value(&mut self, known: &FieldType, wire: u8) -> Result<(), String> {
        use FieldType::{Binary, Bool, Byte, Integer, Struct, Structs, Unknown};
        match (known, wire) {
            (Bool | Unknown, 1 | 2) => Ok(()),
            (Byte | Unknown, 3) => self.skip(1),
            (Integer | Unknown, 4..=6) => {
                let value = self.integer()?;
                (self.found)(&self.path, value)
            }
            (Unknown, 7) => self.skip(8),
            (Binary | Unknown, 8) => {
                let bytes = unsigned(&mut self.rest).ok_or(TRUNCATED)?;
                self.skip(bytes)
            }
            (Struct(fields), 12) => self.read(fields),
            (Unknown, 12) => self.read(&[]),
            (Structs(fields), 9) => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => unsigned(&mut self.rest).ok_or(TRUNCATED)?,
                    count => u64::from(count),
                };
                (self.found)(&self.path, i64::try_from(count).map_err(|_| MALFORMED)?)?;
                if count > 0 && head & 0x0F != 12 {
                    return Err(MALFORMED.to_owned());
                }
                (0..count).try_for_each(|_| self.read(fields))
            }
            _ => Err(MALFORMED.to_owned()),
        }
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(*self.rest.split_off_first().ok_or(TRUNCATED)?)
    }

    fn integer(&mut self) -> Result<i64, String> {
        Ok(zigzag(unsigned(&mut self.rest).ok_or(TRUNCATED)?))
    }

    fn skip(&mut self, bytes: u64) -> Result<(), String> {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.rest.split_off(..bytes).ok_or(TRUNCATED)?;
        Ok(())
    }
}

/// Reads a number of seven bits a byte, or returns `None` if it ends too late or has more than 64 bits.
pub(super) fn unsigned(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        let bits = u64::from(byte & 0x7F);
        value |= bits << shift;
        if byte < 0x80 {
            return (value >> shift == bits).then_some(value);
        }
    }
    None
}

pub(super) fn zigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}
