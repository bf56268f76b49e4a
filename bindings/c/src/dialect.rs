//! `verger_dialect`.

use crate::failure::Problem;
use crate::status::Status;

/// The document by which a body is read.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// RFC 9309.
    Rfc9309 = 0,
    /// google/robotstxt, bit for bit.
    Google = 1,
    /// The draft of July 2019.
    Draft2019 = 2,
    /// The draft of November 1996.
    Koster1996 = 3,
    /// Only in verger_owner_question: each known crawler as its operator reads, and every other one
    /// by RFC 9309.
    AsOperator = 4,
}

/// Converts a number, which C does not check.
pub(crate) fn dialect(number: u32) -> Result<verger::Dialect, Problem> {
    let (rfc9309, google) = (Dialect::Rfc9309 as u32, Dialect::Google as u32);
    let (draft2019, koster1996) = (Dialect::Draft2019 as u32, Dialect::Koster1996 as u32);
    match number {
        it if it == rfc9309 => Ok(verger::Dialect::Rfc9309),
        it if it == google => Ok(verger::Dialect::Google),
        it if it == draft2019 => Ok(verger::Dialect::Draft2019),
        it if it == koster1996 => Ok(verger::Dialect::Koster1996),
        _ => {
            let message = if number == Dialect::AsOperator as u32 {
                "VERGER_DIALECT_AS_OPERATOR is only for a verger_owner_question".to_owned()
            } else {
                format!("unknown dialect {number}: use a verger_dialect")
            };
            Err(Problem::new(Status::UnknownDialect, message))
        }
    }
}
