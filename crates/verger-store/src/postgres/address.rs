//! `Address`: the hosts and parameters in the URL of a database.

use core::sync::atomic::AtomicUsize;
use core::time::Duration;
use std::net::IpAddr;
use std::sync::Arc;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts, SslMode, TargetSessionAttrs};
use url::form_urlencoded;

use crate::postgres::open_database_error::OpenDatabaseError;
use crate::postgres::postgres_settings::{PostgresRoute, PostgresSettings};
use crate::postgres::tls::Tls;

/// The hosts of a database, and how to query it.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    /// The hosts: one config for each if a writable host is required, or one config with all hosts.
    pub(crate) hosts: Vec<Config>,
    /// The index of the host that answered last.
    pub(crate) last_host: Arc<AtomicUsize>,
    pub(crate) tls: Tls,
    pub(crate) settings: PostgresSettings,
    /// The URL without password and parameters, for messages.
    pub(crate) shown: String,
}

/// The parameters of a URL that only this module reads.
#[derive(Default)]
struct Parameters {
    tls_mode: Option<SslMode>,
    root_certificates: Option<String>,
}

impl Address {
    /// Parses a URL as libpq does, with `sslmode`, `sslrootcert`, and the parameters of [`PostgresSettings`].
    ///
    /// Without `sslmode`, connections to this machine are not encrypted. All others are, and require a certificate of a
    /// trusted authority.
    pub(crate) fn of(url: &str, settings: PostgresSettings) -> Result<Self, OpenDatabaseError> {
        let unusable = |why: String| OpenDatabaseError::Url(why);
        let mut settings = settings;
        let mut own = Parameters::default();
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (scheme, rest) = base.split_at(base.find("://").unwrap_or(0));
        let base = &format!("{}{rest}", scheme.to_ascii_lowercase());
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let read = form_urlencoded::parse(pair.as_bytes()).next();
            let (name, value) = read.ok_or_else(|| unusable("an empty parameter".to_owned()))?;
            let is_own = own.read(&mut settings, &name, &value);
            if !is_own.map_err(|()| unusable(format!("{name}={value}")))? {
                rest.push(pair);
            }
        }
        let rest = rest.join("&");
        let parsed = |base: &str| -> Result<Config, OpenDatabaseError> {
            let parsed = format!("{base}?{rest}").parse();
            parsed.map_err(|error: tokio_postgres::Error| {
                let source = std::error::Error::source(&error).map(ToString::to_string);
                unusable(source.unwrap_or_else(|| error.to_string()))
            })
        };
        let mut all = parsed(base)?;
        if all.get_hosts().is_empty() && all.get_hostaddrs().is_empty() {
            return Err(unusable("the host is missing".to_owned()));
        }
        // With several hosts, require the writable one. If it restarts, connections to a standby would remain.
        if all.get_hosts().len() > 1 && !query.contains("target_session_attrs=") {
            all.target_session_attrs(TargetSessionAttrs::ReadWrite);
            // This matters only if the hosts are parameters, because then they stay in one config.
            all.load_balance_hosts(LoadBalanceHosts::Random);
        }
        let sought = all.get_target_session_attrs();
        let mode = own.tls_mode.unwrap_or(if is_local(&all) {
            SslMode::Disable
        } else {
            SslMode::Require
        });
        let each = each_host(base);
        let is_each = each.len() == all.get_hosts().len() && all.get_hostaddrs().is_empty();
        let mut hosts = if is_each && sought == TargetSessionAttrs::ReadWrite {
            let each = each.iter().map(|url| parsed(url));
            each.collect::<Result<_, _>>()?
        } else {
            vec![all.clone()]
        };
        for config in &mut hosts {
            config.target_session_attrs(sought).ssl_mode(mode);
            // Callers give up on a silent server earlier. This ends the attempt in the background.
            if config.get_connect_timeout().is_none() {
                config.connect_timeout(CONNECT_MAX);
            }
            // By default, an idle connection stays open for two hours after its server has gone.
            if config.get_keepalives_idle() > KEEPALIVES_IDLE_MAX {
                config.keepalives_idle(KEEPALIVES_IDLE_MAX);
            }
            if config.get_application_name().is_none() {
                config.application_name("verger");
            }
        }
        Ok(Self {
            tls: Tls::trusting(own.root_certificates.as_deref()).map_err(unusable)?,
            shown: shown(&all),
            hosts,
            last_host: Arc::default(),
            settings,
        })
    }

    /// Returns how long to wait for one host before the next one is tried. It leaves time for that one.
    pub(crate) fn patience(&self) -> Duration {
        let hosts = u32::try_from(self.hosts.len()).unwrap_or(u32::MAX);
        self.settings.deadline.min(CONNECT_MAX) / 2 / hosts
    }

    /// Returns the deadline of a read about `authorities` authorities, which grows with the rows and bodies to read.
    pub(crate) fn deadline_for(&self, authorities: usize) -> Duration {
        let times = u32::try_from(1 + authorities / 16).unwrap_or(u32::MAX);
        let all = self.settings.deadline.saturating_mul(times);
        all.min(self.step_deadline())
    }

    /// Returns the deadline of one step of a long job.
    pub(crate) fn step_deadline(&self) -> Duration {
        self.settings.deadline.saturating_mul(100).max(STEP_LEAST)
    }
}

/// How long a connection is silent before it is probed.
const KEEPALIVES_IDLE_MAX: Duration = Duration::from_secs(30);

/// Maximum time to connect. No caller waits as long.
pub(crate) const CONNECT_MAX: Duration = Duration::from_secs(10);

const STEP_LEAST: Duration = Duration::from_secs(30);

impl Parameters {
    /// Parses a parameter if it is one of these. Returns an error if its value is invalid.
    fn read(
        &mut self,
        settings: &mut PostgresSettings,
        name: &str,
        value: &str,
    ) -> Result<bool, ()> {
        match name {
            "sslmode" => {
                self.tls_mode = Some(match value {
                    "disable" => SslMode::Disable,
                    "prefer" => SslMode::Prefer,
                    "require" | "verify-ca" | "verify-full" => SslMode::Require,
                    _ => return Err(()),
                });
            }
            "sslrootcert" => self.root_certificates = Some(value.to_owned()),
            "verger_deadline_ms" => {
                let milliseconds = value.parse().map_err(drop)?;
                settings.deadline = Duration::from_millis(milliseconds);
            }
            "verger_connections" => {
                let most = value.parse().ok().filter(|most| *most > 0);
                settings.connections_max = most.ok_or(())?;
            }
            "verger_pooler" => {
                settings.route = match value {
                    "0" => PostgresRoute::Direct,
                    "1" => PostgresRoute::Pooler,
                    _ => return Err(()),
                };
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Returns whether all hosts are this machine.
fn is_local(config: &Config) -> bool {
    let is_loopback = |name: &str| {
        let address: Option<IpAddr> = name.parse().ok();
        name == "localhost" || address.is_some_and(|address| address.is_loopback())
    };
    let mut hosts = config.get_hosts().iter();
    hosts.all(|host| match host {
        Host::Tcp(name) => is_loopback(name),
        #[cfg(unix)]
        Host::Unix(_) => true,
    }) && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

/// Returns the URL without its parameters, once for each host alone.
fn each_host(base: &str) -> Vec<String> {
    let (scheme, rest) = base.split_once("://").unwrap_or(("", base));
    let (user, rest) = rest
        .split_once('@')
        .map_or((String::new(), rest), |(user, rest)| {
            (format!("{user}@"), rest)
        });
    let (hosts, database) = rest.split_once('/').unwrap_or((rest, ""));
    let each = hosts.split(',');
    each.map(|host| format!("{scheme}://{user}{host}/{database}"))
        .collect()
}

fn shown(config: &Config) -> String {
    let name = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    };
    let mut hosts: Vec<String> = config.get_hosts().iter().map(name).collect();
    for (host, port) in hosts.iter_mut().zip(config.get_ports()) {
        *host = format!("{host}:{port}");
    }
    let user = config.get_user().map(|user| format!("{user}@"));
    let database = config.get_dbname().map(|name| format!("/{name}"));
    let (user, database) = (user.unwrap_or_default(), database.unwrap_or_default());
    format!("postgres://{user}{}{database}", hosts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> Result<Address, String> {
        Address::of(url, PostgresSettings::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_url_says_how_the_database_is_asked_and_its_password_is_not_shown() {
        let url = "postgresql://u:secret@db.example:6432/robots?verger_deadline_ms=70&verger_connections=3\
                   &verger_pooler=1&application_name=a%20b&sslmode=verify-full";
        let found = address(url).unwrap();
        assert_eq!(found.shown, "postgres://u@db.example:6432/robots");
        let settings = found.settings;
        assert_eq!(settings.deadline, Duration::from_millis(70));
        assert_eq!(
            (settings.connections_max, settings.route),
            (3, PostgresRoute::Pooler)
        );
        assert_eq!(found.hosts[0].get_ssl_mode(), SslMode::Require);
        assert_eq!(found.hosts[0].get_application_name(), Some("a b"));
        assert_eq!(found.step_deadline(), STEP_LEAST);
    }

    #[test]
    fn connections_to_another_machine_are_encrypted_unless_the_url_says_otherwise() {
        for (url, mode) in [
            ("postgres://localhost/d", SslMode::Disable),
            ("postgres://127.0.0.1/d", SslMode::Disable),
            ("postgres://%2Frun%2Fpostgresql/d", SslMode::Disable),
            ("postgres://u@db.example/d", SslMode::Require),
            ("postgres://localhost,db.example/d", SslMode::Require),
            ("postgres://db.example/d?sslmode=prefer", SslMode::Prefer),
            ("postgres://db.example/d?sslmode=disable", SslMode::Disable),
        ] {
            assert_eq!(address(url).unwrap().hosts[0].get_ssl_mode(), mode, "{url}");
        }
    }

    #[test]
    fn of_several_hosts_the_one_that_takes_writes_is_asked_unless_the_url_says_otherwise() {
        use TargetSessionAttrs::{Any, ReadWrite};
        let (any, read_write) = (
            "target_session_attrs=any",
            "target_session_attrs=read-write",
        );
        for (url, of, asked) in [
            ("a/d", Any, &["a:5432/d"][..]),
            ("u:p@a,b:5433/d", ReadWrite, &["u@a:5432/d", "u@b:5433/d"]),
            ("a,b:5433", ReadWrite, &["a:5432", "b:5433"]),
            ("/d?host=a&host=b", ReadWrite, &["a,b/d"]),
            (
                "a,b/d?hostaddr=1.1.1.1,1.1.1.2",
                ReadWrite,
                &["a:5432,b:5432/d"],
            ),
            (
                &format!("a,b?{read_write}"),
                ReadWrite,
                &["a:5432", "b:5432"],
            ),
            (&format!("a,b?{any}"), Any, &["a:5432,b:5432"]),
        ] {
            let found = address(&format!("postgres://{url}")).unwrap();
            let shown: Vec<_> = found.hosts.iter().map(shown).collect();
            let asked = asked.iter().map(|it| format!("postgres://{it}"));
            assert_eq!(shown, asked.collect::<Vec<_>>(), "{url}");
            for config in &found.hosts {
                assert_eq!(config.get_target_session_attrs(), of, "{url}");
                assert_eq!(config.get_ssl_mode(), SslMode::Require);
                assert_eq!(config.get_application_name(), Some("verger"));
            }
        }
    }

    #[test]
    fn a_url_names_a_host() {
        for url in [
            "postgres://",
            "postgres:///robots",
            "postgres://u@/robots?sslmode=require",
        ] {
            let error = address(url).unwrap_err();
            assert!(error.contains("the host is missing"), "{url}: {error}");
        }
        let socket = address("postgres:///robots?host=/run/postgresql").unwrap();
        assert_eq!(socket.shown, "postgres:///run/postgresql/robots");
    }

    #[test]
    fn a_parameter_that_cannot_be_used_is_named_and_no_password_is() {
        for (query, named) in [
            ("sslmode=maybe", "sslmode=maybe"),
            ("verger_deadline_ms=soon", "verger_deadline_ms=soon"),
            ("verger_connections=0", "verger_connections=0"),
            ("verger_pooler=2", "verger_pooler=2"),
            ("sslrootcert=%2Fno%2Fsuch%2Ffile", "/no/such/file"),
            ("of_ones_own=1", "of_ones_own"),
        ] {
            let error = address(&format!("postgres://u:secret@h/d?{query}")).unwrap_err();
            assert!(
                error.contains(named) && !error.contains("secret"),
                "{error}"
            );
        }
    }
}
