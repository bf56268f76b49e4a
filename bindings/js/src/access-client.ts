// `RobotsClient`: decides about URLs, and fetches each robots.txt once, however many callers wait for it.

import type { Answer, Arrival, Check as CheckedUrl, Fields, Located, Profile, Warning } from "./access-answers.js";
import { type Action, type AnswerJson, answerOf, bodyOf, checkOf, type Done, type Event } from "./access-machine.js";
import { hopVerdict, type HopVerdict, locate, NOTHING, type Question, snapshotOf, step } from "./access-machine.js";
import { fetchTransport, type Transport } from "./access-transports.js";
import { AGENTS, atLeast, type Bytes, CALL, type Check, type Checks, COUNT, FLAG, OBJECT, oneOf, optionsOf } from "./argument.js";
import { required, STRING, STRINGS, textOf, type UrlLike, urlOf, withMethods } from "./argument.js";
import { bytesOf } from "./bytes.js";
import { ArgumentError, InternalError, VergerError } from "./errors.js";
import { isBrowser, TIMER_MAX } from "./platform.js";
import { plainOf, typedOf } from "./typed.js";

/**
 * A product token, or several in the order in which the crawler looks them up. `*` is a crawler that no group names.
 */
export type Agents = string | readonly string[];

/**
 * Stores snapshots between runs. A snapshot is opaque bytes. If a store call fails or takes longer than `timeout`, the
 * client continues from memory and reports the failure in `notKept`.
 */
export interface SnapshotStore {
    /** Returns the snapshot of an authority, or `undefined` or null without one. */
    get(authority: string): Promise<Bytes | null | undefined>;
    /** Stores the snapshot of an authority in place of the previous one. */
    put(authority: string, snapshot: Uint8Array): Promise<void>;
}

/** The options of a `RobotsClient`. */
export interface RobotsClientOptions {
    /**
     * The access profile, which defines what status codes, redirects, errors and expiry mean.
     *
     * @default "rfc9309"
     */
    profile?: Profile;
    /**
     * The crawler for `decide` without an agent, and for checking redirect targets.
     *
     * @default "*"
     */
    agent?: Agents;
    /**
     * The `User-Agent` header of requests for robots.txt. By default the first product token of `agent` other than
     * `*`, or `verger` without one, except in browsers, which send their own.
     */
    userAgent?: string;
    /**
     * Sends the requests. `fetchTransport` has no address guard.
     *
     * @default fetchTransport()
     */
    transport?: Transport;
    /** Keeps results between runs. Several processes may share a store. Without one, results stay in memory. */
    store?: SnapshotStore;
    /**
     * The maximum size of the cache in bytes, at least 1 MiB. The least recently used entries are dropped.
     *
     * @default 67_108_864
     */
    maxMemory?: number;
    /**
     * The deadline for a fetch including its redirects, and for each call of the store, in milliseconds.
     *
     * @default 30_000
     */
    timeout?: number;
    /**
     * The maximum number of fetches in flight.
     *
     * @default 64
     */
    concurrency?: number;
    /**
     * Returns the time in milliseconds since 1970.
     *
     * @default Date.now
     */
    now?: () => number;
    /**
     * Returns a fraction from -0.1 to 0.1 by which to lengthen the wait after a failure. By default it is random.
     */
    jitter?: () => number;
}

/** Whether a URL may be fetched, and why. Its JSON is `verger.check/1`. */
export interface Decision extends CheckedUrl {
    /** Whether the URL may be fetched. False also if nothing is known. */
    allowed: boolean;
    /** Milliseconds between two requests that `Crawl-delay` and `Request-rate` ask for now. 0 if neither does. */
    delay: number;
}

/** A request of a fetch. */
export interface Hop {
    /** The URL. */
    url: string;
    /** The reply, such as `http 301` or `ftp 226`, or null without one. */
    reply: string | null;
    /** The status or reply code, or null without one. */
    status: number | null;
    /** Details of a failure, or null. */
    detail: string | null;
}

/** The result of `RobotsClient.fetch`. */
export interface FetchReport {
    /** The state of the authority after the fetch. */
    answer: Answer;
    /** The requests in order. */
    hops: Hop[];
    /** Warnings about the last response. */
    warnings: Warning[];
    /** A sentence that says what happened. */
    what: string;
}

/** A robots.txt and the state of its authority, the result of `RobotsClient.file`. */
export interface FetchedFile {
    /** The state of the authority. */
    answer: Answer;
    /** The body whose rules decide, or `undefined` if none does. */
    body: Uint8Array | undefined;
}

/** The options of a decision. */
export interface DecideOptions {
    /**
     * Whether the rest of the site responds. The profile `google` uses it once a robots.txt has been unreachable for 30
     * days.
     *
     * @default false
     */
    restOfSiteIsUp?: boolean;
}

/** A cache entry: the snapshot of an authority and the current answer. */
interface Known {
    located: Located;
    snapshot: Uint8Array;
    answer: AnswerJson;
    /** In seconds since 1970. */
    madeAt: number;
    notKept: string | null;
    /** The module's key for each crawler that was queried. */
    keys: Map<string, number>;
}

/** A question about a URL whose arguments were checked. */
interface AskedUrl {
    url: string;
    located: Located;
    agents: readonly string[];
    restOfSiteIsUp: boolean;
}

interface Ended {
    done: Done;
    snapshot: Uint8Array;
    details: (string | null)[];
}

interface Limit {
    signal: AbortSignal;
    late: Promise<Arrival>;
    endsAt: number;
    end(): void;
}

/** Approximate overhead of a cache entry. */
const ENTRY_BYTES = 2048;
const MEMORY_BYTES_MIN = 1 << 20;
const AGENTS_KEPT = 64;
/** One more than any dialect reads, so a transport can stop there. */
const BODY_BYTES_WANTED = 512_001;
const PAGE_MILLISECONDS_MAX = 3000;

let lastKey = 0;

/** A value of a header. Other characters depend on the transport. */
const HEADER: Check = [(value) => STRING[0](value) && /^[!-~][ -~]*$/.test(value as string), "a string of visible ASCII characters and spaces"];
const ABOVE_ZERO: Check = [(value) => typeof value === "number" && value > 0, "a number above 0"];
const TIME: Check = [(value) => Number.isFinite(value) && COUNT[0](Math.floor(value as number)), "a number of milliseconds since 1970"];
const FIELDS: Check = [
    (value) => Array.isArray(value) && value.every((field) => STRINGS[0](field) && field.length === 2),
    "an array of names and values, such as `[...headers]`",
];
const CODE: Check = [(value) => COUNT[0](value) && (value as number) < 1000, "a code below 1000"];
const PROFILES: readonly Profile[] = ["rfc9309", "google", "google-2023", "draft2019", "koster1996", "cautious"];
const CHECKS: Checks<RobotsClientOptions> = {
    profile: [oneOf(PROFILES)[0], `a profile: ${PROFILES.slice(0, -1).join(", ")} or ${PROFILES.at(-1)}`, PROFILES],
    agent: AGENTS,
    userAgent: HEADER,
    transport: CALL,
    store: withMethods("get", "put"),
    maxMemory: atLeast(MEMORY_BYTES_MIN),
    timeout: ABOVE_ZERO,
    concurrency: atLeast(1),
    now: CALL,
    jitter: CALL,
};
const DECIDE: Checks<DecideOptions> = { restOfSiteIsUp: FLAG };

/** Decides whether a crawler may fetch URLs. Fetches each robots.txt once, however many callers wait for it. */
export class RobotsClient {
    /** The access profile. */
    readonly profile: Profile;
    /** The product tokens for `decide` without an agent. Empty for `*`. */
    readonly agents: readonly string[];
    /** The `User-Agent` header of requests for robots.txt, or `undefined` for that of the platform. */
    readonly userAgent: string | undefined;
    readonly #transport: Transport;
    readonly #store: SnapshotStore | undefined;
    readonly #memoryMax: number;
    readonly #deadline: number;
    readonly #now: () => number;
    readonly #jitter: () => number;
    readonly #known = new Map<string, Known>();
    #bytes = 0;
    readonly #flights = new Map<string, Promise<Known>>();
    readonly #hopFlights = new Map<string, Promise<Known>>();
    /** Which fetch waits for which, to prevent circular waits. */
    readonly #waits = new Map<string, string>();
    #permits: number;
    readonly #queue: (() => void)[] = [];

    /**
     * Makes a client.
     *
     * @param options The crawler, the profile, the transport and limits.
     * @throws {ArgumentError} if an option does not exist or has a wrong value.
     * @throws {ProductTokenError} if `agent` is not a product token.
     */
    constructor(options?: RobotsClientOptions) {
        const given = optionsOf("RobotsClient", options, CHECKS);
        this.profile = given.profile ?? "rfc9309";
        this.agents = tokensOf(given.agent ?? []);
        this.userAgent = given.userAgent ?? (isBrowser() ? undefined : (this.agents.find((token) => token !== "*") ?? "verger"));
        this.#transport = given.transport ?? fetchTransport();
        this.#store = given.store;
        this.#memoryMax = given.maxMemory ?? 64 << 20;
        this.#deadline = Math.min(TIMER_MAX, given.timeout ?? 30_000);
        this.#permits = given.concurrency ?? 64;
        const now = given.now ?? Date.now;
        this.#now = () => {
            const milliseconds = now();
            required("now()", milliseconds, TIME, "RobotsClient");
            return Math.floor(milliseconds / 1000);
        };
        const jitter = given.jitter ?? (() => Math.random() * 0.2 - 0.1);
        this.#jitter = () => Math.round(Math.min(0.1, Math.max(-0.1, jitter())) * 1000) || 0;
        // Fail here, not at the first request, if a token is invalid.
        checkOf({ ...this.#question("https://example.com/"), key: ++lastKey }, NOTHING);
    }

    /** The approximate size of the cache in bytes. */
    get memoryBytes(): number {
        return this.#bytes;
    }

    /**
     * Decides whether a crawler may fetch a URL. Fetches the robots.txt first if the cached one has expired.
     *
     * A failing server is not an error, because the profile defines what it means.
     *
     * @param url An absolute URL.
     * @param agent The crawler. By default that of the client.
     * @param options Further facts.
     * @throws {TargetError} if `url` is not an absolute URL.
     * @throws {ArgumentError} if the scheme is not http, https or ftp, or an option does not exist.
     * @throws {ProductTokenError} if `agent` is not a product token.
     */
    async decide(url: string | UrlLike, agent?: Agents, options?: DecideOptions): Promise<Decision> {
        const asked = this.#asked(url, agent, options);
        return this.#decision(await this.#learn(asked.located), asked);
    }

    /**
     * Decides from memory alone. Returns `undefined` if `decide` would fetch.
     *
     * @param url An absolute URL.
     * @param agent The crawler. By default that of the client.
     * @param options Further facts.
     * @throws As `decide`.
     */
    decideFromMemory(url: string | UrlLike, agent?: Agents, options?: DecideOptions): Decision | undefined {
        const asked = this.#asked(url, agent, options);
        const known = this.#inMemory(asked.located);
        return known && this.#decision(known, asked);
    }

    /**
     * Returns the state of the authority of a URL. Fetches the robots.txt first if the cached one has expired.
     *
     * @param url An absolute URL.
     * @param options Further facts.
     * @throws As `decide`.
     */
    async answer(url: string | UrlLike, options?: DecideOptions): Promise<Answer> {
        const { located, restOfSiteIsUp } = this.#asked(url, undefined, options);
        return this.#answer(await this.#learn(located), restOfSiteIsUp);
    }

    /**
     * Returns the cached state of the authority of a URL, even if it has expired.
     *
     * @param url An absolute URL.
     * @param options Further facts.
     * @throws As `decide`.
     */
    answerFromMemory(url: string | UrlLike, options?: DecideOptions): Answer {
        const { located, restOfSiteIsUp } = this.#asked(url, undefined, options);
        const known = this.#known.get(located.authority);
        const judged = this.#judged(located, known?.snapshot ?? NOTHING, known?.notKept ?? null);
        return this.#answer(judged, restOfSiteIsUp);
    }

    #answer({ located, snapshot, notKept }: Known, restOfSiteIsUp: boolean): Answer {
        return typedAnswer(answerOf(this.#question(located.robotsUrl, this.agents, restOfSiteIsUp), snapshot), notKept);
    }

    /**
     * Like `answer`, but also returns the body whose rules decide.
     *
     * @param url An absolute URL.
     * @throws As `decide`.
     */
    async file(url: string | UrlLike): Promise<FetchedFile> {
        const { answer, notKept, snapshot } = await this.#learn(this.#locate(urlOf(url)));
        const body = answer.has_body ? bodyOf(snapshot).slice() : undefined;
        return { answer: typedAnswer(answer, notKept), body };
    }

    /**
     * Fetches the robots.txt now, even if the cached one is fresh. Waits for a fetch in flight first.
     *
     * @param url An absolute URL.
     * @throws As `decide`.
     */
    async fetch(url: string | UrlLike): Promise<FetchReport> {
        const located = this.#locate(urlOf(url));
        for (let flight; (flight = this.#flights.get(located.authority)) !== undefined; ) {
            await flight.catch(() => {});
        }
        let report: FetchReport | undefined;
        await this.#flight(located, true, (known, { done, details }) => {
            const hops = done.hops.map((hop, at) => ({ ...hop, detail: details[at] ?? null }));
            report = { answer: typedAnswer(known.answer, known.notKept), hops, warnings: done.warnings, what: done.what };
        });
        return report!;
    }

    /** Checks the arguments of a question. */
    #asked(given: string | UrlLike, agent: Agents | undefined, options: DecideOptions | undefined): AskedUrl {
        const url = urlOf(given);
        if (agent !== undefined) {
            required("agent", agent, AGENTS, "decide");
        }
        const { restOfSiteIsUp = false } = optionsOf("decide", options, DECIDE);
        return { url, located: this.#locate(url), agents: agent === undefined ? this.agents : tokensOf(agent), restOfSiteIsUp };
    }

    #locate(url: string): Located {
        const located = locate(url, this.profile);
        if (!["http", "https", "ftp"].includes(located.scheme)) {
            throw new ArgumentError(`cannot fetch the robots.txt of ${located.authority}: the scheme is not http, https or ftp`);
        }
        return located;
    }

    #question(url: string, agents: readonly string[] = this.agents, restOfSiteIsUp = false): Question {
        return { url, profile: this.profile, agents, known_for: this.agents, now: this.#now(), rest_is_up: restOfSiteIsUp };
    }

    #decision(known: Known, { url, agents, restOfSiteIsUp }: AskedUrl): Decision {
        const name = JSON.stringify([agents, restOfSiteIsUp]);
        let key = known.keys.get(name);
        if (key === undefined) {
            key = ++lastKey;
            if (known.keys.size >= AGENTS_KEPT) {
                known.keys.clear();
            }
            known.keys.set(name, key);
        }
        const { check, delay_milliseconds: delay } = checkOf({ ...this.#question(url, agents, restOfSiteIsUp), key }, known.snapshot);
        const decision = typedOf<Decision>({ ...check, not_kept: known.notKept });
        return Object.assign(decision, { allowed: decision.allowed === true, delay });
    }

    /** The cache entry, unless a fetch is due. */
    #inMemory({ authority }: Located): Known | undefined {
        const known = this.#known.get(authority);
        if (known === undefined) {
            return undefined;
        }
        const now = this.#now();
        const { answer, madeAt } = known;
        const holds = madeAt <= now && now < answer.holds_until;
        const current = holds ? known : this.#judged(known.located, known.snapshot, known.notKept);
        // Moves the entry to the end of the map, as the most recently used.
        this.#hold(current);
        return now < current.answer.due_at ? current : undefined;
    }

    #judged(located: Located, snapshot: Uint8Array, notKept: string | null): Known {
        const answer = answerOf(this.#question(located.robotsUrl), snapshot);
        return { located, snapshot, answer, madeAt: this.#now(), notKept, keys: new Map() };
    }

    #hold(known: Known): void {
        const { authority } = known.located;
        this.#forget(authority);
        this.#known.set(authority, known);
        this.#bytes += sizeOf(known);
        for (const oldest of this.#known.keys()) {
            if (this.#bytes <= this.#memoryMax) {
                break;
            }
            this.#forget(oldest);
        }
    }

    #forget(authority: string): void {
        const known = this.#known.get(authority);
        if (known !== undefined) {
            this.#known.delete(authority);
            this.#bytes -= sizeOf(known);
        }
    }

    async #learn(located: Located): Promise<Known> {
        return this.#inMemory(located) ?? this.#flights.get(located.authority) ?? this.#flight(located, false);
    }

    #flight(located: Located, isForced: boolean, ended?: (known: Known, ended: Ended) => void): Promise<Known> {
        const flight = this.#fly(located, isForced, ended).finally(() => this.#flights.delete(located.authority));
        this.#flights.set(located.authority, flight);
        return flight;
    }

    async #fly(located: Located, isForced: boolean, ended?: (known: Known, ended: Ended) => void): Promise<Known> {
        const { known: before, error } = await this.#newest(located);
        if (!isForced && this.#now() < before.answer.due_at) {
            this.#hold(before);
            return before;
        }
        await this.#enter();
        const limit = limitOf(this.#deadline);
        try {
            const fetched = await this.#run(located, before.snapshot, limit, (url) => this.#askAboutHop(located, url, limit));
            const known = await this.#keep(located, fetched, error);
            ended?.(known, fetched);
            return known;
        } finally {
            limit.end();
            this.#leave();
        }
    }

    /** Returns the newer of the cached and the stored snapshot, and why the store could not be read. */
    async #newest(located: Located): Promise<{ known: Known; error: string | null }> {
        const inMemory = this.#known.get(located.authority);
        const local = this.#judged(located, inMemory?.snapshot ?? NOTHING, inMemory?.notKept ?? null);
        let stored: Uint8Array | undefined;
        try {
            const found = this.#store && (await inTime(this.#deadline, this.#store.get(located.authority)));
            stored = found === undefined || found === null ? undefined : bytesOf(textOf(found, "get()"));
        } catch (error) {
            return { known: local, error: `the store cannot be read: ${messageOf(error)}` };
        }
        if (stored === undefined) {
            return { known: local, error: null };
        }
        const theirs = this.#judged(located, stored, null);
        const isNewer = (theirs.answer.seen_at ?? "") >= (local.answer.seen_at ?? "");
        return { known: isNewer || inMemory === undefined ? theirs : local, error: null };
    }

    /** Caches the result, and stores it if it is a fact about the site. */
    async #keep(located: Located, { done, snapshot }: Ended, error: string | null): Promise<Known> {
        let notKept = error;
        if (!done.is_about_the_site) {
            notKept = "an address that is refused here says nothing about the site";
        } else if (this.#store !== undefined && error === null) {
            try {
                await inTime(this.#deadline, this.#store.put(located.authority, snapshot));
            } catch (failure) {
                notKept = `the store cannot be written: ${messageOf(failure)}`;
            }
        }
        const known = this.#judged(located, snapshot, notKept);
        this.#hold(known);
        return known;
    }

    async #run(
        located: Located,
        before: Uint8Array,
        limit: Limit,
        ask: (url: string) => Promise<HopVerdict>,
    ): Promise<Ended> {
        const events: Event[] = [];
        const details: (string | null)[] = [];
        const jitter = this.#jitter();
        let body: Uint8Array = NOTHING;
        for (;;) {
            const question = { ...this.#question(located.robotsUrl), events, jitter };
            const action = step(question, before, body);
            if (action.do === "done") {
                return { done: action, snapshot: snapshotOf(action, before, body), details };
            }
            if (action.do === "ask") {
                events.push({ kind: "hop", verdict: await ask(action.url) });
                continue;
            }
            const arrival = await this.#send(action, limit);
            required("transport()", arrival, OBJECT, "RobotsClient");
            details.push("failure" in arrival ? arrival.detail : null);
            const received = "status" in arrival ? arrival.body : "ftpFile" in arrival ? arrival.ftpFile : NOTHING;
            body = bytesOf(textOf(received, "transport().body"));
            events.push(eventOf(arrival, this.#now()));
        }
    }

    async #send({ url, headers }: Action & { do: "send" }, { signal, late, endsAt }: Limit): Promise<Arrival> {
        const left = endsAt - performance.now();
        const pageTimeout = Math.min(PAGE_MILLISECONDS_MAX, left / 2);
        const own: Fields = this.userAgent === undefined ? [] : [["user-agent", this.userAgent]];
        const request = { url, headers: [...own, ...headers], maxBytes: BODY_BYTES_WANTED, signal, pageTimeout };
        try {
            return await Promise.race([this.#transport(request), late]);
        } catch (error) {
            const said = `RobotsClient: \`transport\` failed: ${messageOf(error)}`;
            throw error instanceof VergerError ? error : new ArgumentError(said, "transport", { cause: error });
        }
    }

    /** Returns whether a redirect target is allowed by the robots.txt of its own authority (G-3xx-2). */
    async #askAboutHop(from: Located, url: string, limit: Limit): Promise<HopVerdict> {
        let located;
        try {
            located = this.#locate(url);
        } catch {
            return "unknown";
        }
        const known = this.#inMemory(located) ?? (await this.#learnForHop(from, located, limit).catch(() => undefined));
        return known === undefined ? "unknown" : hopVerdict(this.#question(url), known.snapshot);
    }

    async #learnForHop(from: Located, located: Located, limit: Limit): Promise<Known | undefined> {
        for (let last: string | undefined = located.authority; last !== undefined; last = this.#waits.get(last)) {
            if (last === from.authority) {
                return undefined;
            }
        }
        const flight = this.#flights.get(located.authority) ?? this.#hopFlight(located, limit);
        this.#waits.set(from.authority, located.authority);
        try {
            return await Promise.race([flight, limit.late.then(() => undefined)]);
        } finally {
            this.#waits.delete(from.authority);
        }
    }

    /**
     * Fetches the robots.txt of a redirect target. It does not check its own redirects, because such a chain might
     * never end. The result is cached only if it had no redirect to check.
     */
    #hopFlight(located: Located, limit: Limit): Promise<Known> {
        const fly = async (): Promise<Known> => {
            const { known: before, error } = await this.#newest(located);
            if (this.#now() < before.answer.due_at) {
                return before;
            }
            let isUnchecked = false;
            const fetched = await this.#run(located, before.snapshot, limit, async () => {
                isUnchecked = true;
                return "unknown";
            });
            if (limit.signal.aborted) {
                // The time left was that of another fetch, so this says nothing about this site.
                throw new InternalError(`no time left to fetch ${located.robotsUrl}`);
            }
            return isUnchecked ? this.#judged(located, fetched.snapshot, null) : this.#keep(located, fetched, error);
        };
        const running = this.#hopFlights.get(located.authority);
        if (running !== undefined) {
            return running;
        }
        const flight = fly().finally(() => this.#hopFlights.delete(located.authority));
        this.#hopFlights.set(located.authority, flight);
        return flight;
    }

    async #enter(): Promise<void> {
        if (this.#permits > 0) {
            this.#permits -= 1;
            return;
        }
        await new Promise<void>((resolve) => this.#queue.push(resolve));
    }

    #leave(): void {
        const next = this.#queue.shift();
        if (next === undefined) {
            this.#permits += 1;
        } else {
            next();
        }
    }
}

/** Awaits a call of a store, but not forever, because all callers of `decide` wait for it. */
async function inTime<T>(milliseconds: number, call: Promise<T>): Promise<T> {
    const { late, end } = limitOf(milliseconds);
    const failure = late.then(() => Promise.reject(new Error(`no answer within ${milliseconds} ms`)));
    return Promise.race([call, failure]).finally(end);
}

function limitOf(milliseconds: number): Limit {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const late = new Promise<Arrival>((resolve) => {
        timer = setTimeout(() => {
            resolve({ failure: "timeout", detail: `the whole fetch took longer than ${milliseconds} ms` });
            controller.abort();
        }, milliseconds);
    });
    const end = (): void => clearTimeout(timer);
    return { signal: controller.signal, late, endsAt: performance.now() + milliseconds, end };
}

function eventOf(arrival: Arrival, at: number): Event {
    if ("status" in arrival) {
        const { status, headers, isCut } = arrival;
        required("transport().status", status, CODE, "RobotsClient");
        required("transport().headers", headers, FIELDS, "RobotsClient");
        return { kind: "response", at, status, headers, is_cut: isCut };
    }
    if ("ftpFile" in arrival) {
        return { kind: "ftp-file", at, is_cut: arrival.isCut };
    }
    if ("ftpReply" in arrival) {
        required("transport().ftpReply", arrival.ftpReply, CODE, "RobotsClient");
        return { kind: "ftp-reply", at, code: arrival.ftpReply };
    }
    required("transport().failure", arrival.failure, STRING, "RobotsClient");
    return { kind: "failure", at, failure: arrival.failure };
}

function sizeOf({ located, snapshot }: Known): number {
    return ENTRY_BYTES + 4 * located.robotsUrl.length + snapshot.length;
}

/** Returns the product tokens, or an empty list for `*`, which no group names. */
function tokensOf(agent: Agents): readonly string[] {
    const tokens = typeof agent === "string" ? [agent] : [...agent];
    return tokens.length === 1 && tokens[0] === "*" ? [] : tokens;
}

function typedAnswer(answer: AnswerJson, notKept: string | null): Answer {
    const typed = plainOf<Answer>(answer);
    return Object.assign(typed, { notKept, dueAt: typed.dueAt * 1000, holdsUntil: typed.holdsUntil * 1000 });
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
