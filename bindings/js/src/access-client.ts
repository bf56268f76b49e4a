// `RobotsClient`: decides about URLs, and fetches each robots.txt once, however many callers wait for it.

import type { Answer, Arrival, Check as CheckedUrl, Fields, Hop, Located, Profile, Warning } from "./access-answers.js";
import { type Action, type AnswerJson, answerOf, bodyOf, checkOf, type Done, hopVerdict, locate, NOTHING, step } from "./access-machine.js";
import { type Event, type Flight, Session } from "./access-session.js";
import { fetchTransport, type Transport } from "./access-transports.js";
import { AGENTS, atLeast, type Bytes, CALL, type Check, type Checks, COUNT, FLAG, OBJECT, oneOf, optionsOf } from "./argument.js";
import { required, STRING, STRINGS, textOf, type UrlLike, urlOf, withMethods } from "./argument.js";
import { bytesOf } from "./bytes.js";
import { ArgumentError, InternalError, VergerError } from "./errors.js";
import { clock, inTime, type Limit, limitOf } from "./limit.js";
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

/** The result of a flight, and of its attempt if one was due. */
type Landed = { known: Known; done?: Done };

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
    readonly #limits: { timeout: number; concurrency: number };
    readonly #now: () => number;
    readonly #jitter: () => number;
    readonly #known = new Map<string, Known>();
    #bytes = 0;
    #session: Session<Landed> | undefined;

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
        const [timeout, concurrency] = [given.timeout ?? 30_000, given.concurrency ?? 64].map((limit) => Math.min(TIMER_MAX, Math.ceil(limit)));
        this.#limits = { timeout: timeout!, concurrency: concurrency! };
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
        const { known, done } = await this.#ask(this.#locate(urlOf(url)), "now");
        const { hops, warnings, what } = done!;
        return { answer: typedAnswer(known.answer, known.notKept), hops, warnings, what };
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

    #question(url: string, agents: readonly string[] = this.agents, restOfSiteIsUp = false): object {
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
        return this.#inMemory(located) ?? (await this.#ask(located, "fresh")).known;
    }

    async #ask({ robotsUrl }: Located, wanted: Flight["wanted"]): Promise<Landed> {
        if (this.#session === undefined || this.#session.isOver) {
            this.#session = new Session(this.#limits, (flight, session) => this.#fly(flight, session));
        }
        return (await this.#session.ask(wanted, robotsUrl))!;
    }

    /** Carries out the steps of a flight. */
    async #fly(flight: Flight, session: Session<Landed>): Promise<Landed> {
        const { id, located, wanted } = flight;
        const inMemory = wanted === "fresh" ? this.#inMemory(located) : undefined;
        if (inMemory !== undefined) {
            return { known: inMemory };
        }
        const { until } = await session.next(id, "woken");
        const { known: before, error } = await this.#newest(located, until);
        if (error === null && wanted === "fresh" && this.#now() < before.answer.due_at) {
            this.#hold(before);
            return { known: before };
        }
        for (let event: Event = error === null ? "due" : "store-failed"; ; event = "again") {
            const { step, until } = await session.next(id, event);
            if (step !== "attempt") {
                throw new InternalError(`no time left to fetch ${located.robotsUrl}`);
            }
            const limit = limitOf(until!, `the whole fetch took longer than ${this.#limits.timeout} ms`);
            try {
                const done = await this.#run(flight, session, before.snapshot, limit);
                const { step: keeping } = await session.next(id, "ended", done.outcome);
                if (keeping !== "discard") {
                    return { known: await this.#keep(located, done, keeping, error), done };
                }
            } finally {
                limit.end();
            }
        }
    }

    /** Returns the newer of the cached and the stored snapshot, and why the store could not be read. */
    async #newest(located: Located, until: number | null): Promise<{ known: Known; error: string | null }> {
        const inMemory = this.#known.get(located.authority);
        const local = this.#judged(located, inMemory?.snapshot ?? NOTHING, inMemory?.notKept ?? null);
        try {
            const time = Math.min(this.#limits.timeout, (until ?? Infinity) - clock());
            const found = (await inTime(time, this.#store?.get(located.authority))) ?? local.snapshot;
            const stored = this.#judged(located, bytesOf(textOf(found, "get()")), null);
            const isNewer = (stored.answer.seen_at ?? "") >= (local.answer.seen_at ?? "");
            return { known: isNewer ? stored : local, error: null };
        } catch (error) {
            return { known: local, error: `the store cannot be read: ${messageOf(error)}` };
        }
    }

    /** Stores or caches the result of an attempt. */
    async #keep(located: Located, done: Done, keeping: string, error: string | null): Promise<Known> {
        let notKept: string | null = null;
        if (keeping === "hold") {
            notKept = done.is_about_the_site ? error : "an address that is refused here says nothing about the site";
        } else if (keeping === "put") {
            try {
                await inTime(this.#limits.timeout, this.#store?.put(located.authority, done.snapshot));
            } catch (failure) {
                notKept = `the store cannot be written: ${messageOf(failure)}`;
            }
        }
        const known = this.#judged(located, done.snapshot, notKept);
        if (keeping !== "return") {
            this.#hold(known);
        }
        return known;
    }

    /** Makes an attempt. */
    async #run({ id, located }: Flight, session: Session<Landed>, before: Uint8Array, limit: Limit): Promise<Done> {
        const events: object[] = [];
        const jitter = this.#jitter();
        let body: Uint8Array = NOTHING;
        for (;;) {
            const action = step({ ...this.#question(located.robotsUrl), events, jitter }, before, body);
            if (action.do === "done") {
                return action;
            }
            if (action.do === "ask") {
                const landed = await session.ask("hop", action.url, id, limit.late);
                // Whether it is allowed by the robots.txt of its own authority (G-3xx-2).
                const verdict = landed === undefined ? "unknown" : hopVerdict(this.#question(action.url), landed.known.snapshot);
                events.push({ kind: "hop", verdict });
                continue;
            }
            const arrival = await this.#send(action, limit);
            required("transport()", arrival, OBJECT, "RobotsClient");
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
}

function eventOf(arrival: Arrival, at: number): object {
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
    return { kind: "failure", at, failure: arrival.failure, detail: messageOf(arrival.detail ?? "") };
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
