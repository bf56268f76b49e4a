//! `CompactReader`: reads structs in Thrift's compact protocol, field by field. It allocates
//! nothing but its path.
//!
//! A reader that knows a field reads it by its known type, whatever type is stated. To see the same
//! values, this reader rejects a known field with another type, and fields out of order, which
//! might be repeated.

use std::fmt;

const DEPTH_MAX: usize = 8;

/// Fields that the crate `parquet` knows.
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) fields: &'static [(i16, FieldType)],
}

/// The type of a known field.
#[derive(Clone, Copy)]
pub(super) enum FieldType {
    Bool,
    Byte,
    /// An integer of at most 32 bits.
    Integer,
    Long,
    Binary,
    Struct(&'static Shape),
    Structs(&'static Shape),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The bytes end too early.
    Ended,
    /// The bytes do not follow the format.
    Malformed,
    /// A value is not accepted, for this reason.
    Refused(String),
    /// All wanted values were found.
    Found,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended => f.write_str("it is truncated"),
            Self::Malformed => f.write_str("it is malformed"),
            Self::Refused(why) => f.write_str(why),
            Self::Found => f.write_str("it goes on"),
        }
    }
}

/// Receives the name of a struct, the field number, and the integer or the length of a list. Field
/// 0 is the end of a struct.
pub(super) type Found<'f> = dyn FnMut(&'static str, i16, i64) -> Result<(), Stop> + 'f;

pub(super) struct CompactReader<'o> {
    bytes: &'o [u8],
    at: usize,
}

impl<'o> CompactReader<'o> {
    pub(super) fn of(bytes: &'o [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Reads a struct and calls `found` with each value.
    pub(super) fn read(
        &mut self,
        shape: &'static Shape,
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        self.fields(Some(shape), 0, found)
    }

    fn fields(
        &mut self,
        shape: Option<&'static Shape>,
        depth: usize,
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        if depth > DEPTH_MAX {
            return Err(Stop::Malformed);
        }
        let mut last: i16 = 0;
        loop {
            let head = self.byte()?;
            let wire = head & 0x0F;
            if wire == 0 {
                return shape.map_or(Ok(()), |shape| found(shape.name, 0, 0));
            }
            let number = match head >> 4 {
                0 => i16::try_from(self.integer()?).ok(),
                delta => last.checked_add(i16::from(delta)),
            };
            let number = number.filter(|it| *it > last).ok_or(Stop::Malformed)?;
            last = number;
            let of_number = |fields: &'static [(i16, FieldType)]| {
                fields.iter().find(|(known, _)| *known == number)
            };
            match shape.and_then(|shape| Some((shape.name, of_number(shape.fields)?.1))) {
                None => self.skip(wire, depth, found)?,
                Some((name, known)) => self.known(name, number, known, wire, depth, found)?,
            }
        }
    }

    fn known(
        &mut self,
        name: &'static str,
        number: i16,
        known: FieldType,
        wire: u8,
        depth: usize,
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        match (known, wire) {
            (FieldType::Bool, 1 | 2) => Ok(()),
            (FieldType::Byte, 3) => self.skip_bytes(1),
            (FieldType::Integer, 4..=6) => {
                let value = self.integer()?;
                i32::try_from(value).map_err(|_| Stop::Malformed)?;
                found(name, number, value)
            }
            (FieldType::Long, 4..=6) => {
                let value = self.integer()?;
                found(name, number, value)
            }
            (FieldType::Binary, 8) => self.skip_binary(),
            (FieldType::Struct(shape), 12) => self.fields(Some(shape), depth + 1, found),
            (FieldType::Structs(shape), 9) => {
                let (count, element) = self.list()?;
                found(
                    name,
                    number,
                    i64::try_from(count).map_err(|_| Stop::Malformed)?,
                )?;
                if count > 0 && element != 12 {
                    return Err(Stop::Malformed);
                }
                (0..count).try_for_each(|_| self.fields(Some(shape), depth + 1, found))
            }
            _ => Err(Stop::Malformed),
        }
    }

    /// Rejects unknown lists.
    fn skip(&mut self, wire: u8, depth: usize, found: &mut Found<'_>) -> Result<(), Stop> {
        match wire {
            1 | 2 => Ok(()),
            3 => self.skip_bytes(1),
            4..=6 => self.unsigned().map(|_| ()),
            7 => self.skip_bytes(8),
            8 => self.skip_binary(),
            12 => self.fields(None, depth + 1, found),
            _ => Err(Stop::Malformed),
        }
    }

    /// Returns the length and element type.
    fn list(&mut self) -> Result<(u64, u8), Stop> {
        let head = self.byte()?;
        match head >> 4 {
            15 => Ok((self.unsigned()?, head & 0x0F)),
            count => Ok((u64::from(count), head & 0x0F)),
        }
    }

    fn byte(&mut self) -> Result<u8, Stop> {
        let byte = self.bytes.get(self.at).ok_or(Stop::Ended)?;
        self.at += 1;
        Ok(*byte)
    }

    fn unsigned(&mut self) -> Result<u64, Stop> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        match self.byte()? {
            byte @ (0 | 1) => Ok(value | u64::from(byte) << 63),
            _ => Err(Stop::Malformed),
        }
    }

    fn integer(&mut self) -> Result<i64, Stop> {
        let value = self.unsigned()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn skip_binary(&mut self) -> Result<(), Stop> {
        let bytes = self.unsigned()?;
        self.skip_bytes(bytes)
    }

    fn skip_bytes(&mut self, bytes: u64) -> Result<(), Stop> {
        let left = self.bytes.len() - self.at;
        let bytes = usize::try_from(bytes).ok().filter(|it| *it <= left);
        self.at += bytes.ok_or(Stop::Ended)?;
        Ok(())
    }
}
