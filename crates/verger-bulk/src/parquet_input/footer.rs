//! Checks a footer up to the number of row groups. No later number is allocated for.

use super::compact::FieldType::{self, Binary, Bool, Byte, Integer, Struct, Structs, Unknown};
use super::compact::{CompactReader, MALFORMED};

/// Ordinals of row groups have 16 bits.
const ROW_GROUPS_MAX: i64 = 32_767;

const DEPTH_MAX: usize = 64;

static FOOTER: &[FieldType] = &[Integer, Structs(ELEMENT), Integer, Structs(&[])];
static ELEMENT: &[FieldType] = &[
    Integer,
    Integer,
    Integer,
    Binary,
    Integer,
    Integer,
    Integer,
    Integer,
    Integer,
    Struct(LOGICAL),
];
static LOGICAL: &[FieldType] = &[
    EMPTY, EMPTY, EMPTY, EMPTY, DECIMAL, EMPTY, TIME, TIME, Unknown, INTEGER, EMPTY, EMPTY, EMPTY,
    EMPTY, EMPTY, VARIANT, GEOMETRY, GEOMETRY,
];
const EMPTY: FieldType = Struct(&[]);
const DECIMAL: FieldType = Struct(&[Integer, Integer]);
const TIME: FieldType = Struct(&[Bool, Struct(&[EMPTY, EMPTY, EMPTY])]);
const INTEGER: FieldType = Struct(&[Byte, Bool]);
const VARIANT: FieldType = Struct(&[Byte]);
const GEOMETRY: FieldType = Struct(&[Binary, Integer]);

/// Rejects too many schema elements or row groups, and a schema that is too deep.
pub(super) fn check(footer: &[u8]) -> Result<(), String> {
    let bytes = i64::try_from(footer.len()).unwrap_or(i64::MAX);
    let (mut children, mut is_checked) = (0, false);
    // The children left of each group on the path.
    let mut open: Vec<i64> = Vec::new();
    let mut found = |path: &[i16], value: i64| match path {
        [2] if value > bytes => Err(format!("it states {value} schema elements")),
        [4] if value > ROW_GROUPS_MAX => Err(format!("it states {value} row groups")),
        [4] => {
            is_checked = true;
            Err(String::new())
        }
        [2, 5] if !(0..=bytes).contains(&value) => Err(format!("it states {value} children")),
        [2, 5] => {
            children = value;
            Ok(())
        }
        [2, 0] => {
            open.last_mut().into_iter().for_each(|left| *left -= 1);
            match std::mem::take(&mut children) {
                0 => while open.pop_if(|left| *left == 0).is_some() {},
                children => open.push(children),
            }
            if open.len() > DEPTH_MAX {
                return Err(format!(
                    "its groups are nested more than {DEPTH_MAX} levels deep"
                ));
            }
            Ok(())
        }
        _ => Ok(()),
    };
    let read = CompactReader::new(footer, &mut found).read(FOOTER);
    match read {
        _ if is_checked => Ok(()),
        Ok(()) => Err(MALFORMED.to_owned()),
        Err(why) => Err(why),
    }
}
