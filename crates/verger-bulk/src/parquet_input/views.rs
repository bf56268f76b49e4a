use arrow_schema::{DataType, Field, Fields};

/// Replaces text types, including in structs, so that a repeated text is in memory once.
pub(crate) fn with_views(fields: &Fields) -> Fields {
    let viewed = fields.iter().map(|field| {
        let viewed = match field.data_type() {
            DataType::Utf8 => DataType::Utf8View,
            DataType::Binary => DataType::BinaryView,
            DataType::Struct(fields) => DataType::Struct(with_views(fields)),
            other => other.clone(),
        };
        Field::clone(field).with_data_type(viewed)
    });
    viewed.collect()
}
