//! `Server`: the router and its sockets.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::{MethodRouter, on};
use http::{Request, StatusCode};
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use listenfd::ListenFd;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
#[cfg(target_os = "linux")]
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{Instant, sleep, timeout_at};
use tower::ServiceExt as _;
use verger_client::FetchAsker;
use verger_watch::end_programs;

use crate::dispatch::{Dispatcher, Peer};
use crate::given::{Given, Settings, USER_AGENT};
use crate::mcp::Mcp;
use crate::page;
use crate::problem::Problem;
use crate::request_id::RequestIds;
use crate::route_table::ROUTES;
use crate::service::{Reloadable, Service, StartError};
use crate::stdio::Lines;

/// Maximum idle time of a connection, and maximum time to receive a request head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum time in which a client accepts no byte of an answer.
#[cfg(target_os = "linux")]
const STALLED_MAX: Duration = Duration::from_secs(60);

/// Maximum size of a request head in bytes.
const HEAD_BYTES_MAX: usize = 32 << 10;

/// Pause after a failed accept, for example with too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A server that is ready to start. Clones share everything.
#[derive(Clone)]
pub struct Server {
    dispatcher: Dispatcher,
    router: Router,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({:?})", self.dispatcher.service.settings)
    }
}

impl Server {
    /// Opens everything that the settings name.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting cannot be used.
    pub fn new(settings: Settings) -> Result<Self, StartError> {
        if settings.user_agent == USER_AGENT {
            tracing::warn!("the User-Agent header has no contact: set --user-agent");
        }
        if settings.sites.is_some() && settings.store == "memory:" {
            tracing::warn!("a restart forgets what changed at the sites: set --store");
        }
        let names: Vec<&'static str> = ROUTES.iter().map(|route| route.name).collect();
        let dispatcher = Dispatcher {
            service: Arc::new(Service::new(settings, &names)?),
            ids: Arc::new(RequestIds::new()),
        };
        let router = router(&dispatcher);
        Ok(Self { dispatcher, router })
    }

    /// Returns the router, to serve it yourself or to test it.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Returns the sockets passed by systemd (`LISTEN_FDS`), or else opens those of the settings.
    ///
    /// # Errors
    ///
    /// Returns an error if an address cannot be listened on.
    pub async fn listeners(&self) -> Result<Vec<TcpListener>, StartError> {
        let mut passed = ListenFd::from_env();
        let mut listeners = Vec::new();
        for nth in 0..passed.len() {
            if let Some(listener) = passed.take_tcp_listener(nth)? {
                listener.set_nonblocking(true)?;
                listeners.push(TcpListener::from_std(listener)?);
            }
        }
        if listeners.is_empty() {
            for address in &self.dispatcher.service.settings.listen {
                let named = |error: io::Error| {
                    io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"))
                };
                listeners.push(TcpListener::bind(address).await.map_err(named)?);
            }
        }
        for listener in &listeners {
            tracing::info!(address = %listener.local_addr()?, "listening");
        }
        Ok(listeners)
    }

    /// Reads the files of the settings again, and replaces the tokens, sites, overrides and watched
    /// sites of this server and its clones. A site that cannot be watched is shown with its problem.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be used. If only the list of watched sites cannot be used, the
    /// old list stays in force, and the rest is replaced. Otherwise nothing is replaced.
    pub fn reload(&self, given: &Given) -> Result<(), StartError> {
        let settings = given.clone().with_file()?.settings();
        let service = &self.dispatcher.service;
        service.reload(Reloadable::new(&settings)?);
        if let (Some(path), Some(watching)) = (&settings.sites, &service.watching) {
            watching.replace(Service::site_list(path, service.profile)?);
        }
        Ok(())
    }

    /// Serves until `stop` completes, then finishes accepted requests within the stop timeout.
    pub async fn serve(self, listeners: Vec<TcpListener>, stop: impl Future<Output = ()>) {
        let service = Arc::clone(&self.dispatcher.service);
        let connections = Arc::new(Semaphore::new(service.settings.connections_max));
        let graceful = Arc::new(GracefulShutdown::new());
        let (stopping, _) = watch::channel(false);
        let mut accepting = JoinSet::new();
        let probing = tokio::spawn(Arc::clone(&service).probe_store());
        let (watched, handle) = (Arc::clone(&service), Handle::current());
        let watching = spawn_blocking(move || watched.watch(&handle));
        for listener in listeners {
            accepting.spawn(accept(
                listener,
                self.router.clone(),
                Arc::clone(&connections),
                Arc::clone(&graceful),
                stopping.subscribe(),
            ));
        }
        stop.await;
        tracing::info!("shutting down: finishing accepted requests");
        probing.abort();
        service.is_stopping.store(true, Ordering::Relaxed);
        if let Some(watching) = &service.watching {
            watching.stop();
        }
        stopping.send_replace(true);
        while accepting.join_next().await.is_some() {}
        let end = Instant::now() + Duration::from_secs(service.settings.stop_timeout);
        if let Some(graceful) = Arc::into_inner(graceful)
            && timeout_at(end, graceful.shutdown()).await.is_err()
        {
            tracing::warn!("stopped with unfinished requests");
        }
        if timeout_at(end, watching).await.is_err() {
            tracing::warn!("stopped with an unfinished look at a site");
            end_programs();
        }
        service.close().await;
    }

    /// Serves one client of the Model Context Protocol over standard input and output, until the input ends.
    ///
    /// # Errors
    ///
    /// Returns an error if the client does not speak the protocol or reads no answer.
    pub async fn serve_mcp(self) -> Result<(), Box<dyn Error>> {
        let service = Arc::clone(&self.dispatcher.service);
        let mcp = Mcp::new(Arc::clone(&service), FetchAsker::default(), ROUTES);
        let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
        let lines = Lines::new(input, output, service.settings.body_max);
        let served = match mcp.serve(lines).await {
            Ok(running) => running.waiting().await.map(|_| ()).map_err(Into::into),
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error.into()),
        };
        service.close().await;
        served
    }
}

async fn accept(
    listener: TcpListener,
    router: Router,
    connections: Arc<Semaphore>,
    graceful: Arc<GracefulShutdown>,
    mut stopping: watch::Receiver<bool>,
) {
    loop {
        let next = async {
            let permit = Arc::clone(&connections).acquire_owned().await;
            (listener.accept().await, permit)
        };
        let (accepted, permit) = tokio::select! {
            next = next => next,
            _ = stopping.wait_for(|is_stopping| *is_stopping) => return,
        };
        match (accepted, permit) {
            (Ok((stream, peer)), Ok(permit)) => {
                serve_connection(stream, peer, router.clone(), graceful.watcher(), permit);
            }
            (Err(error), _) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_PAUSE).await;
            }
            (_, Err(_)) => return,
        }
    }
}

fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    watcher: Watcher,
    permit: OwnedSemaphorePermit,
) {
    // Without this, answers written in two parts would be delayed.
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(STALLED_MAX));
    // A network of IPv6 is one client, because a host can use all its addresses.
    let client = match peer.ip().to_canonical() {
        IpAddr::V4(address) => address.to_bits().into(),
        IpAddr::V6(address) => (address.to_bits() >> 64) as u64,
    };
    let router = router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(client));
        request
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let serving = watcher.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = serving.await {
            tracing::debug!(%peer, %error, "a connection ended");
        }
        drop(permit);
    });
}

fn router(dispatcher: &Dispatcher) -> Router {
    let mut router = Router::new();
    for (place, route) in ROUTES.iter().enumerate() {
        let dispatcher = dispatcher.clone();
        let handler = move |request: Request<Body>| dispatcher.dispatch(place, route, request);
        let methods: MethodRouter = on(route.filter, handler);
        router = router.route(route.path, methods);
    }
    let of_method = dispatcher.clone();
    let router = router.method_not_allowed_fallback(async move |request: Request<Body>| {
        let detail = "method not allowed: the header field Allow lists the methods of this path";
        let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", detail);
        of_method.without_route(&request, problem)
    });
    let of_path = dispatcher.clone();
    router.fallback(move |request: Request<Body>| {
        let dispatcher = of_path.clone();
        async move {
            let (parts, body) = request.into_parts();
            if let Some(page) = &dispatcher.service.settings.page
                && let Some(file) = page::file(page, &parts).await
            {
                return file;
            }
            let request = Request::from_parts(parts, body);
            let problem = Problem::not_found("path", "unknown path: see /v1/openapi.json");
            dispatcher.without_route(&request, problem)
        }
    })
}
