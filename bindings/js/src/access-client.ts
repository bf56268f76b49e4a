// `RobotsClient`: decides about URLs, and fetches each robots.txt once, however many callers wait for it.

import {
    type Action,
    type Answer,
    answerOf,
    type Arrival,
    bodyOf,
    type CheckKeys,
    checkOf,
    type Done,
    type Event,
    hopVerdict,
    type HopVerdict,
    type Located,
    locate,
    NOTHING,
    type Profile,
    type Question,
    snapshotOf,
    step,
    type Warning,
} from "./access-machine.js";
import { fetchTransport, type Transport } from "./access-transports.js";
import { ArgumentError, VergerError } from "./errors.js";

/**
 * A product token, or several in the order in which the crawler looks them up. `*` is a crawler that no group names.
 */
export type Agents = string | readonly string[];

/**
 * Stores snapshots between runs. A snapshot is opaque bytes. If a store call fails, the client continues from memory
 * and reports the failure in `not_kept`.
 */
export interface SnapshotStore {
    get(authority: string): Promise<Uint8Array | undefined>;
    put(authority: string, snapshot: Uint8Array): Promise<void>;
}

export interface RobotsClientOptions {
    /** Default: `rfc9309`. */
    profile?: Profile;
    /** The crawler for `decide` without an agent, and for checking redirect targets. Default: `*`. */
    agent?: Agents;
    /** Default: `fetchTransport()`, which has no address guard. */
    transport?: Transport;
    /** Default: none. Several processes may share a store. */
    store?: SnapshotStore;
    /** Size of the cache in bytes, at least 1 MiB. The least recently used entries are dropped. Default: 64 MiB. */
    memoryBytesMax?: number;
    /** Deadline for a fetch including its redirects, at most 2^31 - 1. Default: 30,000. */
    deadlineMilliseconds?: number;
    /** Maximum number of fetches in flight. Default: 64. */
    fetchesMax?: number;
    /** Returns the time in seconds since 1970. */
    now?: () => number;
    /** Returns a number from -100 to 100: thousandths by which to lengthen the wait after a failure. */
    jitter?: () => number;
}

/** Whether a URL may be fetched, and why: the keys of `verger.check/1`, and the requested delay. */
export interface Decision extends CheckKeys {
    allowed: boolean;
    /** Milliseconds between two requests that `Crawl-delay` and `Request-rate` ask for now. 0 if neither does. */
    delay_milliseconds: number;
}

/** The result of `RobotsClient.fetch`. */
export interface FetchReport {
    answer: Answer;
    hops: { url: string; reply: string | null; status: number | null; detail: string | null }[];
    warnings: Warning[];
    what: string;
}

export interface DecideOptions {
    /**
     * Whether the rest of the site responds. The profile `google` uses it once a robots.txt has been unreachable for 30
     * days.
     */
    restOfSiteIsUp?: boolean;
}

/** A cache entry: the snapshot of an authority and the current answer. */
interface Known {
    located: Located;
    snapshot: Uint8Array;
    answer: Answer;
    madeAt: number;
    notKept: string | null;
    /** The module's key for each crawler that was queried. */
    keys: Map<string, number>;
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
/** The longest delay that `setTimeout` supports. A longer one fires immediately. */
const TIMER_MAX = 2 ** 31 - 1;

let lastKey = 0;

/** Decides whether a crawler may fetch URLs. Fetches each robots.txt once, however many callers wait for it. */
export class RobotsClient {
    readonly profile: Profile;
    /** The product tokens for `decide` without an agent. Empty for `*`. */
    readonly agents: readonly string[];
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

    constructor(options: RobotsClientOptions = {}) {
        this.profile = options.profile ?? "rfc9309";
        this.agents = tokensOf(options.agent ?? []);
        this.#transport = options.transport ?? fetchTransport();
        this.#store = options.store;
        this.#memoryMax = atLeast(MEMORY_BYTES_MIN, options.memoryBytesMax ?? 64 << 20, "memoryBytesMax");
        this.#deadline = Math.min(TIMER_MAX, atLeast(0, options.deadlineMilliseconds ?? 30_000, "deadlineMilliseconds"));
        this.#permits = atLeast(1, options.fetchesMax ?? 64, "fetchesMax");
        const now = options.now ?? (() => Date.now() / 1000);
        this.#now = () => Math.floor(now());
        this.#jitter = options.jitter ?? (() => Math.round(Math.random() * 200 - 100));
        // Fail here, not at the first request, if the profile or a token is invalid.
        answerOf({ ...this.#question("https://example.com/"), agents: this.agents }, NOTHING);
        checkOf({ ...this.#question("https://example.com/"), key: ++lastKey }, NOTHING);
    }

    /** Approximate size of the cache in bytes. */
    get memoryBytes(): number {
        return this.#bytes;
    }

    /**
     * Decides whether a crawler may fetch `url`. Fetches the robots.txt first if the cached one has expired.
     *
     * A failing server is not an error, because the profile defines what it means.
     *
     * @throws {ArgumentError} if `url` cannot be requested.
     * @throws {ProductTokenError} if `agent` is not a product token.
     */
    async decide(url: string, agent?: Agents, options: DecideOptions = {}): Promise<Decision> {
        return this.#decision(await this.#learn(this.#locate(url)), url, agent, options);
    }

    /** Decides from memory alone. Returns `undefined` if `decide` would fetch. */
    decideFromMemory(url: string, agent?: Agents, options: DecideOptions = {}): Decision | undefined {
        const known = this.#inMemory(this.#locate(url));
        return known && this.#decision(known, url, agent, options);
    }

    /** Returns the state of the authority of `url`. Fetches the robots.txt first if the cached one has expired. */
    async answer(url: string, options: DecideOptions = {}): Promise<Answer> {
        return this.#answer(await this.#learn(this.#locate(url)), options);
    }

    /** Returns the cached state of the authority of `url`, even if it has expired. */
    answerFromMemory(url: string, options: DecideOptions = {}): Answer {
        const located = this.#locate(url);
        const known = this.#known.get(located.authority);
        return this.#answer(this.#judged(located, known?.snapshot ?? NOTHING, known?.notKept ?? null), options);
    }

    #answer({ located, snapshot, notKept }: Known, { restOfSiteIsUp = false }: DecideOptions): Answer {
        const question = this.#question(located.robots_url, this.agents, restOfSiteIsUp);
        return { ...answerOf(question, snapshot), not_kept: notKept };
    }

    /** Like `answer`, but also returns the body whose rules decide, or `undefined` if none does. */
    async file(url: string): Promise<{ answer: Answer; body: Uint8Array | undefined }> {
        const { answer, notKept, snapshot } = await this.#learn(this.#locate(url));
        const body = answer.has_body ? bodyOf(snapshot).slice() : undefined;
        return { answer: { ...answer, not_kept: notKept }, body };
    }

    /** Fetches the robots.txt now, even if the cached one is fresh. Waits for a fetch in flight first. */
    async fetch(url: string): Promise<FetchReport> {
        const located = this.#locate(url);
        for (let flight; (flight = this.#flights.get(located.authority)) !== undefined; ) {
            await flight.catch(() => {});
        }
        let report: FetchReport | undefined;
        await this.#flight(located, true, (known, { done, details }) => {
            const hops = done.hops.map((hop, at) => ({ ...hop, detail: details[at] ?? null }));
            const answer = { ...known.answer, not_kept: known.notKept };
            report = { answer, hops, warnings: done.warnings, what: done.what };
        });
        return report!;
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

    #decision(known: Known, url: string, agent: Agents | undefined, { restOfSiteIsUp = false }: DecideOptions): Decision {
        const agents = agent === undefined ? this.agents : tokensOf(agent);
        const name = JSON.stringify([agents, restOfSiteIsUp]);
        let key = known.keys.get(name);
        if (key === undefined) {
            key = ++lastKey;
            if (known.keys.size >= AGENTS_KEPT) {
                known.keys.clear();
            }
            known.keys.set(name, key);
        }
        const checked = checkOf({ ...this.#question(url, agents, restOfSiteIsUp), key }, known.snapshot);
        const { check, delay_milliseconds } = checked;
        return { ...check, not_kept: known.notKept, allowed: check.allowed === true, delay_milliseconds };
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
        const answer = answerOf(this.#question(located.robots_url), snapshot);
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
            stored = await this.#store?.get(located.authority);
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
                await this.#store.put(located.authority, snapshot);
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
            const question = { ...this.#question(located.robots_url), events, jitter };
            const action = step(question, before, body);
            if (action.do === "done") {
                return { done: action, snapshot: snapshotOf(action, before, body), details };
            }
            if (action.do === "ask") {
                events.push({ kind: "hop", verdict: await ask(action.url) });
                continue;
            }
            const arrival = await this.#send(action, limit);
            details.push("failure" in arrival ? arrival.detail : null);
            body = "body" in arrival ? arrival.body : "ftpFile" in arrival ? arrival.ftpFile : NOTHING;
            events.push(eventOf(arrival, this.#now()));
        }
    }

    async #send({ url, headers }: Action & { do: "send" }, { signal, late, endsAt }: Limit): Promise<Arrival> {
        const left = endsAt - performance.now();
        const pageMilliseconds = Math.min(PAGE_MILLISECONDS_MAX, left / 2);
        const sent = this.#transport({ url, headers, bytesMax: BODY_BYTES_WANTED, signal, pageMilliseconds });
        sent.catch(() => {});
        return Promise.race([sent, late]);
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
                throw new VergerError(`no time left to fetch ${located.robots_url}`);
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
        return { kind: "response", at, status, headers, is_cut: isCut };
    }
    if ("ftpFile" in arrival) {
        return { kind: "ftp-file", at, is_cut: arrival.isCut };
    }
    if ("ftpReply" in arrival) {
        return { kind: "ftp-reply", at, code: arrival.ftpReply };
    }
    return { kind: "failure", at, failure: arrival.failure };
}

function sizeOf({ located, snapshot }: Known): number {
    return ENTRY_BYTES + 4 * located.robots_url.length + snapshot.length;
}

/** Returns the product tokens, or an empty list for `*`, which no group names. */
export function tokensOf(agent: Agents): readonly string[] {
    const tokens = typeof agent === "string" ? [agent] : [...agent];
    return tokens.length === 1 && tokens[0] === "*" ? [] : tokens;
}

function atLeast(least: number, value: number, name: string): number {
    if (!(value >= least)) {
        throw new RangeError(`${name} must be at least ${least}, not ${value}`);
    }
    return value;
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
