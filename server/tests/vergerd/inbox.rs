//! `Inbox`: a webhook of the test.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A receiver on loopback that accepts everything.
pub(crate) struct Inbox {
    address: SocketAddr,
    letters: UnboundedReceiver<Value>,
}

impl Inbox {
    pub(crate) async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, letters) = unbounded_channel();
        let router = Router::new().route("/", post(accept)).with_state(sender);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, letters }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Returns the next letter, and waits for it.
    pub(crate) async fn next(&mut self) -> Value {
        within("a letter arrives", self.letters.recv())
            .await
            .unwrap()
    }

    /// Returns a letter that has arrived and was not returned yet.
    pub(crate) fn arrived(&mut self) -> Option<Value> {
        self.letters.try_recv().ok()
    }
}

/// Waits for an event. A test whose event does not come fails after five minutes.
pub(crate) async fn within<T>(event: &str, waiting: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(Duration::from_secs(300), waiting).await;
    waited.unwrap_or_else(|_| panic!("not within five minutes: {event}"))
}

async fn accept(State(sender): State<UnboundedSender<Value>>, body: String) {
    let _ = sender.send(serde_json::from_str(&body).unwrap());
}
