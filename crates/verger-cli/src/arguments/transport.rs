//! How requests are sent and names are resolved: the options that all commands share that use the network.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use url::Url;
use verger_client::{
    Contact, DnsResolver, EnvironmentProxies, FetchLimits, IpNet, Ipv6Net, NotAContact, NotAProxy,
    Proxies, SystemResolver, TransportSettings, WebReader, name_server_of, nat64_prefix_of,
    network_of,
};
use verger_files::Source;
use verger_store::length;

use crate::screen::byte_text::start_of;
use crate::screen::notice;

/// How requests are sent and names are resolved.
#[derive(Args, Clone, Debug)]
pub(crate) struct TransportArguments {
    /// Allow connections to this network or address although it is not public; may be given
    /// several times
    #[arg(long = "allow-address", value_name = "CIDR", value_parser = network_of)]
    #[arg(hide_short_help = true)]
    allowed_addresses: Vec<IpNet>,

    /// Refuse connections to this network or address, even if `--allow-address` has it; may be given
    /// several times
    #[arg(long = "refuse-address", value_name = "CIDR", value_parser = network_of)]
    #[arg(hide_short_help = true)]
    refused_addresses: Vec<IpNet>,

    /// The prefix of your network's own NAT64 translator: an address with it is allowed or refused
    /// as the IPv4 address inside is
    #[arg(long, value_name = "CIDR", value_parser = nat64_prefix_of, hide_short_help = true)]
    nat64_prefix: Option<Ipv6Net>,

    /// How names are resolved: by name servers (`dns`), or as other programs of this machine do
    /// (`system`), which is slower with many names [default: dns]
    #[arg(long, value_name = "HOW", value_enum, hide_short_help = true)]
    resolver: Option<NameResolver>,

    /// The name server to ask, as ADDRESS or ADDRESS:PORT, in place of those that the machine is
    /// configured with; may be given several times
    #[arg(long = "name-server", value_name = "ADDRESS", value_parser = name_server_of)]
    #[arg(conflicts_with = "resolver", hide_short_help = true)]
    name_servers: Vec<SocketAddr>,

    /// The most time for one site, redirects and waits for other processes included, such as 10s or
    /// 1m30s [default: 30s]
    #[arg(long, value_name = "DURATION", value_parser = duration, hide_short_help = true)]
    timeout: Option<Duration>,

    /// Where a site's owner finds or reaches your organisation: a URL or a mail address, which the
    /// User-Agent header names; default: the environment variable `VERGER_CONTACT`, if there is one
    #[arg(long, value_name = "URL|ADDRESS", hide_short_help = true)]
    contact: Option<Contact>,

    /// The User-Agent header that is sent [default: Verger, its version, what it is for, and the
    /// contact]
    #[arg(long, value_name = "TEXT")]
    #[arg(conflicts_with = "contact", hide_short_help = true)]
    pub(crate) send_user_agent: Option<String>,

    /// A file of certificate authorities to trust beside the public ones, in PEM
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) ca_file: Option<OsString>,

    /// The proxy for all requests, as http://user@host:port. It resolves names and connects, so an
    /// address is refused only if this machine resolves the name to it as well
    ///
    /// Without this option the environment names the proxies, as for curl: `http_proxy` for http,
    /// `https_proxy` or `HTTPS_PROXY` for https, `all_proxy` or `ALL_PROXY` for both; none is used for
    /// the hosts in `no_proxy` or `NO_PROXY`, separated by commas. A note says which are used.
    #[arg(long, value_name = "URL", hide_short_help = true)]
    proxy: Option<String>,

    /// A file with the proxy's password, in its first line; default: the environment variable
    /// `VERGER_PROXY_PASSWORD`, if there is one
    #[arg(long, value_name = "FILE", requires = "proxy", hide_short_help = true)]
    pub(crate) proxy_password_file: Option<OsString>,
}

/// How names are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NameResolver {
    /// By asking the name servers in `/etc/resolv.conf`, many names at once
    Dns,
    /// By the machine (`getaddrinfo`), with a thread for each name
    System,
}

impl TransportArguments {
    /// The first of the options that is given, as it is written.
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

    /// What asks name servers for the names of addresses: those that are named, or else the machine's.
    pub(crate) fn name_resolver(&self) -> DnsResolver {
        if self.name_servers.is_empty() {
            DnsResolver::of_system()
        } else {
            DnsResolver::asking(self.name_servers.iter().copied())
        }
    }

    /// The most time for one site.
    pub(crate) fn deadline(&self) -> Duration {
        self.timeout.unwrap_or(FetchLimits::default().deadline)
    }

    /// The User-Agent header: the one that is given, or else this program's own. R9309-2.2.1-4.
    ///
    /// # Errors
    ///
    /// Where the contact of the environment cannot be used.
    fn user_agent(&self) -> Result<String, UnusableContact> {
        match &self.send_user_agent {
            Some(given) => Ok(given.clone()),
            None => self.own_user_agent(),
        }
    }

    /// What this program is, what it is for, and whom to ask about it.
    ///
    /// # Errors
    ///
    /// Where the contact of the environment cannot be used.
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

    /// A reader of what has so many bytes at most.
    pub(crate) fn web_reader(&self, bytes_max: usize) -> WebReader<'_> {
        WebReader::new(|| self.settings(), self.deadline(), bytes_max)
    }

    /// How requests are sent. A note says which proxies of the environment are used.
    ///
    /// # Errors
    ///
    /// Where an option cannot be used.
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
        for network in &self.refused_addresses {
            settings.guard = settings.guard.refusing(*network);
        }
        if let Some(prefix) = self.nat64_prefix {
            settings.guard = settings.guard.nat64_prefix(prefix)?;
        }
        if let Some(timeout) = self.timeout {
            // The phases keep their share of the whole.
            settings.connect_timeout = timeout / 3;
            settings.head_timeout = timeout / 2;
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

    /// The proxy that is given, or else those of the environment, which a note then says.
    fn proxies(&self) -> Result<Proxies, Box<dyn Error>> {
        let Some(proxy) = &self.proxy else {
            let EnvironmentProxies { proxies, note, .. } =
                EnvironmentProxies::from_variables(|name| env::var_os(name))?;
            note.iter().for_each(notice::note);
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

    /// The proxy's password from a file or the environment: its URL is visible to others in a list of
    /// processes.
    fn proxy_password(&self) -> Result<Option<String>, Box<dyn Error>> {
        let Some(file) = &self.proxy_password_file else {
            return Ok(env::var(PROXY_PASSWORD).ok().filter(|it| !it.is_empty()));
        };
        let text = String::from_utf8(Source::from(file.clone()).read()?)?;
        Ok(Some(text.lines().next().unwrap_or_default().to_owned()))
    }
}

/// The environment variable with the contact.
const CONTACT: &str = "VERGER_CONTACT";

/// The environment variable with the proxy's password.
const PROXY_PASSWORD: &str = "VERGER_PROXY_PASSWORD";

/// The program that sends requests, as a `User-Agent` begins.
const USER_AGENT: &str = concat!("Verger/", env!("CARGO_PKG_VERSION"));

fn duration(text: &str) -> Result<Duration, NotADuration> {
    let duration = length(text).map_err(|_| NotADuration)?;
    (duration >= TIMEOUT_MIN && duration <= TIMEOUT_MAX)
        .then_some(duration)
        .ok_or(NotADuration)
}

/// No connection can be made in less time.
const TIMEOUT_MIN: Duration = Duration::from_millis(1);

/// Longer is a mistake.
const TIMEOUT_MAX: Duration = Duration::from_secs(60 * 60);

/// A text is no duration of a timeout.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("write 10s, 1m30s or 500ms; between a millisecond and an hour")]
struct NotADuration;

/// The environment names no contact.
#[derive(Clone, Debug, thiserror::Error)]
#[error("`{CONTACT}`: `{0}` is no contact: {1}")]
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
