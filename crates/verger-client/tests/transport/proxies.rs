//! proxies
