use parquet::arrow::ProjectionMask;
use parquet::basic::Compression;
use parquet::file::metadata::ParquetMetaData;

/// Returns an error that names the first unsupported codec.
pub(super) fn check(metadata: &ParquetMetaData, columns: &ProjectionMask) -> Result<(), String> {
    for group in metadata.row_groups() {
        for (leaf, column) in group.columns().iter().enumerate() {
            if !columns.leaf_included(leaf) {
                continue;
            }
            if let Some(codec) = not_read(column.compression()) {
                let path = column.column_path();
                return Err(format!(
                    "column `{}` is compressed with {codec}, which is not supported: use Snappy, gzip, Zstandard or no compression",
                    path.string()
                ));
            }
        }
    }
    Ok(())
}

/// Returns `None` if the codec is supported.
fn not_read(codec: Compression) -> Option<&'static str> {
    match codec {
        Compression::UNCOMPRESSED
        | Compression::SNAPPY
        | Compression::GZIP(_)
        | Compression::ZSTD(_) => None,
        Compression::LZO => Some("LZO"),
        Compression::BROTLI(_) => Some("Brotli"),
        Compression::LZ4 | Compression::LZ4_RAW => Some("LZ4"),
    }
}
