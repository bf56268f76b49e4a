//! `audit --parquet`: the counts as columns.

use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, TimestampMicrosecondType};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::audit::requests::line;
use crate::past::day;
use crate::verger::{file, verger_on};

const ROBOTS: &str =
    "User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\nAllow: /$\n";

#[test]
fn columns_have_the_numbers_of_the_table() {
    let robots = file("audit-columns.txt", ROBOTS);
    let mut log = String::new();
    for (agent, target) in [("GPTBot", "/a"), ("GPTBot", "/"), ("bingbot", "/private/x")] {
        log += &line(day(1), "192.0.2.1", target, 200, agent);
    }
    let columns = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit.parquet");
    let arguments = format!(
        "audit --format csv --robots {} --parquet {} -",
        robots.display(),
        columns.display()
    );
    let table = verger_on(&log, &arguments).quietly(0);
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&columns).unwrap());
    let batches: Vec<_> = reader.unwrap().build().unwrap().collect();
    let [Ok(batch)] = &batches[..] else {
        panic!("{batches:?}")
    };
    let mut lines = table.lines();
    let names: Vec<_> = lines.next().unwrap().split(',').collect();
    let schema = batch.schema();
    let fields: Vec<_> = schema
        .fields()
        .iter()
        .map(|it| it.name().as_str())
        .collect();
    assert_eq!(fields, names);
    for field in schema.fields() {
        assert!(!field.is_nullable(), "{}", field.name());
    }
    assert_eq!(batch.num_rows(), lines.clone().count());
    for (row, line) in lines.enumerate() {
        for (nth, cell) in line.split(',').enumerate() {
            let column = batch.column(nth);
            let value = match column.data_type() {
                DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
                DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
                _ => {
                    let time = column.as_primitive::<TimestampMicrosecondType>().value(row);
                    jiff::Timestamp::from_microsecond(time).unwrap().to_string()
                }
            };
            assert_eq!(value, cell, "{}", fields[nth]);
        }
    }
}
