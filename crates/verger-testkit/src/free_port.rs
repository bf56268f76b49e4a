use std::net::{Ipv4Addr, TcpListener};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// Below the ports that systems assign to unbound sockets, and so to other tests.
const PORTS: std::ops::Range<u32> = 20_000..32_000;

static CALLS: AtomicU32 = AtomicU32::new(0);

/// Returns a port of 127.0.0.1 on which nothing listens. Each process and each call starts its
/// search at a different port.
///
/// # Panics
///
/// Panics if no port is free.
#[must_use]
pub fn free_port() -> u16 {
    let count = PORTS.end - PORTS.start;
    let calls = CALLS.fetch_add(1, Ordering::Relaxed);
    let first = process::id().wrapping_mul(7).wrapping_add(calls) % count;
    let ports = (0..count).map(|number| PORTS.start + (first + number) % count);
    let mut ports = ports.filter_map(|port| u16::try_from(port).ok());
    let free = ports.find(|&port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok());
    free.expect("a free port")
}
