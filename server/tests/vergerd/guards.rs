//! The server refuses to connect to addresses that are not public.

use serde_json::Value;
use vergerd::Given;

use crate::api::{Api, local};
use crate::site::Site;

const ROBOTS: &str = "User-agent: *\nDisallow: /private\n";

async fn check(api: &Api, url: &str) -> Value {
    let uri = format!("/v1/check?url={url}");
    api.get("/v1/check", &uri).await.is_ok().json()
}

#[tokio::test]
async fn without_an_exception_neither_addresses_nor_names_of_this_machine_are_asked() {
    let (site, api) = (Site::with(ROBOTS).await, Api::with(Given::default()));
    let port = site.address.port();
    for host in [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
    ] {
        let answer = check(&api, &format!("http://{host}:{port}/a")).await;
        assert_eq!(answer["allowed"], false, "{answer}");
        assert_eq!(answer["access_result"]["result"], "unreachable", "{answer}");
    }
    assert_eq!(site.requests(), 0);
}

#[tokio::test]
async fn a_redirect_to_an_address_without_an_exception_is_not_followed() {
    let (site, target) = (Site::with("").await, Site::with(ROBOTS).await);
    let port = target.address.port();
    let location = format!("302 Found\r\nLocation: http://127.0.0.2:{port}/robots.txt");
    site.reply("/robots.txt", &location, "");
    let only = Given {
        allow_address: Some(vec!["127.0.0.1/32".parse().unwrap()]),
        ..Given::default()
    };
    let answer = check(&Api::with(only), &site.url("/private")).await;
    assert_eq!(
        (&answer["allowed"], &answer["reason"]),
        (&false.into(), &"stance".into()),
        "{answer}"
    );
    assert_eq!((site.requests(), target.requests()), (1, 0));
    let answer = check(&Api::local(), &site.url("/private")).await;
    assert_eq!(
        (&answer["allowed"], &answer["line"]),
        (&false.into(), &2.into()),
        "{answer}"
    );
    let refused = Given {
        refuse_address: Some(vec!["127.0.0.2/32".parse().unwrap()]),
        ..local()
    };
    let answer = check(&Api::with(refused), &site.url("/private")).await;
    assert_eq!(answer["reason"], "stance", "{answer}");
    assert_eq!(target.requests(), 1);
}
