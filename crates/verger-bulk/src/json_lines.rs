//! Writes columns as JSON Lines: an object per row, with the column names as keys.

use std::io::{self, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{
    Array, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int64Array, RecordBatch,
    StringArray, StringViewArray, TimestampMicrosecondArray,
};

enum Column<'b> {
    Text(&'b StringArray),
    View(&'b StringViewArray),
    Words(&'b DictionaryArray<Int32Type>, &'b StringArray),
    Flag(&'b BooleanArray),
    Number(&'b Int64Array),
    Fraction(&'b Float64Array),
    Date(&'b Date32Array),
    Time(&'b TimestampMicrosecondArray),
}

impl<'b> Column<'b> {
    fn of(column: &'b dyn Array) -> Option<Self> {
        if let Some(words) = column.as_any().downcast_ref::<DictionaryArray<Int32Type>>() {
            return Some(Self::Words(words, words.values().as_string_opt::<i32>()?));
        }
        let text = column.as_string_opt::<i32>().map(Self::Text);
        let number = || Some(Self::Number(column.as_primitive_opt::<Int64Type>()?));
        let flag = || Some(Self::Flag(column.as_boolean_opt()?));
        let view = || Some(Self::View(column.as_string_view_opt()?));
        let fraction = || Some(Self::Fraction(column.as_primitive_opt::<Float64Type>()?));
        let date = || Some(Self::Date(column.as_primitive_opt::<Date32Type>()?));
        let time = || {
            let time = column.as_primitive_opt::<TimestampMicrosecondType>()?;
            Some(Self::Time(time))
        };
        text.or_else(view)
            .or_else(number)
            .or_else(flag)
            .or_else(time)
            .or_else(fraction)
            .or_else(date)
    }

    fn write(&self, row: usize, output: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Text(texts) => text(texts.is_valid(row).then(|| texts.value(row)), output),
            Self::View(texts) => text(texts.is_valid(row).then(|| texts.value(row)), output),
            Self::Words(words, texts) => text(words.key(row).map(|key| texts.value(key)), output),
            Self::Flag(flags) if flags.is_valid(row) => write!(output, "{}", flags.value(row)),
            Self::Number(numbers) if numbers.is_valid(row) => {
                write!(output, "{}", numbers.value(row))
            }
            Self::Time(times) if times.is_valid(row) => {
                let time = jiff::Timestamp::from_microsecond(times.value(row));
                text(time.ok().map(|time| time.to_string()).as_deref(), output)
            }
            // JSON has no infinite numbers, so they become null.
            Self::Fraction(numbers) if numbers.is_valid(row) => {
                Ok(serde_json::to_writer(output, &numbers.value(row))?)
            }
            Self::Date(dates) if dates.is_valid(row) => {
                let days = jiff::Span::new().try_days(dates.value(row));
                let date = days.and_then(|days| jiff::civil::date(1970, 1, 1).checked_add(days));
                text(date.ok().map(|date| date.to_string()).as_deref(), output)
            }
            Self::Flag(_) | Self::Number(_) | Self::Time(_) | Self::Fraction(_) | Self::Date(_) => {
                text(None, output)
            }
        }
    }
}

fn text(text: Option<&str>, output: &mut Vec<u8>) -> io::Result<()> {
    Ok(verger_answer::json::to_writer(output, &text)?)
}

/// Appends an object for each row: `schema`, then all columns in order, including null values.
///
/// # Errors
///
/// Returns an error if a column has a type that neither answers nor classes use.
pub fn write_json_lines(batch: &RecordBatch, schema: &str, output: &mut Vec<u8>) -> io::Result<()> {
    let fields = batch.schema();
    let columns = fields.fields().iter().zip(batch.columns());
    let columns = columns.map(|(field, column)| {
        let other = || {
            io::Error::other(format!(
                "column `{}` cannot be written as JSON",
                field.name()
            ))
        };
        let column = Column::of(column).ok_or_else(other)?;
        Ok((verger_answer::json::to_string(field.name())?, column))
    });
    let columns: Vec<_> = columns.collect::<io::Result<_>>()?;
    for row in 0..batch.num_rows() {
        output.extend_from_slice(b"{\"schema\":");
        text(Some(schema), output)?;
        for (name, column) in &columns {
            write!(output, ",{name}:")?;
            column.write(row, output)?;
        }
        output.extend_from_slice(b"}\n");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::Arc;

    use arrow_array::ArrayRef;

    #[test]
    fn a_row_is_an_object_with_null_for_what_is_not_there() {
        let words: DictionaryArray<Int32Type> = vec![Some("a"), None].into_iter().collect();
        let times = TimestampMicrosecondArray::from(vec![Some(1_500_000), None]);
        let columns: [(&str, ArrayRef); 5] = [
            (
                "url",
                Arc::new(StringViewArray::from(vec![Some("https://a/\"ä"), None])),
            ),
            ("word", Arc::new(words)),
            ("is", Arc::new(BooleanArray::from(vec![Some(true), None]))),
            ("line", Arc::new(Int64Array::from(vec![Some(-7), None]))),
            ("time", Arc::new(times.with_timezone("UTC"))),
        ];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut output = Vec::new();
        write_json_lines(&batch, "s/1", &mut output).unwrap();
        let expected = "{\"schema\":\"s/1\",\"url\":\"https://a/\\\"ä\",\"word\":\"a\",\"is\":true,\
                        \"line\":-7,\"time\":\"1970-01-01T00:00:01.5Z\"}\n\
                        {\"schema\":\"s/1\",\"url\":null,\"word\":null,\"is\":null,\"line\":null,\
                        \"time\":null}\n";
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }
}
