// `RobotsClient`: decides about URLs, and fetches each robots.txt once for all that ask.

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

/** A product token, or several in the order in which the crawler looks them up; `*` for one that no group names. */
export type Agents = string | readonly string[];

/** Keeps snapshots, which are bytes that only the client reads. A failing store is no failure of an answer: the
 * client goes on from memory, and `not_kept` says so. */
export interface SnapshotStore {
    get(authority: string): Promise<Uint8Array | undefined>;
    put(authority: string, snapshot: Uint8Array): Promise<void>;
}

export interface RobotsClientOptions {
    /** Default: `rfc9309`. */
    profile?: Profile;
    /** The crawler of `decide` where it is given none, and the one that hops are checked for. Default: `*`. */
    agent?: Agents;
    /** Default: `fetchTransport()`, which has no address guard. */
    transport?: Transport;
    /** Beside the memory of the client; other processes may use it as well. */
    store?: SnapshotStore;
    /** What is known of authorities may take so many bytes; the ones asked for least lately go. At least 1 MiB, default
     * 64 MiB. */
    memoryBytesMax?: number;
    /** For all requests of a fetch together, 2^31 - 1 at most. Default: 30,000. */
    deadlineMilliseconds?: number;
    /** How many authorities are fetched at once. Default: 64. */
    fetchesMax?: number;
    /** Seconds since 1970. */
    now?: () => number;
    /** From -100 to 100 thousandths, which a wait after a failure is longer or shorter. */
    jitter?: () => number;
}

/** Whether a URL may be fetched, and why: `verger.check/1`, and the pace that the file asks for. */
export interface Decision extends CheckKeys {
    allowed: boolean;
    /** Milliseconds between two requests that `Crawl-delay` and `Request-rate` ask for now; 0 where nothing does. */
    delay_milliseconds: number;
}

/** What a fetch found. */
export interface FetchReport {
    answer: Answer;
    hops: { url: string; reply: string | null; status: number | null; detail: string | null }[];
    warnings: Warning[];
    what: string;
}

export interface DecideOptions {
    /** Whether the rest of the site answers, which `google` asks once a robots.txt was unreachable for 30 days. */
    restOfSiteIsUp?: boolean;
}

/** What is known of an authority. */
interface Known {
    located: Located;
    snapshot: Uint8Array;
    answer: Answer;
    madeAt: number;
    notKept: string | null;
    /** The module's numbers for answers to one crawler each. */
    keys: Map<string, number>;
}

/** A fetch that has ended. */
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

/** What a map needs beside the bytes of an entry, about. */
const ENTRY_BYTES = 2048;
const MEMORY_BYTES_MIN = 1 << 20;
const AGENTS_KEPT = 64;
/** Bytes of a body after which a transport may stop: one more than any dialect reads. */
const BODY_BYTES_WANTED = 512_001;
const PAGE_MILLISECONDS_MAX = 3000;
/** The longest time of a timer; a longer one ends at once. */
const TIMER_MAX = 2 ** 31 - 1;

let lastKey = 0;

/** Decides whether a crawler may fetch URLs, and fetches each robots.txt once for all that ask. */
export class RobotsClient {
    readonly profile: Profile;
    /** The product tokens of the crawler of `decide` where it is given none; empty for one that no group names. */
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
    /** Which fetch waits for which, so that there is no circle of waits. */
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
        // A profile that there is not, and a token that is none, are errors here.
        answerOf({ ...this.#question("https://example.com/"), agents: this.agents }, NOTHING);
        checkOf({ ...this.#question("https://example.com/"), key: ++lastKey }, NOTHING);
    }

    /** Bytes that what is known takes, about. */
    get memoryBytes(): number {
        return this.#bytes;
    }

    /** Decides whether a crawler may fetch `url`; the robots.txt is fetched first where that is due. A server that
     * fails is no error: the profile decides. It throws where `url` cannot be requested, or `agent` is no product
     * token. */
    async decide(url: string, agent?: Agents, options: DecideOptions = {}): Promise<Decision> {
        return this.#decision(await this.#learn(this.#locate(url)), url, agent, options);
    }

    /** Decides from memory alone; `undefined` where `decide` would fetch. */
    decideFromMemory(url: string, agent?: Agents, options: DecideOptions = {}): Decision | undefined {
        const known = this.#inMemory(this.#locate(url));
        return known && this.#decision(known, url, agent, options);
    }

    /** What is known of the authority of `url`; it is fetched first where that is due. */
    async answer(url: string, options: DecideOptions = {}): Promise<Answer> {
        return this.#answer(await this.#learn(this.#locate(url)), options);
    }

    /** What memory knows of the authority of `url`, however long ago it was seen. */
    answerFromMemory(url: string, options: DecideOptions = {}): Answer {
        const located = this.#locate(url);
        const known = this.#known.get(located.authority);
        return this.#answer(this.#judged(located, known?.snapshot ?? NOTHING, known?.notKept ?? null), options);
    }

    #answer({ located, snapshot, notKept }: Known, { restOfSiteIsUp = false }: DecideOptions): Answer {
        const question = this.#question(located.robots_url, this.agents, restOfSiteIsUp);
        return { ...answerOf(question, snapshot), not_kept: notKept };
    }

    /** The same, and the body whose rules decide; `undefined` where none does. */
    async file(url: string): Promise<{ answer: Answer; body: Uint8Array | undefined }> {
        const { answer, notKept, snapshot } = await this.#learn(this.#locate(url));
        const body = answer.has_body ? bodyOf(snapshot).slice() : undefined;
        return { answer: { ...answer, not_kept: notKept }, body };
    }

    /** Fetches now, whatever is known, after the fetch in flight where there is one. */
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
            throw new ArgumentError(`${located.authority}: a robots.txt is fetched over HTTP, HTTPS and FTP only`);
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

    /** What memory has, where it still decides. */
    #inMemory({ authority }: Located): Known | undefined {
        const known = this.#known.get(authority);
        if (known === undefined) {
            return undefined;
        }
        const now = this.#now();
        const { answer, madeAt } = known;
        const holds = madeAt <= now && now < answer.holds_until;
        const current = holds ? known : this.#judged(known.located, known.snapshot, known.notKept);
        // Asked for last.
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
        this.#bytes += bytesOf(known);
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
            this.#bytes -= bytesOf(known);
        }
    }

    async #learn(located: Located): Promise<Known> {
        return this.#inMemory(located) ?? this.#flights.get(located.authority) ?? this.#flight(located, false);
    }

    /** Starts the one fetch of an authority. */
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

    /** What memory or the store knows, whichever was seen later; and why the store could not be read. */
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

    /** Holds what was seen, and puts it into the store where it is a fact about the site. */
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

    /** Drives the machine to the end of a fetch. */
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

    /** Whether the robots.txt of its own authority allows a URL that a redirect leads to. G-3xx-2. */
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

    /** A fetch that answers the question about a hop. It follows redirects without such a question of its own, since a
     * chain of these could have no end; it is kept only where none came up. */
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
                // It had the rest of another fetch's time, which says nothing about this site.
                throw new VergerError(`${located.robots_url}: too little time was left`);
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

/** Ends a fetch after that time; what is in flight then has timed out. */
function limitOf(milliseconds: number): Limit {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const late = new Promise<Arrival>((resolve) => {
        timer = setTimeout(() => {
            resolve({ failure: "timeout", detail: `the fetch as a whole took longer than ${milliseconds} ms` });
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

function bytesOf({ located, snapshot }: Known): number {
    return ENTRY_BYTES + 4 * located.robots_url.length + snapshot.length;
}

/** The product tokens; none where only `*` is named, since no group names such a crawler. */
export function tokensOf(agent: Agents): readonly string[] {
    const tokens = typeof agent === "string" ? [agent] : [...agent];
    return tokens.length === 1 && tokens[0] === "*" ? [] : tokens;
}

function atLeast(least: number, value: number, name: string): number {
    if (!(value >= least)) {
        throw new RangeError(`${name} is ${value}, and must be at least ${least}`);
    }
    return value;
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
