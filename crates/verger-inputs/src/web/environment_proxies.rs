use std::ffi::OsString;

use url::Url;
use verger_answer::text::start_of;

use verger_client::Proxies;

/// Variables for `http` URLs. `HTTP_PROXY` is excluded, because web servers set it to the request
/// header `Proxy` for the programs they start.
const FOR_HTTP: [&str; 3] = ["http_proxy", "all_proxy", "ALL_PROXY"];
const FOR_HTTPS: [&str; 4] = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
const EXCEPTIONS: [&str; 2] = ["no_proxy", "NO_PROXY"];

/// Proxies from environment variables, read as curl reads them.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct EnvironmentProxies {
    /// The proxies, and which requests go through them.
    pub proxies: Proxies,
    /// A description for the user, if there are proxies.
    pub note: Option<String>,
}

impl EnvironmentProxies {
    /// Reads the variables through `value_of`.
    ///
    /// # Errors
    ///
    /// Returns an error if a variable that applies has an unusable value.
    pub fn from_variables(
        value_of: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, UnusableVariable> {
        let first_of = |names: &[&'static str]| first_set(names, &value_of);
        let mut proxies = Proxies::default();
        let mut routes = Vec::new();
        if let Some(variable) = first_of(&FOR_HTTP)? {
            let (url, at) = variable.proxy()?;
            proxies = proxies.http(&url).map_err(|_| variable.is_no_proxy())?;
            routes.push(format!("http through {at} (`{}`)", variable.name));
        }
        if let Some(variable) = first_of(&FOR_HTTPS)? {
            let (url, at) = variable.proxy()?;
            proxies = proxies.https(&url).map_err(|_| variable.is_no_proxy())?;
            routes.push(format!("https through {at} (`{}`)", variable.name));
        }
        if routes.is_empty() {
            return Ok(Self::default());
        }
        if let Some(variable) = first_of(&EXCEPTIONS)? {
            let read = proxies.except(&variable.value);
            proxies =
                read.map_err(|error| UnusableVariable(format!("`{}`: {error}", variable.name)))?;
            routes.push(format!("not to the hosts in `{}`", variable.name));
        }
        let note = format!("proxies of the environment: {}", routes.join(", "));
        Ok(Self {
            proxies,
            note: Some(note),
        })
    }
}

struct Variable {
    name: &'static str,
    value: String,
}

/// Returns the first of these variables that is set. Like curl, treats an empty one as unset.
fn first_set(
    names: &[&'static str],
    value_of: impl Fn(&str) -> Option<OsString>,
) -> Result<Option<Variable>, UnusableVariable> {
    let values = names.iter().map(|&name| (name, value_of(name)));
    let mut set = values.filter_map(|(name, value)| Some((name, value?)));
    let Some((name, value)) = set.find(|(_, value)| !value.is_empty()) else {
        return Ok(None);
    };
    let value = value.into_string();
    let value =
        value.map_err(|_| UnusableVariable(format!("the value of `{name}` is not UTF-8")))?;
    Ok(Some(Variable { name, value }))
}

impl Variable {
    /// Returns the proxy's URL, and its host and port. Accepts `host:port` as a URL.
    fn proxy(&self) -> Result<(Url, String), UnusableVariable> {
        let has_scheme = self.value.contains("://");
        let scheme = if has_scheme { "" } else { "http://" };
        let url = format!("{scheme}{}", self.value).parse::<Url>();
        let url = url.map_err(|_| self.is_no_proxy())?;
        let host = url.host_str().unwrap_or_default();
        let at = match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        Ok((url, at))
    }

    fn is_no_proxy(&self) -> UnusableVariable {
        let why = NotAProxy(self.value.clone());
        UnusableVariable(format!("`{}`: {why}", self.name))
    }
}

/// A variable cannot be used. Displays with its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnusableVariable(String);

/// The text is not the URL of a proxy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a proxy: write http://host:port", shown(.0))]
pub struct NotAProxy(pub String);

/// Returns the text without its password, which must not appear in a message.
fn shown(proxy: &str) -> String {
    start_of(proxy.rsplit('@').next().unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the note about variables, given as `name=value` with spaces in between.
    fn note_of(variables: &str) -> Result<Option<String>, String> {
        let environment = |name: &str| {
            let mut variables = variables.split(' ').filter_map(|it| it.split_once('='));
            let value = variables
                .find(|(its, _)| *its == name)
                .map(|(_, value)| value);
            value.map(OsString::from)
        };
        let read = EnvironmentProxies::from_variables(environment);
        read.map(|it| it.note).map_err(|error| error.to_string())
    }

    #[test]
    fn variables_count_in_the_order_of_curl() {
        for (variables, expected) in [
            ("", None),
            ("HTTP_PROXY=a:1 no_proxy=b ftp_proxy=c", None),
            ("http_proxy= all_proxy=", None),
            (
                "http_proxy=http://a.example:3128/",
                Some("http through a.example:3128 (`http_proxy`)"),
            ),
            (
                "https_proxy=a HTTPS_PROXY=b",
                Some("https through a (`https_proxy`)"),
            ),
            (
                "https_proxy= HTTPS_PROXY=b:80",
                Some("https through b (`HTTPS_PROXY`)"),
            ),
            (
                "all_proxy=a ALL_PROXY=b HTTP_PROXY=c",
                Some("http through a (`all_proxy`), https through a (`all_proxy`)"),
            ),
            (
                "http_proxy=u:secret@a:3128 ALL_PROXY=http://u:secret@[::1]:8080",
                Some("http through a:3128 (`http_proxy`), https through [::1]:8080 (`ALL_PROXY`)"),
            ),
            (
                "http_proxy=a no_proxy= NO_PROXY=b,.c",
                Some("http through a (`http_proxy`), not to the hosts in `NO_PROXY`"),
            ),
            (
                "http_proxy=a https_proxy=b all_proxy=socks5://c",
                Some("http through a (`http_proxy`), https through b (`https_proxy`)"),
            ),
        ] {
            let expected = expected.map(|it| format!("proxies of the environment: {it}"));
            assert_eq!(note_of(variables), Ok(expected), "{variables}");
        }
    }

    #[test]
    fn a_value_that_cannot_be_used_is_an_error_that_names_its_variable() {
        for (variables, expected) in [
            (
                "http_proxy=https://u:secret@a:3128",
                "`http_proxy`: `a:3128` is not a proxy",
            ),
            (
                "HTTPS_PROXY=socks5://a",
                "`HTTPS_PROXY`: `socks5://a` is not a proxy",
            ),
            ("all_proxy=a:b", "`all_proxy`: `a:b` is not a proxy"),
            (
                "http_proxy=a NO_PROXY=b,169.254/16",
                "`NO_PROXY`: `169.254/16` is not a host",
            ),
        ] {
            let error = note_of(variables).unwrap_err();
            assert!(error.starts_with(expected), "{variables}: {error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_value_that_is_not_text_is_an_error_that_names_its_variable() {
        use std::os::unix::ffi::OsStringExt as _;
        let environment = |name: &str| {
            let is_set = name == "all_proxy";
            is_set.then(|| OsString::from_vec(b"a\xff".to_vec()))
        };
        let error = EnvironmentProxies::from_variables(environment).unwrap_err();
        assert_eq!(error.to_string(), "the value of `all_proxy` is not UTF-8");
    }
}
