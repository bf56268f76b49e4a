//! ftp
