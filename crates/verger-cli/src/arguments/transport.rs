//! How requests are sent and names are resolved: the options of all commands that use the network.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use url::Url;
use verger_access::{Outcome, TransportFailure};
use verger_client::{
    DnsResolver, FetchLimits, IpNet, Ipv6Net, Proxies, SystemResolver, TransportSettings,
};
use verger_inputs::Source;
use verger_inputs::{
    Contact, EnvironmentProxies, NotAContact, NotAProxy, WebReader, name_server_of,
    nat64_prefix_of, network_of,
};
use verger_store::length;
use verger_watch::OwnHosts;

use crate::screen::byte_text::start_of;
use crate::screen::notice;

/// How requests are sent and names are resolved.
#[derive(Args, Clone, Debug)]
pub(crate) struct TransportArguments {
    /// Allow connections to this private network or address (repeatable)
    #[arg(long = "allow-address", value_name = "CIDR", value_parser = network_of)]
    #[arg(hide_short_help = true)]
    pub(crate) allowed_addresses: Vec<IpNet>,

    /// Hosts of a list of sites that may lead to networks of their owner.
    #[arg(skip)]
    pub(crate) own_hosts: Vec<OwnHosts>,

    /// Refuse connections to this network or address, even if `--allow-address` allows it (repeatable)
    #[arg(long = "refuse-address", value_name = "CIDR", value_parser = network_of)]
    #[arg(hide_short_help = true)]
    refused_addresses: Vec<IpNet>,

    /// The prefix of your network's NAT64 translator
    ///
    /// An address with this prefix is allowed or refused like the IPv4 address inside.
    #[arg(long, value_name = "CIDR", value_parser = nat64_prefix_of, hide_short_help = true)]
    nat64_prefix: Option<Ipv6Net>,

    /// How to resolve names [default: dns]
    ///
    /// `dns` queries name servers. `system` asks the operating system, as other programs do, which is slower
    /// for many names.
    #[arg(long, value_name = "HOW", value_enum, hide_short_help = true)]
    resolver: Option<NameResolver>,

    /// Name server to query instead of the system's, as ADDRESS or ADDRESS:PORT (repeatable)
    #[arg(long = "name-server", value_name = "ADDRESS", value_parser = name_server_of)]
    #[arg(conflicts_with = "resolver", hide_short_help = true)]
    name_servers: Vec<SocketAddr>,

    /// Time limit for each site, such as 10s or 1m30s [default: 30s]
    ///
    /// Redirects and waits for other processes count. Connecting may take a third of it, and so may each pause
    /// within a file. A reply may take what is left.
    #[arg(long, value_name = "DURATION", value_parser = duration, hide_short_help = true)]
    timeout: Option<Duration>,

    /// URL or mail address of your organisation, for the User-Agent header [default: `VERGER_CONTACT`]
    #[arg(long, value_name = "URL|ADDRESS", hide_short_help = true)]
    contact: Option<Contact>,

    /// The User-Agent header to send [default: Verger/VERSION and the contact]
    #[arg(long, value_name = "TEXT")]
    #[arg(conflicts_with = "contact", hide_short_help = true)]
    pub(crate) send_user_agent: Option<String>,

    /// PEM file of certificate authorities to trust in addition to the public ones
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) ca_file: Option<OsString>,

    /// Proxy for all requests, as http://user@host:port
    ///
    /// The proxy resolves names and connects, so a private address is refused only if this machine resolves
    /// the name to it as well. Without this option, the environment names the proxies, as for curl:
    /// `http_proxy` for http, `https_proxy` or `HTTPS_PROXY` for https, `all_proxy` or `ALL_PROXY` for both.
    /// Hosts in `no_proxy` or `NO_PROXY`, separated by commas, use none. A note says which are used.
    #[arg(long, value_name = "URL", hide_short_help = true)]
    proxy: Option<String>,

    /// File with the proxy's password in its first line [default: `VERGER_PROXY_PASSWORD`]
    #[arg(long, value_name = "FILE", requires = "proxy", hide_short_help = true)]
    pub(crate) proxy_password_file: Option<OsString>,
}

/// How names are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NameResolver {
    /// Query the name servers in /etc/resolv.conf, many names at once
    Dns,
    /// Call getaddrinfo, with a thread for each name
    System,
}

/// Returns the option that allows a private address, if one was refused.
pub(crate) fn allow_address(outcome: Outcome) -> Option<&'static str> {
    let is_refused = outcome == Outcome::Failed(TransportFailure::AddressRefused);
    is_refused.then_some("allow a private address with `--allow-address`, such as 127.0.0.0/8")
}

impl TransportArguments {
    /// Returns the first option that is given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            (!self.allowed_addresses.is_empty(), "--allow-address"),
            (self.timeout.is_some(), "--timeout"),
            (self.contact.is_some(), "--contact"),
            (self.send_user_agent.is_some(), "--send-user-agent"),
            (self.ca_file.is_some(), "--ca-file"),
            (self.proxy.is_some(), "--proxy"),
            (!self.refused_addresses.is_empty(), "--refuse-address"),
            (self.nat64_prefix.is_some(), "--nat64-prefix"),
            (self.resolver.is_some(), "--resolver"),
            (!self.name_servers.is_empty(), "--name-server"),
        ];
        let mut given = given.into_iter();
        given.find_map(|(is_given, name)| is_given.then_some(name))
    }

    /// Returns a resolver that queries the given name servers or the system's.
    pub(crate) fn name_resolver(&self) -> DnsResolver {
        if self.name_servers.is_empty() {
            DnsResolver::from_system()
        } else {
            DnsResolver::asking(self.name_servers.iter().copied())
        }
    }

    pub(crate) fn deadline(&self) -> Duration {
        self.timeout.unwrap_or(FetchLimits::default().deadline)
    }

    /// Returns the given header, or this program's own. R9309-2.2.1-4.
    fn user_agent(&self) -> Result<String, UnusableContact> {
        match &self.send_user_agent {
            Some(given) => Ok(given.clone()),
            None => self.own_user_agent(),
        }
    }

    /// Returns a header that names this program, its purpose and the contact.
    pub(crate) fn own_user_agent(&self) -> Result<String, UnusableContact> {
        let variable = env::var_os(CONTACT).filter(|text| !text.is_empty());
        let contact = match (&self.contact, variable) {
            (None, Some(text)) => {
                let text = text.to_string_lossy();
                let unusable = |why| UnusableContact(start_of(&text).into_owned(), why);
                Some(text.parse().map_err(unusable)?)
            }
            (given, _) => given.clone(),
        };
        let contact = contact.map(|contact| format!("; {contact}"));
        let contact = contact.unwrap_or_default();
        Ok(format!("{USER_AGENT} (reads robots.txt{contact})"))
    }

    pub(crate) fn web_reader(&self, bytes_max: usize) -> WebReader<'_> {
        WebReader::new(|| self.settings(), self.deadline(), bytes_max)
    }

    /// Returns how requests are sent. A note says which proxies of the environment are used.
    pub(crate) fn settings(&self) -> Result<TransportSettings, Box<dyn Error>> {
        let mut settings = TransportSettings::new(self.user_agent()?);
        if self.resolver == Some(NameResolver::System) {
            settings.resolver = Arc::new(SystemResolver);
        }
        if !self.name_servers.is_empty() {
            settings.resolver = Arc::new(DnsResolver::asking(self.name_servers.iter().copied()));
        }
        for network in &self.allowed_addresses {
            settings.guard = settings.guard.allowing(*network);
        }
        for (hosts, networks) in &self.own_hosts {
            settings.guard = settings
                .guard
                .allowing_for(Arc::clone(hosts), networks.clone());
        }
        for network in &self.refused_addresses {
            settings.guard = settings.guard.refusing(*network);
        }
        if let Some(prefix) = self.nat64_prefix {
            settings.guard = settings.guard.nat64_prefix(prefix)?;
        }
        if let Some(timeout) = self.timeout {
            // A connection that does not come, or a file that stops, seldom goes on. A reply may only be slow.
            settings.connect_timeout = timeout / 3;
            settings.head_timeout = timeout;
            settings.silence_timeout = timeout / 3;
        }
        if let Some(file) = &self.ca_file {
            settings
                .root_certificates
                .push(Source::from(file.clone()).read()?);
        }
        settings.proxies = self.proxies()?;
        Ok(settings)
    }

    /// Returns the given proxy, or those of the environment, with a note.
    fn proxies(&self) -> Result<Proxies, Box<dyn Error>> {
        let Some(proxy) = &self.proxy else {
            let EnvironmentProxies { proxies, note, .. } =
                EnvironmentProxies::from_variables(|name| env::var_os(name))?;
            note.into_iter().for_each(notice::note);
            return Ok(proxies);
        };
        let not_a_proxy = || NotAProxy(proxy.clone());
        let mut url: Url = proxy.parse().map_err(|_| not_a_proxy())?;
        if let Some(password) = self.proxy_password()? {
            url.set_password(Some(&password))
                .map_err(|()| not_a_proxy())?;
        }
        Ok(Proxies::all(&url)?)
    }

    /// Reads the password from a file or the environment. It is not in the URL because other users
    /// can list the arguments of processes.
    fn proxy_password(&self) -> Result<Option<String>, Box<dyn Error>> {
        let Some(file) = &self.proxy_password_file else {
            return Ok(env::var(PROXY_PASSWORD).ok().filter(|it| !it.is_empty()));
        };
        let text = String::from_utf8(Source::from(file.clone()).read()?)?;
        Ok(Some(text.lines().next().unwrap_or_default().to_owned()))
    }
}

const CONTACT: &str = "VERGER_CONTACT";

const PROXY_PASSWORD: &str = "VERGER_PROXY_PASSWORD";

/// The product at the start of the `User-Agent` header.
const USER_AGENT: &str = concat!("Verger/", env!("CARGO_PKG_VERSION"));

fn duration(text: &str) -> Result<Duration, NotADuration> {
    let duration = length(text).map_err(|_| NotADuration)?;
    (duration >= TIMEOUT_MIN && duration <= TIMEOUT_MAX)
        .then_some(duration)
        .ok_or(NotADuration)
}

/// No connection is made in less time.
const TIMEOUT_MIN: Duration = Duration::from_millis(1);

/// A longer timeout is a mistake.
const TIMEOUT_MAX: Duration = Duration::from_secs(60 * 60);

#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("write a time between 1ms and 1h, such as 500ms, 10s or 1m30s")]
struct NotADuration;

#[derive(Clone, Debug, thiserror::Error)]
#[error("`{0}` in `{CONTACT}` is not a contact: {1}")]
pub(crate) struct UnusableContact(String, NotAContact);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_has_a_unit_and_bounds() {
        assert_eq!(duration("90s").ok(), Some(Duration::from_secs(90)));
        assert_eq!(duration("1m30s").ok(), Some(Duration::from_secs(90)));
        assert_eq!(duration("1ms").ok(), Some(TIMEOUT_MIN));
        assert_eq!(duration("1h").ok(), Some(TIMEOUT_MAX));
        for text in ["", "30", "-1s", "0s", "999us", "1h1s", "soon"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
