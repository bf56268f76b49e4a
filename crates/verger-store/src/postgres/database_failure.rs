//! `DatabaseFailure`: why a query failed.

use core::time::Duration;
use std::error::Error;
use std::sync::Arc;

use tokio_postgres::error::{Severity, SqlState};

use crate::store_error::StoreError;

/// Why a query failed. All callers that wait for the same connection get the same failure.
#[derive(Clone, Debug)]
pub(crate) enum DatabaseFailure {
    /// No answer arrived in time. The query may still be executed.
    Late(Duration),
    /// The connection failed or broke. The query may still be executed.
    Away(Arc<str>),
    /// The database refused the query. Nothing was done.
    Refused(SqlState, Arc<str>),
    /// The database has no store, or one of another version.
    Version(Option<i32>),
    /// The database returned a value that no store writes. The text says which.
    Damaged(Arc<str>),
}

impl DatabaseFailure {
    /// Returns whether the query may have been executed.
    pub(crate) fn is_ambiguous(&self) -> bool {
        matches!(self, Self::Late(_) | Self::Away(_))
    }

    /// Returns whether repeating the transaction may succeed immediately, because it conflicted with another one or
    /// refers to a body that another one deleted.
    pub(crate) fn is_worth_repeating(&self) -> bool {
        let states = [
            SqlState::FOREIGN_KEY_VIOLATION,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::T_R_SERIALIZATION_FAILURE,
        ];
        matches!(self, Self::Refused(state, _) if states.contains(state))
    }

    /// Converts to the error of the call.
    pub(crate) fn into_store_error(self) -> StoreError {
        match self {
            Self::Late(_) | Self::Away(_) => StoreError::Away(self.to_string()),
            Self::Refused(state, message) => refused(&state, &message),
            Self::Version(_) => StoreError::Backend(self.to_string().into()),
            Self::Damaged(what) => StoreError::Damaged(what.to_string()),
        }
    }
}

impl std::fmt::Display for DatabaseFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Late(limit) => write!(f, "no answer within {} ms", limit.as_millis()),
            Self::Away(why) | Self::Damaged(why) => f.write_str(why),
            Self::Refused(_, message) => f.write_str(message),
            Self::Version(None) => f.write_str("it no longer contains a store"),
            Self::Version(Some(found)) => write!(
                f,
                "its store was migrated to version {found}, which this program does not support"
            ),
        }
    }
}

impl From<tokio_postgres::Error> for DatabaseFailure {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(refusal) = error.as_db_error() else {
            return Self::Away(with_causes(&error).into());
        };
        // The error ends this connection, or the server takes no more. A pooler that lost its own connection reports
        // the severity only in words.
        let is_fatal = match refusal.parsed_severity() {
            Some(severity) => matches!(severity, Severity::Fatal | Severity::Panic),
            None => refusal.severity() == "FATAL",
        };
        // Class 28: wrong user or password. Class 3D: wrong database. Both need a change of the configuration.
        let code = refusal.code().code();
        let is_misconfigured = code.starts_with("28") || code.starts_with("3D");
        // Class 08: connection exceptions, such as those between the servers of a cluster.
        let is_away = is_fatal && !is_misconfigured
            || code.starts_with("08")
            || *refusal.code() == SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN;
        let message = refusal.message();
        if is_away {
            return Self::Away(message.into());
        }
        Self::Refused(refusal.code().clone(), message.into())
    }
}

fn refused(state: &SqlState, message: &str) -> StoreError {
    match *state {
        SqlState::LOCK_NOT_AVAILABLE
        | SqlState::QUERY_CANCELED
        | SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::T_R_SERIALIZATION_FAILURE => StoreError::Busy,
        SqlState::READ_ONLY_SQL_TRANSACTION | SqlState::INSUFFICIENT_PRIVILEGE => {
            StoreError::ReadOnly
        }
        // A shortage on the server, such as a full disk, is not a `Shortage` of this machine, so callers continue.
        _ => StoreError::Backend(message.into()),
    }
}

/// Formats an error with its causes, which connection errors do not repeat.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}
