//! Servers on loopback.

mod body_end;
mod check;
mod fetch;
mod names;
mod options;
mod proxies;
mod shortage;
mod sites;
mod waits;
