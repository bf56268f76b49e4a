//! With the feature `tracing`, a fetch is a span, each request is a span within it, and the outcome is an event.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use verger_store::MemoryStore;

use crate::web::{SetClock, Web, client, crawler};

/// Records spans and events as lines.
#[derive(Clone, Default)]
struct Recorded(Arc<Mutex<Vec<String>>>);

/// The fields of a span or an event as text.
struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Recorded {
    fn push(&self, name: &str, fields: &Fields) -> u64 {
        let mut lines = self.0.lock().unwrap();
        lines.push(format!("{name}{}", fields.0));
        lines.len() as u64
    }
}

impl Subscriber for Recorded {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("verger_client")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields(String::new());
        span.record(&mut fields);
        Id::from_u64(self.push(span.metadata().name(), &fields))
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        self.push("event", &fields);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn a_fetch_and_its_request_are_spans() {
    let recorded = Recorded::default();
    let _guard = tracing::subscriber::set_default(recorded.clone());
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text("https://h.example/robots.txt", "User-agent: *\n");
    let client = client(&web, &clock)
        .store(Arc::new(MemoryStore::new(1 << 20)))
        .build()
        .unwrap();
    let foo_bot = crawler("FooBot");
    let decision = client.decide(&foo_bot, "https://h.example/").await;
    assert!(decision.unwrap().is_allowed());
    assert_eq!(
        *recorded.0.lock().unwrap(),
        [
            "fetch_robots_txt authority=https://h.example",
            "request url=https://h.example/robots.txt",
            "event message=fetched robots.txt authority=https://h.example outcome=status 200",
        ]
    );
}
