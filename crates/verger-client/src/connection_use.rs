//! `ConnectionUse`: a connection while a request is on it.

use hyper_util::client::legacy::connect::CaptureConnection;

use crate::connection::ConnectionMark;
use crate::open_connections::OpenConnections;

/// A connection while a request is on it, from before there is one. Where that was the last request
/// and too many connections are open, the connection ends with it; else it is kept for the next.
pub(crate) struct ConnectionUse {
    captured: CaptureConnection,
    open: OpenConnections,
    /// The mark of the connection that a response is read from.
    read: Option<ConnectionMark>,
}

impl ConnectionUse {
    pub(crate) fn of(captured: CaptureConnection, open: OpenConnections) -> Self {
        Self {
            captured,
            open,
            read: None,
        }
    }

    /// The mark of the connection, once there is one.
    pub(crate) fn mark(&self) -> Option<ConnectionMark> {
        let connected = self.captured.connection_metadata();
        connected.as_ref().and_then(ConnectionMark::of)
    }

    /// Notes that a response came, whose body others must not cut off.
    pub(crate) fn begin_reading(&mut self) {
        self.read = self.mark();
        if let Some(mark) = &self.read {
            mark.begin_reading();
        }
    }
}

impl Drop for ConnectionUse {
    fn drop(&mut self) {
        if let Some(mark) = &self.read {
            mark.end_reading();
        }
        let Some(mark) = self.mark() else { return };
        if mark.is_read() || !self.open.are_too_many_to_keep() {
            return;
        }
        // It is taken off the shelf first, so that nobody begins to use what ends.
        if let Some(connected) = self.captured.connection_metadata().as_ref() {
            connected.poison();
        }
        mark.retire();
    }
}
