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
 * await get("https://example.com/private"); // throws Denied
 * ```
 *
 * @module
 */

import { type Agents, type Decision, RobotsClient } from "./access-client.js";
import { RedirectHiddenError } from "./access-transports.js";
import { VergerError } from "./errors.js";

/** A request was not sent, because a rule disallows its URL or the site must not be fetched for now. */
export class Denied extends VergerError {
    override name = "Denied";
    readonly url: string;
    readonly decision: Decision;

    constructor(url: string, decision: Decision) {
        const { rule, line, stance, access_result: result } = decision;
        const why = rule === null ? `the stance is ${stance}: ${result?.what ?? "nothing is known"}` : `line ${line}: ${rule}`;
        super(`${url} is disallowed: ${why}`);
        this.url = url;
        this.decision = decision;
    }
}

export interface GateOptions {
    /** Default: the client's crawler. */
    agent?: Agents;
    /**
     * Waits before a request to a site that asks for a delay. RFC 9309 has no delays, so the crawler decides how long.
     * The returned function is called when the request was sent, or was not. If the delay has grown meanwhile, `delay`
     * is called again. `new Delays().turn` implements it.
     */
    delay?: (url: string, milliseconds: number) => Promise<Sent | void> | Sent | void;
}

/** Ends a request's turn. `isSent` is whether it was sent. */
export type Sent = (isSent: boolean) => void;

/** The longest delay that `setTimeout` supports. A longer one fires immediately. */
const TIMER_MAX = 2 ** 31 - 1;

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

    /** `sleep` and `now` replace the platform's clock, in milliseconds. */
    constructor(
        sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(milliseconds, TIMER_MAX))),
        now: () => number = () => performance.now(),
    ) {
        this.#sleep = sleep;
        this.#now = now;
    }

    /**
     * Waits for a request's turn, and returns the function that ends it. Until then, no other request to the site gets
     * a turn. Use it as `gate(fetch, client, { delay: new Delays().turn })`.
     */
    readonly turn = async (url: string, milliseconds: number): Promise<Sent> => {
        const site = this.#site(new URL(url).origin);
        const before = site.turns;
        const { promise, resolve } = withResolvers();
        site.turns = promise;
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

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
    let resolve!: () => void;
    const promise = new Promise<void>((done) => {
        resolve = done;
    });
    return { promise, resolve };
}

/**
 * Resolves when a request for `url` may be sent.
 *
 * @throws {Denied} if it may not be sent.
 */
export async function pass(client: RobotsClient, url: string, { agent, delay }: GateOptions = {}): Promise<Decision> {
    let decision = admitted(url, await client.decide(url, agent));
    let waited = 0;
    while (delay !== undefined && decision.delay_milliseconds > waited) {
        waited = decision.delay_milliseconds;
        const sent = await delay(url, waited);
        let isSent = false;
        try {
            // The rules may have changed during the wait.
            decision = admitted(url, await client.decide(url, agent));
            isSent = decision.delay_milliseconds <= waited;
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
        throw new Denied(url, decision);
    }
    return decision;
}

const REDIRECTS_MAX = 20;

/**
 * Wraps `fetch` to check each request, including redirects. `redirect: "error"` and `"manual"` behave as
 * usual.
 *
 * @throws {Denied} if robots.txt disallows a request.
 * @throws {RedirectHiddenError} if the platform hides the redirect target, as browsers do.
 */
export function gate(
    fetch: typeof globalThis.fetch,
    client: RobotsClient = new RobotsClient(),
    options: GateOptions = {},
): typeof globalThis.fetch {
    return async (input, init) => {
        let request = new Request(input, init);
        const { redirect } = request;
        const given = extras(init);
        for (let followed = 0; ; followed += 1) {
            await pass(client, request.url, options);
            // A body can be sent only once, but some redirects repeat it.
            const again = request.body === null ? undefined : request.clone();
            const response = await fetch(new Request(request, { redirect: "manual" }), given);
            if (redirect !== "follow") {
                if (redirect === "error" && isRedirect(response)) {
                    throw new TypeError(`${request.url} redirects, but \`redirect\` is "error"`);
                }
                return response;
            }
            if (response.type === "opaqueredirect") {
                throw new RedirectHiddenError(`${request.url} redirects, but this platform hides the target. Query from a server instead`);
            }
            const location = isRedirect(response) ? response.headers.get("location") : null;
            if (location === null) {
                return response;
            }
            if (followed === REDIRECTS_MAX) {
                throw new TypeError(`${request.url}: more than ${REDIRECTS_MAX} redirects`);
            }
            await response.body?.cancel();
            request = redirected(again ?? request, response.status, new URL(location, request.url));
        }
    };
}

/** Platform options that are not part of a `Request`, such as `dispatcher` in Node. */
function extras(init: RequestInit | undefined): RequestInit | undefined {
    const { dispatcher } = (init ?? {}) as { dispatcher?: unknown };
    return dispatcher === undefined ? undefined : ({ dispatcher } as RequestInit);
}

function isRedirect({ status, type }: Response): boolean {
    return type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(status);
}

/**
 * Builds the request after a redirect as WHATWG Fetch defines it: POST becomes GET, and other origins get no
 * credentials.
 */
function redirected(request: Request, status: number, url: URL): Request {
    const { method } = request;
    if (url.protocol !== "http:" && url.protocol !== "https:") {
        throw new TypeError(`${request.url} redirects to an unsupported scheme: ${url.protocol}`);
    }
    const dropsBody = status === 303 ? method !== "HEAD" : (status === 301 || status === 302) && method === "POST";
    const headers = new Headers(request.headers);
    const dropped = dropsBody ? ["content-encoding", "content-language", "content-location", "content-type", "content-length"] : [];
    const isOtherOrigin = new URL(request.url).origin !== url.origin;
    for (const name of [...dropped, ...(isOtherOrigin ? ["authorization", "cookie", "proxy-authorization", "host"] : [])]) {
        headers.delete(name);
    }
    const common = { headers, redirect: "follow", signal: request.signal } as const;
    if (dropsBody) {
        return new Request(url, { ...common, method: "GET" });
    }
    const body = request.body === null ? {} : { body: request.body, duplex: "half" };
    return new Request(url, { ...common, method, ...body } as RequestInit);
}

type Dispatch = (options: DispatchOptions, handler: unknown) => boolean;

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
 * Returns an interceptor for `dispatcher.compose`. Compose it inside undici's redirect interceptor, so it sees each
 * redirect: `agent.compose(gateInterceptor(client), interceptors.redirect(…))`. The client's own transport must use a
 * dispatcher without this interceptor.
 */
export function gateInterceptor(client: RobotsClient, options: GateOptions = {}): (dispatch: Dispatch) => Dispatch {
    return (dispatch) => (request, handler) => {
        const path = withQuery(request.path, request.query ?? {});
        const url = `${String(request.origin ?? "").replace(/\/$/, "")}${path}`;
        pass(client, url, options).then(
            () => dispatch(request, handler),
            (error: Error) => refuse(handler as Handler, error),
        ).catch((error: Error) => refuse(handler as Handler, error));
        return true;
    };
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

/** The part of Playwright's `Route` that `gateRoute` uses. */
export interface PlaywrightRoute {
    request(): { url(): string; resourceType(): string; isNavigationRequest(): boolean };
    abort(code?: string): Promise<void>;
    fallback(): Promise<void>;
    fulfill(options: object): Promise<void>;
    fetch(options: object): Promise<PlaywrightResponse>;
}

interface PlaywrightResponse {
    status(): number;
    headers(): Record<string, string>;
}

/**
 * Returns a handler for Playwright's `page.route("**", handler)`. It checks documents, including frames, and passes
 * everything else through. A disallowed document is aborted with `blockedbyclient`, and `denied` is called.
 *
 * Playwright does not call handlers for redirects. So the handler sends the request itself, and turns a redirect into a
 * page that refreshes to the target, which makes it a new request.
 */
export function gateRoute(
    client: RobotsClient,
    { denied, ...options }: GateOptions & { denied?: (error: Error) => void } = {},
): (route: PlaywrightRoute) => Promise<void> {
    return async (route) => {
        const request = route.request();
        const url = request.url();
        if (request.resourceType() !== "document" || !/^https?:/.test(url)) {
            await route.fallback();
            return;
        }
        try {
            await pass(client, url, options);
        } catch (error) {
            denied?.(error as Error);
            await route.abort("blockedbyclient");
            return;
        }
        const response = await route.fetch({ maxRedirects: 0 });
        const { location } = response.headers();
        const leadsOn = [301, 302, 303, 307, 308].includes(response.status()) && location !== undefined;
        if (!leadsOn) {
            await route.fulfill({ response });
            return;
        }
        const next = new URL(location, url).href.replace(/[&"<>]/g, (it) => `&#${it.charCodeAt(0)};`);
        const body = `<!doctype html><meta http-equiv="refresh" content="0;url=${next}">`;
        await route.fulfill({ status: 200, contentType: "text/html; charset=utf-8", body });
    };
}
