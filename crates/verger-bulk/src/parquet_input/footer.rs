use super::compact::{CompactReader, FieldType, Shape, Stop};
use FieldType::{Binary, Bool, Byte, Integer, Long, Struct, Structs};

/// Ordinals of row groups have 16 bits.
const ROW_GROUPS_MAX: i64 = 32_767;

const DEPTH_MAX: usize = 64;

/// Nothing after the number of row groups is read.
static FOOTER: Shape = Shape {
    name: "footer",
    fields: &[
        (1, Integer),
        (2, Structs(&SCHEMA_ELEMENT)),
        (3, Long),
        (4, Structs(&EMPTY)),
    ],
};

static SCHEMA_ELEMENT: Shape = Shape {
    name: "schema element",
    fields: &[
        (1, Integer),
        (2, Integer),
        (3, Integer),
        (4, Binary),
        (5, Integer),
        (6, Integer),
        (7, Integer),
        (8, Integer),
        (9, Integer),
        (10, Struct(&LOGICAL_TYPE)),
    ],
};

static LOGICAL_TYPE: Shape = Shape {
    name: "logical type",
    fields: &[
        (1, Struct(&EMPTY)),
        (2, Struct(&EMPTY)),
        (3, Struct(&EMPTY)),
        (4, Struct(&EMPTY)),
        (5, Struct(&DECIMAL)),
        (6, Struct(&EMPTY)),
        (7, Struct(&TIME)),
        (8, Struct(&TIME)),
        (10, Struct(&INTEGER)),
        (11, Struct(&EMPTY)),
        (12, Struct(&EMPTY)),
        (13, Struct(&EMPTY)),
        (14, Struct(&EMPTY)),
        (15, Struct(&EMPTY)),
        (16, Struct(&VARIANT)),
        (17, Struct(&GEOMETRY)),
        (18, Struct(&GEOMETRY)),
    ],
};

static EMPTY: Shape = shape("empty", &[]);
static DECIMAL: Shape = shape("decimal", &[(1, Integer), (2, Integer)]);
static TIME: Shape = shape("time", &[(1, Bool), (2, Struct(&TIME_UNIT))]);
static INTEGER: Shape = shape("integer", &[(1, Byte), (2, Bool)]);
static VARIANT: Shape = shape("variant", &[(1, Byte)]);
static GEOMETRY: Shape = shape("geometry", &[(1, Binary), (2, Integer)]);
static TIME_UNIT: Shape = shape(
    "time unit",
    &[
        (1, Struct(&EMPTY)),
        (2, Struct(&EMPTY)),
        (3, Struct(&EMPTY)),
    ],
);

const fn shape(name: &'static str, fields: &'static [(i16, FieldType)]) -> Shape {
    Shape { name, fields }
}

/// Rejects too many schema elements or row groups, and a schema that is too deep.
pub(super) fn check(footer: &[u8]) -> Result<(), String> {
    let mut schema = SchemaDepth::default();
    let mut children = 0;
    let bytes = i64::try_from(footer.len()).unwrap_or(i64::MAX);
    let mut found = |name: &'static str, field: i16, value: i64| match (name, field) {
        ("footer", 2) if value > bytes => Err(too_many("schema elements", value)),
        ("footer", 4) if value > ROW_GROUPS_MAX => Err(too_many("row groups", value)),
        ("footer", 4) => Err(Stop::Found),
        ("footer", 0) => Err(Stop::Malformed),
        ("schema element", 5) if !(0..=bytes).contains(&value) => Err(too_many("children", value)),
        ("schema element", 5) => {
            children = value;
            Ok(())
        }
        ("schema element", 0) => schema.add(std::mem::take(&mut children)),
        _ => Ok(()),
    };
    match CompactReader::of(footer).read(&FOOTER, &mut found) {
        Err(Stop::Found) => Ok(()),
        Ok(()) => Err(Stop::Malformed.to_string()),
        Err(stop) => Err(stop.to_string()),
    }
}

fn too_many(what: &str, count: i64) -> Stop {
    Stop::Refused(format!("it states {count} {what}"))
}

/// Children left for each group on the path.
#[derive(Default)]
struct SchemaDepth(Vec<i64>);

impl SchemaDepth {
    fn add(&mut self, children: i64) -> Result<(), Stop> {
        if let Some(left) = self.0.last_mut() {
            *left -= 1;
        }
        if children > 0 {
            self.0.push(children);
        }
        if self.0.len() > DEPTH_MAX {
            return Err(Stop::Refused(format!(
                "its groups are nested more than {DEPTH_MAX} levels deep"
            )));
        }
        while children == 0 && self.0.last() == Some(&0) {
            self.0.pop();
        }
        Ok(())
    }
}
