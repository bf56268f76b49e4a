//! Cases, a slow oracle and generators that every face of Verger is tested with.

pub mod case;
pub mod generate;
pub mod oracle;
pub mod scenario;
pub mod subject;
