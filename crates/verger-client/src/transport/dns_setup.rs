//! `DnsSetup`: the machine's name servers and hosts file.

use std::fs;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::SystemTime;

use hickory_resolver::Hosts;
use hickory_resolver::config::{NameServerConfig, ResolverConfig, ResolverOpts};
use hickory_resolver::proto::op::Query;
use hickory_resolver::proto::rr::{Name, RecordType};
use verger_store::Shortage;

use crate::transport::name_servers::NameServers;

const RESOLV_CONF: &str = "/etc/resolv.conf";

const HOSTS: &str = "/etc/hosts";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed(Option<SystemTime>, Option<SystemTime>);

impl Changed {
    pub(crate) fn now() -> Self {
        let of = |file: &str| fs::metadata(file).and_then(|it| it.modified()).ok();
        Self(of(RESOLV_CONF), of(HOSTS))
    }
}

pub(crate) struct DnsSetup {
    hosts: Hosts,
    pub(crate) servers: Option<NameServers>,
    /// Names with fewer dots may be completed by a search list.
    pub(crate) dots_min: usize,
}

impl DnsSetup {
    /// Reads the machine's setup. Fails only if the machine runs out of a resource, because without
    /// its hosts file another host might answer.
    pub(crate) fn from_system() -> Result<Self, Shortage> {
        let setup = Self {
            hosts: hosts()?,
            servers: None,
            dots_min: 1,
        };
        Ok(match system_config()? {
            Some((config, options)) => setup.with(config, &options),
            None => setup,
        })
    }

    /// Uses the machine's hosts file and these name servers.
    pub(crate) fn asking(servers: &[SocketAddr]) -> Result<Self, Shortage> {
        let servers = servers.iter().map(|server| {
            let mut config = NameServerConfig::udp_and_tcp(server.ip());
            for connection in &mut config.connections {
                connection.port = server.port();
            }
            config
        });
        Ok(Self {
            hosts: hosts()?,
            servers: NameServers::new(servers.collect(), &ResolverOpts::default()),
            dots_min: 0,
        })
    }

    fn with(self, config: ResolverConfig, options: &ResolverOpts) -> Self {
        let (_, _, mut servers) = config.into_parts();
        // Link-local addresses need a scope, which is not parsed.
        servers.retain(|server| match server.ip {
            IpAddr::V6(ip) => !ip.is_unicast_link_local(),
            IpAddr::V4(_) => true,
        });
        Self {
            servers: NameServers::new(servers, options),
            dots_min: options.ndots,
            ..self
        }
    }

    /// Returns the addresses that the hosts file gives the name.
    pub(crate) fn in_hosts(&self, name: &Name) -> Vec<IpAddr> {
        let of = |family| {
            let query = Query::query(name.clone(), family);
            self.hosts.lookup_static_host(&query)
        };
        let found = [RecordType::A, RecordType::AAAA].into_iter().filter_map(of);
        found
            .flat_map(|found| {
                let records = found.answers().iter();
                records
                    .filter_map(|it| it.data.ip_addr())
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}

fn hosts() -> Result<Hosts, Shortage> {
    Ok(unless_lacking(Hosts::from_system())?.unwrap_or_default())
}

/// Returns the contents, or `None` if reading failed for another reason than a shortage.
fn unless_lacking<T>(read: io::Result<T>) -> Result<Option<T>, Shortage> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) => Shortage::from_io(&error).map_or(Ok(None), Err),
    }
}

#[cfg(all(unix, not(any(target_os = "android", target_vendor = "apple"))))]
fn system_config() -> Result<Option<(ResolverConfig, ResolverOpts)>, Shortage> {
    let text = unless_lacking(fs::read(RESOLV_CONF))?;
    // Parsing fails if no server is listed.
    Ok(text.and_then(|text| hickory_resolver::system_conf::parse_resolv_conf(text).ok()))
}

#[cfg(any(windows, target_vendor = "apple"))]
fn system_config() -> Result<Option<(ResolverConfig, ResolverOpts)>, Shortage> {
    Ok(hickory_resolver::system_conf::read_system_conf().ok())
}

#[cfg(not(any(
    all(unix, not(any(target_os = "android", target_vendor = "apple"))),
    windows,
    target_vendor = "apple"
)))]
fn system_config() -> Result<Option<(ResolverConfig, ResolverOpts)>, Shortage> {
    Ok(None)
}
