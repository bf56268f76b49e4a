//! Names that name servers on loopback resolve.

use crate::server::{Server, new_store, on_web, robots};

#[test]
fn the_machine_resolves_names_where_the_option_says_so() {
    let (site, store) = (Server::saying(robots("")), new_store("system-names"));
    let port = site.url("").rsplit(':').next().unwrap().to_owned();
    for resolver in ["system", "dns"] {
        let url = format!("http://localhost:{port}/");
        let fetch = format!("fetch --resolver {resolver} --allow-address ::1 {url}");
        assert_eq!(on_web(&store, &fetch).code, 0, "{resolver}");
    }
    assert_eq!(site.requests().len(), 2);
}
