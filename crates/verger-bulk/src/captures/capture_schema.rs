use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, TimeUnit};
use verger_access::Profile;

/// Returns the columns of captures. Each requested robots.txt is a row.
#[must_use]
pub fn capture_schema() -> Arc<Schema> {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let number = |name: &str| Field::new(name, DataType::Int64, true);
    let profiles = Profile::ALL.iter().map(|profile| text(&profile.name));
    let of_profiles = DataType::Struct(profiles.collect::<Fields>());
    let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        text("authority"),
        text("url"),
        Field::new("time", time, true),
        text("outcome"),
        Field::new("status", DataType::Int32, true),
        text("final_url"),
        Field::new("redirects", DataType::Int32, true),
        text("mark"),
        Field::new("stance", of_profiles.clone(), true),
        Field::new("outcomes", of_profiles, true),
        text("body_sha256"),
        number("body_bytes"),
        Field::new("body", DataType::Binary, true),
        Field::new("file", DataType::Utf8, false),
        Field::new("offset", DataType::Int64, false),
        number("length"),
        text("problem"),
    ]))
}
