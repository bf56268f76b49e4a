//! Headers for the robots.txt of named sites are sent to these alone.

use http::header::{AUTHORIZATION, HOST, HeaderValue};
use verger_access::Authority;
use verger_client::{Client, ClientBuilder, SettingsError};

use crate::web::{SetClock, Web, client, redirect};

const SECRET: HeaderValue = HeaderValue::from_static("Bearer secret");

async fn fetch(builder: ClientBuilder, url: &str) {
    let client = builder.build().unwrap();
    client
        .fetch(&Authority::from_url(url).unwrap())
        .await
        .unwrap();
}

#[tokio::test]
async fn a_header_is_sent_to_the_named_sites_only() {
    for (sites, url, is_sent) in [
        ("https://h.example", "https://h.example/", true),
        ("https://h.example", "http://h.example/", false),
        ("https://h.example", "https://h.example:444/", false),
        ("https://h.example", "https://www.h.example/", false),
        ("http://h.example:8080", "http://h.example:8080/", true),
    ] {
        let (web, clock) = (Web::open(), SetClock::at(0));
        let builder = client(&web, &clock);
        fetch(
            builder.header_for(sites.parse().unwrap(), AUTHORIZATION, SECRET),
            url,
        )
        .await;
        assert_eq!(web.request_count(), 1);
        let sent = web.requests_with("authorization").len();
        assert_eq!(sent, usize::from(is_sent), "{sites} {url}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_authority_gets_no_header() {
    for (location, is_sent) in [
        ("https://h.example/other.txt", true),
        ("/other.txt", true),
        ("http://h.example/robots.txt", false),
        ("https://h.example:444/robots.txt", false),
        ("https://www.h.example/robots.txt", false),
        ("https://i.example/robots.txt", false),
    ] {
        let (web, clock) = (Web::open(), SetClock::at(0));
        web.say("https://h.example/robots.txt", redirect(location));
        let mut builder = client(&web, &clock);
        // The target is named too, but it is not the site that was asked about.
        for sites in ["https://h.example", "http://h.example", "https://i.example"] {
            builder = builder.header_for(sites.parse().unwrap(), AUTHORIZATION, SECRET);
        }
        fetch(builder, "https://h.example/").await;
        assert_eq!(web.request_count(), 2, "{location}");
        let sent = web.requests_with("authorization").len();
        assert_eq!(sent, 1 + usize::from(is_sent), "{location}");
    }
}

#[tokio::test]
async fn a_redirect_back_to_the_site_gets_the_header_again() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    let (first, away) = (
        "https://h.example/robots.txt",
        "https://i.example/robots.txt",
    );
    let back = "https://h.example/back.txt";
    web.say(first, redirect(away));
    web.say(away, redirect(back));
    let builder = client(&web, &clock);
    let builder = builder.header_for("https://h.example".parse().unwrap(), AUTHORIZATION, SECRET);
    fetch(builder, "https://h.example/").await;
    assert_eq!(web.requests(), [first, away, back]);
    assert_eq!(web.requests_with("authorization"), [first, back]);
}

#[tokio::test]
async fn a_netrc_file_has_credentials_for_its_machines() {
    let netrc = "# machine no.example login a password b\n\
        machine h.example\n\tlogin a password b\nmachine h.example login other password x\n\
        default login c password d\nmachine H.i.example account x password d login c\n\
        machine half.example password only\nmacdef init\nmachine no.example login a password b\n";
    for (url, sent) in [
        ("https://h.example/", Some("Basic YTpi")),
        ("http://h.example:8080/", Some("Basic YTpi")),
        ("https://h.i.example/", Some("Basic Yzpk")),
        ("https://no.example/", None),
        ("https://half.example/", None),
        ("https://i.example/", None),
    ] {
        let (web, clock) = (Web::open(), SetClock::at(0));
        fetch(client(&web, &clock).netrc(netrc), url).await;
        let value = web.header_of_first("authorization");
        let shown = value.as_ref().map(|it| it.to_str().unwrap());
        assert_eq!(shown, sent, "{url}");
        assert!(value.is_none_or(|it| it.is_sensitive()));
    }
    // A header takes precedence, whichever comes first.
    let site: Authority = "https://h.example".parse().unwrap();
    for header_first in [true, false] {
        let (web, clock) = (Web::open(), SetClock::at(0));
        let header = |it: ClientBuilder| it.header_for(site.clone(), AUTHORIZATION, SECRET);
        let builder = client(&web, &clock);
        let builder = if header_first {
            header(builder).netrc(netrc)
        } else {
            header(builder.netrc(netrc))
        };
        fetch(builder, "https://h.example/").await;
        assert_eq!(web.header_of_first("authorization"), Some(SECRET));
    }
}

#[test]
fn a_header_that_the_client_sets_is_refused() {
    let builder = Client::builder("ExampleBot/1.0");
    let builder = builder.header_for("https://h.example".parse().unwrap(), HOST, SECRET);
    let error = builder.build().err();
    assert_eq!(error, Some(SettingsError::SiteHeader("host".to_owned())));
}
