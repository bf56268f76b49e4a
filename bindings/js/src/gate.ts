/**
 * Checks every request of an HTTP client. Requests that robots.txt disallows are not sent, and each redirect is checked
 * too.
 *
 * ```js
 * import { RobotsClient } from "verger/access";
 * import { gate } from "verger/gate";
 *
 * const client = new RobotsClient({ agent: "ExampleBot" });
 * const get = gate(fetch, client);
 * await get("https://example.com/private"); // throws DeniedError
 * ```
 *
 * @module
 */

import { type Agents, type Decision, RobotsClient } from "./access-client.js";
import { AGENTS, CALL, type Checks, optionsOf, required, type UrlLike, urlOf, withMethods } from "./argument.js";
import { VergerError } from "./errors.js";
import { refuseHidden, TIMER_MAX } from "./platform.js";

/** The error if a request was not sent, because a rule disallows its URL or the site must not be fetched for now. */
export class DeniedError extends VergerError {
    /** Always `DeniedError`. */
    override readonly name = "DeniedError";
    /** Always `VERGER_DENIED`. */
    override readonly code = "VERGER_DENIED";
    /** The URL of the request. */
    readonly url: string;
    /** Why it was denied. */
    readonly decision: Decision;

    /**
     * Makes the error for a decision.
     *
     * @param url The URL of the request.
     * @param decision Why it was denied.
     */
    constructor(url: string, decision: Decision) {
        const { rule, line, stance, accessResult: result, json } = decision;
        const why = rule === null ? `the stance is ${stance}: ${result?.what ?? "nothing is known"}` : `line ${line}: ${String(json["rule"])}`;
        super(`${url} is disallowed: ${why}`);
        this.url = url;
        this.decision = decision;
    }
}

/** The error if a redirect cannot or must not be followed. */
export class RedirectError extends VergerError {
    /** Always `RedirectError`. */
    override readonly name = "RedirectError";
    /** Always `VERGER_REDIRECT`. */
    override readonly code = "VERGER_REDIRECT";
}

/** The options of all gates. */
export interface GateOptions {
    /** The crawler. By default that of the client. */
    agent?: Agents;
    /**
     * Waits before a request to a site that asks for a delay. RFC 9309 has no delays, so the crawler decides how long.
     * The returned function is called when the request was sent, or was not. If the delay has grown meanwhile, `delay`
     * is called again. `new Delays().turn` implements it.
     */
    delay?: (url: string, milliseconds: number) => Promise<Sent | void> | Sent | void;
}

/** The options of `gateRoute`. */
export interface GateRouteOptions extends GateOptions {
    /** Is called with the error if a document is denied. */
    denied?: (error: Error) => void;
}

const GATE: Checks<GateOptions> = { agent: AGENTS, delay: CALL };
const CLIENT = withMethods("decide");

/** A function that ends a request's turn. `isSent` is whether the request was sent. */
export type Sent = (isSent: boolean) => void;

/** Number of sites above which those whose delay has passed are dropped. */
const SITES_KEPT = 1024;

interface Site {
    /** Resolves when the turn of the latest request ends. */
    turns: Promise<void>;
    /** Number of requests that have not been sent yet. */
    waiting: number;
    /** When the last request was sent, and the delay that applied. */
    last: number;
    delay: number;
}

/** Makes requests to each site wait for its delay, in order of arrival. */
export class Delays {
    readonly #sites = new Map<string, Site>();
    #kept = SITES_KEPT;
    readonly #sleep: (milliseconds: number) => Promise<void>;
    readonly #now: () => number;

    /**
     * Makes delays for any number of sites.
     *
     * @param sleep Waits for a number of milliseconds.
     * @param now Returns the time in milliseconds.
     */
    constructor(
        sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(milliseconds, TIMER_MAX))),
        now: () => number = () => performance.now(),
    ) {
        this.#sleep = sleep;
        this.#now = now;
    }

    /**
     * Waits for a request's turn, and returns the function that ends it. Until then, no other request to the site gets
     * a turn. It is bound: `gate(fetch, client, { delay: new Delays().turn })`.
     *
     * @param url The URL of the request.
     * @param milliseconds The delay of the site.
     */
    readonly turn = async (url: string, milliseconds: number): Promise<Sent> => {
        const site = this.#site(new URL(url).origin);
        const before = site.turns;
        let resolve!: () => void;
        site.turns = new Promise((done) => {
            resolve = done;
        });
        site.waiting += 1;
        const end: Sent = (isSent) => {
            if (isSent) {
                site.last = this.#now();
                site.delay = milliseconds;
            }
            site.waiting -= 1;
            resolve();
        };
        await before;
        const wait = site.last + milliseconds - this.#now();
        if (wait > 0) {
            try {
                await this.#sleep(wait);
            } catch (error) {
                end(false);
                throw error;
            }
        }
        return end;
    };

    #site(origin: string): Site {
        let site = this.#sites.get(origin);
        if (site === undefined) {
            if (this.#sites.size >= this.#kept) {
                const now = this.#now();
                for (const [name, { waiting, last, delay }] of this.#sites) {
                    if (waiting === 0 && last + delay <= now) {
                        this.#sites.delete(name);
                    }
                }
                // Doubling keeps the cost per site constant.
                this.#kept = Math.max(SITES_KEPT, this.#sites.size * 2);
            }
            site = { turns: Promise.resolve(), waiting: 0, last: -Infinity, delay: 0 };
            this.#sites.set(origin, site);
        }
        return site;
    }
}

/**
 * Resolves when a request may be sent.
 *
 * @param client The client that decides.
 * @param url The URL of the request.
 * @param options The crawler, and how to wait.
 * @throws {DeniedError} if the request may not be sent.
 * @throws As `RobotsClient.decide`.
 */
export async function pass(client: RobotsClient, url: string | UrlLike, options?: GateOptions): Promise<Decision> {
    required("client", client, CLIENT, "pass");
    return passed(client, urlOf(url), optionsOf("pass", options, GATE));
}

async function passed(client: RobotsClient, url: string, { agent, delay }: GateOptions, signal?: AbortSignal): Promise<Decision> {
    let decision = admitted(url, await client.decide(url, agent));
    let waited = 0;
    while (delay !== undefined && decision.delay > waited) {
        waited = decision.delay;
        const sent = await delay(url, waited);
        let isSent = false;
        try {
            signal?.throwIfAborted();
            // The rules may have changed during the wait.
            decision = admitted(url, await client.decide(url, agent));
            isSent = decision.delay <= waited && signal?.aborted !== true;
        } finally {
            if (typeof sent === "function") {
                sent(isSent);
            }
        }
    }
    return decision;
}

function admitted(url: string, decision: Decision): Decision {
    if (!decision.allowed) {
        throw new DeniedError(url, decision);
    }
    return decision;
}

/** Settles like `promise`, or rejects when the signal aborts. */
async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
    let abort!: () => void;
    const aborted = new Promise<never>((_, reject) => {
        abort = () => reject(signal.reason);
    });
    signal.addEventListener("abort", abort);
    try {
        return await Promise.race([promise, aborted]);
    } finally {
        signal.removeEventListener("abort", abort);
    }
}

const REDIRECTS_MAX = 20;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Wraps `fetch` to check each request, including redirects. `redirect: "error"` and `"manual"` behave as usual.
 *
 * The returned function throws a `DeniedError` if robots.txt disallows a request, a `RedirectError` if a redirect cannot
 * be followed, and a `RedirectHiddenError` if the platform hides the redirect target, as browsers do. `signal` also ends
 * the wait for robots.txt and for a delay.
 *
 * @param fetch The function to wrap.
 * @param client The client that decides.
 * @param options The crawler, and how to wait.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function gate(
    fetch: typeof globalThis.fetch,
    client: RobotsClient = new RobotsClient(),
    options?: GateOptions,
): typeof globalThis.fetch {
    required("fetch", fetch, CALL, "gate");
    required("client", client, CLIENT, "gate");
    const checked = optionsOf("gate", options, GATE);
    return async (input, init) => {
        // Node stops forwarding an abort to the signal of a request that was collected, so the first one is kept.
        const first = new Request(input, init);
        let request = first;
        // Options of the platform, such as `dispatcher` in Node, are not part of a request.
        const extras = Object.fromEntries(Object.entries(init ?? {}).filter(([name]) => !(name in first)));
        for (let followed = 0; ; followed += 1) {
            first.signal.throwIfAborted();
            await unlessAborted(first.signal, passed(client, request.url, checked, first.signal));
            // A body can be sent only once, but some redirects repeat it.
            const again = request.body === null ? undefined : request.clone();
            const response = await fetch(new Request(request, { redirect: "manual" }), extras);
            if (first.redirect !== "follow") {
                if (first.redirect === "error" && isRedirect(response)) {
                    throw new RedirectError(`${request.url} redirects, but \`redirect\` is "error"`);
                }
                return response;
            }
            refuseHidden(request.url, response);
            const location = isRedirect(response) ? response.headers.get("location") : null;
            if (location === null) {
                return followed === 0 ? response : Object.defineProperty(response, "redirected", { value: true });
            }
            if (followed === REDIRECTS_MAX) {
                throw new RedirectError(`${request.url}: more than ${REDIRECTS_MAX} redirects`);
            }
            await response.body?.cancel();
            request = await redirected(again ?? request, response.status, location, first.signal);
        }
    };
}

function isRedirect({ status, type }: Response): boolean {
    return type === "opaqueredirect" || REDIRECTS.includes(status);
}

/** Builds the request after a redirect, with the members of the request before it, such as `cache`. */
async function redirected(request: Request, status: number, location: string, signal: AbortSignal): Promise<Request> {
    const url = resolved(location, request.url);
    if (url === null || !/^https?:$/.test(url.protocol)) {
        throw new RedirectError(`${request.url} redirects to a URL that is invalid or not HTTP: ${location}`);
    }
    const { method, dropped } = afterRedirect(status, request.method, request.url, url);
    const headers = new Headers(request.headers);
    dropped.forEach((name) => headers.delete(name));
    const repeatsBody = method === request.method && request.body !== null;
    const init: Record<string, unknown> = {};
    for (const name in request) {
        init[name] = request[name as keyof Request];
    }
    const body = repeatsBody ? await request.arrayBuffer() : undefined;
    return new Request(url, { ...init, method, headers, body, signal } as RequestInit);
}

const BODY_HEADERS = ["content-encoding", "content-language", "content-location", "content-type", "content-length"];
const CREDENTIALS = ["authorization", "cookie", "proxy-authorization", "host"];

/**
 * Returns the method after a redirect as WHATWG Fetch defines it, and the headers to drop: POST becomes GET, and other
 * origins get no credentials.
 */
function afterRedirect(status: number, method: string, from: string, to: URL): { method: string; dropped: string[] } {
    const becomesGet = status === 303 ? method !== "HEAD" : (status === 301 || status === 302) && method === "POST";
    const isOtherOrigin = new URL(from).origin !== to.origin;
    return { method: becomesGet ? "GET" : method, dropped: [...(becomesGet ? BODY_HEADERS : []), ...(isOtherOrigin ? CREDENTIALS : [])] };
}

/** Any version of undici's `dispatch`. */
export type Dispatch = (options: any, handler: any) => boolean;

interface DispatchOptions {
    origin?: string | URL | undefined;
    path: string;
    query?: object | null | undefined;
}

/** undici's handlers, old and new form. */
interface Handler {
    onResponseError?: (controller: unknown, error: Error) => void;
    onError?: (error: Error) => void;
    onRequestStart?: (controller: unknown, context: unknown) => void;
}

/**
 * Returns an interceptor for `dispatcher.compose` of undici 6, 7 and 8. Compose it inside undici's redirect interceptor,
 * so it sees each redirect: `agent.compose(gateInterceptor(client), interceptors.redirect(…))`. The client's own
 * transport must use a dispatcher without this interceptor.
 *
 * @param client The client that decides.
 * @param options The crawler, and how to wait.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function gateInterceptor(client: RobotsClient, options?: GateOptions): <D extends Dispatch>(dispatch: D) => D {
    required("client", client, CLIENT, "gateInterceptor");
    const checked = optionsOf("gateInterceptor", options, GATE);
    const wrap = (dispatch: Dispatch): Dispatch => (request: DispatchOptions, handler: Handler) => {
        const path = withQuery(request.path, request.query ?? {});
        const url = `${String(request.origin ?? "").replace(/\/$/, "")}${path}`;
        passed(client, url, checked).then(
            () => dispatch(request, handler),
            (error: Error) => refuse(handler, error),
        ).catch((error: Error) => refuse(handler, error));
        return true;
    };
    return wrap as <D extends Dispatch>(dispatch: D) => D;
}

/**
 * Returns the path that undici sends. undici appends `query` with the escaping of Node's `querystring.stringify`, which
 * differs from `URLSearchParams`.
 */
function withQuery(path: string, query: object): string {
    const escaped = (value: unknown): string => {
        const isWritten = ["string", "boolean", "bigint"].includes(typeof value) || Number.isFinite(value);
        return isWritten ? encodeURIComponent(String(value)) : "";
    };
    const fields = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => `${escaped(name)}=${escaped(one)}`));
    return fields.length === 0 ? path : `${path}?${fields.join("&")}`;
}

function refuse(handler: Handler, error: Error): void {
    if (handler.onResponseError === undefined) {
        handler.onError?.(error);
        return;
    }
    const controller = { abort() {}, pause() {}, resume() {}, aborted: true, paused: false, reason: error };
    handler.onRequestStart?.(controller, {});
    handler.onResponseError(controller, error);
}

/** The part of Playwright's `Request` that `gateRoute` uses. */
export interface PlaywrightRequest {
    /** Returns the URL. */
    url(): string;
    /** Returns the kind of resource, such as `document`. */
    resourceType(): string;
    /** Returns the method. */
    method(): string;
    /** Returns the headers. */
    headers(): Record<string, string>;
    /** Returns the frame that sends the request. */
    frame(): PlaywrightFrame;
}

/** The part of Playwright's `Frame` that tells the browser. */
export interface PlaywrightFrame {
    /** Returns the page. */
    page(): { context(): { browser(): { browserType(): { name(): string } } | null } };
}

/** The part of Playwright's `APIResponse` that `gateRoute` uses. */
export interface PlaywrightResponse {
    /** Returns the status. */
    status(): number;
    /** Returns the headers, with names in lower case. */
    headers(): Record<string, string>;
    /** Frees the body. */
    dispose(): Promise<void>;
}

/** The part of Playwright's `Route` that `gateRoute` uses. */
export interface PlaywrightRoute {
    /** Returns the request. */
    request(): PlaywrightRequest;
    /** Ends the request with an error. */
    abort(code?: string): Promise<void>;
    /** Leaves the request to the next handler, or to the network. */
    fallback(): Promise<void>;
    /** Answers the request. */
    fulfill(options: object): Promise<void>;
    /** Sends the request, and returns the response. */
    fetch(options: object): Promise<PlaywrightResponse>;
}

/**
 * Returns a handler for Playwright's `page.route("**", handler)`. It checks documents, including frames, and passes
 * everything else through. A disallowed document is aborted with `blockedbyclient`, and `denied` is called.
 *
 * Browsers follow redirects without calling handlers. So the handler follows them first, checks each target, and then
 * lets the browser follow the same redirects, which sends the requests after the first one twice. Only the next target
 * is checked if a redirect repeats a method such as POST (307 and 308), because that must not be sent twice. In WebKit,
 * which cannot be given a redirect, the first request is sent twice, and redirects of a POST are not checked. A server
 * that redirects elsewhere the second time is not noticed.
 *
 * @param client The client that decides.
 * @param options The crawler, how to wait, and whom to tell.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function gateRoute(client: RobotsClient, options?: GateRouteOptions): (route: PlaywrightRoute) => Promise<void> {
    required("client", client, CLIENT, "gateRoute");
    const { denied, ...checked } = optionsOf<GateRouteOptions>("gateRoute", options, { ...GATE, denied: CALL });
    let browser: string | undefined;
    return async (route) => {
        const request = route.request();
        if (request.resourceType() !== "document" || !/^https?:/.test(request.url())) {
            await route.fallback();
            return;
        }
        const isSafe = SAFE.includes(request.method());
        try {
            browser = request.frame().page().context().browser()?.browserType().name();
        } catch {
            // A popup has no frame at its first request, and a service worker never. The browser is that of earlier requests.
        }
        const isWebKit = browser === "webkit";
        let response;
        try {
            await passed(client, request.url(), checked);
            if (isWebKit && !isSafe) {
                await route.fallback();
                return;
            }
            response = await route.fetch({ maxRedirects: 0 }).catch(() => undefined);
            if (response !== undefined) {
                await passRedirects(route, response, (url) => passed(client, url, checked));
            }
        } catch (error) {
            await route.abort("blockedbyclient");
            denied?.(error as Error);
            return;
        }
        if (response !== undefined && !(isWebKit && REDIRECTS.includes(response.status()))) {
            await route.fulfill({ response });
        } else if (isSafe) {
            // The browser follows the redirects, or reports the failure, in its own way.
            await route.fallback();
        } else {
            await route.abort("failed");
        }
    };
}

const SAFE = ["GET", "HEAD"];

/** Follows the redirects of a response, and checks each target before it is requested. */
async function passRedirects(
    route: PlaywrightRoute,
    first: PlaywrightResponse,
    check: (url: string) => Promise<unknown>,
): Promise<void> {
    const request = route.request();
    const headers = { ...request.headers() };
    let [url, method, response] = [request.url(), request.method(), first];
    for (let followed = 0; followed < REDIRECTS_MAX; followed += 1) {
        const { location } = response.headers();
        if (response !== first) {
            await response.dispose();
        }
        const next = location === undefined || !REDIRECTS.includes(response.status()) ? null : resolved(location, url);
        if (next === null || !/^https?:$/.test(next.protocol)) {
            return;
        }
        await check(next.href);
        const after = afterRedirect(response.status(), method, url, next);
        method = after.method;
        if (!SAFE.includes(method)) {
            return;
        }
        after.dropped.forEach((name) => delete headers[name]);
        url = next.href;
        const found = await route.fetch({ url, method, headers, maxRedirects: 0 }).catch(() => undefined);
        if (found === undefined) {
            // The browser reports the failure when it gets there.
            return;
        }
        response = found;
    }
}

function resolved(location: string, base: string): URL | null {
    try {
        return new URL(location, base);
    } catch {
        return null;
    }
}
