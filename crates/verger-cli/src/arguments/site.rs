//! Options for single sites: overrides, and headers for their robots.txt.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use clap::Args;
use verger_access::{Authority, Override};
use verger_client::ClientBuilder;
use verger_inputs::Source;
use verger_inputs::{overrides_of, site_header_of};

use crate::screen::message::Message;

/// Options for single sites.
#[derive(Args, Clone, Debug)]
pub(crate) struct SiteArguments {
    /// Use this answer for a site of yours instead of its robots.txt (repeatable)
    ///
    /// HOST is a host with an optional port, which means https and http, or a URL such as
    /// `https://example.com:8443`. Nothing is requested from it or stored, also after a redirect from another
    /// site. Write ./open for a file with the name `open`.
    #[arg(long = "override", value_name = "HOST=FILE|open|closed", value_parser = overrides_of)]
    #[arg(hide_short_help = true)]
    overrides: Vec<(Vec<Authority>, Override)>,

    /// Send a header to a site with requests for its robots.txt (repeatable)
    ///
    /// A header may be secret, so it needs a HOST (as for `--override`) unless only one site is asked. A
    /// redirect to another scheme, host or port does not get it. It is not stored or printed. Other users can
    /// list the arguments of processes, so use `--netrc` for a password.
    #[arg(
        long = "header",
        value_name = "[HOST=]NAME: VALUE",
        hide_short_help = true
    )]
    headers: Vec<String>,

    /// Send the logins in this netrc file to their hosts [default: ~/.netrc]
    ///
    /// As `Authorization: Basic`, under the conditions of `--header`. Entries `default` and macros are ignored.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, hide_short_help = true)]
    #[arg(default_missing_value = "")]
    netrc: Option<OsString>,
}

impl SiteArguments {
    /// Returns the first option that is given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = (!self.overrides.is_empty()).then_some("--override");
        given.or_else(|| self.first_credentials())
    }

    /// Returns the first option with credentials that is given.
    pub(crate) fn first_credentials(&self) -> Option<&'static str> {
        let given = (!self.headers.is_empty()).then_some("--header");
        given.or(self.netrc.is_some().then_some("--netrc"))
    }

    /// Rejects overrides for a command that does not use them.
    pub(crate) fn refuse_overrides(&self, why: &str) -> Result<(), Message> {
        if self.overrides.is_empty() {
            return Ok(());
        }
        let message = Message::new(format_args!("`--override` cannot be used here: {why}"));
        Err(message.help("leave out `--override`"))
    }

    /// Rejects a header without a host, because another site is asked as well.
    pub(crate) fn refuse_without_host(&self) -> Result<(), Box<dyn Error>> {
        for header in &self.headers {
            match site_header_of(header)? {
                (sites, name, _) if sites.is_empty() => return Err(without_host(&name).into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Passes the options to a client. A header without a host is for `asked`, the only site that is
    /// asked.
    pub(crate) fn configure(
        &self,
        mut client: ClientBuilder,
        asked: Option<&Authority>,
    ) -> Result<ClientBuilder, Box<dyn Error>> {
        for (sites, given) in &self.overrides {
            for site in sites {
                client = client.override_site(site.clone(), given.clone());
            }
        }
        for header in &self.headers {
            let (mut sites, name, value) = site_header_of(header)?;
            if sites.is_empty() {
                sites.extend(asked.cloned());
            }
            if sites.is_empty() {
                return Err(without_host(&name).into());
            }
            for site in sites {
                client = client.header_for(site, name.clone(), value.clone());
            }
        }
        if let Some(file) = &self.netrc {
            let home = || Some(env::home_dir()?.join(".netrc"));
            let no_home = "the home directory is unknown: write `--netrc=FILE`";
            let given = Some(file).filter(|it| !it.is_empty()).map(PathBuf::from);
            let file = given.or_else(home).ok_or(no_home)?;
            client = client.netrc(&String::from_utf8_lossy(&Source::File(file).read()?));
        }
        Ok(client)
    }
}

fn without_host(name: &impl fmt::Display) -> Message {
    let what = format!("`--header '{name}: …'` names no host, and several sites are asked");
    Message::from(what).help(format!("write `--header 'example.com={name}: …'`"))
}
