use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use serde::Deserialize;
use toml::Spanned;
use url::Url;
use verger_answer::text::{legible, start_of, toml_problem};
use verger_answer::{CrawlerQuery, ReadAs, ResolvedCrawler, written_site};
use verger_store::length;

use crate::event_severity::EventSeverity;
use crate::receiver_name::receiver_name;
use crate::watched_site::WatchedSite;
use crate::webhook::webhook_url;

/// Maximum number of lines of a list.
const LINES_MAX: usize = 100_000;

/// Maximum number of receivers, and of networks of the owner.
const RECEIVERS_MAX: usize = 64;
const OWN_ADDRESSES_MAX: usize = 1024;

/// Shortest interval of a listed site, and the default.
const EVERY_MIN: Duration = Duration::from_secs(5 * 60);
const EVERY_USUAL: Duration = Duration::from_secs(60 * 60);

/// A list of sites to watch, `sites.toml` (`docs/watch.md`).
///
/// ```
/// use std::path::Path;
/// use verger_answer::ReadAs;
/// use verger_watch::SiteList;
///
/// let text = "[[site]]\nurl = \"https://example.com\"\nevery = \"30m\"\nsame_meaning_as = \"robots.txt\"\n";
/// let list = SiteList::parse(text, Path::new("/etc/verger"), ReadAs::default())?;
/// let site = list.sites[0].watched.clone()?;
/// assert_eq!(site.file.as_deref(), Some(Path::new("/etc/verger/robots.txt")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SiteList {
    /// The sites, in the order of the list.
    pub sites: Vec<ListedSite>,
    /// The receivers, in the order of the list.
    pub receivers: Vec<ListedReceiver>,
}

/// Hosts, and the networks of their owner to which they may lead.
pub type OwnHosts = (Arc<BTreeSet<String>>, Vec<IpNet>);

/// A site of a list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ListedSite {
    /// Line of the site, counted from 1.
    pub line: usize,
    /// The URL as written, without control characters.
    pub url: String,
    /// The site, or the reason why it cannot be watched.
    pub watched: Result<WatchedSite, String>,
    /// The receivers of its changes, as places in [`SiteList::receivers`].
    pub receivers: Arc<[usize]>,
}

/// A receiver of a list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ListedReceiver {
    /// The name.
    pub name: String,
    /// The destination.
    pub to: ReceiverAddress,
    /// The least severity of its events.
    pub at_least: EventSeverity,
}

/// The destination of the changes for a [`ListedReceiver`].
#[derive(Clone, Debug)]
pub enum ReceiverAddress {
    /// To a URL, as JSON or as a chat message.
    Webhook {
        /// The URL.
        url: Url,
        /// Whether changes are sent as messages for Slack and Mattermost.
        is_chat: bool,
    },
    /// To the standard input of a program.
    Program(PathBuf),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    own_addresses: Vec<Spanned<String>>,
    #[serde(default)]
    receiver: Vec<Spanned<WrittenReceiver>>,
    #[serde(default)]
    site: Vec<Spanned<WrittenSite>>,
}

impl Written {
    /// Returns the start of the first network or receiver over a limit.
    fn first_over_a_limit(&self) -> Option<(usize, String)> {
        let network = self.own_addresses.get(OWN_ADDRESSES_MAX).map(|it| {
            let message = format!("the limit is {OWN_ADDRESSES_MAX} networks");
            (it.span().start, message)
        });
        let receiver = self.receiver.get(RECEIVERS_MAX).map(|it| {
            let message = format!("the limit is {RECEIVERS_MAX} receivers");
            (it.span().start, message)
        });
        network.or(receiver)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenReceiver {
    name: String,
    webhook: Option<String>,
    #[serde(default)]
    format: WrittenFormat,
    program: Option<PathBuf>,
    #[serde(default)]
    at_least: EventSeverity,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum WrittenFormat {
    #[default]
    Json,
    Slack,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSite {
    url: String,
    every: Option<String>,
    same_meaning_as: Option<PathBuf>,
    claims: Option<PathBuf>,
    #[serde(default)]
    crawlers: Vec<String>,
    receivers: Option<Vec<String>>,
    own_addresses: Option<Vec<String>>,
}

/// The text is not a list of sites.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct SiteListError {
    line: Option<usize>,
    message: String,
}

impl SiteList {
    /// Parses a list. Paths in it are relative to `directory`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not TOML, has an unknown key or an unusable receiver or network,
    /// or has more than 100,000 lines, 64 receivers or 1,024 networks. A site that cannot be watched is not an error:
    /// [`ListedSite::watched`] has the reason.
    pub fn parse(text: &str, directory: &Path, read_as: ReadAs) -> Result<Self, SiteListError> {
        let starts = line_starts(text);
        let line = |offset: usize| starts.partition_point(|start| *start <= offset);
        if starts.len() > LINES_MAX {
            let message = format!("the list is too long: the limit is {LINES_MAX} lines");
            return Err(SiteListError {
                line: None,
                message,
            });
        }
        let written: Written = toml::from_str(text).map_err(|error| SiteListError {
            line: error.span().map(|span| line(span.start)),
            message: toml_problem(error.message()),
        })?;
        let at = |start: usize| {
            move |message| SiteListError {
                line: Some(line(start)),
                message,
            }
        };
        if let Some((start, message)) = written.first_over_a_limit() {
            return Err(at(start)(message));
        }
        let own_addresses = written
            .own_addresses
            .iter()
            .map(|it| network(it.get_ref()).map_err(at(it.span().start)));
        let own_addresses = own_addresses.collect::<Result<Arc<[_]>, _>>()?;
        let mut receivers: Vec<ListedReceiver> = Vec::new();
        for it in written.receiver {
            let start = it.span().start;
            let receiver = receiver(it.into_inner(), directory).map_err(at(start))?;
            if receivers.iter().any(|other| other.name == receiver.name) {
                return Err(at(start)("another receiver has this name".to_owned()));
            }
            receivers.push(receiver);
        }
        let mut list = Self {
            sites: Vec::new(),
            receivers,
        };
        let defaults = Defaults {
            read_as,
            crawlers: WatchedSite::usual_crawlers(read_as),
            own_addresses,
        };
        let all: Arc<[usize]> = (0..list.receivers.len()).collect();
        let mut lines = BTreeMap::new();
        for it in written.site {
            let line = line(it.span().start);
            let written = it.into_inner();
            let mut receivers = Arc::default();
            let watched = list.receivers_of(&written, &all).and_then(|found| {
                receivers = found;
                let watched = defaults.watched_of(&written, directory)?;
                match lines.insert(watched.site.to_string(), line) {
                    Some(first) => {
                        lines.insert(watched.site.to_string(), first);
                        Err(format!("line {first} lists the same site"))
                    }
                    None => Ok(watched),
                }
            });
            list.sites.push(ListedSite {
                line,
                url: legible(start_of(&written.url).as_bytes()),
                watched,
                receivers,
            });
        }
        Ok(list)
    }

    /// Returns the sites that can be watched.
    #[must_use]
    pub fn watched(&self) -> Vec<WatchedSite> {
        let watched = self.sites.iter().filter_map(|it| it.watched.as_ref().ok());
        watched.cloned().collect()
    }

    /// Returns the hosts of the sites that can be watched, by their networks that are not public. Other
    /// hosts may not lead there.
    #[must_use]
    pub fn own_hosts(&self) -> Vec<OwnHosts> {
        let mut hosts = BTreeMap::<&[IpNet], BTreeSet<String>>::new();
        let watched = self.sites.iter().filter_map(|it| it.watched.as_ref().ok());
        for it in watched.filter(|it| !it.own_addresses.is_empty()) {
            let of_networks = hosts.entry(&it.own_addresses).or_default();
            of_networks.insert(it.site.host().to_owned());
        }
        let hosts = hosts.into_iter();
        hosts
            .map(|(networks, hosts)| (Arc::new(hosts), networks.to_vec()))
            .collect()
    }

    /// Returns the first site that cannot be watched, as an error.
    #[must_use]
    pub fn problem(&self) -> Option<SiteListError> {
        self.sites.iter().find_map(|it| {
            Some(SiteListError {
                line: Some(it.line),
                message: it.watched.as_ref().err()?.clone(),
            })
        })
    }

    fn receivers_of(
        &self,
        written: &WrittenSite,
        all: &Arc<[usize]>,
    ) -> Result<Arc<[usize]>, String> {
        let Some(names) = &written.receivers else {
            return Ok(Arc::clone(all));
        };
        let place = |name: &String| {
            let place = self.receivers.iter().position(|it| it.name == *name);
            place.ok_or_else(|| format!("no receiver has the name `{}`", shown(name)))
        };
        names.iter().map(place).collect()
    }
}

/// The values of a list for sites that state none.
struct Defaults {
    read_as: ReadAs,
    crawlers: Arc<[ResolvedCrawler]>,
    own_addresses: Arc<[IpNet]>,
}

impl Defaults {
    fn watched_of(&self, written: &WrittenSite, directory: &Path) -> Result<WatchedSite, String> {
        let site = written_site(&written.url).map_err(|error| error.to_string())?;
        let own_addresses = match &written.own_addresses {
            Some(networks) if networks.len() > OWN_ADDRESSES_MAX => {
                return Err(format!("the limit is {OWN_ADDRESSES_MAX} networks"));
            }
            Some(networks) => networks
                .iter()
                .map(|it| network(it))
                .collect::<Result<_, _>>()?,
            None => Arc::clone(&self.own_addresses),
        };
        let host = site.host().trim_matches(['[', ']']);
        if let Ok(address) = host.parse::<IpAddr>()
            && !own_addresses.iter().any(|it| it.contains(&address))
        {
            return Err(format!(
                "{address} is an address: list it in `own_addresses` if it is yours"
            ));
        }
        let every = match &written.every {
            Some(text) => length(text).map_err(|error| format!("`every`: {error}"))?,
            None => EVERY_USUAL,
        };
        if every < EVERY_MIN {
            return Err("`every`: the shortest interval is 5m".to_owned());
        }
        let named = written.crawlers.iter().map(|name| {
            let query = name.parse::<CrawlerQuery>();
            query.map_err(|error| error.to_string())
        });
        let named = named.collect::<Result<Vec<_>, _>>()?;
        let mut watched = WatchedSite::new(site, Arc::clone(&self.crawlers));
        watched.own_addresses = own_addresses;
        if !named.is_empty() {
            let crawlers = CrawlerQuery::resolve_all(&named, self.read_as);
            let mut crawlers = crawlers.map_err(|(_, error)| error.to_string())?;
            let mut seen = BTreeSet::new();
            crawlers.retain(|it| seen.insert(it.name().to_owned()));
            watched.crawlers = crawlers.into();
        }
        watched.every = Some(every);
        let path = |path: &PathBuf| directory.join(path);
        watched.file = written.same_meaning_as.as_ref().map(path);
        watched.claims = written.claims.as_ref().map(path);
        Ok(watched)
    }
}

fn network(text: &str) -> Result<IpNet, String> {
    let network = text.parse::<IpNet>();
    let network = network.or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    network.map_err(|_| "expected a network such as 10.0.0.0/8".to_owned())
}

fn receiver(written: WrittenReceiver, directory: &Path) -> Result<ListedReceiver, String> {
    let to = match (written.webhook, written.program) {
        (Some(url), None) => ReceiverAddress::Webhook {
            url: webhook_url(&url).map_err(|error| format!("`webhook`: {error}"))?,
            is_chat: written.format == WrittenFormat::Slack,
        },
        (None, Some(program)) => ReceiverAddress::Program(directory.join(program)),
        _ => return Err("a receiver has either a `webhook` or a `program`".to_owned()),
    };
    Ok(ListedReceiver {
        name: receiver_name(&written.name).map_err(str::to_owned)?,
        to,
        at_least: written.at_least,
    })
}

fn shown(text: &str) -> String {
    legible(start_of(text).as_bytes())
}

/// Returns the offset of each line.
fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    let after = ends.map(|(end, _)| end + 1);
    let after = after.filter(|start| *start < text.len());
    std::iter::once(0).chain(after).collect()
}

#[cfg(test)]
mod tests {
    use verger::{Dialect, Reading};

    use super::*;

    fn parse(text: &str) -> Result<SiteList, SiteListError> {
        SiteList::parse(text, Path::new("/list"), ReadAs::default())
    }

    fn problem_of(site: &str) -> String {
        let list = parse(&format!(
            "own_addresses = [\"10.1.0.0/16\"]\n\n[[site]]\n{site}\n"
        ));
        let problem = list.unwrap().problem();
        problem.map(|it| it.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_site_has_defaults_and_paths_beside_the_list() {
        let text = "[[receiver]]\nname = 'ops'\nprogram = 'tell'\nat_least = 'warning'\n\
                    [[receiver]]\nname = 'chat'\nwebhook = 'https://hook.example/x'\nformat = 'slack'\n\
                    [[site]]\nurl = 'a.example'\nclaims = 'a.toml'\n\
                    [[site]]\nurl = 'http://b.example:8080/x'\nevery = '5m'\nreceivers = ['chat']\n\
                    crawlers = ['@ai-train', 'gptbot', 'mine']\n";
        let list = parse(text).unwrap();
        assert_eq!(list.problem(), None);
        let [a, b] = &list.watched()[..] else {
            panic!("{list:?}");
        };
        assert_eq!(
            (a.site.to_string().as_str(), a.every),
            ("https://a.example", Some(EVERY_USUAL))
        );
        assert_eq!(a.claims.as_deref(), Some(Path::new("/list/a.toml")));
        assert_eq!((a.crawlers.len(), a.crawlers[0].name()), (20, "googlebot"));
        assert_eq!(
            (b.site.to_string().as_str(), b.every),
            ("http://b.example:8080", Some(EVERY_MIN))
        );
        assert!(b.crawlers.iter().any(|it| it.name() == "ccbot"));
        assert_eq!(
            b.crawlers.iter().filter(|it| it.name() == "gptbot").count(),
            1
        );
        assert_eq!(
            [&list.sites[0].receivers[..], &list.sites[1].receivers],
            [&[0, 1][..], &[1]]
        );
        assert_eq!(list.receivers[0].at_least, EventSeverity::Warning);
    }

    #[test]
    fn a_site_leads_to_its_own_addresses_only() {
        let text = "own_addresses = ['10.0.0.0/8']\n[[site]]\nurl = 'a.example'\n[[site]]\nurl = 'b.example'\n\
                    [[site]]\nurl = 'c.example'\nown_addresses = []\n\
                    [[site]]\nurl = '192.168.0.1'\nown_addresses = ['192.168.0.1']\n";
        let list = parse(text).unwrap();
        assert_eq!(list.problem(), None);
        let own = list.own_hosts().into_iter().map(|(hosts, networks)| {
            let networks: Vec<String> = networks.iter().map(ToString::to_string).collect();
            let hosts: Vec<String> = hosts.iter().cloned().collect();
            (hosts.join(" "), networks.join(" "))
        });
        let expected = [
            ("a.example b.example", "10.0.0.0/8"),
            ("192.168.0.1", "192.168.0.1/32"),
        ];
        let expected = expected.map(|(hosts, networks)| (hosts.to_owned(), networks.to_owned()));
        assert_eq!(own.collect::<Vec<_>>(), expected);
        let problem = problem_of("url = '10.1.2.3'\nown_addresses = []");
        assert!(problem.contains("10.1.2.3 is an address"), "{problem}");
        let problem = problem_of("url = 'a.example'\nown_addresses = ['x']");
        assert!(problem.contains("expected a network"), "{problem}");
    }

    #[test]
    fn the_usual_crawlers_are_judged_as_the_list_is_read() {
        let reading = Reading::new(Dialect::Rfc9309);
        for (read_as, dialect) in [
            (ReadAs::Operator(reading), Dialect::Google),
            (ReadAs::Stated(reading), Dialect::Rfc9309),
        ] {
            let text = "[[site]]\nurl = 'a.example'\n";
            let list = SiteList::parse(text, Path::new(""), read_as).unwrap();
            let googlebot = &list.watched()[0].crawlers[0];
            assert_eq!(googlebot.reading(reading).dialect(), dialect);
        }
    }

    #[test]
    fn a_site_that_cannot_be_watched_is_named_with_its_line_and_stops_no_other() {
        for (site, problem) in [
            ("url = 'https://'", "line 3: "),
            ("url = '192.0.2.1'", "line 3: 192.0.2.1 is an address"),
            ("url = 'http://0x7f.1/'", "line 3: 127.0.0.1 is an address"),
            ("url = 'http://[::1]'", "line 3: ::1 is an address"),
            ("url = 'http://10.2.0.1'", "line 3: 10.2.0.1 is an address"),
            (
                "url = 'a.example'\nevery = '299s'",
                "line 3: `every`: the shortest",
            ),
            (
                "url = 'a.example'\nevery = 'often'",
                "line 3: `every`: expected",
            ),
            ("url = 'a.example'\ncrawlers = ['@nobody']", "line 3: "),
            (
                "url = 'a.example'\nreceivers = ['ops']",
                "line 3: no receiver",
            ),
        ] {
            let said = problem_of(site);
            assert!(said.starts_with(problem), "{site}: {said}");
            let text = format!("[[site]]\n{site}\n[[site]]\nurl = 'z.example'\n");
            assert_eq!(parse(&text).unwrap().watched().len(), 1);
        }
        assert_eq!(problem_of("url = 'http://10.1.2.3'"), "");
        let twice = "[[site]]\nurl = 'a.example'\n[[site]]\nurl = 'https://A.example:443/x'\n";
        let said = parse(twice).unwrap().problem().unwrap().to_string();
        assert_eq!(said, "line 3: line 1 lists the same site");
    }

    #[test]
    fn an_unusable_list_is_an_error_with_its_line() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(
            error("[[site]]\nurl = 'a.example'\nevry = '1h'").starts_with("line 3: unknown key")
        );
        assert_eq!(
            error("[[site]]\nurl = 7"),
            "line 2: invalid value: expected a string"
        );
        assert!(error("own_addresses = [\n'x']").starts_with("line 2: expected a network"));
        let receiver = |keys: &str| error(&format!("[[receiver]]\nname = 'ops'\n{keys}"));
        assert!(receiver("").starts_with("line 1: a receiver has either"));
        assert!(receiver("program = 'a'\nwebhook = 'https://h.example/'").starts_with("line 1: "));
        assert!(receiver("webhook = 'ftp://h.example/'").starts_with("line 1: `webhook`: "));
        assert!(receiver("program = 'a'\nat_least = 'loud'").starts_with("line 4: "));
        let many =
            |count| (0..count).map(|nth| format!("[[receiver]]\nname = 'r{nth}'\nprogram = 'a'\n"));
        assert_eq!(
            parse(&many(64).collect::<String>())
                .unwrap()
                .receivers
                .len(),
            64
        );
        assert_eq!(
            error(&many(65).collect::<String>()),
            "line 193: the limit is 64 receivers"
        );
        let networks = |count| format!("own_addresses = [\n{}]", "'10.0.0.0/8',\n".repeat(count));
        assert!(parse(&networks(1024)).is_ok());
        assert_eq!(
            error(&networks(1025)),
            "line 1026: the limit is 1024 networks"
        );
        let twice = "[[receiver]]\nname = 'ops'\nprogram = 'a'\n".repeat(2);
        assert_eq!(error(&twice), "line 4: another receiver has this name");
    }

    #[test]
    fn a_list_has_at_most_100_000_lines() {
        let sites = (0..LINES_MAX / 2).map(|nth| format!("[[site]]\nurl = 'h{nth}.example'\n"));
        let mut text: String = sites.collect();
        assert_eq!(parse(&text).unwrap().watched().len(), LINES_MAX / 2);
        text.push('#');
        assert!(
            parse(&text)
                .unwrap_err()
                .to_string()
                .contains("100000 lines")
        );
    }
}
