//! ftp_servers
