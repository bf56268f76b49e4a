use core::time::Duration;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use hickory_resolver::Resolver as Hickory;
use hickory_resolver::config::{NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts};
use hickory_resolver::net::{DnsError, NetError, NoRecords};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RData, Record, RecordType};
use tokio::time::timeout;
use verger_store::Shortage;

use crate::transport::dns_connections::DnsConnections;
use crate::transport::resolve_error::{ResolveError, ResolveFailure};

/// How long to wait before the next server is queried. If a server needs longer, a later query
/// finds the answer in its cache.
const TRY_TIME_MAX: Duration = Duration::from_secs(2);

/// How long to wait for one address family after the other has arrived.
const OTHER_FAMILY_TIME_MAX: Duration = Duration::from_secs(1);

/// `hickory` caches nothing, because a client resolves a name only when it fetches.
const ANSWERS_KEPT: u64 = 0;

/// The addresses of a name. Empty if the name exists without an address.
type Found = Result<Vec<IpAddr>, ResolveError>;

/// Name servers, queried one at a time.
///
/// Given several servers, `hickory` queries two at once and may return the error of one although
/// the other would answer. So each server gets its own `hickory` resolver.
pub(crate) struct NameServers {
    servers: Vec<Hickory<DnsConnections>>,
    /// Index of the server that answered last.
    first: AtomicUsize,
    /// Number of rounds through the servers while the last one is silent.
    rounds: u32,
}

impl NameServers {
    /// Creates resolvers with the timeouts of `options`, or `None` without servers.
    pub(crate) fn new(servers: Vec<NameServerConfig>, options: &ResolverOpts) -> Option<Self> {
        let whole = options
            .timeout
            .saturating_mul(u32::try_from(options.attempts).unwrap_or(1));
        let each = options
            .timeout
            .min(TRY_TIME_MAX)
            .max(Duration::from_millis(1));
        let rounds = whole.as_millis().div_ceil(each.as_millis());
        let of_one = |server| {
            let config = ResolverConfig::from_name_servers(vec![server]);
            let mut builder = Hickory::builder_with_config(config, DnsConnections::default());
            let its_options = builder.options_mut();
            its_options.clone_from(options);
            its_options.timeout = each;
            its_options.attempts = 0;
            its_options.cache_size = ANSWERS_KEPT;
            its_options.use_hosts_file = ResolveHosts::Never;
            builder.build().ok()
        };
        let servers: Vec<_> = servers.into_iter().filter_map(of_one).collect();
        (!servers.is_empty()).then_some(Self {
            servers,
            first: AtomicUsize::new(0),
            rounds: u32::try_from(rounds).unwrap_or(u32::MAX).max(1),
        })
    }

    /// Returns the addresses of an absolute name, IPv4 first. Empty if the name has none.
    pub(crate) async fn find(&self, name: &Name) -> Found {
        self.answer(|number| ask(&self.servers[number], name)).await
    }

    pub(crate) async fn find_names(&self, reverse: &Name) -> Result<Vec<Name>, ResolveError> {
        self.answer(|number| names_of(&self.servers[number], reverse))
            .await
    }

    /// Returns the first answer. `ask` queries the server with an index.
    ///
    /// If a server is silent or fails, the next one is queried. If the last one is silent, another
    /// round begins, until the timeouts are used up.
    async fn answer<T, A: Future<Output = Result<T, ResolveError>>>(
        &self,
        ask: impl Fn(usize) -> A,
    ) -> Result<T, ResolveError> {
        let mut last = ResolveError::new("there is no name server");
        for _ in 0..self.rounds {
            let first = self.first.load(Ordering::Relaxed);
            for offset in 0..self.servers.len() {
                let number = (first + offset) % self.servers.len();
                match ask(number).await {
                    Err(error) if error.failure() != ResolveFailure::NoSuchName => {
                        if error.is_shortage() {
                            return Err(error);
                        }
                        last = error;
                    }
                    found => {
                        self.first.store(number, Ordering::Relaxed);
                        return found;
                    }
                }
            }
            if last.failure() != ResolveFailure::TimedOut {
                break;
            }
        }
        Err(last)
    }
}

async fn ask(server: &Hickory<DnsConnections>, name: &Name) -> Found {
    let mut of_4 = pin!(of_family(server, name, RecordType::A));
    let mut of_6 = pin!(of_family(server, name, RecordType::AAAA));
    let (of_4, of_6) = tokio::select! {
        biased;
        found = &mut of_4 => match found {
            // A name that does not exist has no records of any type.
            Err(error) if error.failure() == ResolveFailure::NoSuchName => return Err(error),
            found => {
                let other = other_family(&found, of_6).await;
                (found, other)
            }
        },
        found = &mut of_6 => (other_family(&found, of_4).await, found),
    };
    match (of_4, of_6) {
        // Otherwise a shortage here would look like a site without addresses of one family.
        (Err(error), _) | (_, Err(error)) if error.is_shortage() => Err(error),
        (Ok(mut of_4), Ok(of_6)) => {
            of_4.extend(of_6);
            Ok(of_4)
        }
        (Ok(found), Err(_)) | (Err(_), Ok(found)) if !found.is_empty() => Ok(found),
        // Some servers answer NXDOMAIN if a name only lacks an IPv6 address (RFC 4074 4.2).
        (Ok(none), Err(error)) if error.failure() == ResolveFailure::NoSuchName => Ok(none),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

/// Waits for the other family, but not long if there are addresses already.
async fn other_family(first: &Found, other: impl Future<Output = Found>) -> Found {
    if first.as_ref().is_ok_and(|found| !found.is_empty()) {
        let other = timeout(OTHER_FAMILY_TIME_MAX, other).await;
        return other.unwrap_or_else(|_| Ok(Vec::new()));
    }
    other.await
}

async fn of_family(server: &Hickory<DnsConnections>, name: &Name, family: RecordType) -> Found {
    let records = records(server, name, family).await?;
    let addresses = records.iter().filter_map(|it| it.data.ip_addr());
    Ok(addresses.collect())
}

async fn names_of(
    server: &Hickory<DnsConnections>,
    reverse: &Name,
) -> Result<Vec<Name>, ResolveError> {
    let records = records(server, reverse, RecordType::PTR).await?;
    let names = records.into_iter().filter_map(|record| match record.data {
        RData::PTR(name) => Some(name.0),
        _ => None,
    });
    Ok(names.collect())
}

/// Returns the records for a name, following aliases. Empty if the name exists without such a
/// record.
async fn records(
    server: &Hickory<DnsConnections>,
    name: &Name,
    kind: RecordType,
) -> Result<Vec<Record>, ResolveError> {
    match server.lookup(name.clone(), kind).await {
        Ok(found) => Ok(found.answers().to_vec()),
        Err(NetError::Dns(DnsError::NoRecordsFound(NoRecords { response_code, .. }))) => {
            match response_code {
                ResponseCode::NXDomain => Err(ResolveError::no_such_name()),
                _ => Ok(Vec::new()),
            }
        }
        Err(NetError::Timeout) => Err(ResolveError::timed_out()),
        Err(NetError::Dns(DnsError::ResponseCode(code))) => {
            let reason = format!("the name servers fail: {code}");
            Err(ResolveError::new(reason))
        }
        Err(error) => {
            let shortage = match &error {
                NetError::Io(error) => Shortage::from_io(error),
                _ => None,
            };
            Err(shortage.map_or_else(
                || ResolveError::unless_files_lack(format!("the name servers fail: {error}")),
                ResolveError::from,
            ))
        }
    }
}
