//! Cases, slow oracles and generators for testing every interface of Verger.

pub mod access_oracle;
pub mod case;
pub mod fields;
mod free_port;
pub mod generate;
pub mod name_server;
pub mod oracle;
pub mod origin_file;
pub mod page_oracle;
#[cfg(target_os = "linux")]
pub mod postgres_server;
pub mod scenario;
pub mod subject;
mod test_file;

pub use free_port::free_port;
pub use test_file::TestFileError;
