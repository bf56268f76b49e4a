//! Parts that `bulk captures --resume` finds.

use std::fs::File;
use std::sync::Arc;

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use verger_bulk::{CaptureFile, CaptureTable, capture_schema};

/// Without a column that earlier versions did not write.
#[test]
fn a_part_without_a_column_of_this_version_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let [part, earlier] = ["part", "earlier"].map(|name| folder.path().join(name));
    let file = CaptureFile::create(&part, "one.warc 7", 1 << 20).unwrap();
    file.finish().unwrap();
    let made_of = CaptureFile::sound_inputs_of(&part);
    assert_eq!(made_of.as_deref(), Some("one.warc 7"));

    let said = ParquetRecordBatchReaderBuilder::try_new(File::open(&part).unwrap()).unwrap();
    let said = said.metadata().file_metadata().key_value_metadata();
    let said = said.unwrap().iter().filter(|it| it.key != "ARROW:schema");
    let properties = WriterProperties::builder();
    let properties = properties.set_key_value_metadata(Some(said.cloned().collect()));
    let schema = capture_schema();
    let columns = (0..schema.fields().len()).filter(|at| schema.field(*at).name() != "outcomes");
    let schema = Arc::new(schema.project(&columns.collect::<Vec<_>>()).unwrap());
    let file = File::create(&earlier).unwrap();
    let mut writer =
        ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties.build())).unwrap();
    writer.write(&RecordBatch::new_empty(schema)).unwrap();
    writer.close().unwrap();

    assert_eq!(CaptureFile::sound_inputs_of(&earlier), None);
    let refused = CaptureTable::open(&earlier).unwrap_err().to_string();
    assert!(
        refused.ends_with("make the file again with `verger bulk captures`"),
        "{refused}"
    );
}
