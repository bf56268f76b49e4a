//! `Holder`: holds answers about many sites for one crawler. To add one, implement the trait and add its name to
//! [`NAMES`].

mod policy_map;
mod robotxt_map;
mod verger_client;

use std::sync::Arc;

use crate::sites::Sites;

pub(crate) use policy_map::PolicyMap;
pub(crate) use robotxt_map::RobotxtMap;
pub(crate) use verger_client::VergerClient;

/// The names of all holders. The first is the reference.
pub(crate) const NAMES: [&str; 3] = ["verger-client", "verger/policy-in-map", "robotxt/in-map"];

pub(crate) trait Holder: Sync {
    /// Whether the crawler may fetch a URL, or `None` for a site without an answer.
    fn allowed(&self, url: &str) -> Option<bool>;

    fn sites(&self) -> usize;

    /// Its own report of its size in bytes, if it has one.
    fn bytes_told(&self) -> Option<u64> {
        None
    }
}

/// Returns the holder with this name and answers about all sites. A client holds at most `bytes_max`.
pub(crate) fn filled(
    name: &str,
    sites: &Arc<Sites>,
    agent: &str,
    bytes_max: u64,
) -> Result<Box<dyn Holder>, String> {
    Ok(match name {
        "verger-client" => Box::new(VergerClient::filled(sites, agent, bytes_max)?),
        "verger/policy-in-map" => Box::new(PolicyMap::filled(sites, agent)?),
        "robotxt/in-map" => Box::new(RobotxtMap::filled(sites, agent)),
        _ => return Err(format!("unknown contestant {name}")),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{NAMES, filled};
    use crate::sites::{Bodies, Sites};

    #[test]
    fn client_and_policies_answer_alike_about_every_site() {
        let sites = Arc::new(Sites {
            count: 50,
            bodies: Bodies::Generated,
        });
        let numbers: Vec<usize> = (0..sites.count).collect();
        let urls = sites.urls(&numbers, 20, "test");
        let fill = |name| filled(name, &sites, "ExampleBot", sites.bytes_max()).unwrap();
        let [client, policies, robotxt] = NAMES.map(fill);
        let allowed = urls.iter().filter(|url| client.allowed(url) == Some(true));
        assert!((500..1000).contains(&allowed.count()));
        for url in &urls {
            assert!(client.allowed(url).is_some(), "{url}");
            assert_eq!(client.allowed(url), policies.allowed(url), "{url}");
            assert!(robotxt.allowed(url).is_some(), "{url}");
        }
        assert_eq!(client.sites(), 50);
        assert_eq!(client.allowed("https://www.host-50.example/"), None);
    }
}
