//! One fetch of a robots.txt as a state machine without I/O. Each action is a state, and its methods accept the events
//! of that state:
//!
//! | action | event | next action |
//! |---|---|---|
//! | `Send` | a response, an FTP file or reply, a failure, an override | any |
//! | `AskAboutHop` | whether the next URL is disallowed | `Send`, `Done` |
//! | `Done` | nothing | |

use std::sync::Arc;

use http::HeaderMap;
use http::header::{LOCATION, RETRY_AFTER};
use url::Url;

use crate::attempt::{Attempt, Hop, LastAttempt};
use crate::authority::Authority;
use crate::body::{self, BodyEnd};
use crate::content_encoding::unknown_words;
use crate::freshness::{ConditionalRequests, stated_lifetime};
use crate::good_copy::GoodCopy;
use crate::hop_verdict::HopVerdict;
use crate::illegible::Illegible;
use crate::missing_page::says_not_found;
use crate::outcome::{Outcome, RedirectEnd, Reply};
use crate::profile::Profile;
use crate::redirect::{NextHop, location, next_hop};
use crate::retry::retry_after;
use crate::timestamp::Timestamp;
use crate::transport_failure::TransportFailure;
use crate::warning::{body_warnings, media_type_warning, unknown_coding_warning};

/// The next step for the caller.
#[derive(Clone, Debug)]
#[must_use = "a fetch continues only when its actions are carried out"]
pub enum Action {
    /// Send this request, and pass the result to one of its methods.
    Send(PendingRequest),
    /// Determine whether the next URL may be fetched, and pass the answer.
    AskAboutHop(HopQuestion),
    /// The fetch has ended. Pass the attempt to [`Knowledge::record`](crate::Knowledge::record).
    Done(Attempt),
}

/// A request: GET over HTTP and HTTPS, or RETR after an anonymous login over FTP. G-loc-3, G-loc-4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The URL, without fragment and userinfo.
    pub url: Url,
    /// The headers of a conditional request, and those for the site, in addition to those of the transport (`User-Agent`, `Accept`,
    /// `Accept-Encoding`). Empty for a first fetch, and over FTP.
    pub conditions: HeaderMap,
}

/// A response with its headers. It is the final response, not a 1xx, unless the server sends nothing else.
#[derive(Clone, Debug)]
pub struct Response<'h> {
    /// The status code, which may be any number.
    pub status: u16,
    /// The headers.
    pub headers: &'h HeaderMap,
    /// The body without its `Content-Encoding`, whose words other than codings are passed over
    /// ([`is_content_coding`](crate::is_content_coding)). [`crate::BODY_BYTES_WANTED`] bytes suffice, and a redirect
    /// needs none. The good copy shares it.
    pub body: Arc<[u8]>,
    /// Whether the body continues.
    pub body_end: BodyEnd,
}

#[derive(Clone, Debug)]
struct Chain {
    profile: Arc<Profile>,
    authority: Authority,
    copy: Option<GoodCopy>,
    hops: Vec<Hop>,
}

/// A request to send.
#[derive(Clone, Debug)]
pub struct PendingRequest {
    chain: Chain,
    request: Request,
}

/// The question whether the next URL of a redirect chain may be fetched.
#[derive(Clone, Debug)]
pub struct HopQuestion {
    chain: Chain,
    url: Url,
    /// The result of the attempt if the URL is disallowed.
    if_disallowed: LastAttempt,
}

/// Begins to fetch the robots.txt of `authority`. If there is a good `copy` and the profile permits it, the request
/// is conditional. An authority of another scheme ([`Scheme::Other`](crate::Scheme)) also gets a request, which
/// `verger-client` does not send.
///
/// The fetch owns its profile, so you can keep it in a struct. Pass an `Arc` to share a profile, or a reference to copy
/// it.
pub fn begin(
    authority: &Authority,
    profile: impl Into<Arc<Profile>>,
    copy: Option<&GoodCopy>,
) -> Action {
    let chain = Chain {
        profile: profile.into(),
        authority: authority.clone(),
        copy: copy.cloned(),
        hops: Vec::new(),
    };
    Action::Send(chain.send(authority.robots_url().clone()))
}

impl Chain {
    fn send(self, url: Url) -> PendingRequest {
        let asks_conditionally =
            self.profile.freshness.conditional_requests == ConditionalRequests::Sent;
        let conditions = self
            .copy
            .as_ref()
            .filter(|copy| asks_conditionally && copy.url == url)
            .map(GoodCopy::conditions)
            .unwrap_or_default();
        PendingRequest {
            chain: self,
            request: Request { url, conditions },
        }
    }

    fn end(self, last: LastAttempt) -> Attempt {
        Attempt {
            last,
            hops: self.hops,
            copy: None,
            warnings: Vec::new(),
        }
    }
}

impl PendingRequest {
    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Passes the response to the request.
    pub fn response(mut self, response: Response<'_>, now: Timestamp) -> Action {
        let reply = Reply::Http(response.status);
        self.arrive(Some(reply));
        let headers = response.headers;
        let outcome = match response.status {
            206 if body::states_part(headers) => Outcome::PartOfFile(reply),
            200..=299 => return Action::Done(self.success(response, now)),
            304 if !self.request.conditions.is_empty() => {
                return Action::Done(self.not_modified(headers, now));
            }
            300..=399 => return self.redirect(response.status, headers, now),
            500..=599 if !asks_for_a_pause(&response) && says_not_found(&response.body) => {
                Outcome::ErrorSayingNotFound(reply)
            }
            _ => Outcome::Error(reply),
        };
        Action::Done(self.chain.end(last_of(outcome, headers, now)))
    }

    /// Passes a file that was retrieved over FTP.
    pub fn ftp_file(
        mut self,
        body: impl Into<Arc<[u8]>>,
        body_end: BodyEnd,
        now: Timestamp,
    ) -> Action {
        // "226 Closing data connection. Requested file action successful" (RFC 959).
        let reply = Reply::Ftp(226);
        self.arrive(Some(reply));
        let (body, end) = body::kept(body.into(), body_end);
        let why = Illegible::of(&body);
        let warnings = body_warnings(&body, why, end);
        let headers = HeaderMap::new();
        let copy = GoodCopy::from_response(body, self.request.url, &headers, now);
        let last = last_of(successful(reply, why), &headers, now);
        Action::Done(Attempt {
            copy: Some(copy),
            warnings,
            ..self.chain.end(last)
        })
    }

    /// Passes an FTP reply that came instead of the file, to the login or to a command that names the file (RETR,
    /// SIZE). 550 and 553 count as replies about the file. If the server sends them before the file was named, call
    /// [`failure`](Self::failure) instead. G-loc-4.
    pub fn ftp_reply(mut self, code: u16, now: Timestamp) -> Action {
        let reply = Reply::Ftp(code);
        self.arrive(Some(reply));
        let last = last_of(Outcome::Error(reply), &HeaderMap::new(), now);
        Action::Done(self.chain.end(last))
    }

    /// Passes the reason why no complete reply arrived. G-err-1.
    pub fn failure(mut self, failure: TransportFailure, now: Timestamp) -> Action {
        self.arrive(None);
        let last = last_of(Outcome::Failed(failure), &HeaderMap::new(), now);
        Action::Done(self.chain.end(last))
    }

    /// Ends the fetch without this request, because an override answers for the site that a redirect leads to. V-89.
    pub fn overridden(self, now: Timestamp) -> Action {
        let outcome = Outcome::Redirect(RedirectEnd::Overridden);
        Action::Done(self.chain.end(last_of(outcome, &HeaderMap::new(), now)))
    }

    fn arrive(&mut self, reply: Option<Reply>) {
        let url = self.request.url.clone();
        self.chain.hops.push(Hop { url, reply });
    }

    fn success(self, response: Response<'_>, now: Timestamp) -> Attempt {
        let headers = response.headers;
        let (body, end) = body::kept(response.body, response.body_end);
        let why = Illegible::of(&body);
        let unknown = unknown_words(headers).map(|words| unknown_coding_warning(&words));
        // The words may stand for a coding after all.                                           V-95
        if unknown.is_some() && why.is_some_and(|why| !why.is_text()) {
            let outcome = Outcome::Failed(TransportFailure::ContentEncoding);
            return Attempt {
                warnings: unknown.into_iter().collect(),
                ..self.chain.end(last_of(outcome, &HeaderMap::new(), now))
            };
        }
        // A response without content has no media type either.
        let of_type = match response.status {
            204 | 205 => None,
            _ => media_type_warning(headers),
        };
        let warnings = of_type
            .into_iter()
            .chain(unknown)
            .chain(body_warnings(&body, why, end))
            .collect();
        let copy = GoodCopy::from_response(body, self.request.url, headers, now);
        let outcome = successful(Reply::Http(response.status), why);
        Attempt {
            copy: Some(copy),
            warnings,
            ..self.chain.end(last_of(outcome, headers, now))
        }
    }

    fn not_modified(mut self, headers: &HeaderMap, now: Timestamp) -> Attempt {
        let copy = self
            .chain
            .copy
            .take()
            .map(|copy| copy.renewed(headers, now));
        let reply = Reply::Http(304);
        // The confirmed copy may not be legible.
        let why = copy.as_ref().and_then(|copy| Illegible::of(&copy.body));
        let last = LastAttempt {
            stated_lifetime: copy.as_ref().and_then(|copy| copy.stated_lifetime),
            ..last_of(successful(reply, why), headers, now)
        };
        let of_copy = |copy: &GoodCopy| body_warnings(&copy.body, why, BodyEnd::Whole);
        let warned = copy.as_ref().filter(|_| why.is_some());
        Attempt {
            warnings: warned.map(of_copy).unwrap_or_default(),
            copy,
            ..self.chain.end(last)
        }
    }

    fn redirect(self, status: u16, headers: &HeaderMap, now: Timestamp) -> Action {
        let Self { chain, request } = self;
        let last_if = |end| last_of(Outcome::Redirect(end), headers, now);
        let fields = headers.get_all(LOCATION).iter();
        let url = match location(status, fields, &request.url) {
            Ok(url) => url,
            Err(end) => return Action::Done(chain.end(last_if(end))),
        };
        let rules = &chain.profile.redirects;
        match next_hop(rules, &chain.authority, &chain.hops, &url) {
            NextHop::Fetch => Action::Send(chain.send(url)),
            NextHop::Ask => Action::AskAboutHop(HopQuestion {
                chain,
                url,
                if_disallowed: last_if(RedirectEnd::DisallowedHop),
            }),
            NextHop::None(end) => Action::Done(chain.end(last_if(end))),
        }
    }
}

impl HopQuestion {
    /// Returns the URL that a redirect leads to. Answer whether the robots.txt of its own authority allows it.
    ///
    /// That robots.txt may have to be fetched first. [`HopVerdict::new`] judges its answer. If that fetch asks about
    /// another hop, answer [`HopVerdict::Unknown`], so two fetches never wait for each other.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Passes the answer to the question.
    pub fn answer(self, verdict: HopVerdict) -> Action {
        match verdict {
            HopVerdict::Allowed | HopVerdict::Unknown => Action::Send(self.chain.send(self.url)),
            HopVerdict::Disallowed => Action::Done(self.chain.end(self.if_disallowed)),
        }
    }
}

/// Returns whether the server asks the client to retry later (503 or `Retry-After`). Its page is ignored then.
fn asks_for_a_pause(response: &Response<'_>) -> bool {
    response.status == 503 || response.headers.contains_key(RETRY_AFTER)
}

fn successful(reply: Reply, why: Option<Illegible>) -> Outcome {
    why.map_or(Outcome::Successful(reply), |why| {
        Outcome::Illegible(reply, why)
    })
}

fn last_of(outcome: Outcome, headers: &HeaderMap, now: Timestamp) -> LastAttempt {
    LastAttempt {
        at: now,
        outcome,
        stated_lifetime: stated_lifetime(headers, now),
        retry_after: retry_after(headers, now),
    }
}
