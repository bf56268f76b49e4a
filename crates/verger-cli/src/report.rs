//! `verger report`: an HTML page about a robots.txt.

mod site;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};

use clap::Args;
use verger::{GroupIndex, RobotsTxt};
use verger_access::Authority;
use verger_inputs::{Links, RunFiles, Source, put_file};
use verger_page::{AskedUrl, RobotsPage, SiteFacts};

use crate::arguments::crawler::CrawlerArguments;
use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingArguments;
use crate::check::when::WhenArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::{argument_bytes, legible};
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::shown_command::shown_command;
use crate::sources::robots_source::{refuse_without_fetch, site_argument};

/// Write an HTML page about a robots.txt
///
/// The page is one file without scripts, and loads nothing. It starts with the answer in a sentence and the problems
/// that lints find. Then it shows for all known crawlers whether everything, something or nothing is disallowed, and
/// the file with what is ignored and why. For a site it adds the requests and the stored history. It shows up to
/// 5,000 lines, 300 findings and the last 10 changes, and says how many it leaves out. Its footer has the command,
/// without credentials. Exit code 0: the page was written.
/// 3: with `--offline` or `--at`, the store has nothing about the site. 2: no page was written.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReportArguments {
    /// File, `-` for standard input, URL or host of a site
    ///
    /// A name that exists here or ends with .txt is a file. A host means https.
    #[arg(value_name = "FILE|URL|HOST")]
    subject: OsString,

    /// File for the page; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: OsString,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    /// Also show the verdict on this URL or path (repeatable)
    #[arg(long = "url", value_name = "URL")]
    urls: Vec<OsString>,

    #[command(flatten)]
    when: WhenArguments,

    #[command(flatten)]
    fetching: FetchArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

const EXAMPLES: &str = "\
Examples:
  verger report robots.txt -o report.html
  verger report example.com -a @ai-train --url /private/ -o report.html
  verger report example.com --offline -o - | less";

enum Subject {
    File(Source),
    Site(Authority),
}

impl Subject {
    fn of(argument: &OsString, files: &mut RunFiles) -> Result<Self, Box<dyn Error>> {
        let source = Source::from(argument.clone());
        let text = argument.to_str();
        let is_file = match (&source, text) {
            (Source::Stdin, _) | (_, None) => true,
            (_, Some(text)) if text.contains("://") => false,
            (Source::File(path), Some(text)) => {
                let is_path = text.starts_with(['.', '/']) || text.contains('\\');
                is_path || path.extension().is_some_and(|it| it == "txt") || path.exists()
            }
        };
        match text {
            Some(text) if !is_file => Ok(Self::Site(site_argument(text)?)),
            _ => {
                files.read(&source)?;
                Ok(Self::File(source))
            }
        }
    }
}

pub(crate) fn run(arguments: &ReportArguments) -> CommandResult {
    let mut files = RunFiles::default();
    let subject = Subject::of(&arguments.subject, &mut files)?;
    if let Ok(store) = arguments.fetching.store.path() {
        files.read_store(&store);
    }
    let transport = &arguments.fetching.transport;
    for file in transport
        .ca_file
        .iter()
        .chain(&transport.proxy_password_file)
    {
        files.read(&Source::from(file.clone()))?;
    }
    files.write_given(Source::from(arguments.output.clone()).path())?;
    match subject {
        Subject::File(source) => report_file(arguments, &source),
        Subject::Site(site) => report_site(arguments, &site),
    }
}

fn report_file(arguments: &ReportArguments, source: &Source) -> CommandResult {
    let fetching = arguments.when.first_given();
    refuse_without_fetch(fetching.or_else(|| arguments.fetching.first_given()))?;
    let robots = RobotsTxt::parse(source.read()?, arguments.reading.reading());
    let title = match source {
        Source::Stdin => "standard input".to_owned(),
        Source::File(path) => legible(path.to_string_lossy().as_bytes()),
    };
    arguments.write(&title, &GroupIndex::new(robots), None)?;
    Ok(Outcome::Success)
}

fn report_site(arguments: &ReportArguments, authority: &Authority) -> CommandResult {
    let profile = arguments.fetching.profile_of(&arguments.reading);
    let when = arguments.when.when();
    let site = site::look(authority, &arguments.fetching, &profile, when)?;
    let body = site.lookup.body();
    let robots = RobotsTxt::parse(body, profile.reading);
    if site.lookup.state.is_none() {
        let message = Message::new(format_args!("the store has nothing about {authority}"));
        notice::error(message.help("leave out `--offline` and `--at` to fetch it"));
        return Ok(Outcome::Unknown);
    }
    let file = GroupIndex::new(robots);
    arguments.write(&authority.to_string(), &file, Some(&site))?;
    Ok(Outcome::Success)
}

impl ReportArguments {
    fn write(
        &self,
        title: &str,
        file: &GroupIndex,
        site: Option<&SiteFacts>,
    ) -> Result<(), Box<dyn Error>> {
        let reading = *file.robots().reading();
        let read_as = self.fetching.read_as_of(&self.reading);
        let named = self.crawlers.named(read_as)?;
        let authority = site.map(|site| &site.lookup.authority);
        let urls = self.urls.iter();
        let urls = urls.map(|url| AskedUrl::new(&argument_bytes(url), authority, reading));
        let urls = urls.collect::<Result<Vec<_>, _>>()?;
        self.crawlers
            .note_resolutions(&named, reading, &[file.robots()]);
        let command = shown_command();
        let page = RobotsPage {
            title,
            command: &command,
            file,
            site,
            read_as,
            named: &named,
            urls: &urls,
            events: &[],
        };
        let mut bytes = Vec::new();
        page.write(&mut bytes)?;
        match Source::from(self.output.clone()) {
            Source::Stdin => {
                let mut output = io::stdout().lock();
                output.write_all(&bytes)?;
                Ok(output.flush()?)
            }
            Source::File(path) => Ok(put_file(&path, &bytes, Links::Follow)?),
        }
    }
}
