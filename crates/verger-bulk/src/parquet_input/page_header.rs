use super::compact::FieldType::{Bool, Integer, Struct};
use super::compact::{CompactReader, Shape, Stop};

static PAGE: Shape = Shape {
    name: "page",
    fields: &[
        (1, Integer),
        (2, Integer),
        (3, Integer),
        (4, Integer),
        (5, Struct(&DATA)),
        (6, Struct(&INDEX)),
        (7, Struct(&DICTIONARY)),
        (8, Struct(&DATA_2)),
    ],
};

static DATA: Shape = Shape {
    name: "data page",
    fields: &[(1, Integer), (2, Integer), (3, Integer), (4, Integer)],
};

static INDEX: Shape = Shape {
    name: "index page",
    fields: &[],
};

static DICTIONARY: Shape = Shape {
    name: "dictionary page",
    fields: &[(1, Integer), (2, Integer), (3, Bool)],
};

static DATA_2: Shape = Shape {
    name: "data page of version 2",
    fields: &[
        (1, Integer),
        (2, Integer),
        (3, Integer),
        (4, Integer),
        (5, Integer),
        (6, Integer),
        (7, Bool),
    ],
};

/// The numbers of `DELTA_LENGTH_BYTE_ARRAY` and `DELTA_BYTE_ARRAY`.
const TEXT_LENGTHS: [i64; 2] = [6, 7];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// Size of the header itself, in bytes.
    pub(super) bytes: u64,
    /// Uncompressed size, in bytes.
    pub(super) page_bytes: i64,
    /// Size in the file, in bytes.
    pub(super) compressed_bytes: i64,
    /// Size of the levels before the compressed part, in bytes.
    pub(super) level_bytes: i64,
    /// Whether the encoding stores lengths or shared prefixes of texts.
    pub(super) has_text_lengths: bool,
    pub(super) dictionary_values: i64,
}

impl PageHeader {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Stop> {
        let mut header = Self::default();
        let mut reader = CompactReader::of(bytes);
        reader.read(&PAGE, &mut |name, field, value| {
            match (name, field) {
                ("page", 2) => header.page_bytes = value,
                ("page", 3) => header.compressed_bytes = value,
                ("data page", 2) | ("data page of version 2", 4) => {
                    header.has_text_lengths |= TEXT_LENGTHS.contains(&value);
                }
                ("dictionary page", 1) => header.dictionary_values = value,
                ("data page of version 2", 5 | 6) => header.level_bytes += value,
                _ => {}
            }
            Ok(())
        })?;
        header.bytes = reader.at() as u64;
        Ok(header)
    }
}
