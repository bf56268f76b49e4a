//! `Resolver`: where the addresses of a name come from.

use std::fmt;
use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};

use tokio::sync::Semaphore;

use crate::future::BoxFuture;

/// Where the addresses of a name come from. Yours may ask a server of its own, or know a table.
pub trait Resolver: Send + Sync {
    /// The addresses of `host`, in the order in which they are to be tried. Literal addresses are
    /// never asked for. A future that is dropped gives the question up.
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>>;
}

/// How many names the machine is asked about at once, which takes a thread each. A question cannot
/// be taken back, and whose name servers are silent decides how long it takes; so half of the
/// threads that a runtime has for such calls are left to others.
const QUESTIONS_MAX: usize = 256;

/// The questions to the machine in this process, those that nobody waits for any more included.
static QUESTIONS: Semaphore = Semaphore::const_new(QUESTIONS_MAX);

/// The resolver of the machine (`getaddrinfo`), its hosts file included. It asks 256 questions at
/// once at most.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        let host = host.to_owned();
        Box::pin(async move {
            // The port is of no use to the resolver; the dialer has its own.
            let question = move || (host.as_str(), 0).to_socket_addrs();
            let found = ask(&QUESTIONS, question).await;
            let found = found.map_err(|error| ResolveError::new(error.to_string()))?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Asks a question that blocks, once it is its turn. It counts until it is answered, also where
/// nobody waits for that.
async fn ask<T: Send + 'static>(
    questions: &'static Semaphore,
    question: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let turn = questions.acquire().await.map_err(io::Error::other)?;
    let asked = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        question()
    });
    asked.await?
}

/// Why a name has no addresses, in words for an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveError(String);

impl ResolveError {
    /// The reason in words.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ResolveError {}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[tokio::test]
    async fn a_question_that_nobody_waits_for_counts_until_it_is_answered() {
        static ONE: Semaphore = Semaphore::const_new(1);
        let (answer, silence) = mpsc::channel::<()>();
        let mut context = Context::from_waker(Waker::noop());
        {
            let mut asked = Box::pin(ask(&ONE, move || Ok(silence.recv().is_ok())));
            assert!(asked.as_mut().poll(&mut context).is_pending());
        }
        let mut next = Box::pin(ask(&ONE, || Ok(7)));
        assert!(matches!(next.as_mut().poll(&mut context), Poll::Pending));
        assert_eq!(ONE.available_permits(), 0);
        answer.send(()).unwrap();
        assert_eq!(next.await.unwrap(), 7);
    }
}
